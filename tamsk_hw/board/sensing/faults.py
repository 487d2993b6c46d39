"""Sensors that cannot be trusted: how a fault is told and cleared, the references, the controller's own
flags."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tamsk_hw.board.protocol.messages import FaultFlag
from tamsk_hw.board.sensing.timeline import Rank, Run, Timeline
from tamsk_hw.referee.events import Fault

#: What the references read: 1/4, 1/2, 3/4 of the supply at 8 bits.
REFERENCE_READINGS = (64, 128, 191)

#: Place on the board, for events of the same instant, of what belongs to no tube.
NOWHERE = 100


class FaultWatch:
    """One sensor's fault: told when it has been bad for a dwell, cleared when it has been good for one.

    A fault event carries the time at which it is told: nothing rests on its beginning.
    """

    def __init__(
        self,
        timeline: Timeline,
        sensor: str,
        *,
        dwell: float,
        clear_dwell: float,
        on_cleared: Callable[[], None] | None = None,
        place: int = NOWHERE,
    ) -> None:
        self.sensor = sensor
        self.standing = False
        """The fault has been told and not cleared."""
        self._timeline = timeline
        self._dwell = dwell
        self._clear_dwell = clear_dwell
        self._on_cleared = on_cleared
        self._place = place
        self._bad = False
        self._detail = ""
        self._run: Run | None = None

    def see(self, bad: bool, detail: str, t: float, *, dwell: float | None = None) -> None:
        """What the last snapshot says, at time ``t``; ``dwell`` when this kind of badness has its own."""
        if bad:
            self._detail = detail
        if bad == self._bad:
            return
        self._bad = bad
        self._timeline.stop(self._run)
        self._run = None
        if bad != self.standing:
            if dwell is None:
                dwell = self._dwell if bad else self._clear_dwell
            self._run = self._timeline.start(Run(t, t + dwell, Rank.FAULT, self._ripe, dated=False))

    def forget(self) -> None:
        """The link is lost: what was going on is not known any more, what was told stands."""
        self._timeline.stop(self._run)
        self._run = None
        self._bad = self.standing

    def _ripe(self, run: Run) -> None:
        self._run = None
        self.standing = self._bad
        if self.standing:
            self._timeline.put(Fault(run.deadline, self.sensor, self._detail), Rank.FAULT, self._place)
        else:
            detail = "reads well again"
            self._timeline.put(Fault(run.deadline, self.sensor, detail, True), Rank.CLEARED, self._place)
            if self._on_cleared is not None:
                self._on_cleared()


class References:
    """The three fixed inputs, one on each multiplexer: they show a stuck multiplexer or select line at once.

    ``reference_mux`` is the multiplexer of 1/4, 1/2 and 3/4 of the supply. One that is off blames its
    multiplexer, several the select lines, which all share.
    """

    def __init__(
        self,
        timeline: Timeline,
        reference_mux: Sequence[int],
        margin: int,
        dwell: float,
        on_change: Callable[[], None],
    ) -> None:
        self._mux_of = tuple(reference_mux)
        self._margin = margin
        self._on_change = on_change
        self._watches = [
            FaultWatch(timeline, f"mux {mux}", dwell=dwell, clear_dwell=dwell, on_cleared=on_change)
            for mux in self._mux_of
        ]
        self._select = FaultWatch(timeline, "select lines", dwell=dwell, clear_dwell=dwell, on_cleared=on_change)
        self._off: list[int] = []

    @property
    def off(self) -> bool:
        """Some were beyond the margin in the last snapshot."""
        return bool(self._off)

    @property
    def distrusted(self) -> frozenset[int]:
        """The multiplexers whose readings are not to be used."""
        if self._select.standing or len(self._off) > 1:
            return frozenset(self._mux_of)
        standing = [number for number, watch in enumerate(self._watches) if watch.standing]
        return frozenset(self._mux_of[number] for number in (*self._off, *standing))

    def good(self, references: bytes) -> bool:
        """All within the margin."""
        return not self._off_in(references)

    def see(self, references: bytes, t: float) -> None:
        """What the last snapshot says, at time ``t``."""
        off = self._off_in(references)
        for number, watch in enumerate(self._watches):
            watch.see(off == [number], self._detail(references, off), t)
        self._select.see(len(off) > 1, self._detail(references, off), t)
        if off != self._off:
            self._off = off
            self._on_change()

    def forget(self) -> None:
        """The link is lost."""
        self._off = []
        for watch in (*self._watches, self._select):
            watch.forget()
        self._on_change()

    def _off_in(self, references: bytes) -> list[int]:
        return [
            number
            for number, (reading, should) in enumerate(zip(references, REFERENCE_READINGS, strict=False))
            if abs(reading - should) > self._margin
        ]

    def _detail(self, references: bytes, off: list[int]) -> str:
        parts = [f"{number + 1}/4 of 5 V reads {references[number]}" for number in off]
        allowed = [f"{REFERENCE_READINGS[number]} ± {self._margin}" for number in off]
        return f"{', '.join(parts)}; allowed {', '.join(allowed)}; its glasses are held as they stood"


class ControllerFlags:
    """What the controller says of its own supply.

    Its flags on load cells and on a running self-test are read by those who use these sensors; the flags on
    the traffic with the host are the link's.
    """

    def __init__(self, timeline: Timeline, dwell: float, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._low = False
        self._supply = FaultWatch(timeline, "supply", dwell=dwell, clear_dwell=dwell, on_cleared=on_change)

    @property
    def supply_low(self) -> bool:
        """The supply is, or just was, too low for any field to be trusted."""
        return self._low or self._supply.standing

    def see(self, flags: int, t: float) -> None:
        """What the last snapshot says, at time ``t``."""
        low = bool(flags & FaultFlag.SUPPLY_LOW)
        self._supply.see(low, "the board's 5 V are below 4.5 V; glasses are held as they stood", t)
        if low != self._low:
            self._low = low
            self._on_change()

    def forget(self) -> None:
        """The link is lost."""
        self._low = False
        self._supply.forget()
        self._on_change()
