"""The chain of ring sensors: a thermometer code for each tube, counted from the bottom level up.

A bit seen while dark is unknown (sun, a lamp): the tube keeps its former count. A gap in the code is no count
either; held long enough it is a fault of that level. A chain that ends in a whole chip of ones, in the dark as
well, is broken or a chip short (PROTOCOL.md section 4): then no bit of it is believed. Light, too, can give a
chip nothing but ones, but hardly without reaching other sensors: where some of those see light, or have seen it
lately, it is light, and tubes in the shade are read. A count that changes while the glass of the same tube is on
its way waits for the glass, at most `SensingSettings.glass_first`, so that a seat comes before the ring dropped
over that glass.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf

from tamsk_hw.board.protocol.messages import RING_BITS
from tamsk_hw.board.sensing.faults import FaultWatch
from tamsk_hw.board.sensing.field import Field
from tamsk_hw.board.sensing.sensed import ChainBroken, LightOnRings, RingGap, SensorCleared, SensorFault
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.board.sensing.timeline import Rank, Run, Timeline
from tamsk_hw.board.wiring_map import INPUTS_PER_CHIP
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.events import Rings
from tamsk_hw.referee.sensor_id import RING_CHAIN, RING_LIGHT, SensorId

#: The bits of one 74HC165.
_CHIP = 0xFF

#: What a tube's bits say when it is not a count: nothing yet, and light seen while dark.
_UNSEEN, _UNKNOWN = -1, -2

#: Seconds after the board is seen again for which a ring waits for the holder that it came from, which takes 8
#: readings, at 20 a second when nothing moves.
HOLDERS_FIRST = 0.6

#: A gap at level n (1 is the bottom) is _GAP - n.
_GAP = -10


class TubeRings:
    """The ring sensors of one tube."""

    def __init__(
        self,
        tube: Tube,
        bits: tuple[int, ...],
        glass: Field,
        settings: SensingSettings,
        timeline: Timeline,
        holders: bool,
    ) -> None:
        self.tube = tube
        self._holders_first = HOLDERS_FIRST if holders else 0.0
        self._found_until = 0.0
        self._glass_at = -inf
        self.count = 0
        """The count that was reported last."""
        self._bits = bits
        self._glass = glass
        self._settings = settings
        self._timeline = timeline
        self._code = _UNSEEN
        self._dark_until = 0.0
        self._gap = 0
        self._run: Run | None = None
        self._waiting: Run | None = None
        glass.on_settled = self._glass_settled

    def assume(self, count: int, faults: Collection[SensorId]) -> None:
        """Begin with the report of an earlier run: the count, and a gap among the sensors at fault."""
        self.count = count
        for level in range(1, len(self._bits) + 1):
            if SensorId.ring(self.tube, level) in faults:
                self._gap = level

    def see(self, rings: int, dark: int, t: float) -> None:
        """Take the chain's bits at time ``t``."""
        code = self._code_of(rings, dark)
        if code == self._code:
            return
        found = self._code == _UNSEEN
        if found:
            self._found_until = t + self._holders_first
        elif self._code == _UNKNOWN:
            self._dark_until = t + self._settings.light_dwell
        self._begin(code, t, Rank.FOUND_RINGS if found else Rank.RINGS)

    def forget(self) -> None:
        """The link is lost, or the bits are not fresh: the count stands, what was going on is not known."""
        self._begin(_UNSEEN, 0.0)

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

    def _begin(self, code: int, t: float, rank: Rank = Rank.RINGS) -> None:
        self._code = code
        self._timeline.stop(self._run)
        self._run = self._waiting = None
        settings = self._settings
        if code >= 0 and (code != self.count or self._gap):
            usual = max(t + settings.ring_dwell, self._found_until)
            deadline = max(usual, self._dark_until)
            blocking = deadline <= usual
            self._run = Run(t, deadline, rank, self._ripe_count, blocking=blocking)
        elif code < _GAP and self._gap != _GAP - code:
            self._run = Run(t, t + settings.gap_dwell, Rank.FAULT, self._ripe_gap, dated=False)
        if self._run is not None:
            self._timeline.start(self._run)

    def _ripe_count(self, run: Run) -> None:
        self._run = None
        if self._glass.unsettled:
            deadline = run.deadline + self._settings.glass_first
            self._waiting = self._run = self._timeline.start(
                Run(run.begin, deadline, Rank.RINGS, self._ripe_waited)
            )
        else:
            self._report(run.begin, run.rank if self._glass_at < run.begin else Rank.RINGS)

    def _ripe_waited(self, run: Run) -> None:
        self._run = self._waiting = None
        self._report(run.begin)

    def _glass_settled(self, begin: float | None) -> None:
        """The glass has come to a new state that began at ``begin``, or back to its former one (None)."""
        if begin is not None:
            self._glass_at = begin
        run = self._waiting
        if run is not None:
            self._timeline.stop(run)
            self._run = self._waiting = None
            self._report(run.begin if begin is None else max(run.begin, begin))

    def _ripe_gap(self, run: Run) -> None:
        self._run = None
        self._clear_gap(run.deadline)
        self._gap = _GAP - self._code
        self._timeline.put(SensorFault(run.deadline, self._sensor, RingGap(self.count)), Rank.FAULT, self.tube)

    def _report(self, t: float, rank: Rank = Rank.RINGS) -> None:
        self._clear_gap(t)
        if self._code != self.count:
            self.count = self._code
            self._timeline.put(Rings(t, self.tube, self.count), rank, self.tube)

    def _clear_gap(self, t: float) -> None:
        if self._gap:
            self._timeline.put(SensorCleared(t, self._sensor), Rank.CLEARED, self.tube)
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
        holders: bool = False,
    ) -> None:
        self.tubes = [
            TubeRings(tube, tuple(bits), glass, settings, timeline, holders)
            for tube, bits, glass in zip(TUBES, ring_bits, glasses, strict=True)
            if bits
        ]
        self._glare = FaultWatch(
            timeline, RING_LIGHT, dwell=settings.glare_dwell, clear_dwell=settings.fault_dwell
        )
        self._chain = FaultWatch(
            timeline, RING_CHAIN, dwell=settings.fault_dwell, clear_dwell=settings.fault_dwell
        )
        self._level_of_bit = {
            bit: (tube, level)
            for tube, bits in zip(TUBES, ring_bits, strict=True)
            for level, bit in enumerate(bits, 1)
        }
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
        self.fresh = False
        """The last bits seen can be built on: what has not changed since is no news."""

    def assume(self, counts: Mapping[Tube, int], faults: Collection[SensorId]) -> None:
        """Begin with the report of an earlier run: the counts above 0, and the sensors at fault."""
        for tube in self.tubes:
            tube.assume(counts.get(tube.tube, 0), faults)
        for watch in (self._glare, self._chain):
            if watch.sensor in faults:
                watch.assume()

    def see(self, rings: int, dark: int, t: float) -> None:
        """Take the chain's bits at time ``t``."""
        ones = self._chips_cut_off(rings & dark, t)
        self._see_chain(ones, t)
        if ones:
            dark = self._used
        changed = ((rings ^ self._rings) | (dark ^ self._dark)) & self._used
        self._rings, self._dark = rings, dark
        if not self.fresh:
            self.fresh = True
            touched = set(self.tubes)
        else:
            touched = set()
            while changed:
                low = changed & -changed
                changed ^= low
                tube = self._tube_of_bit.get(low.bit_length() - 1)
                if tube is not None:
                    touched.add(tube)
        for tube in sorted(touched, key=lambda tube: tube.tube):
            tube.see(rings, dark, t)
        self._see_glare(0 if ones else dark & self._used, t)

    def forget(self) -> None:
        """The link is lost, or the bits are not fresh."""
        self.fresh = False
        self._light = 0
        self._glare.forget()
        self._chain.forget()
        for tube in self.tubes:
            tube.forget()

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
        self._chain.see(ChainBroken(self._chips - ones) if ones else None, t)

    def _see_glare(self, dark: int, t: float) -> None:
        """Report light that stays, since no ring can be seen in it."""
        levels = tuple(level for bit, level in self._level_of_bit.items() if dark >> bit & 1)
        self._glare.see(LightOnRings(levels) if dark else None, t)
