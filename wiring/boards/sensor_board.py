"""The sensor board: a block for each tube under its connector, chips below, a group of both for each multiplexer.

The decoder that chooses a converter stands beside the first of them.

Everything stands on the router's grid, so that pins are reached straight.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from shapely import box, unary_union

from tamsk_hw.board.wiring import INPUTS_PER_CHIP
from tamsk_hw.game.tubes import Tube
from wiring.boards.layout import (
    INNER,
    Label,
    Layout,
    Placed,
    Point,
    Zone,
    marks,
    put,
    rectangle,
    screw_holes,
    test_point,
)
from wiring.boards.routing import PITCH
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Part, Site, Unit
from wiring.make.circuit_parts import CHIPS_OF_A_DRIVER

#: Width of a tube's block, height of a group, and what is around them.
BLOCK: Final = 30 * PITCH
GROUP: Final = 161 * PITCH
MARGIN: Final = 5.55
FOOT: Final = 13.0

#: Heights in a group: pin 1 of the connectors, arrays, three rows of resistors, the chips.
_CONNECTOR, _ARRAY, _EMITTERS, _PULLS, _INPUTS, _CHIPS = 6.35, 27.5, 33.8, 39.0, 44.4, 57.0

#: From the outline to planes. The emitters' supply within the plane of 5 V: how far from the sides and from the
#: lower edge it reaches, and how far around each of its pads.
_INSET: Final = 0.5
_BUS, _EDGE, _FINGER = 4.9, 3.0, 1.6

#: The test points: their nets, from the left edge (mm), from the lower edge, and from there to their names. The
#: emitters' supply has its plane along the edge, 5 V beyond.
_TEST_POINTS: Final[tuple[tuple[str, float, float, Point], ...]] = (
    (nets.EMITTERS, 9.0, 13.6, (4.3, 0.0)),
    (nets.LOGIC, 58.4, 6.4, (0.0, -2.1)),
    (nets.GROUND, 62.6, 6.4, (0.0, -2.1)),
)

#: From one part to the next in a row.
_WIDE, _NARROW = 6 * PITCH, 5 * PITCH


def snap(value: float) -> float:
    """The nearest line of the grid."""
    return round(round(value / PITCH) * PITCH, 4)


def _half(value: float) -> float:
    """Between two lines of the grid, where a chip's centre must be."""
    return round((int(value / PITCH) + 0.5) * PITCH, 4)


@dataclass
class _Placing:
    """Parts of one board on their way to their places."""

    board: Board
    placed: list[Placed] = field(default_factory=list)

    def put(self, ref: str, x: float, y: float, angle: float = 0.0, *, label: Label | None = None) -> None:
        part = self.board.circuit.by_ref[ref]
        self.placed.append(put(self.board.catalogue, part, round(x, 4), round(y, 4), angle, label=label))


def sensor_layout(board: Board) -> Layout:
    """The sensor board of a map, not yet routed."""
    groups = _groups(board)
    most = max(len(tubes) for tubes, _ in groups)
    width, height = round(most * BLOCK + 2 * MARGIN, 1), round(len(groups) * GROUP + FOOT, 1)
    placing = _Placing(board)
    arrays = _arrays(board)
    for number, (tubes, chips) in enumerate(groups):
        top = number * GROUP
        for place, tube in enumerate(tubes):
            _tube(placing, tube, MARGIN + place * BLOCK, top, arrays[tube])
        _chips(placing, chips, top, width)
    _foot(placing, arrays[None][0], width, height)
    holes = [(x, number * GROUP + 27.4) for number in range(len(groups)) for x in (3.9, width - 3.9)]
    holes += [(x, height - 3.9) for x in (3.9, width - 3.9)]
    frame = rectangle(_INSET, _INSET, width - _INSET, height - _INSET)
    points = [test_point(net, snap(x), snap(height - up)) for net, x, up, _ in _TEST_POINTS]
    parts = (
        *placing.placed,
        *points,
        *screw_holes(*holes),
        *marks((3.9, 3.9), (width - 3.9, 3.9), (3.9, height - 10.5)),
    )
    missing = {part.ref for part in board.circuit.on(Unit.SENSORS)} - {part.ref for part in parts}
    assert not missing, f"{board.key}: no place for {sorted(missing)}"
    return Layout(
        name=f"sensors-{board.key}",
        title=f"Sensor board, {board.title}",
        outline=rectangle(0.0, 0.0, width, height),
        thickness=1.6,
        layers=4,
        parts=parts,
        zones=(
            Zone(nets.GROUND, INNER[0], frame),
            Zone(nets.LOGIC, INNER[1], frame),
            Zone(nets.EMITTERS, INNER[1], _emitters_plane([*placing.placed, *points], width, height), priority=1),
        ),
        labels=(
            *_timer_pins(placing.placed),
            *(
                Label(net, round(point.x + right, 3), round(point.y + down, 3))
                for point, (net, _, _, (right, down)) in zip(points, _TEST_POINTS, strict=True)
            ),
            # The hash is the one that firmware and program compare: which map this board is of.
            Label(f"tamsk-hw {board.key}  {board.wiring.hash:08x}", round(width * 0.66, 2), height - 2.0, 1.2),
        ),
    )


