"""The state of a game as others see it: one frozen value for lights, sound, picture and page.

`Referee.view` makes it, always whole, never as a difference. Nobody else looks inside the referee.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.game.tubes import TUBES, End, Player, Tube
from tamsk_hw.referee.rulings import GameOver, Mend, Question


class Phase(Enum):
    """The phases of a game."""

    SETUP = "setup"
    """The board is being set up; the only ruling is `setup`."""
    PLAY = "play"
    """The game is on. With `View.turn` None neither player has a legal move and rights run out (R5.1)."""
    SAND = "sand"
    """Equal rings: the sand decides (R5.3)."""
    OVER = "over"


class GlassState(Enum):
    """The referee's knowledge of a glass's sand."""

    UNSTARTED = "unstarted"
    """Not moved yet, so neither lost nor doubtful (R2.4)."""
    RUNNING = "running"
    DOUBTFUL = "doubtful"
    """It may have run out (R6.4)."""
    LOST = "lost"
    NO_SAND = "no_sand"
    """Level 1 has no sand (R6.5)."""

    @property
    def may_run(self) -> bool:
        """Sand may still be running."""
        return self in (GlassState.RUNNING, GlassState.DOUBTFUL)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassView:
    """One glass.

    ``tube`` is where it lawfully stands, ``standing`` where it physically stands (None: in a hand).
    ``seconds`` and ``fraction`` are (lowest, highest) of what may be left above: seconds to run as it stands,
    share of a full glass 0 … 1; both (0, 0) when lost, unstarted or at level 1.
    """

    owner: Player
    tube: Tube
    standing: Tube | None
    end: End
    state: GlassState
    seconds: tuple[float, float]
    fraction: tuple[float, float]
    may_move: bool
    """Neither lost nor barred by R2.4."""


@dataclass(frozen=True, slots=True)
class OpenRing:
    """A move's ring that may still be dropped (R4.1)."""

    player: Player
    """The player who moved: the right is his own."""
    seconds: float | None = None
    """Seconds until it lapses; None while only the next move can end it (R4.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The state of the game at time ``t`` (seconds)."""

    t: float
    level: int
    phase: Phase
    turn: Player | None
    """The player to move, if any."""
    number: int
    """Number of the turn, 0 before the start."""
    move_started: bool
    """The player to move has started his move."""
    glasses: tuple[GlassView, ...]
    rings: tuple[int, ...]
    """Counted rings of each tube (37)."""
    rings_seen: tuple[int, ...]
    """Rings that lie around each tube (37), whether or not they count."""
    full: frozenset[Tube]
    destinations: frozenset[Tube]
    """Legal destinations of a glass in the hand of the player to move, or of a late one."""
    left: dict[Player, int]
    """Rings left to each player."""
    ring_open: dict[Tube, OpenRing]
    """Tubes where a move's ring is open."""
    penalty: Player | None
    """Who may drop a penalty ring now (R7.6)."""
    late: Player | None
    """Who still may complete a late move (R7.5)."""
    deadline: float | None
    """When the 15-second timer runs out against the player to move (R7.2), None without one."""
    timer_side: str | None
    wrong: tuple[Mend, ...]
    """All that must be put right now; in `Phase.SETUP` all that is missing."""
    link_lost: bool
    question: Question | None
    """The question that the arbiter has not answered."""
    over: GameOver | None
    tubes: tuple[Tube, ...] = TUBES
    """The tubes of the board, in board order."""

    @property
    def is_played(self) -> bool:
        """The game has begun and is not over."""
        return self.phase in (Phase.PLAY, Phase.SAND)
