"""Faults planted one by one into the board files: each must be found, by its name and at its place."""

from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import load_wiring
from tests.wiring import bench as drawn
from tests.wiring.bench import board_path, wanted
from tests.wiring.boards.planting import (
    Edit,
    block,
    copied,
    in_line,
    in_part,
    mirrored,
    moved,
    once,
    turned,
    with_track,
    with_via,
    without,
    without_first,
    without_part,
)
from wiring.boards import kicad
from wiring.boards.checking import Fault, problems
from wiring.boards.kicad import project
from wiring.boards.making import collection
from wiring.boards.reading import board_of
from wiring.boards.routes import is_stale
from wiring.make.board import FOLDER, load_boards

#: Board, what is done to its file, the fault, ours or one by KiCad's name, and what it names.
PLANTED: dict[str, tuple[str, Edit, Fault | str, str]] = {
    "an output cut": ("strip-4", without("segment", "RING_3", "F.Cu"), Fault.CUT, "RING_3"),
    "a cathode cut on the back": ("strip-4", without("segment", "IR_2", "B.Cu"), Fault.CUT, "IR_2"),
    "a track that ends early": (
        "strip-4", in_line("segment", "RING_4", r"\(end (\S+) \S+\)", r"(end \1 84)"), Fault.CUT, "RING_4",
    ),
    "a missing via": ("strip-4", without("via", "5V_IR"), Fault.CUT, "5V_IR"),
    "two outputs touch": (
        "strip-4", with_track("RING_1", (97.9, 100.55), (98.95, 100.55), "F.Cu"), Fault.SHORT, "RING_1 and RING_2",
    ),
    "two cathodes touch on the back": (
        "strip-4", with_track("IR_1", (101.05, 101.4), (102.1, 101.4), "B.Cu"), Fault.SHORT, "IR_1 and IR_2",
    ),
    "a track grown wide": (
        "strip-4", in_line("segment", "RING_2", r"\(width \S+\)", "(width 0.6)"), Fault.SHORT, "RING_2",
    ),
    "a via where another net is": ("strip-4", with_via("IR_4", (98.85, 92)), Fault.SHORT, "IR_4 and RING_2"),
    "a gap too small": (
        "strip-4", in_line("segment", "RING_2", r"\(width \S+\)", "(width 0.3)"), "clearance", "RING_2",
    ),
    "a track too narrow": (
        "strip-3", in_line("segment", "RING_1", r"\(width \S+\)", "(width 0.1)"), "track_width", "RING_1",
    ),
    "a hole too small": (
        "strip-4", in_line("via", "IR_3", r"\(drill \S+\)", "(drill 0.2)"), "drill_out_of_range", "IR_3",
    ),
    "a hole too large for its copper": (
        "strip-4", in_line("via", "IR_3", r"\(drill \S+\)", "(drill 0.5)"), "annular_width", "IR_3",
    ),
    "two holes in one": ("strip-1", with_via("IR_1", (101.95, 98.2)), "hole_near_hole", "IR_1"),
    "a via that stops inside": (
        "strip-4", in_line("via", "IR_1", r'"F.Cu" "B.Cu"', '"F.Cu" "In1.Cu"'), Fault.LAYERS, "IR_1",
    ),
    "a sensor mirrored": ("strip-4", mirrored("RS2"), Fault.MIRRORED, "RS2"),
    "a sensor on the back": (
        "strip-2", in_part("RS1", r'\(layer "F.Cu"\)', '(layer "B.Cu")', 1), Fault.MIRRORED, "RS1",
    ),
    "a sensor turned": ("strip-4", turned("RS3", 180), Fault.TURNED, "RS3"),
    "the Hall sensor turned": ("hall-disc", turned("HS1", 90), Fault.TURNED, "HS1"),
    "a sensor too high": ("strip-4", moved("RS4", 0, -0.3), Fault.MOVED, "RS4"),
    "a sensor forgotten": ("strip-4", without_part("RS1"), Fault.MISSING, "RS1"),
    "a part too many": ("strip-4", copied("RS1", "RS9"), Fault.STRANGE, "RS9"),
    "another package": ("hall-disc", in_part("HS1", "SOT-23", "SOT-323_SC-70", 1), Fault.FOOTPRINT, "HS1"),
    "another part": ("strip-4", in_part("RS1", 'value "QRE1114GR"', 'value "QRE1113GR"'), Fault.VALUE, "RS1"),
    "a pad too small": ("strip-4", in_part("RS1", r"\(size 1 0.79\)", "(size 0.5 0.79)", 1), Fault.PAD, "RS1"),
    "a pad under lacquer": ("strip-4", in_part("RS1", ' "F.Mask"', "", 1), Fault.PAD_LAYERS, "RS1"),
    "a pad without paste": ("hall-disc", in_part("CS1", ' "F.Paste"', "", 1), Fault.PAD_LAYERS, "CS1"),
    "a pad marked wrongly": (
        "strip-1", in_part("RS1", r'\(net \d+ "RING_1"\)', '(net 1 "5V")'), Fault.NET, "RS1 pad 4",
    ),
    "copper that is nobody's": (
        "strip-1", with_track("5V_IR", (100, 97), (100, 97.5), "F.Cu"), "unconnected_items", "5V_IR",
    ),
    "a track over the edge": (
        "strip-1", with_track("IR_1", (102.1, 102.95), (102.65, 102.95), "F.Cu"), "copper_edge_clearance", "IR_1",
    ),
    "an open outline": (
        "strip-4", lambda text: text.replace("(gr_line (start 102.7 103.3)", "(gr_line (start 102.7 103.75)"),
        Fault.OUTLINE, "strip-4",
    ),
    "a disc too large": ("hall-disc", once("(end 105 100)", "(end 105.5 100)"), Fault.OUTLINE, "hall-disc"),
    "a board too thick": ("strip-4", once("(thickness 0.4)", "(thickness 1.6)"), Fault.THICKNESS, "strip-4"),
    "two layers too many": (
        "strip-4",
        once('(31 "B.Cu" signal)', '(1 "In1.Cu" signal)\n    (2 "In2.Cu" signal)\n    (31 "B.Cu" signal)'),
        Fault.LAYERS, "strip-4",
    ),
    "a capacitor far from its chip": ("hall-disc", moved("CS1", 0, -7), Fault.DECOUPLING, "CS1"),
    "a chip's ground without its via": ("sensors-seven", without("via", "GND"), Fault.CUT, "GND"),
    "a plane left out": (
        "sensors-seven", lambda text: text.replace(block(text, text.index("(zone (")), ""), Fault.CUT, "GND",
    ),
    "a plane of the wrong net": (
        "sensors-seven",
        lambda text: text.replace('(net_name "GND") (layer "In1.Cu")', '(net_name "5V") (layer "In1.Cu")'),
        Fault.SHORT, "5V and GND",
    ),
    "a capacitor at its chip's other end": ("sensors-seven", moved("CU11", 0, 14), Fault.DECOUPLING, "CU11"),
    "a hole for a screw too small": (
        "sensors-seven", in_part("H1", r"\(drill 3.2\)", "(drill 2.5)"), Fault.DRILL, "H1",
    ),
    "a connector's holes too small": (
        "sensors-seven", in_part("J3", r"\(drill 1\)", "(drill 0.8)", 1), Fault.DRILL, "J3 pad 1",
    ),
    "a strip of a panel cut": ("panel-strips-seven", without("segment", "RING_2_3"), Fault.CUT, "RING_2_3"),
    "a panel's slot left out": ("panel-discs-seven", without_first("gr_line"), Fault.OUTLINE, "panel-discs-seven"),
    "a hole to snap along left out": ("panel-discs-seven", without_part("B5"), Fault.MISSING, "B5"),
    "a fuse bypassed": (
        "controller", with_track("5V", (170.45, 125.2), (175.55, 126.4), "F.Cu", 1.0),
        Fault.SHORT, "5V and 5V_MAIN",
    ),
    "the inlet turned away from the edge": ("controller", turned("J1", 180), Fault.TURNED, "J1"),
    "the transistor against wrong polarity not turned round": (
        "controller", turned("Q1", 180), Fault.SHORT, "5V_FUSED and 5V_GUARDED",
    ),
    "the module's socket mirrored": ("controller", mirrored("U1"), Fault.MIRRORED, "U1"),
    "a thin supply track": (
        "controller", in_line("segment", "5V_MAIN", r"\(width \S+\)", "(width 0.5)"), Fault.THIN, "5V_MAIN",
    ),
    "ground of the controller board cut in two": (
        "controller", lambda text: text.replace(block(text, text.index("(zone (")), ""), Fault.CUT, "GND",
    ),
    "a track beside a mark": (
        "controller", with_track("5V_IN", (111.25, 102), (111.25, 104), "F.Cu"), Fault.BARE, "M1",
    ),
    "a track under a screw": (
        "sensors-seven", with_track("BANK0", (101.3, 127.4), (101.3, 128.4), "B.Cu"), Fault.BARE, "H1",
    ),
    "two parts in one place": ("hall-disc", moved("CS1", 0, 3), "courtyards_overlap", "CS1"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str, tmp_path: Path) -> None:
    board, edit, fault, subject = PLANTED[name]
    text = board_path(board).read_text(encoding="utf-8")
    changed = edit(text)
    assert changed != text
    if isinstance(fault, Fault):
        found = problems(board_of(changed), wanted()[board])
        assert any(each.fault is fault and subject in each.subject for each in found), "\n".join(map(str, found))
    else:
        path = tmp_path / f"{board}.kicad_pcb"
        path.write_text(changed, encoding="utf-8")
        path.with_suffix(".kicad_pro").write_text(project(board), encoding="utf-8")
        reported = kicad.violations(path, tmp_path)
        assert any(each.startswith(f"{fault}: ") and subject in each for each in reported), reported


def test_every_kind_of_fault_is_planted() -> None:
    assert {fault for _, _, fault, _ in PLANTED.values() if isinstance(fault, Fault)} == set(Fault)


#: Changes of the small map, each with what a sensor board that was made before must then be reproached with.
MAPS: dict[str, tuple[dict[str, str], Fault, str]] = {
    "two levels exchanged": ({"[[0, 7], [0, 3], [0, 6]]": "[[0, 3], [0, 7], [0, 6]]"}, Fault.CUT, "BIT_C3_1"),
    "two tubes exchanged on the multiplexer": (
        {
            "C3 = { mux = 0, address =  1": "C3 = { mux = 0, address =  2",
            "C4 = { mux = 0, address =  2": "C4 = { mux = 0, address =  1",
        },
        Fault.NET,
        "U30 pad 8",
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_a_board_of_another_map_is_found(name: str, tmp_path: Path) -> None:
    changes, fault, subject = MAPS[name]
    seven = next(board for board in load_boards() if board.key == "seven")
    text = (FOLDER / "seven" / "board.toml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    other = replace(seven, wiring=load_wiring(tmp_path / "board.toml"))
    (changed,) = [each for each in collection((other,)) if each.layout.name == "sensors-seven"]
    assert is_stale(changed.layout)
    found = problems(drawn.board(changed.layout.name), changed)
    assert any(each.fault is fault and subject in each.subject for each in found), "\n".join(map(str, found))
