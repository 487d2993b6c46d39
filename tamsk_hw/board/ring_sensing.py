"""Rings around the tubes.

The firmware says of which sensors nothing is known (PROTOCOL.md section 4): there a tube keeps its former count. A
gap in the code is no count either; held long enough it is a fault of that level. Tubes that stay unread are
reported, by the cause that the sensors' signals show: a converter that does not answer, else light. So are sensors
whose signal is near to their threshold, before they miss a ring or see one that is not there. A count that changes
while the glass of the same tube is on its way waits for the glass, at most `SensingSettings.glass_first`, so that
a seat comes before the ring dropped over that glass. A rise after nothing was known, or after frames that were
missed, was dropped at some time since the tube was read before: the event says so (R9.8).

Where the rights to rings are known (`RingSensors.expect`), a ring is *due* in a tube in which a right was open
when it began, and counts by itself after the ring dwell, whatever a finger covers above it. It waits for a holder
that has been on its way since before, at most `SensingSettings.holder_first`: the ring may have come from there.
Any other rise may be a finger and is looked at for `SensingSettings.ring_dwell_undue`; nothing waits for it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf

from tamsk_hw.board.glass_sensing import Field
from tamsk_hw.board.holder_sensing import RingHolder
from tamsk_hw.board.protocol import RING_INPUTS, RingSignal, RingSignals
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.timeline import NOWHERE, Rank, Run, Timeline, Watch, cleared
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.events import RING_CONVERTERS, RING_LIGHT, RING_SIGNALS, Fault, Rings, SensorId

#: Tubes or sensors that are named; more are counted.
_NAMED = 4

#: Counts from a signal to its threshold below which a sensor sees badly: without a ring, and with one, which must
#: exceed it by this share, too.
NEAR_BELOW, NEAR_ABOVE, _NEAR_SHARE = 2.0, 3.0, 0.3

#: Counts of a threshold below which a signal is so weak that one reading often does not decide whether a finger is
#: gone, in light or by noise; that of all sensors that are not calibrated is about 12.
_WEAK_BELOW = 25.0

#: Counts by which it must be better than that to see well again. In light that is not quiet, with more counts of
#: deviation, nothing is said.
_BETTER, _UNQUIET = 1.0, 3.0

#: Seconds in which tubes become unread together.
_TOGETHER = 0.05

#: Seconds: a count that shows for less after it could not be read, as in one scan of 2.5 ms, is no reading.
_GLIMPSE = 0.004

#: Codes of a tube's bits that are no count: nothing yet, and a sensor of which nothing is known.
_UNSEEN, _UNKNOWN = -1, -2

#: A gap at level n (1 is the bottom) is _GAP - n.
_GAP = -10

#: A time at which no right is open.
_NEVER = (inf, -inf)


class _Awaits(Enum):
    """The reasons for which a ring count waits although it has held for its dwell."""

    GLASS = "glass"
    RIGHT = "right"
    HOLDER = "holder"


def _solid(code: int) -> int:
    """Rings from the bottom up to the first gap; -1 when nothing is known."""
    return _GAP - code - 1 if code < _GAP else max(code, -1)


def is_near(counts: float, threshold: float, ring: bool, more: float = 0.0) -> bool:
    """A sensor's signal, with a ring or without, is near to its threshold (all in counts), or ``more`` beyond."""
    if ring:
        return counts < threshold + max(NEAR_ABOVE, _NEAR_SHARE * threshold) + more
    return counts > threshold - NEAR_BELOW - more


