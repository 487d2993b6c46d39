"""The magnets of a glass, drawn."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.wiring import Geometry, Wiring
from wiring.make.drawing import (
    MEDIUM,
    THICK,
    THIN,
    Circle,
    Line,
    Pen,
    Polygon,
    Shape,
    Text,
    arrow,
    document,
    drawn,
    picture,
    rectangle,
)
from wiring.make.geometry import PARTS, field_at_die, heights, layout

#: The page; with a longer way to the die it becomes deeper than A4.
WIDTH: Final = 210.0
DEPTH: Final = 297.0

#: The height on the page of the enlarged cap.
_GROUND: Final = -182.0

_LEFT: Final = 15.0
_SIZE: Final = 3.5
_LINE: Final = 5.2

#: Enlargement of the cap's drawing, and height at which a cap is drawn in the picture of a glass.
_CAP_SCALE: Final = 3.0
_CAP: Final = 12.0


def magnets_svg(wiring: Wiring) -> str:
    """The drawing. Raises `WiringError` where the map's dimensions leave no room."""
    layout(wiring)
    geometry = wiring.geometry
    size = f"{geometry.magnet_diameter:g} × {geometry.magnet_thickness:g} mm"
    shapes: list[Shape] = [
        Text("TEXT", _LEFT, -20.0, 5.5, "tamsk-hw: the magnets in the caps of a glass", bold=True),
        *_words(
            -28.0,
            (
                f"Each cap of each glass, and each cap of the timer, gets one disc magnet N35, {size}.",
                "North faces out at end A, south faces out at end B. Both magnets then point the same way",
                "along the glass: the arrows go from south to north, always towards end A.",
            ),
            size=3.2,
        ),
    ]
    shapes += _one_glass(56.0, -52.0, end_up="A")
    shapes += _one_glass(150.0, -52.0, end_up="B")
    shapes += _cap(geometry, _LEFT + 42.0, _GROUND)
    shapes += _cap_words(geometry, 112.0, -156.0)
    top = _GROUND + _CAP_SCALE * heights(geometry).base - 9.0
    shapes += _checks(top)
    return document(picture("Magnets in the caps", (0.0, min(-DEPTH, top - 75.0), WIDTH, 0.0), drawn(shapes)))


def _words(top: float, lines: tuple[str, ...], *, left: float = _LEFT, size: float = _SIZE) -> list[Shape]:
    return [Text("TEXT", left, top - _LINE * place, size, words) for place, words in enumerate(lines)]


def _one_glass(x: float, top: float, end_up: str) -> list[Shape]:
    """A glass as a sign, with the poles of its magnets; x is its middle."""
    height, half, waist = 76.0, 14.0, 2.0
    bottom = top - height
    other = "B" if end_up == "A" else "A"
    shapes: list[Shape] = []
    middle = (top + bottom) / 2
    left = [
        (-half + 2, top - _CAP),
        (-half + 2, top - 22),
        (-waist, middle),
        (-half + 2, bottom + 22),
        (-half + 2, bottom + _CAP),
    ]
    right = [(-a, b) for a, b in reversed(left)]
    shapes.append(Polygon("GLASS", tuple((x + a, b) for a, b in (*left, *right)), THIN))
    for end, edge, inward in ((end_up, top, -1), (other, bottom, 1)):
        low, high = sorted((edge, edge + inward * _CAP))
        shapes.append(rectangle("GLASS", x - half, low, x + half, high, MEDIUM, "#fff"))
        low, high = sorted((edge + inward * 0.6, edge + inward * 6.6))
        shapes.append(rectangle("MAGNET", x - 7.0, low, x + 7.0, high, MEDIUM, "#fff"))
        inner = edge + inward * 3.6
        poles = "NS" if end == "A" else "SN"
        out_y, in_y = edge + inward * 2.1, edge + inward * 5.1
        shapes.append(Line("MAGNET", x - 7.0, inner, x + 7.0, inner, THIN))
        shapes += [
            Text("TEXT", x, y - 1.1, 3.0, pole, "middle", bold=True)
            for y, pole in ((out_y, poles[0]), (in_y, poles[1]))
        ]
        name = "north (N) out" if end == "A" else "south (S) out"
        shapes.append(Text("TEXT", x + half + 3.0, inner + 0.6, 5.0, f"end {end}", bold=True))
        shapes.append(Text("TEXT", x + half + 3.0, inner - 4.0, _SIZE, name))
    shapes += arrow("ARROW", *_along(x, end_up, top, bottom), head=4.0, pen=THICK)
    down = f"{other} is down: the board shows {other}"
    shapes.append(Text("TEXT", x, bottom - 6.0, _SIZE, down, "middle", bold=True))
    return shapes


def _along(x: float, end_up: str, top: float, bottom: float) -> tuple[float, float, float, float]:
    """The arrow in the direction of both magnets, from south to north: towards end A."""
    start, end = (bottom + 10.0, top - 10.0) if end_up == "A" else (top - 10.0, bottom + 10.0)
    return x - 20.0, start, x - 20.0, end


