"""The controller board: the current's way from the inlet along the upper edge, below it the module and its ribbon.

The tracks for currents are laid here; the router finds them there. The rest of the nets is the router's.
"""

from dataclasses import dataclass, field
from typing import Final

from wiring.boards.layout import (
    BACK,
    FRONT,
    Label,
    Layout,
    Placed,
    Point,
    Track,
    Way,
    Zone,
    marks,
    path,
    put,
    rectangle,
    screw_holes,
    test_point,
)
from wiring.boards.routes import with_revision
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Part, Unit
from wiring.make.electrics_lights import WIDTHS

#: Size of the board, and from its corners to the holes for M3 screws.
WIDTH: Final = 92.0
HEIGHT: Final = 58.0
_HOLE: Final = 4.0

#: The marks for a placing machine, away from the holes.
_MARKS: Final = ((10.5, 3.0), (81.0, 3.6), (4.0, 48.3))

#: The kind that comes with the module and has no place of its own.
_WITHIN: Final = "usb_mini_b"

#: Designator, place, angle, and where its name is printed beside that.
_PLACES: Final[tuple[tuple[str, float, float, float, tuple[float, float]], ...]] = (
    ("J1", 13.2, 13.5, -90.0, (-6.0, -5.6)),
    ("FU1", 17.5, 13.5, 0.0, (11.25, -3.0)),
    ("D1", 44.3, 18.6, -90.0, (-3.3, 1.5)),
    ("Q1", 50.6, 13.55, 180.0, (0.0, 0.0)),
    ("Q2", 62.0, 14.35, 0.0, (0.0, 0.0)),
    ("FU2", 73.0, 15.0, 0.0, (-3.9, -2.6)),
    ("FU4", 73.0, 20.4, 0.0, (-3.9, -2.6)),
    ("FU3", 73.0, 25.8, 0.0, (-3.9, -2.6)),
    ("D2", 55.5, 11.2, 90.0, (1.9, -0.9)),
    ("R50", 51.6, 9.74, 0.0, (-3.3, 0.0)),
    ("R54", 50.8, 19.05, -90.0, (-1.9, 0.0)),
    ("Q3", 54.2, 19.05, 0.0, (0.0, -2.5)),
    ("C50", 57.57, 19.05, -90.0, (0.0, 2.3)),
    ("R51", 60.11, 20.32, -90.0, (0.0, 2.4)),
    ("R52", 62.23, 20.32, -90.0, (0.4, -2.4)),
    ("R53", 62.23, 24.55, -90.0, (0.0, 2.3)),
    ("C51", 64.3, 25.5, -90.0, (0.3, 2.3)),
    ("R55", 50.8, 23.7, -90.0, (-1.9, 0.0)),
    ("U5", 56.3, 24.55, 180.0, (-3.0, 0.4)),
    ("J6", 75.0, 5.5, 180.0, (-13.7, -3.9)),
    ("R2", 59.9, 5.5, 90.0, (0.0, 2.6)),
    ("U2", 53.8, 5.08, 90.0, (0.0, 0.0)),
    ("CU2", 47.0, 2.55, 180.0, (-3.2, 0.0)),
    ("R3", 46.6, 6.35, 0.0, (0.0, -1.6)),
    ("J5", 37.26, 3.39, 90.0, (-3.2, 0.0)),
    ("U1", 41.487, 28.787, -90.0, (-12.0, 7.62)),
    ("J2", 84.667, 20.743, 0.0, (-2.0, -6.6)),
    ("R1", 66.04, 30.9, 0.0, (0.0, 1.8)),
    ("R5", 66.04, 35.98, 0.0, (0.0, 1.8)),
    ("CU1", 35.14, 48.26, 0.0, (0.0, 1.8)),
    ("R4", 40.64, 48.26, 0.0, (0.0, 1.8)),
    ("U6", 29.63, 48.26, 180.0, (0.0, 2.5)),
    ("J7", 52.07, 54.61, 90.0, (-3.2, 0.0)),
    ("J8", 67.31, 54.61, 90.0, (-3.2, 0.0)),
)

