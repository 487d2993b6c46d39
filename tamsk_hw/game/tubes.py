"""The 37 tubes of the board (R1.1, R1.2, R1.3), the two players and the two ends of a glass.

A set of tubes is an int used as a bit mask: bit ``tube`` is set when the tube is in the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, IntEnum
from operator import attrgetter

from tamsk_hw.forms import FORMS, one_of


class Tube(IntEnum):
    """A tube, in the order of the board's columns: A1 … A4, B1 … B5, …, G1 … G4 (0 … 36, R1.1)."""

    A1, A2, A3, A4 = range(0, 4)
    B1, B2, B3, B4, B5 = range(4, 9)
    C1, C2, C3, C4, C5, C6 = range(9, 15)
    D1, D2, D3, D4, D5, D6, D7 = range(15, 22)
    E1, E2, E3, E4, E5, E6 = range(22, 28)
    F1, F2, F3, F4, F5 = range(28, 33)
    G1, G2, G3, G4 = range(33, 37)

    def __str__(self) -> str:
        return self.name

    @property
    def column(self) -> int:
        """Column of the tube, 0 (A) to 6 (G)."""
        return ord(self.name[0]) - ord("A")

    @property
    def row(self) -> int:
        """Place in its column, counted from 1 at the bottom (R1.1)."""
        return int(self.name[1])

    @property
    def height(self) -> float:
        """Height of the tube's centre in tube pitches above the board's lowest tube (D1): 0 … 6.

        Columns are ``sqrt(3)/2`` pitches apart.
        """
        return self.row - 1 + abs(self.column - 3) / 2


TUBES: tuple[Tube, ...] = tuple(Tube)

TUBE_OF_NAME: dict[str, Tube] = {tube.name: tube for tube in TUBES}

#: The tubes of the whole board, for messages.
TUBE_NAMES = "A1 to A4, B1 to B5, C1 to C6, D1 to D7, E1 to E6, F1 to F5, G1 to G4"

FORMS[Tube] = one_of(TUBE_OF_NAME, attrgetter("name"), TUBE_NAMES)


def _neighbours(tube: Tube) -> tuple[Tube, ...]:
    """Tubes one pitch away on the triangular grid (R1.1)."""
    near = []
    for other in TUBES:
        columns = abs(other.column - tube.column)
        heights = abs(other.height - tube.height)
        if (columns == 0 and heights == 1) or (columns == 1 and heights == 0.5):
            near.append(other)
    return tuple(near)


#: For each tube those that touch it, in board order (R1.1).
NEIGHBOURS: tuple[tuple[Tube, ...], ...] = tuple(_neighbours(tube) for tube in TUBES)


def mask_of(tubes: Iterator[Tube] | tuple[Tube, ...] | list[Tube]) -> int:
    """The bit mask of some tubes."""
    mask = 0
    for tube in tubes:
        mask |= 1 << tube
    return mask


def names_of(tubes: Iterable[Tube]) -> str:
    """Some tubes as a list in words: ``A1, D1``."""
    return ", ".join(map(str, tubes))


def tubes_in(mask: int) -> list[Tube]:
    """The tubes of a bit mask, in board order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(TUBES[low.bit_length() - 1])
        mask ^= low
    return found


#: For each tube the bit mask of its neighbours.
NEIGHBOUR_MASKS: tuple[int, ...] = tuple(mask_of(near) for near in NEIGHBOURS)

ALL_TUBES: int = (1 << len(TUBES)) - 1


def _capacity(tube: Tube) -> int:
    """Rings that a tube holds: 1 at the edge, one more for each step to the centre (R1.2)."""
    column, height = tube.column - 3, tube.height - 3
    distance = max(abs(column), round(abs(height) + abs(column) / 2))
    return 4 - distance


#: Rings that each tube holds when full; 64 in all (R1.2).
CAPACITY: tuple[int, ...] = tuple(_capacity(tube) for tube in TUBES)


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
