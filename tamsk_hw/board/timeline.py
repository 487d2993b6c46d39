"""The order in which events are given out, and faults of sensors that cannot be trusted.

A state that has begun is a `Run`: it counts when it has held to its deadline, that is, when it has been seen for
its dwell; time in which nobody saw the board moves the deadline on. Runs of different dwell that begin in one
order ripen in another, so a ripe event is kept back while a *blocking* run that began before it may still ripen.
Seats, lifts and ring counts block; they hold for 30 and 60 ms, so a ripe seat waits at most until 60 ms after its
own beginning, and only when a ring has begun up to 30 ms before it. Leaning, hovering, holders and faults take
longer and block nothing; when they ripen later than something that began after them, they are given the last
time given out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from heapq import heappop, heappush
from math import inf

from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import SELECT_LINES, Event, Fault, SensorId


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
        self._ripe: list[tuple[float, int, int, int, Event]] = []
        self._number = 0
        self.given_to = -inf
        """The time of the last event that was given out: nothing can be dated before it any more."""
        self._out: list[Event] = []

    @property
    def deadline(self) -> float:
        """Time at which the next run ripens; infinity when none is on."""
        return min((run.deadline for run in self._runs), default=inf)

    def settled(self, now: float) -> float:
        """No event that is still to come has a time before this."""
        begins = [run.begin if run.dated else run.deadline for run in self._runs]
        begins += [run.begin for run in self._suspended if run.dated and now <= run.kept_until]
        kept = [entry[0] for entry in self._ripe]
        return max(self.given_to, min([now, *begins, *kept]))

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

    def put(self, event: Event, rank: Rank, place: int) -> None:
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

    def publish(self, event: Event) -> None:
        """Give out an event that is certain at once, after all that went before."""
        self._out.append(event if event.t >= self.given_to else replace(event, t=self.given_to))
        self.given_to = max(self.given_to, event.t)

    def drain(self) -> list[Event]:
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
            if event.t < self.given_to:
                event = replace(event, t=self.given_to)
            self.given_to = event.t
            self._out.append(event)


#: Readings of the references: 1/4, 1/2, 3/4 of the supply at 8 bits.
REFERENCE_READINGS = (64, 128, 191)

#: Steps from a rail within which everything that a dead multiplexer gives lies.
RAIL_MARGIN = 8

# Bad time adds up this many times faster than good time takes away.
_SLOWER = 9.0

#: Place on the board, for events of the same instant, of what belongs to no tube.
NOWHERE = 100


def cleared(t: float, sensor: SensorId) -> Fault:
    """Since ``t`` a sensor that was at fault can be trusted again."""
    return Fault(t, sensor, "reads well again", cleared=True)


class Watch:
    """Decides whether something is at fault: from many bad readings on, until good ones last for ``clear_dwell``
    (None: as long as ``dwell``).

    Bad time adds up, and good time takes away a ninth of its length: what is bad without a break stands after
    ``dwell``, what flickers when it has been bad for as long in all, if it is bad for more than a tenth of the
    time. A bad reading counts for ``spoils`` seconds at least, since nobody saw when it ended and a state must be
    seen for about as long. ``on_changed`` is called with the time at which `standing` changes.
    """

    def __init__(
        self,
        timeline: Timeline,
        *,
        dwell: float,
        on_changed: Callable[[float], None],
        clear_dwell: float | None = None,
        spoils: float = 0.0,
    ) -> None:
        self.standing = False
        """The fault stands: it was bad for its dwell, and has not been good for the other."""
        self._timeline = timeline
        self._dwell = self._needed = dwell
        self._clear_dwell = dwell if clear_dwell is None else clear_dwell
        self._spoils = spoils
        self._on_changed = on_changed
        self._bad = False
        self._since = -inf
        self._badness = 0.0
        """Bad seconds that have added up until ``_since``, when the readings last became bad or good."""
        self._run: Run | None = None

    def feed(self, bad: bool, t: float, *, dwell: float | None = None) -> None:
        """Take the last snapshot's judgement at time ``t``; ``dwell`` replaces the usual one."""
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

    def restore(self, standing: bool) -> None:
        """Begin as an earlier run left it."""
        self.standing = self._bad = standing

    def reset(self) -> None:
        """Drop what has not lasted for its dwell, as the link is lost; what stands stays."""
        self._timeline.stop(self._run)
        self._run = None
        self._bad = self.standing
        self._badness, self._since = 0.0, -inf

    def _wait(self, deadline: float) -> None:
        self._run = self._timeline.start(Run(deadline, deadline, Rank.FAULT, self._ripe, dated=False))

    def _ripe(self, run: Run) -> None:
        self._run = None
        self.standing = not self.standing
        self._on_changed(run.deadline)
        if not self.standing:
            self._badness = 0.0
        elif not self._bad:
            self._wait(run.deadline + self._clear_dwell)


