"""The name of the partner, by which he is seated: a player of that name is played by the program.

So journal, live stream and archive say who played, a resumed game and a rematch keep him, and whoever may name
players may seat him.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.game.players import Player
from tamsk_hw.partner.strength import Strength


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
