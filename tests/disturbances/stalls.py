"""A host that stands still: another program has the processor, or the disk blocks. Bytes pile up in its port."""

from collections.abc import Iterable
from random import Random
from typing import Final, Protocol

#: Bytes that Linux keeps for a program that does not read its terminal. A serial adapter is then stopped, and what
#: the board sends is lost until the program reads again; the last frame that is kept is cut.
KEPT_BYTES: Final = 4095


class Host(Protocol):
    """A host that does not always run."""

    def runs_at(self, t: float) -> float:
        """The first time from ``t`` on (seconds, never decreasing) at which the host runs."""


class StallsAt:
    """The host stands still for ``seconds`` from each of these times on, as under SIGSTOP."""

    def __init__(self, seconds: float, begins: Iterable[float]) -> None:
        self._seconds = seconds
        self._begins = sorted(begins)

    def runs_at(self, t: float) -> float:
        """The first time from ``t`` on at which the host runs."""
        for begin in self._begins:
            if begin <= t < begin + self._seconds:
                t = begin + self._seconds
        return t


class ShareOfTime:
    """The host runs for ``share`` of each ``every`` seconds, as beside a program that takes the rest."""

    def __init__(self, share: float, every: float) -> None:
        self._runs = share * every
        self._every = every

    def runs_at(self, t: float) -> float:
        """The first time from ``t`` on at which the host runs."""
        since = t % self._every
        return t if since < self._runs else t - since + self._every


class Stalls:
    """The host stands still for ``seconds`` now and then; ``every``: mean seconds from one to the next."""

    def __init__(self, seconds: float, seed: int, *, every: float = 5.0) -> None:
        self._seconds = seconds
        self._every = every
        self._chance = Random(f"{seed}/stalls")
        self._begin = self._chance.expovariate(1.0 / every)

    def runs_at(self, t: float) -> float:
        """The first time from ``t`` on (seconds, never decreasing) at which the host runs."""
        while t >= self._begin + self._seconds:
            self._begin += self._seconds + self._chance.expovariate(1.0 / self._every)
        return self._begin + self._seconds if self._seconds and t >= self._begin else t