class TubeRings:
    """The ring sensors of one tube."""

    def __init__(
        self,
        tube: Tube,
        bits: tuple[int, ...],
        glass: Field,
        settings: SensingSettings,
        timeline: Timeline,
        holders: Sequence[RingHolder],
        on_unread: Callable[[float], None],
    ) -> None:
        self.tube = tube
        self.unread = Watch(
            timeline,
            dwell=settings.glare_dwell,
            clear_dwell=settings.glare_clear_dwell,
            spoils=settings.light_dwell,
            on_changed=on_unread,
        )
        """Sensors of which nothing is known, for so long that it is reported."""
        self.weak: set[int] = set()
        """Its sensors with a low threshold: from them a finger is gone a little later."""
        self._holders = holders
        self._right: tuple[float, float] | None = None
        """Times at which a right to a ring opened here and lapses; None when nobody said anything of rights."""
        self._glass_at = -inf
        self.count = 0
        """The count that was reported last."""
        self._bits = bits
        self._mask = sum(1 << bit for bit in bits)
        self._glass = glass
        self._settings = settings
        self._timeline = timeline
        self._code = _UNSEEN
        self._before = _UNSEEN
        """The code before the sensors became unknown, which may go on afterwards, and when they did."""
        self._unknown_at = -inf
        self._clear_at = -inf
        """Time at which the present code was first seen after it was unknown; seconds for which it was before."""
        self._clear_for = 0.0
        self._code_at = 0.0
        """Time at which the present code began."""
        self._unknown_until = 0.0
        self._gap = 0
        self._run: Run | None = None
        self._rose_at: float | None = None
        """Beginning of the rise that is looked at, if one is."""
        self._read_at = inf
        """Time at which the reported count was read last, before the present code; infinite when nobody knows."""
        self._unread = False
        """Since then the tube was unknown, or frames were missed."""
        self._awaits: _Awaits | None = None
        glass.on_settled = self._glass_settled

    def restore(self, count: int, faults: Collection[SensorId], *, unread: bool) -> None:
        """Begin with the report of an earlier run: the count, whether it was unread, and a gap in it."""
        self.count = count
        self.unread.restore(unread)
        for level in range(1, len(self._bits) + 1):
            if SensorId.ring(self.tube, level) in faults:
                self._gap = level

    def watch(self, unknown: int, t: float) -> None:
        """Take the unknown bits at time ``t``."""
        self.unread.feed(bool(unknown & self._mask), t)

    def feed(self, rings: int, unknown: int, t: float, read_at: float, *, missed: bool) -> None:
        """Take the bits of time ``t``; they were read before at ``read_at``, and ``missed`` in between."""
        code = self._code_of(rings, unknown)
        if code == self._code:
            return
        found = self._code == _UNSEEN
        if self._code == self.count and (t - self._clear_at > _GLIMPSE or not self._unread):
            self._read_at, self._unread = read_at, missed
        if code == _UNKNOWN:
            self._unread = True
            self._lose(t)
            return
        if self._code == _UNKNOWN and self._resume(code, t):
            return
        self._begin(code, t, Rank.FOUND_RINGS if found else Rank.RINGS)

    def reset(self) -> None:
        """The link is lost, or the bits are not fresh: the count stands, what was going on is not known."""
        self._read_at, self._unread = inf, False
        self.unread.reset()
        self._begin(_UNSEEN, 0.0)

    def _lose(self, t: float) -> None:
        """Nothing is known any more: a count that had begun may go on afterwards."""
        self._before, self._code, self._unknown_at = self._code, _UNKNOWN, t
        run = self._run
        if run is None:
            return
        if self._awaits is not None or run.rank is Rank.FAULT:
            self._timeline.stop(run)
            self._run = self._awaits = self._rose_at = None
            self._before = _UNKNOWN
        else:
            self._timeline.suspend(run, self._settings.resume_within)
            self._clear_for += t - self._clear_at

    def _resume(self, code: int, t: float) -> bool:
        """The sensors are known again, and the tube shows what it showed before.

        Then its count has been seen for `light_dwell` since, or for `flicker_dwell` in all.
        """
        settings = self._settings
        if code != self._before or t - self._unknown_at > settings.resume_within:
            self._unknown_until = t + settings.light_dwell
            self._stop()
            self._rose_at = None
            return False
        self._code, self._clear_at = code, t
        if self._run is not None:
            self._timeline.stop(self._run)
            needed = max(0.0, min(settings.light_dwell, settings.flicker_dwell - self._clear_for))
            self._run = self._timeline.start(Run(self._run.begin, t + needed, self._run.rank, self._ripe_count))
        return True

    def _code_of(self, rings: int, unknown: int) -> int:
        """A count, _UNKNOWN, or a gap."""
        pattern = 0
        for level, bit in enumerate(self._bits):
            if unknown >> bit & 1:
                return _UNKNOWN
            pattern |= (rings >> bit & 1) << level
        if pattern & (pattern + 1):
            return _GAP - (~pattern & (pattern + 1)).bit_length()
        return pattern.bit_length()

    def expect(self, right: tuple[float, float] | None, t: float) -> None:
        """At time ``t`` a right to a ring is open here that began and lapses at these times; None: none is."""
        self._right = right or _NEVER
        run = self._run
        if run is not None and self._awaits is _Awaits.RIGHT and self._due(self._rose_at):
            self._stop()
            self._hold(run.begin, run.rank)
        elif self._rose_at is None and self._code < _GAP and self._rises_as_due(t):
            self._begin(self._code, t)

    def holder_settled(self) -> None:
        """A holder has come to rest: the ring that waited for it counts, unless the other is on its way."""
        run = self._run
        if run is not None and self._awaits is _Awaits.HOLDER and not self._moving_holders():
            self._stop()
            self._report(run.begin, run.rank)

    def waits_for_weight(self, since: float) -> float:
        """Beginning of the ring that waits for a weight on its way since ``since``; infinity when none does."""
        waits = self._awaits is _Awaits.HOLDER and self._rose_at is not None and since <= self._rose_at
        return self._run.begin if self._run is not None and waits else inf

    def _due(self, began: float | None) -> bool:
        """A right to a ring was open when this one began."""
        return began is not None and self._right is not None and self._right[0] <= began < self._right[1]

    def _rises_as_due(self, began: float) -> bool:
        """The next ring, which is due, is seen, whatever lies or is held above it."""
        return self._due(began) and _solid(self._code) > self.count

    def _moving_holders(self) -> list[RingHolder]:
        """The holders that have been on their way since before the rise began."""
        began = self._rose_at or 0.0
        return [each for each in self._holders if (since := each.moving_since) is not None and since <= began]

    def _stop(self) -> None:
        self._timeline.stop(self._run)
        self._run = self._awaits = None

    def _begin(self, code: int, t: float, rank: Rank = Rank.RINGS) -> None:
        self._code, self._code_at = code, t
        if self._rose_at is not None and self._rises_as_due(self._rose_at):
            return
        self._stop()
        self._rose_at = None
        self._clear_at, self._clear_for = t, 0.0
        settings = self._settings
        rises = self._rises_as_due(t) or code > self.count
        if rises or (code >= 0 and (code != self.count or self._gap)):
            usual = t + (settings.ring_dwell_weak if self.weak else settings.ring_dwell)
            deadline = max(usual, self._unknown_until)
            blocking = deadline <= usual
            self._rose_at = t if rises else None
            self._run = Run(t, deadline, rank, self._ripe_count, blocking=blocking)
        elif code < _GAP and self._gap != _GAP - code:
            self._run = Run(t, t + settings.gap_dwell, Rank.FAULT, self._ripe_gap, dated=False)
        if self._run is not None:
            self._timeline.start(self._run)

    def _wait(self, awaits: _Awaits, begin: float, deadline: float, rank: Rank) -> None:
        """Keep a count that has held for its dwell back, until ``deadline`` at most."""
        self._awaits = awaits
        blocking = awaits is _Awaits.HOLDER
        self._run = self._timeline.start(Run(begin, deadline, rank, self._ripe_waited, blocking=blocking))

    def _ripe_count(self, run: Run) -> None:
        self._run = None
        if self._glass.unsettled:
            self._wait(_Awaits.GLASS, run.begin, run.deadline + self._settings.glass_first, Rank.RINGS)
        else:
            self._hold(run.begin, run.rank)

    def _ripe_waited(self, run: Run) -> None:
        waited_for, self._run, self._awaits = self._awaits, None, None
        if waited_for is _Awaits.GLASS:
            self._hold(run.begin, run.rank)
        else:
            self._report(run.begin, run.rank)

    def _glass_settled(self, begin: float | None) -> None:
        """The glass has come to a new state that began at ``begin``, or back to its former one (None)."""
        if begin is not None:
            self._glass_at = begin
        run = self._run
        if run is not None and self._awaits is _Awaits.GLASS:
            self._stop()
            self._hold(run.begin if begin is None else max(run.begin, begin), run.rank)

    def _hold(self, begin: float, rank: Rank) -> None:
        """A count has held for its dwell, and its glass is at rest: report it, or have it wait."""
        rose_at, settings = self._rose_at, self._settings
        if rose_at is not None:
            if self._right is not None and not self._due(rose_at):
                self._wait(_Awaits.RIGHT, begin, rose_at + settings.ring_dwell_undue, rank)
                return
            if self._moving_holders():
                self._wait(_Awaits.HOLDER, begin, rose_at + settings.holder_first, rank)
                return
        self._report(begin, rank)

    def _ripe_gap(self, run: Run) -> None:
        self._run = None
        self._clear_gap(run.deadline)
        self._gap = _GAP - self._code
        detail = f"sees no ring below one that is seen; the count is held at {self.count}"
        unread = frozenset((self.tube,))
        self._timeline.put(Fault(run.deadline, self._sensor, detail, unread=unread), Rank.FAULT, self.tube)

    def _report(self, t: float, rank: Rank) -> None:
        """The count that held is a fact since ``t``; of a rise that is due, the next ring alone."""
        due = self._due(self._rose_at)
        count = self.count + 1 if due else self._code
        self._rose_at = None
        if self._code >= 0:
            self._clear_gap(t)
        if count != self.count:
            rises, self.count = count > self.count, count
            rank = rank if self._glass_at < t else Rank.RINGS
            # A ring settles for as long as its dwell: what was unread for less says nothing new.
            unread = rises and self._unread and t - self._read_at > self._settings.ring_dwell
            since = self._read_at if unread else t if rises and t < self._timeline.given_to else None
            self._timeline.put(Rings(t, self.tube, count, since), rank, self.tube)
        if due:
            self._right = _NEVER  # the ring may have used it up; the next `expect` says so
            self._begin(self._code, max(t, self._code_at))

    def _clear_gap(self, t: float) -> None:
        if self._gap:
            self._timeline.put(cleared(t, self._sensor), Rank.CLEARED, self.tube)
            self._gap = 0

    @property
    def _sensor(self) -> SensorId:
        return SensorId.ring(self.tube, self._gap)


