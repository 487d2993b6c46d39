"""Copper for currents: what its shape says on paper, and the drawn controller board against the electrics."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
from shapely import box
from shapely.geometry import Point as ShapelyPoint

from tests.wiring import bench as drawn
from tests.wiring.boards.resistance import INNER_SQUARE, SQUARE, VIA, TrackNetwork, plane_drop, resistance, squares
from wiring.boards.controller_board import ways
from wiring.boards.layout import BACK, FRONT, PadName
from wiring.boards.reading import BoardFile, ReadPad, ReadPart, ReadPlane, ReadTrack, ReadVia
from wiring.make import electrics_supply as supply
from wiring.make import nets
from wiring.make.board import Board, load_boards
from wiring.make.circuit import Site
from wiring.make.electrics_lights import WIDTHS, least_width

GUARD_OUT = {("Q2", number) for number in "5678"}


def pads(ref: str, *numbers: str) -> set[PadName]:
    return {(ref, number) for number in numbers}


@pytest.fixture(scope="module")
def board() -> BoardFile:
    return drawn.board("controller")


def test_a_strip_is_as_many_squares_as_it_is_longer_than_wide() -> None:
    ends = box(-1, 0, 0, 4), box(16, 0, 17, 4)
    assert squares(box(-1, 0, 17, 4), *ends) == pytest.approx(4, rel=0.03)


def test_a_disc_from_its_middle_to_its_rim() -> None:
    disc = ShapelyPoint(0, 0).buffer(20, 64)
    rim = disc.difference(ShapelyPoint(0, 0).buffer(18, 64))
    assert squares(disc, ShapelyPoint(0, 0).buffer(2, 64), rim) == pytest.approx(
        math.log(9) / (2 * math.pi), rel=0.03
    )


def test_a_sheet_in_two_pieces_has_no_resistance() -> None:
    with pytest.raises(ValueError, match="no copper"):
        squares(box(0, 0, 2, 2).union(box(3, 0, 5, 2)), box(0, 0, 1, 2), box(4, 0, 5, 2))


def through(ref: str, x: float, y: float) -> ReadPart:
    """A part of one pad with a hole."""
    at, layers = (x, y), ("*.Cu", "*.Mask")
    pad = ReadPad(ref, "1", "N", at, (0, 0), "circle", 0.0, (1.0, 1.0), 0.0, 0.5, True, layers)
    return ReadPart(ref, "", "", at, 0.0, "F", (pad,))


def small(tracks: list[ReadTrack], vias: list[ReadVia]) -> BoardFile:
    """A board of three pads, in the corners of a right angle of 10 mm sides."""
    parts = (through("A", 0, 0), through("B", 10, 0), through("C", 10, 10))
    return BoardFile((FRONT, BACK), 1.6, None, parts, tuple(tracks), tuple(vias), ())


def test_tracks_one_behind_the_other_and_beside_each_other() -> None:
    tracks = [
        ReadTrack("N", FRONT, 0.5, (0, 0), (10, 0)),
        ReadTrack("N", FRONT, 0.25, (10, 0), (10, 10)),
        ReadTrack("N", BACK, 0.5, (0, 0), (10, 0)),
    ]
    network = TrackNetwork(small(tracks, []), "N")
    assert network.resistance(pads("A", "1"), pads("B", "1")) == pytest.approx(10 * SQUARE, rel=1e-6)
    assert network.resistance(pads("A", "1"), pads("C", "1")) == pytest.approx(50 * SQUARE, rel=1e-6)


def test_a_branch_and_a_via() -> None:
    tracks = [
        ReadTrack("N", FRONT, 0.5, (0, 0), (10, 0)),
        ReadTrack("N", FRONT, 0.5, (4, 0), (4, 10)),
        ReadTrack("N", BACK, 0.5, (4, 10), (10, 10)),
    ]
    via = ReadVia("N", (4, 10), 0.6, 0.3, (FRONT, BACK))
    network = TrackNetwork(small(tracks, [via]), "N")
    # 4 mm to the branch, 10 along it, through the board, 6 on the other side.
    assert network.resistance(pads("A", "1"), pads("C", "1")) == pytest.approx(40 * SQUARE + VIA, rel=1e-6)
    apart = TrackNetwork(small(tracks, []), "N")
    with pytest.raises(ValueError, match="no track"):
        apart.resistance(pads("A", "1"), pads("C", "1"))


def test_a_square_of_copper_by_the_hand_book() -> None:
    """Half a milliohm at 20 °C for 35 µm, a sixth more at 60 °C."""
    assert pytest.approx(0.49e-3 * 1.157, rel=0.01) == SQUARE


def test_width_by_the_standard() -> None:
    """IPC-2221 by hand: 1 A, 10 K, 35 µm outside is 0.30 mm (11.8 mils), 2 A 0.78 mm."""
    assert least_width(1.0, 10.0) == pytest.approx(0.30, abs=0.01)
    assert least_width(2.0, 10.0) == pytest.approx(0.78, abs=0.01)


def test_every_supply_keeps_its_width_somewhere() -> None:
    board = drawn.board("controller")
    kept = {(pad.ref, pad.number): pad.net for pad in board.pads}
    assert {kept[way.a] for way in ways()} == {*nets.SUPPLIES} == set(WIDTHS)
    assert all(kept[way.a] == kept[way.b] for way in ways())


@pytest.mark.parametrize(
    ("most", "stretches"),
    [
        (
            supply.WAY_IN_COPPER,
            [
                (pads("J1", "1"), pads("FU1", "1")),
                (pads("FU1", "2"), pads("Q1", *"5678")),
                (pads("Q1", *"123"), pads("Q2", *"123")),
                (GUARD_OUT, pads("FU2", "1")),
            ],
        ),
        (supply.LIGHTS_COPPER, [(pads("FU2", "2"), pads("J6", "1"))]),
    ],
)
def test_copper_takes_what_the_electrics_count(
    board: BoardFile, most: float, stretches: list[tuple[set[PadName], set[PadName]]]
) -> None:
    found = sum(resistance(board, FRONT, *stretch) for stretch in stretches)
    assert 0.8 * most < found <= most


def test_copper_behind_the_sensors_fuse(board: BoardFile) -> None:
    """Its fuse is farther from the guard than the pixels'."""
    farther = resistance(board, FRONT, GUARD_OUT, pads("FU3", "1")) - resistance(
        board, FRONT, GUARD_OUT, pads("FU2", "1")
    )
    found = farther + resistance(board, FRONT, pads("FU3", "2"), pads("J2", "3", "5"))
    assert 0.8 * supply.LOGIC_COPPER < found <= supply.LOGIC_COPPER


