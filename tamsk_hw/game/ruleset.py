"""The level and the variants of a game (R1.5, R8)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import NoneType

from tamsk_hw.errors import ConfigError


class LatePenalty(Enum):
    """What a late player suffers (R8 ``late_penalty``)."""

    TWO_RINGS = "two_rings"
    LOSE_TURN = "lose_turn"


class Start(Enum):
    """How the glasses come to the board (R8 ``start``)."""

    CORNERS = "corners"
    FREE = "free"


class TimerSide(Enum):
    """On which side the 15-second timer stands: recorded, without effect (R7.1)."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """What is agreed before a game. Windows are in seconds; the defaults are those of CONTRACT.md.

    Raises:
        ConfigError: a value that cannot be; the message names it and what is allowed.
    """

    level: int = 3
    late_penalty: LatePenalty = LatePenalty.TWO_RINGS
    forfeit_penalised: bool = True
    start: Start = Start.CORNERS
    ring_window: float = 5.0
    penalty_window: float = 10.0
    final_window: float = 10.0
    settle: float = 2.0
    timer_side: TimerSide | None = None

    def __post_init__(self) -> None:
        if self.level not in (1, 2, 3) or isinstance(self.level, bool):
            raise ConfigError(f"ruleset: level is {self.level!r}; allowed: 1, 2, 3")
        for key, kind in (("late_penalty", LatePenalty), ("start", Start), ("forfeit_penalised", bool)):
            if not isinstance(getattr(self, key), kind):
                raise ConfigError(f"ruleset: {key} is {getattr(self, key)!r}; allowed: a {kind.__name__}")
        if not isinstance(self.timer_side, (TimerSide, NoneType)):
            raise ConfigError(f"ruleset: timer_side is {self.timer_side!r}; allowed: a TimerSide or None")
        for key in ("ring_window", "penalty_window", "final_window", "settle"):
            seconds = getattr(self, key)
            if not isinstance(seconds, (int, float)) or not 0 <= seconds <= 1e15:
                raise ConfigError(f"ruleset: {key} is {seconds!r}; allowed: seconds, 0 or more")

    @property
    def has_sand(self) -> bool:
        """Glasses are turned over and run out: levels 2 and 3 (R6.5)."""
        return self.level >= 2

    @property
    def has_timer(self) -> bool:
        """The 15-second timer counts: level 3 (R7)."""
        return self.level == 3
