"""The level and the variants of a game (R1.5, R8), and the tubes of the board that it is played on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from types import NoneType

from tamsk_hw.errors import ConfigError
from tamsk_hw.game.players import PLAYERS, START_TUBES
from tamsk_hw.game.tubes import TUBES, Tube, mask_of, names_of


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
    """What is agreed before a game. Windows are in seconds; the defaults are those of docs/formats.md, Header.

    ``tubes`` are those of the board, one or more, in board order however they are given; the others are not there:
    no glass moves to them and nothing is reported of them. Only a board with the corners (R1.3) has that start.

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
    tubes: tuple[Tube, ...] = TUBES
    tube_mask: int = field(init=False, repr=False, compare=False)
    """The bit mask of ``tubes``."""

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
        tubes = self.tubes
        listed = isinstance(tubes, (tuple, list, set, frozenset)) and all(isinstance(tube, Tube) for tube in tubes)
        if not listed or not tubes or len(set(tubes)) < len(tubes):
            raise ConfigError(f"ruleset: tubes is {tubes!r}; allowed: one Tube or more, each once")
        object.__setattr__(self, "tubes", tuple(sorted(tubes)))
        object.__setattr__(self, "tube_mask", mask_of(tubes))
        if self.start is Start.CORNERS and (missing := missing_corners(self.tubes)):
            allowed = f'"free", as the board has no {names_of(missing)}'
            raise ConfigError(f'ruleset: start is "corners"; allowed: {allowed}')

    @property
    def has_sand(self) -> bool:
        """Glasses are turned over and run out: levels 2 and 3 (R6.5)."""
        return self.level >= 2

    @property
    def has_timer(self) -> bool:
        """The 15-second timer counts: level 3 (R7)."""
        return self.level == 3


def missing_corners(tubes: Collection[Tube]) -> list[Tube]:
    """The start tubes (R1.3) that are not among ``tubes``, in board order: with any missing it starts free."""
    corners = sorted(tube for player in PLAYERS for tube in START_TUBES[player])
    return [tube for tube in corners if tube not in tubes]
