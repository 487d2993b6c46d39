"""The links to the seats at a simulated board, made when the page starts and kept nowhere. It needs no library."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tamsk_hw.game.players import PLAYERS, Player

#: Bytes of chance in a seat's secret: too many to be guessed.
_BYTES: Final = 32


def _new_secrets() -> Mapping[Player, str]:
    return {player: secrets.token_urlsafe(_BYTES) for player in PLAYERS}


@dataclass(frozen=True, slots=True)
class SeatLinks:
    """Who opens a seat's link plays that colour; ``page`` is the page's address for another device.

    The secret stands in the fragment, which browsers send to nobody.
    """

    page: str
    secrets: Mapping[Player, str] = field(default_factory=_new_secrets, repr=False)

    def link(self, player: Player) -> str:
        """The address of a player's seat."""
        return f"{self.page}table?seat={player.value}#{self.secrets[player]}"

    def as_line(self) -> str:
        """The secrets in a line, for a page that is a process of its own."""
        return " ".join(self.secrets[player] for player in PLAYERS)

    @classmethod
    def of_line(cls, page: str, line: str) -> SeatLinks:
        """The links with the secrets of such a line; with new ones if it has none."""
        words = line.split()
        return cls(page, dict(zip(PLAYERS, words, strict=True))) if words else cls(page)
