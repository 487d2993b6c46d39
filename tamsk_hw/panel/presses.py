"""One button's contact, edge by edge, to presses (docs/formats.md, Events). Pure: time comes in.

A contact bounces: for some milliseconds it opens and closes at will. Its level counts once it has *settled*, that
is held for `SETTLE_SECONDS`, and it counts from when it began. Nothing is dropped on the way: the last edge of a
burst decides, however near the one before it was. (A filter that goes deaf for a while after an edge misses the
release of a quick press, and the button hangs.)

A press is **short** when the button is let go, **long** as soon as it has been held for `LONG_SECONDS`, while it
is still held; letting go then says no more. A button that is held when the reader begins is not pressed until it
has been let go. One that stays down for `STUCK_SECONDS` is stuck, which is said once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.referee.events import Press

#: Seconds that a level must hold before it counts.
SETTLE_SECONDS: Final = 0.03

#: Seconds that a button must be held for a long press.
LONG_SECONDS: Final = 1.5

#: Seconds after which a button that is still held is stuck.
STUCK_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press at ``t`` (seconds): when it was let go (short), or when it had been held long enough (long)."""

    t: float
    press: Press


@dataclass(frozen=True, slots=True)
class Stuck:
    """The button has been down for so long, at ``t`` (seconds), that nobody can mean it."""

    t: float


class PressReader:
    """Reads one button. All times are seconds of one clock that never goes back.

    ``pressed`` is the level at ``t``, when reading begins. ``settle``, ``long`` and ``stuck`` are the times above.
    """

    def __init__(
        self,
        t: float,
        pressed: bool,
        *,
        settle: float = SETTLE_SECONDS,
        long: float = LONG_SECONDS,
        stuck: float = STUCK_SECONDS,
    ) -> None:
        self._settle, self._long, self._stuck = settle, long, stuck
        self._now = t
        # The contact as it is, and since when; then as it counts.
        self._level, self._level_since = pressed, t
        self._down, self._down_since = pressed, t
        # This hold brings no press (any more).
        self._spent = pressed
        self._said_stuck = False

    @property
    def is_down(self) -> bool:
        """The button counts as held."""
        return self._down

    @property
    def level(self) -> bool:
        """The contact's last known level: True is closed, settled or not."""
        return self._level

    @property
    def now(self) -> float:
        """The time up to which everything is read; while the button is at rest, that of the last change."""
        return self._now

    @property
    def next_wakeup(self) -> float:
        """The time at which `advance` has something to say if no edge comes; infinity when only an edge can."""
        due = [self._level_since + self._settle] if self._level is not self._down else []
        if self._down and self._level:
            due += [] if self._spent else [self._down_since + self._long]
            due += [] if self._said_stuck else [self._down_since + self._stuck]
        return min(due, default=float("inf"))

    def edge(self, t: float, pressed: bool) -> list[Pressed | Stuck]:
        """The contact closed (``pressed``) or opened at ``t``; gives what had come about until then.

        An edge to the level that is there already says nothing, and one older than the last time counts as of now.
        """
        said = self.advance(t)
        self._now = max(t, self._now)
        if pressed is not self._level:
            self._level, self._level_since = pressed, self._now
        return said

    def advance(self, t: float) -> list[Pressed | Stuck]:
        """Time has passed to ``t``; gives what has come about."""
        said: list[Pressed | Stuck] = []
        if not self._level and not self._down:
            return said  # edges that are still under way keep their own times
        self._now = now = max(t, self._now)
        if self._level is not self._down and now >= self._level_since + self._settle:
            self._down = self._level
            if self._down:
                self._down_since, self._spent = self._level_since, False
            elif not self._spent:
                said.append(Pressed(self._level_since, Press.SHORT))
        # While the contact is open nobody knows yet whether it was let go or bounces.
        if self._down and self._level:
            if not self._spent and now >= self._down_since + self._long:
                self._spent = True
                said.append(Pressed(max(self._down_since + self._long, self._level_since), Press.LONG))
            if not self._said_stuck and now >= self._down_since + self._stuck:
                self._said_stuck = True
                said.append(Stuck(self._down_since + self._stuck))
        return said
