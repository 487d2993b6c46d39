"""The players' own account of a match: what each of them did and meant, for tests to judge rulings by.

Physical times and facts come from the world's truth, intent and lawfulness from the player who acted, by his own
knowledge of the rules. Nothing here is copied from a ruling. Times ``t`` are simulated seconds.
"""

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.game.tubes import Player, Tube
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

    ``from_tube`` is where the glass belonged (None: placed from off the board). ``fault`` says which rule it
    broke, None for a lawful move; ``late`` as R7.5.
    """

    from_tube: Tube | None
    to_tube: Tube
    late: bool
    fault: Mischief | None

    @property
    def lawful(self) -> bool:
        """The move broke no rule."""
        return self.fault is None


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
class Misdeed(Entry):
    """A rule was broken other than by seating a glass elsewhere."""

    kind: Mischief


@dataclass(frozen=True, slots=True)
class Resigned(Entry):
    """A player pressed his button long."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The arbiter decided, by what he saw."""

    t: float
    action: Action
    player: Player | None


@dataclass(frozen=True, slots=True)
class Surprised:
    """Players and rulings disagree: ``what`` was heard and not expected, or expected and not heard.

    From then on the players believe what was heard. With a faultless board and referee it never happens.
    """

    t: float
    what: str


StoryEntry = Entry | Decided | Surprised
