"""The physics of a glass's sand (R6). Pure: time comes in as an argument.

The referee cannot see the sand, so the share above is an interval from the lowest to the highest possible one.
Times computed from it are rounded to the microsecond, so that things due together are due at the same number.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tamsk_hw.game.tubes import End


def moment(t: float) -> float:
    """A time in seconds, rounded to the microsecond as all deadlines are."""
    return round(t, 6)


@dataclass(frozen=True, slots=True)
class Sand:
    """One glass's sand.

    At time ``since`` (seconds) at least ``low`` and at most ``high`` (0 … 1, shares of a full glass) were above,
    with ``end`` down. The sand runs while the glass is ``standing`` and rests in the hand (R6.3). ``durations``
    are the seconds from full with end A and with end B down; ``tolerance`` (0 … <1) is their relative uncertainty.
    """

    low: float
    high: float
    end: End
    since: float
    standing: bool
    durations: tuple[float, float]
    tolerance: float

    @classmethod
    def empty(cls, end: End, t: float, durations: tuple[float, float], tolerance: float) -> Sand:
        """A standing glass with nothing above, as every glass at the start."""
        return cls(0.0, 0.0, end, t, True, durations, tolerance)

    @classmethod
    def full(cls, end: End, t: float, durations: tuple[float, float], tolerance: float) -> Sand:
        """A standing glass with all its sand above."""
        return cls(1.0, 1.0, end, t, True, durations, tolerance)

    _possibly_empty_at: float = field(init=False, repr=False, compare=False)
    _empty_at: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        duration = self._duration(self.end)
        for name, share, tolerance in (
            ("_possibly_empty_at", self.low, 1 + self.tolerance),
            ("_empty_at", self.high, 1 - self.tolerance),
        ):
            object.__setattr__(self, name, moment(self.since + share * duration / tolerance))

    def _duration(self, end: End) -> float:
        return self.durations[0] if end is End.A else self.durations[1]

    def possibly_empty_at(self) -> float:
        """The earliest time at which it may be empty above, if it keeps standing (seconds)."""
        return self._possibly_empty_at

    def empty_at(self) -> float:
        """The time at which it is certainly empty above, if it keeps standing (seconds)."""
        return self._empty_at

    def above(self, t: float) -> tuple[float, float]:
        """The lowest and highest share that may be above at ``t``; a glass certainly empty is (0, 0) (R6.4)."""
        if not self.standing:
            return self.low, self.high
        if t >= self.empty_at():
            return 0.0, 0.0
        run = (t - self.since) / self._duration(self.end)
        low = 0.0 if t >= self.possibly_empty_at() else max(0.0, self.low - run * (1 + self.tolerance))
        return low, max(0.0, self.high - run * (1 - self.tolerance))

    def unseen(self, t: float, least: float, most: float) -> Sand:
        """The glass at ``t``, after ``least`` to ``most`` seconds that nobody saw and that ``t`` does not count.

        A standing glass ran for as long (R6.4); one in the hand was held for up to ``most`` seconds more.
        """
        if not self.standing:
            return replace(self, since=self.since - most)
        low, high = self.above(t)
        duration = self._duration(self.end)
        low = max(0.0, low - most * (1 + self.tolerance) / duration)
        high = max(0.0, high - least * (1 - self.tolerance) / duration)
        return replace(self, low=low, high=high, since=t)

    def seconds(self, t: float) -> tuple[float, float]:
        """The least and the most seconds that it still runs if it keeps standing."""
        low, high = self.above(t)
        duration = self._duration(self.end)
        return low * duration / (1 + self.tolerance), high * duration / (1 - self.tolerance)

    def lifted(self, t: float, unseen: float = 0.0, *, exact_hands: bool = False) -> Sand:
        """The glass goes into the hand at ``t``, or up to ``unseen`` seconds before.

        An earlier lift means that it ran less and, without exact hands, that sand may have run back in the hand.
        """
        low, high = self.above(t)
        high += unseen * (1 + self.tolerance) / self._duration(self.end)
        if not exact_hands:
            high += unseen / self._duration(self.end.other)
        return Sand(low, min(1.0, high), self.end, t, False, self.durations, self.tolerance)

    def _after_hand(self, t: float, exact_hands: bool) -> tuple[float, float]:
        """Lowest and highest share above at ``t``, before the glass is turned over.

        Without exact hands the sand may have run either way for as long as the hand held the glass (R6.4).
        """
        low, high = self.above(t)
        if exact_hands or self.standing:
            return low, high
        held = t - self.since
        return (
            max(0.0, low - held / self._duration(self.end)),
            min(1.0, high + held / self._duration(self.end.other)),
        )

    def possibly_empty(self, t: float, exact_hands: bool) -> bool:
        """It may be empty above at ``t``, standing or in the hand (R7.2)."""
        return self._after_hand(t, exact_hands)[0] <= 0

    def seated(self, t: float, end: End, exact_hands: bool, unseen: float = 0.0) -> Sand:
        """The glass stands from ``t`` on with ``end`` down; it was turned over if that is the other end (R6.1).

        It may have stood for up to ``unseen`` seconds by then.
        """
        low, high = self._after_hand(t, exact_hands)
        if end is not self.end:
            low, high = 1.0 - high, 1.0 - low
        return Sand(low, high, end, t, True, self.durations, self.tolerance).stood(unseen)

    def stood(self, unseen: float) -> Sand:
        """The glass, if it may have run for up to ``unseen`` seconds already."""
        if not unseen:
            return self
        low = max(0.0, self.low - unseen * (1 + self.tolerance) / self._duration(self.end))
        return replace(self, low=low)