@dataclass(frozen=True, slots=True)
class _Report:
    """Tubes whose rings cannot be read, and sensors that are near to their threshold."""

    tubes: frozenset[Tube] = frozenset()
    weak: tuple[str, ...] = ()


_NOTHING = _Report()

#: The causes that are reported: all ring sensors share them.
_CAUSES = (RING_CONVERTERS, RING_SIGNALS, RING_LIGHT)


class RingSensors:
    """The ring sensors that are fitted; touches only the tubes whose bits changed."""

    def __init__(
        self,
        ring_bits: Sequence[Sequence[int]],
        glasses: Sequence[Field],
        settings: SensingSettings,
        timeline: Timeline,
        holders: Sequence[RingHolder] = (),
    ) -> None:
        for holder in holders:
            holder.on_settled = self._holder_settled
            holder.first_waiting = self._first_waiting
        self.tubes = [
            TubeRings(tube, tuple(bits), glass, settings, timeline, holders, self._changed)
            for tube, bits, glass in zip(TUBES, ring_bits, glasses, strict=True)
            if bits
        ]
        self._fitted = {tube.tube: tube for tube in self.tubes}
        self._timeline = timeline
        self._reported: dict[SensorId, _Report] = dict.fromkeys(_CAUSES, _NOTHING)
        self._report_due: Run | None = None
        self._reported_at, self._report_after = -inf, settings.glare_clear_dwell
        self._place_of_bit = {
            bit: (tube, level) for tube in self.tubes for level, bit in enumerate(ring_bits[tube.tube], 1)
        }
        self._used = 0
        for bit in self._place_of_bit:
            self._used |= 1 << bit
        self._rings = 0
        self._unknown = 0
        self._silent: set[int] = set()
        """The converters that do not answer."""
        self._weak: dict[int, float] = {}
        """The sensors whose signal is near to their threshold, by bit, and since when."""
        self._margin_dwell = settings.margin_dwell
        self._untold = {bit // RING_INPUTS for bit in self._place_of_bit}
        """Converters of which nothing was told yet."""
        self._rights: Mapping[Tube, tuple[float, float]] | None = None
        """The rights that `expect` was last told of; None before the first time."""
        self.fresh = False
        """The last bits seen can be built on: what has not changed since is no news."""

    def restore(self, counts: Mapping[Tube, int], faults: Mapping[SensorId, frozenset[Tube]]) -> None:
        """Begin with the report of an earlier run: the counts above 0, and the sensors at fault.

        Each has the tubes whose rings could not be read for it.
        """
        for cause in _CAUSES:
            if cause in faults:
                tubes = faults[cause] if faults[cause] or cause == RING_SIGNALS else frozenset(self._fitted)
                self._reported[cause] = _Report(tubes, ("?",) if cause == RING_SIGNALS else ())
        unread = frozenset[Tube]().union(*(each.tubes for each in self._reported.values()))
        for tube in self.tubes:
            tube.restore(counts.get(tube.tube, 0), faults, unread=tube.tube in unread)

    def feed(self, rings: int, unknown: int, selected: bool, t: float, read_at: float, *, missed: bool) -> None:
        """Take the bits of time ``t``; the last were read at ``read_at``; ``missed``: some between were lost.

        Not ``selected``: the bits are those of other sensors, so nothing is known. Light and converters are well.
        """
        if not selected:
            unknown = self._used
        changed = ((rings ^ self._rings) | (unknown ^ self._unknown)) & self._used
        self._rings, self._unknown = rings, unknown
        if not self.fresh:
            self.fresh = True
            touched = set(self.tubes)
            self._changed(t)
        else:
            touched = set()
            while changed:
                low = changed & -changed
                changed ^= low
                touched.add(self._place_of_bit[low.bit_length() - 1][0])
        for tube in sorted(touched, key=lambda tube: tube.tube):
            tube.feed(rings, unknown, t, read_at, missed=missed)
        for tube in self.tubes if selected else ():
            tube.watch(unknown, t)

    def take_signals(self, told: RingSignals, t: float) -> None:
        """Take the signals of a converter's sensors, at the time ``t`` of the last bits."""
        signals = told.by_bit
        used = [bit for bit in signals if bit in self._place_of_bit]
        is_silent = bool(used) and all(signals[bit].is_silent for bit in used)
        if is_silent != (told.chip in self._silent):
            self._silent ^= {told.chip}
            self._changed(t)
        for bit in used:
            weak = self._place_of_bit[bit][0].weak
            if signals[bit].threshold_counts < _WEAK_BELOW:
                weak.add(bit)
            else:
                weak.discard(bit)
            if self._is_weak(bit, signals[bit]):
                self._weak.setdefault(bit, t)
            else:
                self._weak.pop(bit, None)
        self._untold.discard(told.chip)
        if (self._weak or self._reported[RING_SIGNALS] != _NOTHING) and self._found(t) != self._reported:
            self._changed(t)

    def _is_weak(self, bit: int, signal: RingSignal) -> bool:
        """A sensor may soon miss its ring, or see one that is not there; as before where nothing can be said."""
        before = bit in self._weak
        if signal.counts is None or signal.spread > _UNQUIET:
            return before
        rings = (False, True) if self._unknown >> bit & 1 else (bool(self._rings >> bit & 1),)
        more = _BETTER * before
        return all(is_near(signal.counts, signal.threshold_counts, ring, more) for ring in rings)

    def expect(self, rights: Mapping[Tube, tuple[float, float]], t: float) -> None:
        """At time ``t`` rights to rings are open in these tubes, each from and until a time."""
        # Where no right is open, and none was, nothing is said that is not known.
        tubes = TUBES if self._rights is None else sorted({*self._rights, *rights})
        self._rights = rights
        for tube in tubes:
            if tube in self._fitted:
                self._fitted[tube].expect(rights.get(tube), t)

    def reset(self) -> None:
        """The link is lost, or the bits are not fresh."""
        self.fresh = False
        self._silent.clear()
        self._timeline.stop(self._report_due)
        self._report_due = None
        for tube in self.tubes:
            tube.reset()

    def _first_waiting(self, since: float) -> float:
        return min((tube.waits_for_weight(since) for tube in self.tubes), default=inf)

    def _holder_settled(self) -> None:
        for tube in self.tubes:
            tube.holder_settled()

    def _changed(self, t: float) -> None:
        """Plan one report of all that is unread or weak, or well again, some time after the last report."""
        if self._report_due is None:
            due = max(t + _TOGETHER, self._reported_at + self._report_after)
            self._report_due = self._timeline.start(Run(due, due, Rank.FAULT, self._report, dated=False))

    def _found(self, t: float) -> dict[SensorId, _Report]:
        """The tubes whose rings cannot be read, by the cause, and the sensors that are weak."""
        unread = frozenset(tube.tube for tube in self.tubes if tube.unread.standing)
        silent = {place[0].tube for bit, place in self._place_of_bit.items() if bit // RING_INPUTS in self._silent}
        # A converter that answers again is known before its tubes have been read for long enough.
        silent |= self._reported[RING_CONVERTERS].tubes
        faint = {self._place_of_bit[bit][0].tube for bit in self._weak if self._unknown >> bit & 1}
        faint |= self._reported[RING_SIGNALS].tubes
        weak = [
            f"{tube.tube}.{level}"
            for bit, (tube, level) in self._place_of_bit.items()
            if bit in self._weak and (tube.tube in unread or t - self._weak[bit] >= self._margin_dwell)
        ]
        tubes = unread & faint - silent
        signals = _Report(tubes, tuple(weak) or (self._reported[RING_SIGNALS].weak if tubes else ()))
        return {
            RING_CONVERTERS: _Report(unread & silent),
            RING_SIGNALS: self._reported[RING_SIGNALS] if self._untold else signals,
            RING_LIGHT: _Report(unread - silent - faint),
        }

    def _report(self, run: Run) -> None:
        """Report what is otherwise than it was reported."""
        self._report_due = None
        found = self._found(run.deadline)
        self._reported_at = run.deadline if any(each != _NOTHING for each in found.values()) else -inf
        for cause, report in found.items():
            if report != self._reported[cause]:
                fault = self._fault(cause, report, run.deadline)
                self._timeline.put(fault, Rank.CLEARED if fault.cleared else Rank.FAULT, NOWHERE)
        self._reported = found

    def _fault(self, cause: SensorId, report: _Report, t: float) -> Fault:
        """The fault that says so; a cleared one for nothing."""
        if report == _NOTHING:
            return cleared(t, cause)
        names = _listed([str(tube) for tube in sorted(report.tubes)])
        if cause == RING_LIGHT:
            detail = f"light falls on {names}: rings are not seen there; shade the board"
        elif cause == RING_SIGNALS:
            unread = f"; the rings of {names} are not read" if report.tubes else ""
            weak = _listed(report.weak)
            where = f"near to the threshold at {weak} (tube.level, 1 is the lowest)"
            detail = f"{where}{unread}; clean the window of each, or calibrate"
        else:
            silent = " ".join(map(str, sorted(self._silent)))
            detail = (
                f"no answer from converter {silent} (MCP3008, 0 to 7): the rings of {names} are not read; look at "
                "its place and its supply, and at the select chip's wires"
            )
        return Fault(t, cause, detail, unread=report.tubes)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return " ".join(names[:_NAMED]) + more
