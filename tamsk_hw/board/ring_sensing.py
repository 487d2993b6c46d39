"""Rings around the tubes.

A bit seen while dark is unknown (sun, a lamp): the tube keeps its former count. A gap in the code is no count
either; held long enough it is a fault of that level. A chain that ends in a whole chip of ones, in the dark as
well, is broken or a chip short (PROTOCOL.md section 4): then no bit of it is believed. Light, too, can give a
chip nothing but ones, but hardly without reaching other sensors: where some of those see light, or have seen it
lately, it is light, and tubes in the shade are read. A count that changes while the glass of the same tube is on
its way waits for the glass, at most `SensingSettings.glass_first`, so that a seat comes before the ring dropped
over that glass. A rise after light, or after frames that were missed, was dropped at some time since the tube was
read before: the event says so (R9.8).

Where the rights to rings are known (`RingChain.expect`), a ring is *due* in a tube in which a right was open when
it began, and counts by itself after the ring dwell, whatever a finger covers above it. It waits for a holder that
has been on its way since before, at most `SensingSettings.holder_first`: the ring may have come from there. Any
other rise may be a finger and is looked at for `SensingSettings.ring_dwell_undue`; nothing waits for it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from math import inf

from tamsk_hw.board.glass_sensing import Field
from tamsk_hw.board.holder_sensing import RingHolder
from tamsk_hw.board.protocol import RING_BITS
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.timeline import NOWHERE, FaultWatch, Rank, Run, Timeline, Watch, cleared
from tamsk_hw.board.wiring import INPUTS_PER_CHIP
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.events import RING_CHAIN, RING_LIGHT, Fault, Rings, SensorId

#: Tubes that are named when light falls on many.
_NAMED = 4

#: Seconds: a count that shows for less after it could not be read, as in one scan of 2.5 ms, is no reading.
_GLIMPSE = 0.004

#: The bits of one 74HC165.
_CHIP = 0xFF

#: Codes of a tube's bits that are no count: nothing yet, and light seen while dark.
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
        on_light: Callable[[float], None],
    ) -> None:
        self.tube = tube
        self.light = Watch(
            timeline,
            dwell=settings.glare_dwell,
            clear_dwell=settings.glare_clear_dwell,
            spoils=settings.light_dwell,
            on_changed=on_light,
        )
        """Light that stays, since no ring can be seen in it."""
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
        """The code before the present light, which may go on after it, and when the light came."""
        self._dark_at = -inf
        self._clear_at = -inf
        """Time at which the present code was first seen after the last light; seconds for which it was before."""
        self._clear_for = 0.0
        self._code_at = 0.0
        """Time at which the present code began."""
        self._dark_until = 0.0
        self._gap = 0
        self._run: Run | None = None
        self._rose_at: float | None = None
        """Beginning of the rise that is looked at, if one is."""
        self._read_at = inf
        """Time at which the reported count was read last, before the present code; infinite when nobody knows."""
        self._unread = False
        """Since then light fell on the tube, or frames were missed."""
        self._awaits: _Awaits | None = None
        glass.on_settled = self._glass_settled

    def restore(self, count: int, faults: Collection[SensorId], *, lit: bool) -> None:
        """Begin with the report of an earlier run: the count, light, and a gap among the sensors at fault."""
        self.count = count
        self.light.restore(lit)
        for level in range(1, len(self._bits) + 1):
            if SensorId.ring(self.tube, level) in faults:
                self._gap = level

    def see_light(self, dark: int, t: float) -> None:
        """Take the bits that were seen while dark at time ``t``."""
        self.light.feed(bool(dark & self._mask), t)

    def feed(self, rings: int, dark: int, t: float, read_at: float, *, missed: bool) -> None:
        """Take the chain's bits at time ``t``; they were read before at ``read_at``, and ``missed`` in between."""
        code = self._code_of(rings, dark)
        if code == self._code:
            return
        found = self._code == _UNSEEN
        if self._code == self.count and (t - self._clear_at > _GLIMPSE or not self._unread):
            self._read_at, self._unread = read_at, missed
        if code == _UNKNOWN:
            self._unread = True
            self._darken(t)
            return
        if self._code == _UNKNOWN and self._resume(code, t):
            return
        self._begin(code, t, Rank.FOUND_RINGS if found else Rank.RINGS)

    def reset(self) -> None:
        """The link is lost, or the bits are not fresh: the count stands, what was going on is not known."""
        self._read_at, self._unread = inf, False
        self.light.reset()
        self._begin(_UNSEEN, 0.0)

    def _darken(self, t: float) -> None:
        """Light has come: a count that had begun may go on after it."""
        self._before, self._code, self._dark_at = self._code, _UNKNOWN, t
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
        """The light has gone, and the tube shows what it showed before it.

        Then its count has been seen for `light_dwell` since the light, or for `flicker_dwell` in all.
        """
        settings = self._settings
        if code != self._before or t - self._dark_at > settings.resume_within:
            self._dark_until = t + settings.light_dwell
            self._stop()
            self._rose_at = None
            return False
        self._code, self._clear_at = code, t
        if self._run is not None:
            self._timeline.stop(self._run)
            needed = max(0.0, min(settings.light_dwell, settings.flicker_dwell - self._clear_for))
            self._run = self._timeline.start(Run(self._run.begin, t + needed, self._run.rank, self._ripe_count))
        return True

    def _code_of(self, rings: int, dark: int) -> int:
        """A count, _UNKNOWN, or a gap."""
        pattern = 0
        for level, bit in enumerate(self._bits):
            if dark >> bit & 1:
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
            usual = t + settings.ring_dwell
            deadline = max(usual, self._dark_until)
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


