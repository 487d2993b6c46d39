"""The level and the variants of a game (R1.5, R8), and the tubes of the board that it is played on."""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from types import NoneType
from typing import Annotated, ClassVar

from tamsk_hw.errors import SettingError
from tamsk_hw.forms import Shape, number
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, TUBES, Tube, mask_of, names_of


class LatePenalty(Enum):
    """The penalty for a late player (R8 ``late_penalty``)."""

    TWO_RINGS = "two_rings"
    LOSE_TURN = "lose_turn"


class Start(Enum):
    """The start of the glasses: set up in the corners, or placed one by one (R8 ``start``)."""

    CORNERS = "corners"
    FREE = "free"


class TimerSide(Enum):
    """The side on which the 15-second timer stands: recorded, without effect (R7.1)."""

    LEFT = "left"
    RIGHT = "right"


Level = Annotated[int, number(int, 1, 3, "1, 2, 3")]
Seconds = Annotated[float, number(float, 0, allowed="a number of seconds, 0 or more")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The variants agreed on before a game. Windows are in seconds.

    ``tubes`` are those of the board, one or more, and are sorted into board order. No glass moves to other tubes
    and nothing is reported of them. Only a board with all corners (R1.3) allows the start from the corners.

    Raises:
        SettingError: a value is not allowed.
    """

    level: Level = 3
    late_penalty: LatePenalty = LatePenalty.TWO_RINGS
    forfeit_penalised: bool = True
    start: Start = Start.CORNERS
    ring_window: Seconds = 5.0
    penalty_window: Seconds = 10.0
    final_window: Seconds = 10.0
    settle: Seconds = 2.0
    timer_side: TimerSide | None = None
    tubes: tuple[Tube, ...] = TUBES
    tube_mask: int = field(init=False, repr=False, compare=False)
    """The bit mask of ``tubes``."""
    shape: ClassVar = Shape(spare=("tubes",), strict=True)

    def __post_init__(self) -> None:
        if self.level not in (1, 2, 3) or isinstance(self.level, bool):
            raise SettingError("ruleset", "level", self.level, "1, 2, 3")
        for key, kind in (("late_penalty", LatePenalty), ("start", Start), ("forfeit_penalised", bool)):
            if not isinstance(getattr(self, key), kind):
                raise SettingError("ruleset", key, getattr(self, key), f"a {kind.__name__}")
        if not isinstance(self.timer_side, (TimerSide, NoneType)):
            raise SettingError("ruleset", "timer_side", self.timer_side, "a TimerSide or None")
        for key in ("ring_window", "penalty_window", "final_window", "settle"):
            seconds = getattr(self, key)
            if not isinstance(seconds, (int, float)) or not 0 <= seconds <= 1e15:
                raise SettingError("ruleset", key, seconds, "a number of seconds, 0 or more")
        tubes = self.tubes
        listed = isinstance(tubes, (tuple, list, set, frozenset)) and all(isinstance(tube, Tube) for tube in tubes)
        if not listed or not tubes or len(set(tubes)) < len(tubes):
            raise SettingError("ruleset", "tubes", tubes, "tubes, one or more, each once")
        object.__setattr__(self, "tubes", tuple(sorted(tubes)))
        object.__setattr__(self, "tube_mask", mask_of(tubes))
        if self.start is Start.CORNERS and (missing := missing_corners(self.tubes)):
            allowed = f'"free", as the board has no {names_of(missing)}'
            raise SettingError("ruleset", "start", self.start.value, allowed, against=("tubes",))

    @property
    def has_sand(self) -> bool:
        """Glasses are turned over and run out: levels 2 and 3 (R6.5)."""
        return self.level >= 2

    @property
    def has_timer(self) -> bool:
        """The 15-second timer counts: level 3 (R7)."""
        return self.level == 3


def missing_corners(tubes: Collection[Tube]) -> list[Tube]:
    """The start tubes (R1.3) that are not among ``tubes``, in board order; with any missing the start is free."""
    corners = sorted(tube for player in PLAYERS for tube in START_TUBES[player])
    return [tube for tube in corners if tube not in tubes]
