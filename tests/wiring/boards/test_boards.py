"""The committed boards are those of the circuit, may be ordered, and are drawn alike each time."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wiring.boards.test_faults import wanted
from wiring.boards import kicad
from wiring.boards.checking import Fault, problems
from wiring.boards.collection import collection
from wiring.boards.controller_board import parts_of
from wiring.boards.footprints import DATA, needed
from wiring.boards.job import project
from wiring.boards.making import MADE, committed, make, texts
from wiring.boards.reading import read_board
from wiring.boards.routes import is_routed, is_stale
from wiring.make.board import FOLDER, Board, load_boards
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit

BOARDS = sorted(wanted())


def _kicad() -> None:
    lacking = kicad.missing()
    if lacking:
        pytest.skip(lacking)


@pytest.mark.parametrize("name", BOARDS)
def test_a_committed_board_has_no_fault(name: str) -> None:
    found = committed(wanted()[name])
    assert not found, "\n".join(map(str, found)) + "\nrun make boards"


@pytest.mark.parametrize("name", BOARDS)
def test_lists_and_project_are_of_the_committed_board(name: str) -> None:
    assert (MADE / f"{name}.kicad_pro").read_text(encoding="utf-8") == project(name)
    for file, text in texts(wanted()[name], MADE).items():
        assert (MADE / file).read_text(encoding="utf-8") == text, f"{file}: run make boards"


@pytest.mark.parametrize("name", BOARDS)
def test_routes_are_of_the_circuit_as_it_is(name: str) -> None:
    layout = wanted()[name].layout
    assert not is_routed(layout) or not is_stale(layout), "run make boards"


def test_connectors_stand_in_the_order_of_the_tubes() -> None:
    board = read_board(MADE / "sensors-seven.kicad_pcb")
    own = sorted((part for part in board.parts if part.ref.startswith("JT-")), key=lambda part: part.at)
    tubes = [part.ref for part in own if part.ref != "JT-TIMER"]
    assert tubes == [f"JT-{name}" for name in ("C3", "C4", "D3", "D4", "D5", "E3", "E4")]
    assert board.outline is not None
    _, top, _, bottom = board.outline.bounds
    for part in own:
        assert min(part.at[1] - top, bottom - part.at[1]) < 7, f"{part.ref} is far from the edge"


def test_nothing_else_is_committed() -> None:
    endings = (".kicad_pcb", ".kicad_pro", ".net", "-bill.csv", "-places.csv", "-front.png", "-back.png")
    assert {path.name for path in MADE.iterdir()} == {f"{name}{ending}" for name in BOARDS for ending in endings}
    assert max(path.stat().st_size for path in MADE.glob("*.png")) < 300_000


@pytest.mark.parametrize("name", BOARDS)
def test_every_bought_part_is_ordered_and_placed_once(name: str) -> None:
    bill = list(csv.DictReader(io.StringIO((MADE / f"{name}-bill.csv").read_text(encoding="utf-8"))))
    places = list(csv.DictReader(io.StringIO((MADE / f"{name}-places.csv").read_text(encoding="utf-8"))))
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
    board = read_board(MADE / f"strip-{levels}.kicad_pcb")
    assert board.outline is not None
    left, top, right, bottom = board.outline.bounds
    assert math.isclose(right - left, 5.4, abs_tol=1e-3)
    sensors = sorted((part for part in board.parts if part.ref.startswith("RS")), key=lambda part: part.ref)
    heights = [round(sensors[0].at[1] - sensor.at[1], 3) for sensor in sensors]
    assert heights == [4.5 * level for level in range(levels)]
    assert math.isclose(sensors[-1].at[1] - 1.8, top, abs_tol=1e-3)
    # Its tail ends in the foot, 5.45 mm thick, above the groove of 1.2 mm for the wires.
    assert 3.15 + 3.5 < bottom - sensors[0].at[1] < 3.15 + 5.45 - 1.2
    for sensor in sensors:
        # The emitter, pins 1 and 2, is below: the ring above must not light it up.
        emitter = [pad.at[1] for pad in sensor.pads if pad.number in "12"]
        receiver = [pad.at[1] for pad in sensor.pads if pad.number in "34"]
        assert min(emitter) > max(receiver)


def test_the_hall_sensor_is_on_the_discs_axis() -> None:
    board = read_board(MADE / "hall-disc.kicad_pcb")
    assert board.outline is not None
    (sensor,) = [part for part in board.parts if part.ref == "HS1"]
    assert math.dist(sensor.at, (board.outline.centroid.x, board.outline.centroid.y)) < 0.01
    assert all(part.side == "F" for part in board.parts)


def test_the_controllers_connectors_reach_out() -> None:
    """Plug and USB at the left edge, the lights' wires at the upper one, sockets for cables near the others."""
    board = read_board(MADE / "controller.kicad_pcb")
    assert board.outline is not None
    left, top, right, bottom = board.outline.bounds
    at = {part.ref: part for part in board.parts}
    # CUI PJ-102AH: its opening is 13.7 mm before its inner pin, its outer contact between them.
    inner, outer = (next(pad.at for pad in at["J1"].pads if pad.number == number) for number in "12")
    assert outer[0] < inner[0], "it opens to the left"
    assert outer[1] == inner[1]
    assert -1.0 <= inner[0] - 13.7 - left <= 0.0
    # Arduino Nano: its USB port reaches 6.35 mm beyond D12 and D13, pins 15 and 16.
    usb = {pad.at[0] - 6.35 - left for pad in at["U1"].pads if pad.number in ("15", "16")}
    assert len(usb) == 1
    assert -1.0 <= usb.pop() <= 0.0
    rows = {pad.at[1] for pad in at["U1"].pads}
    assert math.isclose(max(rows) - min(rows), 15.24, abs_tol=1e-3)
    # Phoenix PT 1,5/3-5,0-H: wires go in 5.5 mm before its pins.
    assert {round(pad.at[1] - 5.5 - top, 3) for pad in at["J6"].pads} == {0.0}
    for ref, distance in (("J2", right - max(pad.at[0] for pad in at["J2"].pads)), ("J5", at["J5"].at[1] - top)):
        assert distance < 6, ref
    for ref in ("J7", "J8"):
        assert bottom - at[ref].at[1] < 4
    holes = [part.at for part in board.parts if part.ref.startswith("H")]
    assert sorted((min(x - left, right - x), min(y - top, bottom - y)) for x, y in holes) == [(4.0, 4.0)] * 4


