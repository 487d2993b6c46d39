"""The boards are those of the circuit, bear what the electrics reckon, and may be ordered."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wiring import bench as drawn
from tests.wiring.bench import BOARDS, board, wanted
from wiring.boards import kicad
from wiring.boards.checking import Fault, problems
from wiring.boards.controller_board import parts_of
from wiring.boards.layout import DATA, OTHER_RULES, needed
from wiring.boards.making import collection, texts
from wiring.boards.reading import BoardFile
from wiring.boards.routes import is_routed, is_stale
from wiring.make import nets
from wiring.make.board import TUBE_CABLE, Board, load_boards
from wiring.make.circuit import Circuit, Site
from wiring.make.electrics import checks
from wiring.make.geometry import place_of

NAMES = sorted(wanted())


@pytest.mark.parametrize("name", NAMES)
def test_a_board_has_no_fault(name: str, tmp_path: Path) -> None:
    found = [*problems(drawn.board(name), wanted()[name]), *kicad.violations(drawn.board_path(name), tmp_path)]
    assert not found, "\n".join(map(str, found))


#: KiCad's findings by the other factory's rules: what goes near the edge, and how near the strips' copper is.
OTHERWISE = {
    "strip": {"copper_edge_clearance"},
    "hall": {"copper_edge_clearance"},
    "panel": {"copper_edge_clearance"},
}


@pytest.mark.parametrize("name", NAMES)
def test_boards_without_a_fault_by_another_factorys_rules(name: str, tmp_path: Path) -> None:
    """The large boards are; strips and discs go nearer to the edge than it allows, as docs and rules say."""
    found = kicad.violations(drawn.board_path(name), tmp_path, OTHER_RULES)
    assert {each.partition(":")[0] for each in found} == OTHERWISE.get(name.partition("-")[0], set())


@pytest.mark.parametrize("name", NAMES)
def test_print_can_be_read(name: str) -> None:
    """Names of wires are 0.8 mm high at least; on the controller board pins that are close have 0.7."""
    assert min(label.size for label in wanted()[name].layout.labels) >= (0.7 if name == "controller" else 0.8)


@pytest.mark.parametrize("name", NAMES)
def test_routes_are_of_the_circuit_as_it_is(name: str) -> None:
    layout = wanted()[name].layout
    assert not is_routed(layout) or not is_stale(layout), "run make boards"


@pytest.mark.parametrize("name", NAMES)
def test_every_bought_part_is_ordered_and_placed_once(name: str) -> None:
    files = texts(drawn.board(name), wanted()[name].layout)
    bill, places = (list(csv.DictReader(io.StringIO(files[f"{name}-{kind}.csv"]))) for kind in ("bill", "places"))
    ordered = [ref for row in bill for ref in row["Designator"].split(",")]
    flat = [ref for row in bill if row["Mounting"] == "SMD" for ref in row["Designator"].split(",")]
    assert sorted(flat) == sorted(row["Designator"] for row in places)
    by_hand = {ref.rstrip("0123456789").partition("-")[0] for ref in set(ordered) - set(flat)}
    assert by_hand <= {"J", "JT", "FU", "CB", "U"}
    assert [ref for ref in sorted(set(ordered) - set(flat)) if ref.startswith("U")] in ([], ["U1"])
    pieces = {"U1": 2}  # Two sockets for the module.
    assert len(set(ordered)) == len(ordered)
    assert sum(pieces.get(ref, 1) for ref in ordered) == sum(int(row["Quantity"]) for row in bill)
    assert all(row["Manufacturer"] and row["Part Number"] for row in bill)


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_a_strips_sensors_look_through_their_tube(levels: int) -> None:
    """Heights of docs and prints: 3.15 mm above the foot for the lowest, 4.5 more for each, 1.8 above the last."""
    board = drawn.board(f"strip-{levels}")
    assert board.outline is not None
    left, top, right, bottom = board.outline.bounds
    assert math.isclose(right - left, 5.4, abs_tol=1e-3)
    sensors = sorted((part for part in board.parts if part.ref.startswith("RS")), key=lambda part: part.ref)
    heights = [round(sensors[0].at[1] - sensor.at[1], 3) for sensor in sensors]
    assert heights == [4.5 * level for level in range(levels)]
    assert math.isclose(sensors[-1].at[1] - 1.8, top, abs_tol=1e-3)
    # Its tail ends in the foot, 5.45 mm thick, above the groove of 1.95 mm for the wires.
    assert 3.15 + 2.95 < bottom - sensors[0].at[1] < 3.15 + 5.45 - 1.95
    for sensor in sensors:
        # The emitter, pins 1 and 2, is below: the ring above must not light it up.
        emitter = [pad.at[1] for pad in sensor.pads if pad.number in "12"]
        receiver = [pad.at[1] for pad in sensor.pads if pad.number in "34"]
        assert min(emitter) > max(receiver)


def test_the_hall_sensor_is_on_the_discs_axis() -> None:
    board = drawn.board("hall-disc")
    assert board.outline is not None
    (sensor,) = [part for part in board.parts if part.ref == "HS1"]
    assert math.dist(sensor.at, (board.outline.centroid.x, board.outline.centroid.y)) < 0.01
    assert all(part.side == "F" for part in board.parts)


def test_one_controller_board_serves_both_maps() -> None:
    reference, seven = load_boards()
    assert {part.ref for part in parts_of(reference)} - {part.ref for part in parts_of(seven)} == {"J7", "J8"}
    changed = part_with_net(seven, "U1", "PB1", nets.LATCH)
    names = [wanted.layout.name for wanted in collection((reference, changed))]
    assert "controller" not in names
    assert {"controller-reference", "controller-seven"} <= set(names)


def test_a_controller_board_with_other_pins_is_found() -> None:
    """Latch and ring select exchanged at the module, in both maps alike."""
    both = tuple(
        part_with_net(part_with_net(board, "U1", "PB1", nets.LATCH), "U1", "PB2", nets.RING_SELECT)
        for board in load_boards()
    )
    (changed,) = [each for each in collection(both) if each.layout.name == "controller"]
    assert is_stale(changed.layout)
    found = problems(drawn.board(changed.layout.name), changed)
    assert {each.fault for each in found} == {Fault.NET, Fault.CUT, Fault.SHORT}
    assert {each.subject for each in found if each.fault is Fault.NET} == {"U1 pad 12", "U1 pad 13"}


def part_with_net(board: Board, ref: str, pin: str, net: str) -> Board:
    """The board with another net on a pin."""
    other = replace(board)
    parts = tuple(
        replace(part, nets={**part.nets, pin: net}) if part.ref == ref else part for part in board.circuit.parts
    )
    other.__dict__["circuit"] = Circuit(board.circuit.name, parts)
    return other


def test_footprints_are_those_of_kicads_library(tmp_path: Path) -> None:
    drawn.board_path("hall-disc")
    names = needed(load_boards()[0].catalogue)
    assert kicad.footprints(names, tmp_path) == json.loads(DATA.read_text(encoding="utf-8"))


def test_a_board_of_the_other_map_is_refused() -> None:
    """A strip for three levels is none for four."""
    assert problems(drawn.board("strip-3"), wanted()["strip-4"])


each_board = pytest.mark.parametrize("own", load_boards(), ids=lambda own: own.key)

#: What a tube's cable needs beyond the straight way (mm): split ends, plate, the way down to the sensor board.
BESIDES = 70.0


def on_board(own: Board) -> BoardFile:
    return board(f"sensors-{own.key}")


@each_board
def test_a_line_meets_its_array_beside_its_connector(own: Board) -> None:
    """A clamp behind a hand's width of track does not clamp the front of a spark."""
    pads = on_board(own).pads
    clamps = [pad for pad in pads if pad.ref.startswith("DA") and pad.number in "1346"]
    arrays = {pad.net: pad.at for pad in clamps if pad.net != nets.GROUND}
    lines = [(pad, arrays[pad.net]) for pad in pads if pad.ref.startswith("JT-") and pad.net in arrays]
    rings = sum(len(own.wiring.ring_bits[tube]) for tube in own.wiring.tubes)
    assert len(lines) == rings + len(own.wiring.tubes) + 1
    assert max(math.dist(pad.at, array) for pad, array in lines) <= 35.0