#: The net of each test point, its place, and from there to its name. The guide's steps 2 and 3 measure at them.
_TEST_POINTS: Final[tuple[tuple[str, float, float, Point], ...]] = (
    (nets.FUSED, 44.3, 9.2, (-1.1, -1.65)),
    (nets.GUARDED, 60.0, 10.1, (4.9, 1.2)),
    (nets.MAIN, 65.05, 21.6, (-0.3, -1.9)),
    (nets.LIGHTS_SUPPLY, 80.0, 10.2, (1.6, -1.9)),
    (nets.EMITTERS, 84.667, 12.6, (3.6, 0.0)),
    (nets.LOGIC, 75.5, 30.2, (0.0, 2.0)),
    (nets.SUPPLY_REFERENCE, 25.0, 48.26, (-1.4, 2.0)),
    (nets.GROUND, 44.3, 24.0, (-2.5, 0.0)),
)

#: The tracks for currents: net, width, points.
_CURRENTS: Final[tuple[tuple[str, float, tuple[Point, ...]], ...]] = (
    (nets.INLET, 5.0, ((13.2, 13.5), (17.5, 13.5))),
    (nets.FUSED, 5.0, ((40.0, 13.5), (47.4, 13.5))),
    (nets.FUSED, 2.5, ((44.3, 9.2), (44.3, 16.45))),
    (nets.GUARDED, 3.2, ((53.3, 14.05), (59.3, 14.05))),
    (nets.GUARDED, 2.0, ((60.0, 10.1), (59.3, 14.05))),
    (nets.MAIN, 4.5, ((64.7, 14.4), (70.45, 14.4))),
    (nets.MAIN, 4.5, ((69.6, 14.4), (69.6, 25.2))),
    (nets.MAIN, 2.0, ((65.05, 21.6), (69.6, 21.6))),
    (nets.LIGHTS_SUPPLY, 4.0, ((75.3, 5.5), (75.55, 15.6))),
    (nets.LIGHTS_SUPPLY, 2.0, ((75.55, 10.2), (80.0, 10.2))),
    (nets.EMITTERS, 2.0, ((75.55, 21.0), (84.667, 20.9))),
    (nets.EMITTERS, 2.0, ((84.667, 12.6), (84.667, 20.9))),
    (nets.LOGIC, 3.0, ((75.55, 26.4), (78.6, 24.75), (84.0, 24.75))),
    (nets.LOGIC, 1.7, ((84.667, 23.283), (84.667, 25.823))),
    (nets.LOGIC, 2.0, ((75.55, 26.4), (75.5, 30.2))),
    (nets.GROUND, 2.0, ((44.3, 20.75), (44.3, 24.0))),
)

#: The ways of the currents, from pad to pad.
_WAYS: Final = (
    Way(("J1", "1"), ("FU1", "1"), WIDTHS[nets.INLET]),
    Way(("FU1", "2"), ("Q1", "5"), WIDTHS[nets.FUSED]),
    # To the suppressor, for peaks.
    Way(("FU1", "2"), ("D1", "1"), 2.4),
    Way(("Q1", "1"), ("Q2", "1"), WIDTHS[nets.GUARDED]),
    Way(("Q2", "5"), ("FU2", "1"), WIDTHS[nets.MAIN]),
    Way(("Q2", "5"), ("FU3", "1"), WIDTHS[nets.MAIN]),
    Way(("Q2", "5"), ("FU4", "1"), WIDTHS[nets.MAIN]),
    Way(("FU2", "2"), ("J6", "1"), WIDTHS[nets.LIGHTS_SUPPLY]),
    Way(("FU3", "2"), ("J2", "3"), WIDTHS[nets.LOGIC]),
    Way(("FU3", "2"), ("J2", "5"), WIDTHS[nets.LOGIC]),
    Way(("FU4", "2"), ("J2", "1"), WIDTHS[nets.EMITTERS]),
)

