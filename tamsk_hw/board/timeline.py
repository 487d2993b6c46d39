"""The timeline: levels that dwell, and sensors' faults.

The order in which events are given out.

A state that has begun is a `Run`: it counts when it has held to its deadline, that is, when it has been seen for
its dwell; time in which nobody saw the board moves the deadline on. Runs of different dwell that begin in one
order ripen in another, so a ripe event is kept back while a *blocking* run that began before it may still ripen.
Seats, lifts and ring counts block; they hold for 30 and 60 ms, so a ripe seat waits at most until 60 ms after its
own beginning, and only when a ring has begun up to 30 ms before it. Leaning, hovering, holders and faults take
longer and block nothing; when they ripen later than something that began after them, they are given the last
time given out.

Sensors that cannot be trusted: reporting and clearing faults, the references, the controller's flags.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from heapq import heappop, heappush
from math import inf

from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.board.sensor_report import (
    FaultDetail,
    ReferenceOff,
    ReferencesOff,
    Sensed,
    SensingSettings,
    SensorCleared,
    SensorFault,
    SupplyLow,
)
from tamsk_hw.referee.events import SELECT_LINES, SUPPLY, SensorId


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


#: What the references read: 1/4, 1/2, 3/4 of the supply at 8 bits.
REFERENCE_READINGS = (64, 128, 191)

#: Steps from a rail within which everything that a dead multiplexer gives lies.
RAIL_MARGIN = 8

_SUPPLY_LOW = int(FaultFlag.SUPPLY_LOW)

# Bad time adds up so many times faster than good time takes away.
_SLOWER = 9.0

#: Place on the board, for events of the same instant, of what belongs to no tube.
NOWHERE = 100


class FaultWatch:
    """One sensor's fault: reported when many of its last readings were bad, cleared after a dwell of good ones.

    Bad time adds up, and good time takes away a ninth of its length: what is bad without a break is reported after
    ``dwell``, what flickers when it has been bad for as long in all, if it is bad for more than a tenth of the
    time. A bad reading counts for ``spoils`` seconds at least, since nobody saw when it ended and a state must be
    seen for about as long. A fault carries the time at which it is reported.
    """

    def __init__(
        self,
        timeline: Timeline,
        sensor: SensorId,
        *,
        dwell: float,
        clear_dwell: float,
        spoils: float = 0.0,
        on_cleared: Callable[[], None] | None = None,
        place: int = NOWHERE,
    ) -> None:
        self.sensor = sensor
        self.standing = False
        """The fault has been reported and not cleared."""
        self._timeline = timeline
        self._dwell = self._needed = dwell
        self._clear_dwell = clear_dwell
        self._spoils = spoils
        self._on_cleared = on_cleared
        self._place = place
        self._bad = False
        self._since = -inf
        self._badness = 0.0
        """Bad seconds that have added up until ``_since``, when the readings last became bad or good."""
        self._detail: FaultDetail | None = None
        self._run: Run | None = None

    def see(self, detail: FaultDetail | None, t: float, *, dwell: float | None = None) -> None:
        """Take the last snapshot's judgement (None: good), at time ``t``; ``dwell`` replaces the usual one."""
        bad = detail is not None
        if bad:
            self._detail = detail
        if bad == self._bad:
            return
        self._bad = bad
        self._timeline.stop(self._run)
        self._run = None
        if bad:
            self._needed = self._dwell if dwell is None else dwell
            self._badness = max(0.0, self._badness - max(0.0, t - self._since) / _SLOWER)
            self._since = t
            if not self.standing:
                self._wait(t + max(0.0, self._needed - self._badness))
        else:
            spoiled = max(t - self._since, self._spoils)
            self._badness = min(self._needed, self._badness + spoiled)
            self._since += spoiled
            if self.standing:
                self._wait(t + self._clear_dwell)
            elif self._badness >= self._needed:
                self._wait(t)

    def assume(self) -> None:
        """Begin with a fault that an earlier run reported and did not clear."""
        self.standing = self._bad = True

    def forget(self) -> None:
        """Drop what has not lasted for its dwell, as the link is lost; what was reported stands."""
        self._timeline.stop(self._run)
        self._run = None
        self._bad = self.standing
        self._badness, self._since = 0.0, -inf

    def _wait(self, deadline: float) -> None:
        self._run = self._timeline.start(Run(deadline, deadline, Rank.FAULT, self._ripe, dated=False))

    def _ripe(self, run: Run) -> None:
        self._run = None
        self.standing = not self.standing
        if self.standing and self._detail is not None:
            self._timeline.put(SensorFault(run.deadline, self.sensor, self._detail), Rank.FAULT, self._place)
            if not self._bad:
                self._wait(run.deadline + self._clear_dwell)
        else:
            self._badness = 0.0
            self._timeline.put(SensorCleared(run.deadline, self.sensor), Rank.CLEARED, self._place)
            if self._on_cleared is not None:
                self._on_cleared()