def _emitters_plane(placed: list[Placed], width: float, height: float) -> tuple[Point, ...]:
    """The emitters' supply within the plane of 5 V: along three edges, a finger to each pad from the nearer side.

    They draw their current in pulses, those of a bank in several tubes: a track to all of them took too much. The
    5 V go up the middle, between the fingers' ends.
    """
    left, right, foot = _INSET, width - _INSET, height - _INSET
    pads = [
        part.pad_at(pad)
        for part in placed
        for pad in part.footprint.pads
        if part.nets.get(pad.number) == nets.EMITTERS
    ]
    top = min(y for _, y in pads) - _FINGER
    edges = [
        box(left, top, _BUS, foot),
        box(width - _BUS, top, right, foot),
        box(left, height - _EDGE, right, foot),
    ]
    fingers = [
        box(left, y - _FINGER, x + _FINGER, y + _FINGER)
        if x < width / 2
        else box(x - _FINGER, y - _FINGER, right, y + _FINGER)
        for x, y in pads
    ]
    whole = unary_union([*edges, *fingers])
    return tuple((round(x, 4), round(y, 4)) for x, y in list(whole.exterior.coords)[:-1])


def _groups(board: Board) -> list[tuple[list[Tube], list[Part]]]:
    """For each multiplexer its tubes, and the chips that most of their rings are on, the drivers among them."""
    wiring, circuit = board.wiring, board.circuit
    tubes: dict[int, list[Tube]] = {}
    for tube in wiring.tubes:
        channel = wiring.channels[tube]
        assert channel is not None
        tubes.setdefault(channel.mux, []).append(tube)
    home: dict[int, int] = {}
    for chip in range(wiring.chips):
        near = Counter(
            mux for mux, own in tubes.items() for tube in own for bit in wiring.ring_bits[tube]
            if bit // INPUTS_PER_CHIP == chip
        )  # fmt: skip
        home[chip] = near.most_common(1)[0][0]
    found = []
    for mux, own in tubes.items():
        chips = [chip for chip in home if home[chip] == mux]
        drivers = [
            circuit.by_ref[f"U{20 + chip // CHIPS_OF_A_DRIVER}"] for chip in chips if chip % CHIPS_OF_A_DRIVER == 0
        ]
        decoder = [part for part in circuit.of_kind("ring_decoder") if 0 in chips]
        converters = [circuit.by_ref[f"U{10 + chip}"] for chip in chips]
        found.append((own, [*drivers, *decoder, *converters, circuit.by_ref[f"U{30 + mux}"]]))
    return found


def _arrays(board: Board) -> dict[Tube | None, list[str]]:
    """The arrays by the tube whose line is on the first pin of each; None is the cradle."""
    lines: dict[str, Tube | None] = {nets.hall(Site(tube)): tube for tube in (*board.wiring.tubes, None)}
    for tube in board.wiring.tubes:
        lines |= {nets.ring(tube, level): tube for level in range(1, len(board.wiring.ring_bits[tube]) + 1)}
    found: dict[Tube | None, list[str]] = {tube: [] for tube in (*board.wiring.tubes, None)}
    for part in board.circuit.of_kind("line_guard"):
        found[lines[part.nets["I/O1"]]].append(part.ref)
    return found


def _tube(placing: _Placing, tube: Tube, left: float, top: float, arrays: list[str]) -> None:
    """Connector, arrays and resistors of a tube."""
    site = Site(tube)
    levels = range(1, len(placing.board.wiring.ring_bits[tube]) + 1)
    x, y = snap(left + BLOCK / 2 - 1.27), snap(top + _CONNECTOR)
    name = Label(f"{tube}", x + 7.0, y + 5.08, 1.2, 90.0)
    placing.put(f"JT-{site}", x, y, label=name)
    for place, ref in enumerate(arrays):
        middle = left + BLOCK / 2 + (place - (len(arrays) - 1) / 2) * 5.1
        placing.put(ref, snap(middle), snap(top + _ARRAY), 90.0)
    for level in levels:
        placing.put(f"RE-{Site(tube, level)}", snap(left + _WIDE * level), snap(top + _EMITTERS), -90.0)
    rows = (
        (_PULLS, [*(f"RP-{Site(tube, level)}" for level in levels), f"RO-{site}", f"CF-{site}"]),
        (_INPUTS, [*(f"RI-{Site(tube, level)}" for level in levels), f"RF-{site}"]),
    )
    for height, refs in rows:
        for place, ref in enumerate(refs):
            placing.put(ref, snap(left + 1.27 + _NARROW * place), snap(top + height), -90.0)


