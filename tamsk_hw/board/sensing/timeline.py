"""The order in which events are given out.

A state that has begun is a `Run`: it counts when it has held to its deadline, that is, when it has been seen for
its dwell; time in which nobody saw the board moves the deadline on. Runs of different dwell that begin in one
order ripen in another, so a ripe event is kept back while a *blocking* run that began before it may still ripen.
Seats, lifts and ring counts block; they hold for 30 and 60 ms, so a ripe seat waits at most until 60 ms after its
own beginning, and only when a ring has begun up to 30 ms before it. Leaning, hovering, holders and faults take
longer and block nothing; when they ripen later than something that began after them, they are given the last
time given out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from heapq import heappop, heappush
from math import inf

from tamsk_hw.board.sensing.sensed import Sensed


class Rank(IntEnum):
    """Order of events that began at the same instant: glasses before the rings dropped over them, and
    the holders that rings came from before the rings. What is found when the board is seen again began at one
    instant, too; of that a ring where no glass has come or gone comes first: a move may end the right to it.
    """

    CLEARED = 0
    HOLDER = 1
    FOUND_RINGS = 2
    LIFT = 3
    SEAT = 4
    TILT = 5
    RINGS = 6
    FAULT = 7


@dataclass(eq=False, slots=True)
class Run:
    """A state that began at ``begin`` and counts when it has held to ``deadline`` (seconds).

    ``finish`` is called once when it has. ``blocking``: later beginnings wait for it. ``dated``: its event
    carries ``begin``, so the present is not settled before that.
    """

    begin: float
    deadline: float
    rank: Rank
    finish: Callable[[Run], None]
    blocking: bool = False
    dated: bool = True
    missing: float = 0.0
    """While suspended: the seconds for which it must still be seen, and until when it may be resumed."""
    kept_until: float = inf


class Timeline:
    """Holds the runs that are not ripe and the events that are, and gives the events out in order."""

    def __init__(self) -> None:
        self.now = -inf
        """The time of the snapshot that is being looked at (seconds)."""
        self._runs: list[Run] = []
        self._suspended: list[Run] = []
        self._ripe: list[tuple[float, int, int, int, Sensed]] = []
        self._number = 0
        self._last = -inf
        self._out: list[Sensed] = []

    @property
    def deadline(self) -> float:
        """When the next run ripens; infinity when none is on."""
        return min((run.deadline for run in self._runs), default=inf)

    def settled(self, now: float) -> float:
        """No event that is still to come has a time before this."""
        begins = [run.begin if run.dated else run.deadline for run in self._runs]
        begins += [run.begin for run in self._suspended if run.dated and now <= run.kept_until]
        kept = [entry[0] for entry in self._ripe]
        return max(self._last, min([now, *begins, *kept]))

    def start(self, run: Run) -> Run:
        """A state has begun."""
        self._runs.append(run)
        return run

    def stop(self, run: Run | None) -> None:
        """Drop a state that was contradicted before it counted. No-op for None or a finished run."""
        for runs in (self._runs, self._suspended):
            if run is not None and run in runs:
                runs.remove(run)

    def suspend(self, run: Run, within: float) -> None:
        """Interrupt a state whose sensor is not trusted; within ``within`` seconds `resume` may go on with it."""
        if run in self._runs:
            self._runs.remove(run)
            self._suspended.append(run)
            run.missing = max(0.0, run.deadline - self.now)
            run.kept_until = self.now + within

    def resume(self, run: Run) -> None:
        """Continue a suspended state: the time for which it was seen before counts."""
        run.deadline = self.now + run.missing
        self.stop(run)
        self._runs.append(run)

    def put(self, event: Sensed, rank: Rank, place: int) -> None:
        """An event that counts; at one instant they are ordered by ``rank``, then ``place`` on the board."""
        self._number += 1
        heappush(self._ripe, (event.t, rank, place, self._number, event))

    def ripen(self, until: float) -> None:
        """Let time pass to ``until``: what has held to its deadline counts, one deadline after the other."""
        while True:
            deadline = self.deadline
            if deadline > until:
                break
            for run in [run for run in self._runs if run.deadline == deadline]:
                if run in self._runs:
                    self._runs.remove(run)
                    run.finish(run)
            self._release()
        self._release()

    def postpone(self, unseen: float) -> None:
        """Nobody saw the board for ``unseen`` seconds: they count towards no state's dwell."""
        for run in self._runs:
            run.deadline += unseen

    def drop_runs(self) -> None:
        """Forget everything that is not ripe: nobody can say whether it held. What is ripe waits no more."""
        self._runs.clear()
        self._suspended.clear()
        self._release()

    def tell(self, event: Sensed) -> None:
        """Give out an event that is certain at once, after all that went before."""
        self._out.append(event if event.t >= self._last else replace(event, t=self._last))
        self._last = max(self._last, event.t)

    def take(self) -> list[Sensed]:
        """The events given out since the last call, their times never decreasing."""
        out = self._out
        self._out = []
        return out

    def _release(self) -> None:
        """Give out what no earlier beginning can precede any more."""
        if not self._ripe:
            return
        barrier = min(((run.begin, int(run.rank)) for run in self._runs if run.blocking), default=(inf, 0))
        while self._ripe and self._ripe[0][:2] <= barrier:
            event = heappop(self._ripe)[-1]
            if event.t < self._last:
                event = replace(event, t=self._last)
            self._last = event.t
            self._out.append(event)
