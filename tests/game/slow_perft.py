"""The lines of level-1 play, counted slowly from the text of RULES.md: no bit, no table, nothing of the package.

A board is three plain values: glasses (tube → colour), rings (tube → number) and rings left (colour → number).
Tubes are named, and found on the hexagon by their coordinates.
"""

from math import hypot, isclose, sqrt

COLUMNS = dict(zip("ABCDEFG", (4, 5, 6, 7, 6, 5, 4), strict=True))

#: Where each tube's centre is, in tube pitches: columns sqrt(3)/2 apart, each centred on the same line (R1.1).
PLACES = {
    f"{column}{row}": ((number - 3) * sqrt(3) / 2, row - (tubes + 1) / 2)
    for number, (column, tubes) in enumerate(COLUMNS.items())
    for row in range(1, tubes + 1)
}

TOUCHING = {
    tube: [other for other, there in PLACES.items() if isclose(hypot(there[0] - x, there[1] - y), 1.0)]
    for tube, (x, y) in PLACES.items()
}


def _rows_from_the_edge() -> dict[str, int]:
    """Peel the hexagon: 1 for the 18 tubes of the edge, 2 for the next 12, 3 for the next 6, 4 for D4 (R1.2)."""
    row, inside, rows = 1, set(PLACES), {}
    while inside:
        edge = {tube for tube in inside if sum(near in inside for near in TOUCHING[tube]) < 6}
        rows.update(dict.fromkeys(edge or inside, row))
        inside -= edge or inside
        row += 1
    return rows


HOLDS = _rows_from_the_edge()

START = {"D1": "red", "G4": "red", "A4": "red", "G1": "black", "D7": "black", "A1": "black"}

Glasses = dict[str, str]
Rings = dict[str, int]
#: The colour to move and the glasses, at each turn since a ring was dropped (R5.1).
Seen = list[tuple[str, Glasses]]


def moves_of(colour: str, glasses: Glasses, rings: Rings) -> list[tuple[str, str]]:
    """R2.1, R2.7."""
    return [
        (tube, near)
        for tube, owner in glasses.items()
        if owner == colour
        for near in TOUCHING[tube]
        if near not in glasses and rings.get(near, 0) < HOLDS[near]
    ]


def slow_perft(
    depth: int,
    optional_rings: bool = False,
    colour: str = "red",
    glasses: Glasses = START,
    rings: Rings | None = None,
    left: Rings | None = None,
    seen: Seen | None = None,
) -> int:
    """Count the lines of ``depth`` plies (docs/formats.md); ``colour`` is to move."""
    rings, left, seen = (
        rings or {},
        left or {"red": 32, "black": 32},
        [(colour, glasses)] if seen is None else seen,
    )
    other = "black" if colour == "red" else "red"
    moves = moves_of(colour, glasses, rings)
    if depth == 0:
        return 1
    if not any(left.values()) or seen.count(seen[-1]) >= 3 or not (moves or moves_of(other, glasses, rings)):
        return 0
    lines = 0
    for home, to in moves:
        after = {to if tube == home else tube: owner for tube, owner in glasses.items()}
        if optional_rings or not left[colour]:
            further = [*seen, (other, after)]
            lines += slow_perft(depth - 1, optional_rings, other, after, rings, left, further)
        if left[colour]:
            dropped = {**rings, to: rings.get(to, 0) + 1}
            fewer = {**left, colour: left[colour] - 1}
            lines += slow_perft(depth - 1, optional_rings, other, after, dropped, fewer, [(other, after)])
    if not moves:
        return slow_perft(depth - 1, optional_rings, other, glasses, rings, left, [*seen, (other, glasses)])
    return lines