class RingChain:
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
            TubeRings(tube, tuple(bits), glass, settings, timeline, holders, self._light_changed)
            for tube, bits, glass in zip(TUBES, ring_bits, glasses, strict=True)
            if bits
        ]
        self._fitted = {tube.tube: tube for tube in self.tubes}
        self._timeline = timeline
        self._lit: frozenset[Tube] = frozenset()
        """The tubes of which it was reported that light hides their rings."""
        self._report_due: Run | None = None
        self._reported_at, self._report_after = -inf, settings.glare_clear_dwell
        self._chain = FaultWatch(timeline, RING_CHAIN, dwell=settings.fault_dwell, unread=frozenset(self._fitted))
        self._tube_of_bit = {bit: tube for tube in self.tubes for bit in ring_bits[tube.tube]}
        self._used = 0
        for bit in self._tube_of_bit:
            self._used |= 1 << bit
        self._chips = max(self._tube_of_bit, default=-1) // INPUTS_PER_CHIP + 1
        self._rings = 0
        self._dark = 0
        self._light = 0
        """The sensors that saw light in the last snapshot, those aside that may be cut off."""
        self._lit_until = -inf
        self._light_kept = settings.glare_dwell
        self._rights: Mapping[Tube, tuple[float, float]] | None = None
        """The rights that `expect` was last told of; None before the first time."""
        self.fresh = False
        """The last bits seen can be built on: what has not changed since is no news."""

    def restore(self, counts: Mapping[Tube, int], faults: Mapping[SensorId, frozenset[Tube]]) -> None:
        """Begin with the report of an earlier run: the counts above 0, and the sensors at fault.

        Each has the tubes whose rings could not be read for it.
        """
        if RING_LIGHT in faults:
            self._lit = faults[RING_LIGHT] or frozenset(self._fitted)
        for tube in self.tubes:
            tube.restore(counts.get(tube.tube, 0), faults, lit=tube.tube in self._lit)
        self._chain.restore(faults)

    def feed(self, rings: int, dark: int, t: float, read_at: float, *, missed: bool) -> None:
        """Take the chain's bits at time ``t``; they were read before at ``read_at``, and ``missed`` in between."""
        ones = self._chips_cut_off(rings & dark, t)
        self._see_chain(ones, t)
        if ones:
            dark = self._used
        changed = ((rings ^ self._rings) | (dark ^ self._dark)) & self._used
        self._rings, self._dark = rings, dark
        if not self.fresh:
            self.fresh = True
            touched = set(self.tubes)
            self._light_changed(t)
        else:
            touched = set()
            while changed:
                low = changed & -changed
                changed ^= low
                tube = self._tube_of_bit.get(low.bit_length() - 1)
                if tube is not None:
                    touched.add(tube)
        for tube in sorted(touched, key=lambda tube: tube.tube):
            tube.feed(rings, dark, t, read_at, missed=missed)
        for tube in self.tubes:
            tube.see_light(0 if ones else dark, t)

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
        self._light = 0
        self._timeline.stop(self._report_due)
        self._report_due = None
        self._chain.reset()
        for tube in self.tubes:
            tube.reset()

    def _first_waiting(self, since: float) -> float:
        return min((tube.waits_for_weight(since) for tube in self.tubes), default=inf)

    def _holder_settled(self) -> None:
        for tube in self.tubes:
            tube.holder_settled()

    def _chips_cut_off(self, ones: int, t: float) -> int:
        """Number of chips that the chain has lost, or may have lost; 0 where light explains their ones."""
        chips = self._chips_of_ones(ones)
        light = ones & self._used & ((1 << INPUTS_PER_CHIP * (self._chips - chips)) - 1)
        if light or self._light:
            self._lit_until = t + self._light_kept
        self._light = light
        return 0 if t < self._lit_until and not self._chain.standing else chips

    def _chips_of_ones(self, bits: int) -> int:
        """Number of chips at the chain's far end that give nothing but ones."""
        chips = 0
        for chip in reversed(bits.to_bytes(RING_BITS // INPUTS_PER_CHIP, "little")[: self._chips]):
            if chip != _CHIP:
                break
            chips += 1
        return chips

    def _see_chain(self, ones: int, t: float) -> None:
        """Report a chain that is broken or a chip short."""
        detail = None
        if ones == self._chips > 0:
            detail = (
                "only ones come back from the 74HC165s, lit and dark alike: light over the whole board, or a wire "
                "broken before the first; no ring is read until the board is shaded or the wire mended"
            )
        elif ones:
            detail = (
                f"the 74HC165s from number {self._chips - ones} on (0 is nearest the controller) give only ones: "
                "a broken wire, a missing chip or full light; no ring is read until it is mended"
            )
        self._chain.feed(detail, t)

    def _light_changed(self, t: float) -> None:
        """Plan one report of all tubes that light has hidden or freed, some time after the last report."""
        if self._report_due is None:
            due = max(t, self._reported_at + self._report_after)
            self._report_due = self._timeline.start(Run(due, due, Rank.FAULT, self._report_light, dated=False))

    def _report_light(self, run: Run) -> None:
        """Report the tubes whose rings cannot be seen for light, where they are others than before."""
        self._report_due = None
        before, self._lit = self._lit, frozenset(tube.tube for tube in self.tubes if tube.light.standing)
        if self._lit == before:
            return
        self._reported_at = run.deadline if self._lit else -inf
        if not self._lit:
            self._timeline.put(cleared(run.deadline, RING_LIGHT), Rank.CLEARED, NOWHERE)
            return
        names = " ".join(str(tube) for tube in sorted(self._lit)[:_NAMED])
        more = f" and {len(self._lit) - _NAMED} more" if len(self._lit) > _NAMED else ""
        detail = f"light falls on {names}{more}: rings are not seen there; shade the board"
        self._timeline.put(Fault(run.deadline, RING_LIGHT, detail, unread=self._lit), Rank.FAULT, NOWHERE)
