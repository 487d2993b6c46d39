"""The players' own account of a match: what each of them did and meant, for tests to judge rulings by.

Physical times and facts come from the world's truth, intent and lawfulness from the player who acted, by his own
knowledge of the rules. Nothing here is copied from a ruling. Times ``t`` are simulated seconds.
"""

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.referee.events import Action
from tests.players.habits import Mischief


class RingIntent(Enum):
    """A player's intention with a ring that he drops."""

    MOVE = "move"
    CLAIM = "claim"
    PENALTY = "penalty"
    MISCHIEF = "mischief"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened at ``t`` (seconds), done by ``player``."""

    t: float
    player: Player


@dataclass(frozen=True, slots=True)
class MoveMade(Entry):
    """A glass was seated elsewhere than where it belongs; ``t`` is when it came to rest.

    ``from_tube`` is where the glass belonged (None: placed from off the board), ``t_lift`` when it was lifted.
    ``fault`` says which rule it broke, None for a lawful move; ``late`` as R7.5.
    """

    t_lift: float
    from_tube: Tube | None
    to_tube: Tube
    end_down: End
    late: bool
    fault: Mischief | None

    @property
    def lawful(self) -> bool:
        """The move broke no rule."""
        return self.fault is None


@dataclass(frozen=True, slots=True)
class GlassPutBack(Entry):
    """A glass was seated again where and as it belongs: no move (R2.5), or put right (R2.6)."""

    tube: Tube
    late: bool


@dataclass(frozen=True, slots=True)
class LiftedEarly(Entry):
    """A player lifted a glass on the other's turn (R2.8)."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class RingPlayed(Entry):
    """A ring came to rest on ``tube``; ``counts`` unless it was mischief."""

    tube: Tube
    intent: RingIntent

    @property
    def counts(self) -> bool:
        """A right allowed the ring."""
        return self.intent is not RingIntent.MISCHIEF


@dataclass(frozen=True, slots=True)
class ClaimAnnounced(Entry):
    """A player pressed his button for a claim on ``tube`` (R4.6)."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class TimerTurned(Entry):
    """A player turned the 15-second timer over; ``empty``: its upper part had run out, so he may (R7.2)."""

    empty: bool


@dataclass(frozen=True, slots=True)
class Misdeed(Entry):
    """A rule was broken other than by seating a glass elsewhere; ``tube`` None for the timer."""

    kind: Mischief
    tube: Tube | None


@dataclass(frozen=True, slots=True)
class PutRight(Entry):
    """A wrong at ``tube`` is right again, in the eyes of the player who did it."""

    kind: Mischief
    tube: Tube | None


@dataclass(frozen=True, slots=True)
class Resigned(Entry):
    """A player pressed his button long."""


@dataclass(frozen=True, slots=True)
class StartPressed(Entry):
    """The board is set up, and a player pressed start."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The arbiter decided, by what he saw."""

    t: float
    action: Action
    tube: Tube | None
    player: Player | None


@dataclass(frozen=True, slots=True)
class Surprised:
    """Players and rulings disagree: ``what`` was heard and not expected, or expected and not heard.

    From then on the players believe what was heard. With a faultless board and referee it never happens.
    """

    t: float
    what: str


StoryEntry = Entry | Decided | Surprised