@each_board
def test_a_tubes_cable_reaches_its_connector(own: Board) -> None:
    """The board lies under the plate's middle, its parts up, its upper edge to the west, as the guide says."""
    whole = on_board(own)
    assert whole.outline is not None
    left, upper, right, lower = whole.outline.bounds
    middle = ((left + right) / 2, (upper + lower) / 2)
    for tube in own.wiring.tubes:
        pins = [pad.at for pad in whole.pads if pad.ref == f"JT-{Site(tube)}"]
        x, y = (sum(each[axis] for each in pins) / len(pins) - middle[axis] for axis in (0, 1))
        # Seen from above, right on the board is north, and down is east.
        east, north = y, x
        place = place_of(own.wiring.geometry, tube)
        away = math.dist((place.x, place.y), (east, north))
        assert away + BESIDES <= TUBE_CABLE * 1000, f"{tube}: {away:.0f} mm"


#: What a thick-film chip resistor bears at 70 °C, in watts, by the size in its footprint (Yageo RC series).
RATED = {"R_0805_2012Metric": 0.125, "R_1206_3216Metric": 0.25}

#: The electrics' rows of power in a resistor, by the parts that bear it.
ROWS = {"RE-": "Power of one resistor when a program hangs", "R55": "Power of R55 with a plug of 12 V left in"}


def rating(board: Board, beginning: str) -> float:
    """The least rating of what is mounted for the parts whose reference begins so (W)."""
    parts = [part for part in board.circuit.parts if part.ref.startswith(beginning)]
    return min(RATED[board.catalogue.mount(part).footprint.partition(":")[2]] for part in parts)


@pytest.mark.parametrize("beginning", ROWS)
@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_mounted_resistor_bears_its_power(board: Board, beginning: str) -> None:
    [power] = [check.value for check in checks(board) if check.what == ROWS[beginning]]
    assert 0.1 < power <= rating(board, beginning)