#: What is printed besides: text, place, height.
_WORDS: Final[tuple[tuple[str, float, float, float], ...]] = (
    ("5 V =   + inside", 9.0, 21.4, 1.2),
    ("4 A slow", 28.75, 16.5, 0.8),
    ("2.5 A lights", 75.2, 12.4, 0.8),
    ("1.1 A emitters", 75.4, 17.8, 0.8),
    ("1.85 A sensors", 75.4, 23.2, 0.8),
    ("+5V", 75.4, 10.2, 0.8),
    ("GND", 70.0, 10.2, 0.8),
    ("DATA", 65.4, 10.2, 0.8),
    ("Pi", 34.0, 1.5, 0.8),
    ("NANO", 29.5, 38.2, 0.8),
    ("RED", 55.9, 50.4, 0.8),
    ("BLACK", 71.1, 50.4, 0.8),
)


@dataclass
class _Placing:
    """Parts of one board on their way to their places."""

    board: Board
    placed: list[Placed] = field(default_factory=list)

    def put(self, part: Part, x: float, y: float, angle: float, beside: Point) -> None:
        label = Label(part.ref, round(x + beside[0], 3), round(y + beside[1], 3), 0.8)
        self.placed.append(put(self.board.catalogue, part, x, y, angle, label=label))


def parts_of(board: Board) -> list[Part]:
    """The parts of the circuit that the controller board carries."""
    return [part for part in board.circuit.on(Unit.CONTROLLER) if part.kind.key != _WITHIN]


def controller_layout(name: str, board: Board) -> Layout:
    """The controller board of a map, not yet routed."""
    parts = {part.ref: part for part in parts_of(board)}
    placing = _Placing(board)
    for ref, x, y, angle, beside in _PLACES:
        if ref in parts:
            placing.put(parts.pop(ref), x, y, angle, beside)
    assert not parts, f"{board.key}: no place on the controller board for {sorted(parts)}"
    holes = [(x, y) for y in (_HOLE, HEIGHT - _HOLE) for x in (_HOLE, WIDTH - _HOLE)]
    inset = 0.5
    return with_revision(
        Layout(
            name=name,
            title="Controller board",
            outline=rectangle(0.0, 0.0, WIDTH, HEIGHT),
            thickness=1.6,
            layers=2,
            parts=(
                *placing.placed,
                *(test_point(net, x, y) for net, x, y, _ in _TEST_POINTS),
                *screw_holes(*holes),
                *marks(*_MARKS),
            ),
            fixed=tuple(_currents()),
            wide=(nets.LOGIC, nets.LIGHTS_SUPPLY),
            zones=(Zone(nets.GROUND, BACK, rectangle(inset, inset, WIDTH - inset, HEIGHT - inset)),),
            spoke=0.8,
            labels=(
                *(Label(*word) for word in _WORDS),
                *(
                    Label(net, round(x + right, 3), round(y + down, 3), 0.8)
                    for net, x, y, (right, down) in _TEST_POINTS
                ),
                *_pin_names(placing.placed),
                Label(f"tamsk-hw {name}", 20.0, 54.0, 1.2),
            ),
        ),
        20.0,
        56.0,
    )


def ways() -> tuple[Way, ...]:
    """The ways of the currents on the board."""
    return _WAYS


def _currents() -> list[Track]:
    return [track for net, width, points in _CURRENTS for track in path(net, FRONT, width, *points)]


def _pin_names(placed: list[Placed]) -> list[Label]:
    """What the wires to the Pi and to the ring holders carry, above their pins."""
    found = []
    for part in placed:
        if part.ref in ("J5", "J7", "J8"):
            for pad in part.footprint.pads:
                x, y = part.pad_at(pad)
                word = part.nets[pad.number].partition("_")[0].replace("LIGHTS", "DATA")
                found.append(Label(word, x, y - 2.4 if part.ref != "J5" else y + 2.4, 0.7))
    return found