class References:
    """The three fixed inputs, on the board's multiplexers: they show a stuck multiplexer or select line at once.

    ``reference_mux`` is the multiplexer of 1/4, 1/2 and 3/4 of the supply, ``field_mux`` that of each field (None
    for one that is not fitted), or None where nobody knows. References that are off are one multiplexer's fault
    only when it has all of these and all that it gives is at the same rail; a select line, which all share, moves
    a single reference too. Otherwise they are the select lines'.
    """

    def __init__(
        self,
        timeline: Timeline,
        reference_mux: Sequence[int],
        field_mux: Sequence[int | None] | None,
        *,
        settings: SensingSettings,
        on_change: Callable[[], None],
    ) -> None:
        self._mux_of = tuple(reference_mux)
        self._margin = settings.reference_margin
        self._on_change = on_change
        self._fields_of = {
            mux: [] if field_mux is None else [field for field, on in enumerate(field_mux) if on == mux]
            for mux in dict.fromkeys((*self._mux_of, *(mux for mux in field_mux or () if mux is not None)))
        }
        dwell, spoils = settings.fault_dwell, settings.glass_dwell
        self._watches = {
            sensor: FaultWatch(timeline, sensor, dwell=dwell, clear_dwell=dwell, spoils=spoils)
            for sensor in (*map(SensorId.multiplexer, self._fields_of), SELECT_LINES)
        }
        self._off: list[int] = []
        self._blamed: SensorId | None = None
        """The sensor to which the last snapshot's deviation is put down."""

    @property
    def off(self) -> bool:
        """Some were beyond the margin in the last snapshot."""
        return bool(self._off)

    @property
    def distrusted(self) -> frozenset[int]:
        """The multiplexers whose readings in the last snapshot are not to be used.

        A fault that stands does not count by itself: what flickers is right in between, and must not make the
        board blind.
        """
        if self._blamed is None:
            return frozenset()
        if self._blamed == SELECT_LINES or self._blamed.mux is None:
            return frozenset(self._fields_of)
        return frozenset((self._blamed.mux,))

    def assume(self, sensors: Collection[SensorId]) -> None:
        """Begin with these sensors' faults, reported by an earlier run; sensors of other parts are ignored."""
        for sensor, watch in self._watches.items():
            if sensor in sensors:
                watch.assume()

    def good(self, references: bytes) -> bool:
        """All within the margin."""
        return not self._off_in(references)

    def see(self, references: bytes, fields: bytes, t: float) -> None:
        """Take the last snapshot, at time ``t``."""
        off = self._off_in(references)
        blamed = self._sensor_at_fault(references, fields, off)
        detail = self._detail(references, off) if off else None
        for sensor, watch in self._watches.items():
            watch.see(detail if sensor == blamed else None, t)
        self._off = off
        if blamed != self._blamed:
            self._blamed = blamed
            self._on_change()

    def forget(self) -> None:
        """The link is lost."""
        self._off = []
        self._blamed = None
        for watch in self._watches.values():
            watch.forget()
        self._on_change()

    def _off_in(self, references: bytes) -> list[int]:
        return [
            number
            for number, (reading, should) in enumerate(zip(references, REFERENCE_READINGS, strict=False))
            if abs(reading - should) > self._margin
        ]

    def _sensor_at_fault(self, references: bytes, fields: bytes, off: list[int]) -> SensorId | None:
        """The multiplexer or the select lines; None when no reference is off."""
        if not off:
            return None
        mux = self._only_mux_of(off)
        if mux is None:
            return SELECT_LINES
        of_mux = [reading for reading, on in zip(references, self._mux_of, strict=True) if on == mux]
        given = [*of_mux, *(fields[field] for field in self._fields_of[mux])]
        dead = max(given) <= RAIL_MARGIN or min(given) >= 255 - RAIL_MARGIN
        return SensorId.multiplexer(mux) if dead else SELECT_LINES

    def _only_mux_of(self, off: list[int]) -> int | None:
        """The multiplexer that has all of these references; None when they are on several."""
        muxes = {self._mux_of[number] for number in off}
        return muxes.pop() if len(muxes) == 1 else None

    def _detail(self, references: bytes, off: list[int]) -> ReferencesOff:
        readings = tuple(
            ReferenceOff(number + 1, references[number], REFERENCE_READINGS[number]) for number in off
        )
        return ReferencesOff(readings, self._margin, self._only_mux_of(off))


class ControllerFlags:
    """The controller's report of its supply.

    Its flags on load cells and on a running self-test are read by those who use these sensors; the flags on
    the traffic with the host are the link's.
    """

    def __init__(self, timeline: Timeline, settings: SensingSettings, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self.supply_low = False
        """The supply was too low for any field to be trusted, in the last snapshot."""
        dwell = settings.fault_dwell
        self._supply = FaultWatch(timeline, SUPPLY, dwell=dwell, clear_dwell=dwell, spoils=settings.glass_dwell)

    def assume(self, sensors: Collection[SensorId]) -> None:
        """Begin with these sensors' faults, reported by an earlier run; sensors of other parts are ignored."""
        if self._supply.sensor in sensors:
            self._supply.assume()

    def see(self, flags: int, t: float) -> None:
        """Take the last snapshot, at time ``t``."""
        low = bool(flags & _SUPPLY_LOW)
        self._supply.see(SupplyLow() if low else None, t)
        if low != self.supply_low:
            self.supply_low = low
            self._on_change()

    def forget(self) -> None:
        """The link is lost."""
        self.supply_low = False
        self._supply.forget()
        self._on_change()