def test_one_controller_board_serves_both_maps() -> None:
    reference, seven = load_boards()
    assert {part.ref for part in parts_of(reference)} - {part.ref for part in parts_of(seven)} == {"J7", "J8"}
    changed = part_with_net(seven, "U1", "PB1", nets.LATCH)
    names = [wanted.layout.name for wanted in collection((reference, changed))]
    assert "controller" not in names
    assert {"controller-reference", "controller-seven"} <= set(names)


def test_a_controller_board_with_other_pins_is_found() -> None:
    """Latch and load exchanged at the module, in both maps alike."""
    both = tuple(
        part_with_net(part_with_net(board, "U1", "PB1", nets.LATCH), "U1", "PB2", nets.LOAD)
        for board in load_boards()
    )
    (changed,) = [each for each in collection(both) if each.layout.name == "controller"]
    assert is_stale(changed.layout)
    found = committed(changed)
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


def test_what_the_guide_measures_has_a_test_point() -> None:
    """Steps 2 and 3 of the guide, on the committed board."""
    board = read_board(MADE / "controller.kicad_pcb")
    points = {part.ref.removeprefix("TP-") for part in board.parts if part.ref.startswith("TP-")}
    guide = (FOLDER / "build.md").read_text(encoding="utf-8")
    measured = set(
        re.findall(r"`(\w+)`", re.findall(r"\*\*Test\*\* with the multimeter.*?(?=\n## )", guide, re.DOTALL)[0])
    )
    assert len(measured) == 7
    assert measured <= points
    assert nets.SUPPLY_REFERENCE in points


@pytest.mark.parametrize("name", BOARDS)
def test_kicad_finds_no_violation(name: str, tmp_path: Path) -> None:
    _kicad()
    for suffix in ("kicad_pcb", "kicad_pro"):
        (tmp_path / f"{name}.{suffix}").write_bytes((MADE / f"{name}.{suffix}").read_bytes())
    assert kicad.violations(tmp_path / f"{name}.kicad_pcb", tmp_path) == []


def test_kicad_sees_a_short(tmp_path: Path) -> None:
    """KiCad's check is asked in earnest: with a wider track it complains."""
    _kicad()
    text = (MADE / "strip-4.kicad_pcb").read_text(encoding="utf-8")
    (tmp_path / "strip-4.kicad_pcb").write_text(text.replace("(width 0.2)", "(width 0.6)"), encoding="utf-8")
    (tmp_path / "strip-4.kicad_pro").write_text(project("strip-4"), encoding="utf-8")
    assert kicad.violations(tmp_path / "strip-4.kicad_pcb", tmp_path)


def test_a_board_is_drawn_alike_each_time(tmp_path: Path) -> None:
    _kicad()
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        make(wanted()["hall-disc"], folder / "made", folder / "orders")
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in _files(folder)} for folder in folders
    )
    assert first == second
    assert (folders[0] / "made" / "hall-disc.kicad_pcb").read_bytes() == (
        MADE / "hall-disc.kicad_pcb"
    ).read_bytes()


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_footprints_are_those_of_kicads_library(tmp_path: Path) -> None:
    _kicad()
    names = needed(load_boards()[0].catalogue)
    assert kicad.footprints(names, tmp_path) == json.loads(DATA.read_text(encoding="utf-8"))


def test_a_board_of_the_other_map_is_refused() -> None:
    """A strip for three levels is none for four."""
    assert problems(read_board(MADE / "strip-3.kicad_pcb"), wanted()["strip-4"])
