"""The two players and the two ends of a glass."""

from __future__ import annotations

from enum import Enum

from tamsk_hw.game.tubes import Tube


class Player(Enum):
    """A player, by the colour of his glasses. Red begins (R1.5)."""

    RED = "red"
    BLACK = "black"

    __hash__ = object.__hash__  # there is one of each; `Enum` hashes the name, in Python

    def __str__(self) -> str:
        return self.value

    @property
    def opponent(self) -> Player:
        """The other player."""
        return Player.BLACK if self is Player.RED else Player.RED


class End(Enum):
    """An end of a glass; events say which end is down. The magnet's north points out at end A."""

    A = "A"
    B = "B"

    def __str__(self) -> str:
        return self.value

    @property
    def other(self) -> End:
        """The opposite end."""
        return End.B if self is End.A else End.A


PLAYERS: tuple[Player, Player] = (Player.RED, Player.BLACK)

#: Rings that each player starts with (R1.4).
RINGS_EACH = 32

#: Glasses that each player has (R1.3).
GLASSES_EACH = 3

#: The start tubes of each player's glasses (R1.3), in the order of RULES.md.
START_TUBES: dict[Player, tuple[Tube, ...]] = {
    Player.RED: (Tube.D1, Tube.G4, Tube.A4),
    Player.BLACK: (Tube.G1, Tube.D7, Tube.A1),
}