def _chips(placing: _Placing, chips: list[Part], top: float, width: float) -> None:
    """The chips of a group from left to right, each with what belongs to it."""
    narrow = (4.0, 6.4)
    room = {
        "bank_driver": (10.0, 6.2), "ring_decoder": narrow, "ring_converter": narrow, "multiplexer": (6.2, 6.2)
    }  # fmt: skip
    sides = [room[chip.kind.key] for chip in chips]
    first = [chip.ref for chip in chips].index("U20") if any(chip.ref == "U20" for chip in chips) else -1
    if first >= 0:
        sides[first] = (19.0, sides[first][1])
    if chips[-1].ref == "U30":
        sides[-1] = (sides[-1][0], 12.0)
    free = (width - 2 * 7.5 - sum(before + after for before, after in sides)) / len(sides)
    x, y = 7.5, _half(top + _CHIPS)
    for chip, (before, after) in zip(chips, sides, strict=True):
        x += before
        _chip(placing, chip, snap(x), y)
        x += after + max(free, 0.0)


def _chip(placing: _Placing, chip: Part, x: float, y: float) -> None:
    ref, number = chip.ref, chip.number or 0
    label = Label(ref, x - 7.0, y - 0.3, 1.0, 90.0)
    if chip.kind.key != "bank_driver":
        # Above its left row of pins, since its neighbour stands close.
        label = Label(ref, x - 2.4, y - 9.2 if chip.kind.key == "multiplexer" else y - 6.6, 1.0)
    placing.put(ref, x, y, label=label)
    match chip.kind.key:
        case "ring_converter":
            placing.put(f"C{ref}", x + 1.7, y - 6.9, 180.0)
            placing.put(f"CV{number}", x + 5.1, y - 3.6, -90.0)
        case "ring_decoder":
            placing.put(f"C{ref}", x + 1.7, y - 6.9, 180.0)
            placing.put("R21", x + 5.1, y + 3.2, 90.0)
        case "bank_driver":
            placing.put(f"C{ref}", x - 8.1, y - 4.4, 180.0)
            if ref == "U20":
                placing.put("R20", x - 8.1, y + 3.2, 180.0)
                placing.put("CB1", x - 16.4, y, 0.0, label=Label("CB1", x - 14.7, y + 5.3, 1.0))
        case _:
            placing.put(f"C{ref}", x + 4.0, y - 9.3, 180.0)
            if ref == "U30":
                for place, each in enumerate(("R31", "R32", "R33", "R34")):
                    placing.put(each, x + 7.4, y - 5.4 + 3.6 * place, 90.0)
                for place, each in enumerate(("CR1", "CR2", "CR3")):
                    placing.put(each, x + 9.9, y - 3.6 + 3.6 * place, 90.0)


def _foot(placing: _Placing, cradle: str, width: float, height: float) -> None:
    """The ribbon, its capacitor, and the cradle's connector and array at the lower edge."""
    x, y = snap(14.5), snap(height - 5.5)
    placing.put("J3", x, y, 90.0, label=Label("J3", x + 3.0, y - 7.0, 1.2))
    placing.put("CB3", snap(48.5), snap(height - 6.4), label=Label("CB3", 49.8, height - 11.2, 1.0))
    end = snap(width - 24.0)
    for place, letters in enumerate(("RF", "CF", "RO"), 1):
        placing.put(f"{letters}-TIMER", end - 1.27 - _WIDE * place, snap(height - 4.4), -90.0)
    placing.put(cradle, snap(width - 11.5), snap(height - 4.4), 90.0)
    placing.put("JT-TIMER", end, snap(height - 4.4), 90.0, label=Label("TIMER", end + 2.5, height - 8.6, 1.2))


def _timer_pins(placed: list[Placed]) -> list[Label]:
    """Name the cradle's wires above their pins, since its plug fits either way round."""
    plug = next(part for part in placed if part.ref == "JT-TIMER")
    short = {nets.LOGIC: "5V", nets.GROUND: "G"}
    found = []
    for pad in plug.footprint.pads:
        x, y = plug.pad_at(pad)
        found.append(Label(short.get(plug.nets[pad.number], "O"), x, y - 2.3, 0.8))
    return found