def test_drops_of_two_loads_on_one_track() -> None:
    tracks = [ReadTrack("N", FRONT, 0.5, (0, 0), (10, 0)), ReadTrack("N", FRONT, 0.5, (10, 0), (10, 10))]
    found = TrackNetwork(small(tracks, []), "N").drops(pads("A", "1"), {("B", "1"): 2.0, ("C", "1"): 1.0})
    assert found[("B", "1")] == pytest.approx(3.0 * 20 * SQUARE, rel=1e-6)
    assert found[("C", "1")] == pytest.approx(4.0 * 20 * SQUARE, rel=1e-6)


def test_drop_of_a_plane_by_hand() -> None:
    """Two loads of a long strip: the farther one's current flows all along it, the nearer one's half the way."""
    board = small([], [])
    strip = replace(board, planes=(ReadPlane("N", "In1.Cu", box(-1, -1, 41, 1)),))
    parts = tuple(through(ref, x, 0) for ref, x in (("A", 0), ("B", 20), ("C", 40)))
    found = plane_drop(
        replace(strip, parts=parts), "In1.Cu", pads("A", "1"), {("B", "1"): 1.0, ("C", "1"): 1.0}, 0.2
    )
    assert found == pytest.approx((2 * 9.5 + 9.5) * INNER_SQUARE, rel=0.07)


@pytest.mark.parametrize("own", load_boards(), ids=lambda own: own.key)
def test_copper_of_the_emitters_supply(own: Board) -> None:
    """Every bank is lit as the circuit has it; the electrics count with the farthest tube."""
    banks: dict[str, Counter[PadName]] = {}
    for part in own.circuit.parts:
        if part.letters == "RE" and part.site is not None:
            connector = own.circuit.by_ref[f"JT-{Site(part.site.tube)}"]
            pad = next(pin.number for pin in connector.kind.pins if connector.nets[pin.name] == nets.EMITTERS)
            # The second driver's part of a bank is lit together with the first's.
            banks.setdefault(part.nets["B"].rstrip("B"), Counter())[connector.ref, pad] += 1
    board = drawn.board(f"sensors-{own.key}")
    each = ({pad: count / lit.total() for pad, count in lit.items()} for lit in banks.values())
    # Between two pads the plane is 0.4 mm wide.
    worst = max(plane_drop(board, "In2.Cu", pads("J3", "1"), loads, pitch=0.2) for loads in each)
    most = supply.EMITTERS_COPPER[own.key]
    assert 0.8 * most < worst <= most


@pytest.mark.parametrize("own", load_boards(), ids=lambda own: own.key)
@pytest.mark.parametrize(
    ("layer", "source", "number", "most"),
    [
        ("In2.Cu", pads("J3", "3", "5"), "1", supply.PLANE_COPPER),
        ("In1.Cu", pads("J3", "2", "4", "6", "8"), "2", supply.PLANE_GROUND),
    ],
)
def test_planes_of_the_sensor_boards(
    own: Board, layer: str, source: set[PadName], number: str, most: float
) -> None:
    board = drawn.board(f"sensors-{own.key}")
    tubes = [part.ref for part in board.parts if part.ref.startswith("JT-")]
    loads = {(ref, number): 1 / len(tubes) for ref in tubes}
    found = plane_drop(board, layer, source, loads, pitch=1.0)
    assert 0.6 * most < found <= most


def test_copper_to_the_module(board: BoardFile) -> None:
    network = TrackNetwork(board, nets.LOGIC)
    for ref, number in (("U1", "27"), ("J7", "1"), ("J8", "1")):
        assert network.resistance(pads("FU3", "2"), pads(ref, number)) <= supply.MODULE_COPPER


@pytest.mark.parametrize("ends", [pads("J6", "2"), pads("J2", "2", "4", "6", "8")])
def test_copper_of_the_ground_back(board: BoardFile, ends: set[PadName]) -> None:
    found = resistance(board, BACK, ends, pads("J1", "2"), pitch=0.4)
    assert 0.6 * supply.GROUND_COPPER < found <= supply.GROUND_COPPER