def _cap(geometry: Geometry, x: float, ground: float) -> list[Shape]:
    """A cap cut open, its outer face down on the floor of the tube, and the Hall sensor below; enlarged."""
    high, scale = heights(geometry), _CAP_SCALE
    half, magnet = geometry.cap_diameter / 2 * scale, geometry.magnet_diameter / 2 * scale
    recess, thick = PARTS.magnet_recess * scale, geometry.magnet_thickness * scale
    die, carrier = ground + high.die * scale, PARTS.carrier_diameter / 2 * scale
    seat, board, base = (ground + z * scale for z in (high.seat, high.carrier, high.base))
    package = PARTS.hall_length / 2 * scale
    shapes: list[Shape] = [
        rectangle("CAP", x - half, ground, x + half, ground + 8.0 * scale, THIN, "#ccc"),
        rectangle("CAP", x - magnet - 0.5, ground, x + magnet + 0.5, ground + recess + thick + 0.6, THIN, "#fff"),
        rectangle("CAP", x - magnet, ground + recess, x + magnet, ground + recess + thick, MEDIUM, "#fff"),
        Text("TEXT", x + magnet + 2.5, ground + recess + thick / 2 - 1.2, _SIZE, "magnet"),
        rectangle("FLOOR", x - half, seat, x + half, ground, THIN, "#666"),
        rectangle("HALL", x - carrier, board, x + carrier, seat, THIN, "#fff"),
        rectangle("HALL", x - package, base, x + package, board, THIN, "#fff"),
        Circle("HALL", x, die, 0.6, THIN, "#000"),
        Line("AXIS", x, base - 2.0, x, ground + 8.0 * scale + 3.0, Pen(0.18, (5.0, 1.0, 1.0, 1.0))),
    ]
    shapes += [
        Text("TEXT", x - half + 3.0, ground + 6.0 * scale, _SIZE, "cap"),
        Text("TEXT", x - half + 3.0, (seat + ground) / 2 - 1.2, _SIZE, "floor", ink="#fff"),
        Text("TEXT", x + carrier + 2.0, die - 1.2, _SIZE, "Hall sensor"),
    ]
    left = x - half - 5.0
    face = ground + recess
    shapes += [
        Line("DIMENSION", left - 2.0, y, x - (magnet if y == face else package), y, Pen(0.2)) for y in (face, die)
    ]
    middle = (face + die) / 2
    for start, end in ((middle + 2.4, face), (middle - 2.4, die)):
        shapes += arrow("DIMENSION", left, start, left, end, pen=THIN)
    shapes.append(Text("TEXT", left, middle - 1.1, 3.0, f"{geometry.magnet_distance:.1f}", "middle"))
    return shapes


def _cap_words(geometry: Geometry, left: float, top: float) -> list[Shape]:
    pocket = geometry.magnet_thickness + PARTS.magnet_recess
    floor = heights(geometry).floor_thickness
    return _words(
        top,
        (
            f"Pocket in the middle of the cap's face: {pocket:.1f} deep.",
            f"Magnet's face {PARTS.magnet_recess:.1f} behind the cap's: if it",
            "stands out, the glass rocks.",
            f"Magnet's face to the die: {geometry.magnet_distance:.1f},",
            f"of which {floor:.2f} is the tube's floor.",
            f"Field at the die: about {field_at_die(geometry):.0f} mT (calculated).",
            "Hall sensor under its board, the marked face",
            "down: face up, A and B are exchanged.",
            "All in mm; drawn three times as large.",
        ),
        left=left,
        size=3.2,
    )


def _checks(top: float) -> list[Shape]:
    """Two ways to find the poles: a compass before gluing, the board after it."""
    shapes: list[Shape] = [Text("TEXT", _LEFT, top, 4.2, "Before gluing: with a compass", bold=True)]
    shapes += _words(
        top - 6.5,
        (
            "Mark the end of the needle that points to the north of the Earth: a south pole draws that end,",
            "a north pole pushes it off. Hold the magnet a hand away, one face to the compass, and come nearer",
            "until the needle turns. The face that pushes the marked end off is north: put a dot on it.",
            "Stack the other magnets on this one: all faces that look the same way are alike. Dot them.",
            "The dot is to be seen at end A. At end B it faces inwards.",
        ),
        size=3.0,
    )
    second = top - 6.5 - 5 * _LINE - 4.0
    shapes.append(Text("TEXT", _LEFT, second, 4.2, "After gluing: with the board", bold=True))
    shapes += _words(
        second - 6.5,
        (
            "Run: tamsk-hw sensors. Seat the glass with end A down: its tube shows A. Turn it over: it shows B.",
            "The same letter both ways: one of its magnets is the wrong way round.",
            "Letters exchanged in all tubes: both magnets are, or you took B for A.",
            "Letters exchanged in one tube only: its Hall sensor has its marked face up.",
            "Without the board: two ends A push each other off; an end A and an end B draw each other.",
        ),
        size=3.0,
    )
    return shapes
