"""Hall sensors that scatter, whose rest wanders, magnets that differ, and flags that flicker."""

from __future__ import annotations

from random import Random

from tamsk_hw.board.protocol import FIELDS, REFERENCES

#: Scans after which the noise repeats: a prime, so that it does not beat with anything.
_ROWS = 1021

#: Deviations beyond which nothing scatters.
_MOST = 4.0

#: Glasses and timer: the magnets' places in the world.
_MAGNETS = 7


class FieldNoise:
    """Every reading of a field scatters by ``deviation`` (standard, in steps of 8 bits).

    ``references``: they scatter, too, as when the controller's supply is not clean.
    """

    def __init__(self, deviation: float, seed: int, *, references: bool = False) -> None:
        chance = Random(f"{seed}/field noise")
        noisy = FIELDS + (REFERENCES if references else 0)
        self._rows = [
            tuple(
                round(deviation * max(-_MOST, min(_MOST, chance.gauss(0.0, 1.0)))) if place < noisy else 0
                for place in range(FIELDS + REFERENCES)
            )
            for _ in range(_ROWS)
        ]

    def of_scan(self, scan: int) -> tuple[int, ...]:
        """Steps by which each field, then each reference, is off in the scan of that number."""
        return self._rows[scan % _ROWS]


class RestDrift:
    """The rest of each field wanders by ``steps`` within ``seconds``, up or down, evenly; then it stays there."""

    def __init__(self, steps: float, seed: int, *, seconds: float = 3600.0, start: float = 0.0) -> None:
        chance = Random(f"{seed}/drift of rest")
        self._ends = [steps * chance.choice((-1.0, 1.0)) for _ in range(FIELDS)]
        self._seconds = seconds
        self._start = start

    def at(self, t: float) -> list[float]:
        """Steps by which the rest of each field is off at ``t`` (seconds)."""
        share = max(0.0, min(1.0, (t - self._start) / self._seconds))
        return [share * end for end in self._ends]


def unequal_magnets(spread: float, seed: int) -> list[tuple[float, float]]:
    """Strengths within 1 ± ``spread`` for ends A and B of each glass and the timer (`Matter.set_magnets`)."""
    chance = Random(f"{seed}/strength of magnets")
    least, most = 1.0 - spread, 1.0 + spread
    return [(chance.uniform(least, most), chance.uniform(least, most)) for _ in range(_MAGNETS)]


class Flicker:
    """Something that is there in one scan every ``every`` seconds, at a phase that the seed chooses."""

    def __init__(self, every: float, seed: int, *, start: float = 0.0) -> None:
        self.next = start + Random(f"{seed}/flicker").uniform(0.0, every)
        """When it comes next (seconds)."""
        self._every = every

    def take(self, t: float) -> bool:
        """It is there in the scan of time ``t``; asked once a scan."""
        if t < self.next:
            return False
        while self.next <= t:
            self.next += self._every
        return True
