"""Intentions: the next act of a player, for hands to carry out, and who is played by the program how well.

They are values without time or chance. An `Advice` asks somebody at the board for an act; nothing is ruled by it,
the referee rules on what is really done. A player with one of `PARTNER_NAMES` is played by the program: so
journal, live stream and archive say who played, a resumed game and a rematch keep it, and it may be
seated like any player, by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final, TypeAlias

from tamsk_hw.forms import FORMS, Shape, form_of, scalar, to_json
from tamsk_hw.game.tubes import Player, Tube

_SHAPE = Shape(tag="act", keys={"at": "from"})


@dataclass(frozen=True, slots=True)
class MoveGlass:
    """Make a move: a glass goes from the tube ``at`` ``to`` another, ``turned`` over on the way (R2.2).

    ``at`` None: it is placed from off the board. ``ring``: its ring will be dropped, which is an intention of its
    own once the glass stands (`RingAct.DROP`).
    """

    name: ClassVar = "move"
    shape: ClassVar = _SHAPE
    at: Tube | None
    to: Tube
    turned: bool
    ring: bool


class RingAct(Enum):
    """The acts of a hand with one ring."""

    DROP = "ring"
    """Drop the ring of the move just made (R4.1)."""
    DROP_PENALTY = "penalty_ring"
    """Drop the second ring that the opponent's lateness allows (R7.6)."""
    CLAIM = "claim"
    """Announce a claim by button, then drop a ring where the opponent entered without one (R4.3)."""
    TAKE = "take_ring"
    """Take a ring off that does not count (R4.7)."""


@dataclass(frozen=True, slots=True)
class MoveRing:
    """Do that ``act`` with a ring at a tube."""

    shape: ClassVar = tuple(Shape(also={"act": act}) for act in RingAct)
    act: RingAct
    tube: Tube


@dataclass(frozen=True, slots=True)
class PutRight:
    """Bring the glass that stands in ``at`` to ``to``, where it belongs, or turn it over there (R2.6)."""

    name: ClassVar = "put_right"
    shape: ClassVar = _SHAPE
    at: Tube
    to: Tube
    turned: bool


@dataclass(frozen=True, slots=True)
class TurnTimerOver:
    """Turn the 15-second timer against the opponent, if its upper part is seen to be empty (R7.2)."""

    name: ClassVar = "timer"
    shape: ClassVar = _SHAPE


@dataclass(frozen=True, slots=True)
class Await:
    """Do nothing for ``seconds``, or until something is ruled; then look again."""

    seconds: float


Act: TypeAlias = MoveGlass | MoveRing | PutRight | TurnTimerOver

Intention: TypeAlias = Act | Await


class Strength(Enum):
    """The strengths, weakest first, with their bounds: none is a time, so every machine plays alike."""

    EASY = "easy", 200, 1, 150.0, 20.0, 0.1
    FAIR = "fair", 600, 2, 15.0
    STRONG = "strong", 3000, 64

    nodes: int
    """Positions looked at for one decision, at most. The least computer, a Raspberry Pi Zero 2 W, has a second."""
    depth: int
    """Plies looked ahead, at most."""
    error: float
    """The standard deviation by which a move's value is misjudged, in hundredths of a ring."""
    grace: float
    """Seconds, or `ring_window` if longer, before a ring is claimed that may still come: at level 1 (R4.2)."""
    lapse: float
    """The share of its own rings that it forgets to drop, so that they may be claimed."""

    def __new__(
        cls, value: str, nodes: int = 0, depth: int = 0, error: float = 0.0, grace: float = 0.0, lapse: float = 0.0
    ) -> Strength:
        """A strength of that name with its bounds."""
        member = object.__new__(cls)
        member._value_, member.nodes, member.depth, member.error = value, nodes, depth, error
        member.grace, member.lapse = grace, lapse
        return member


@dataclass(frozen=True, slots=True)
class Advice:
    """The ``act`` that is asked of the hand of ``player``."""

    player: Player
    act: Act


#: As JSON the object of the act has the player, too.
FORMS[Advice] = scalar(
    lambda advice: {"player": advice.player.value, **to_json(advice.act)},
    lambda record: Advice(Player(record["player"]), form_of(Act).read(record)),
    {"type": "object"},
    "an advice as a state has it",
)


@dataclass(frozen=True, slots=True)
class PartnerSeat:
    """The ``player`` who is played by the program, and how well."""

    player: Player
    strength: Strength


def partner_name(strength: Strength) -> str:
    """The name of a player who is played by the program: ``tamsk-hw (strong)``."""
    return f"tamsk-hw ({strength.value})"


#: The names of the program, weakest first, each with its strength.
PARTNER_NAMES: Final = {partner_name(strength): strength for strength in Strength}


def seat_of(*, red: str | None, black: str | None) -> PartnerSeat | None:
    """The partner's seat among players of these names; black's, if both names are his."""
    for player, name in ((Player.BLACK, black), (Player.RED, red)):
        if name in PARTNER_NAMES:
            return PartnerSeat(player, PARTNER_NAMES[name])
    return None