class FaultWatch:
    """One sensor's fault, reported and cleared as its `Watch` says, with the time at which it is."""

    def __init__(
        self,
        timeline: Timeline,
        sensor: SensorId,
        *,
        dwell: float,
        spoils: float = 0.0,
        on_cleared: Callable[[], None] | None = None,
        place: int = NOWHERE,
        unread: frozenset[Tube] = frozenset(),
    ) -> None:
        self.sensor = sensor
        self._watch = Watch(timeline, dwell=dwell, on_changed=self._report, spoils=spoils)
        self._timeline = timeline
        self._on_cleared = on_cleared
        self._place = place
        self._unread = unread
        self._detail = ""

    @property
    def standing(self) -> bool:
        """The fault has been reported and not cleared."""
        return self._watch.standing

    def feed(self, detail: str | None, t: float, *, dwell: float | None = None) -> None:
        """Take the last snapshot's judgement at time ``t``; ``dwell`` replaces the usual one.

        ``detail``: the fault and its consequence, in words that follow the sensor's name; None: good.
        """
        if detail is not None:
            self._detail = detail
        self._watch.feed(detail is not None, t, dwell=dwell)

    def restore(self, faults: Collection[SensorId]) -> None:
        """Begin with the faults that an earlier run reported and did not clear, if this sensor's is among them."""
        self._watch.restore(self.sensor in faults)

    def reset(self) -> None:
        """Drop what has not lasted for its dwell, as the link is lost; what was reported stands."""
        self._watch.reset()

    def _report(self, t: float) -> None:
        if self.standing:
            fault = Fault(t, self.sensor, self._detail, unread=self._unread)
            self._timeline.put(fault, Rank.FAULT, self._place)
            return
        self._timeline.put(cleared(t, self.sensor), Rank.CLEARED, self._place)
        if self._on_cleared is not None:
            self._on_cleared()


class References:
    """The three fixed inputs, on the board's multiplexers: they show a stuck multiplexer or select line at once.

    References that are off are one multiplexer's fault only when it has all of these and all that it gives is at
    the same rail; a select line, which all share, moves a single reference too. Otherwise they are the select
    lines'. These choose the ring sensors' converter, too: while they are to blame no ring is read.
    """

    def __init__(self, timeline: Timeline, wiring: Wiring, settings: SensingSettings) -> None:
        self.blamed: SensorId | None = None
        """The sensor at fault in the last snapshot, if one is."""
        self.distrusted: frozenset[int] = frozenset()
        """The multiplexers whose readings in the last snapshot are not to be used.

        A fault that stands does not count by itself: what flickers is right in between, and must not make the
        board blind.
        """
        self._mux_of = tuple(channel.mux for channel in wiring.references)
        self._margin = settings.reference_margin
        self._places: dict[int, list[int]] = {}
        """For each multiplexer the places of its inputs among fields and references together."""
        for place, channel in wiring.inputs.items():
            self._places.setdefault(channel.mux, []).append(place)
        watch = partial(FaultWatch, timeline, dwell=settings.fault_dwell, spoils=settings.glass_dwell)
        self._watches = [watch(SensorId.multiplexer(mux)) for mux in self._places]
        self._watches.append(watch(SELECT_LINES, unread=frozenset(wiring.tubes)))

    def restore(self, faults: Collection[SensorId]) -> None:
        """Begin with faults that an earlier run reported; those of other sensors are ignored."""
        for watch in self._watches:
            watch.restore(faults)

    def off(self, references: bytes) -> list[int]:
        """The references that are beyond the margin."""
        return [
            number
            for number, (reading, should) in enumerate(zip(references, REFERENCE_READINGS, strict=False))
            if abs(reading - should) > self._margin
        ]

    def feed(self, references: bytes, fields: bytes, t: float) -> None:
        """Take the last snapshot, at time ``t``."""
        off = self.off(references)
        muxes = {self._mux_of[number] for number in off}
        mux = muxes.pop() if len(muxes) == 1 else None
        self.blamed, detail = None, None
        self.distrusted = frozenset()
        if off:
            readings = ", ".join(f"{each + 1}/4 of 5 V reads {references[each]}" for each in off)
            allowed = ", ".join(f"{REFERENCE_READINGS[each]} ± {self._margin}" for each in off)
            perhaps = "" if mux is None else f" (or multiplexer {mux})"
            detail = f"{readings}; allowed {allowed}{perhaps}; its glasses are held as they stood"
            if mux is not None and self._is_dead(mux, references, fields):
                self.blamed, self.distrusted = SensorId.multiplexer(mux), frozenset((mux,))
            else:
                self.blamed, self.distrusted = SELECT_LINES, frozenset(self._places)
                detail += "; no ring is read"
        for watch in self._watches:
            watch.feed(detail if watch.sensor == self.blamed else None, t)

    def reset(self) -> None:
        """The link is lost."""
        self.distrusted = frozenset()
        for watch in self._watches:
            watch.reset()

    def _is_dead(self, mux: int, references: bytes, fields: bytes) -> bool:
        """All that a multiplexer gives is at the same rail."""
        read = fields + references
        given = [read[place] for place in self._places[mux]]
        return max(given) <= RAIL_MARGIN or min(given) >= 255 - RAIL_MARGIN
