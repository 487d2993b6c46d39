"""Maps, files and folders that nobody had in mind: a board is made whole, or refused in one line."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import parse_wiring
from tamsk_hw.errors import WiringError
from tests.firmware.toolchain import need
from tests.wiring.bench import REFERENCE
from tests.wiring.facts import MAPS
from wiring.make import geometry
from wiring.make.board import Board, problems
from wiring.make.circuit import load_catalogue
from wiring.make.making import MakingError, made_for

SEVEN = MAPS["seven"].read_text(encoding="utf-8")


def board_of(text: str) -> Board:
    return Board("odd", "An odd board", "odd.toml", parse_wiring(text, "odd.toml"), REFERENCE.catalogue)


def with_tubes(*lines: str) -> str:
    """The map of seven tubes with other tubes, and as many pixels as they need."""
    text = re.sub(r"^[A-G]\d = .*\n", "", SEVEN, flags=re.MULTILINE)
    text = text.replace("[tubes]\n", "[tubes]\n" + "".join(f"{line}\n" for line in lines))
    count = len(lines)
    text = re.sub(r"^pixel = \d+", f"pixel = {count}", text, flags=re.MULTILINE)
    text = re.sub(r"^red = \[.*\]", f"red = [{count + 1}, {count + 2}]", text, flags=re.MULTILINE)
    return re.sub(r"^black = \[.*\]", f"black = [{count + 3}, {count + 4}]", text, flags=re.MULTILINE)


ODD = {
    "two tubes, two banks": with_tubes(
        "A1 = { mux = 0, address = 1, pixel = 0, rings = [[0, 0]] }",
        "A2 = { mux = 0, address = 2, pixel = 1, rings = [[0, 1]] }",
    ),
    "no tube near the middle row": with_tubes(
        "D1 = { mux = 0, address = 1, pixel = 0, rings = [[0, 0]] }",
        "D2 = { mux = 0, address = 2, pixel = 1, rings = [[0, 1], [0, 2]] }",
        "D7 = { mux = 0, address = 3, pixel = 2, rings = [[0, 3]] }",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_a_board_of_odd_tubes_is_made(name: str) -> None:
    need("dot")
    board = board_of(ODD[name])
    assert problems(board.circuit, board.cables) == []
    assert {"pins.md", "parts.csv", "mechanics/template.svg", "harness/harness.svg"} <= made_for(board).keys()


def test_more_multiplexers_than_the_ribbon_has_wires_are_refused_by_file_and_key() -> None:
    text = SEVEN.replace('mux_inputs = ["ADC0"]', 'mux_inputs = ["ADC0", "ADC1", "ADC2", "ADC3"]')
    with pytest.raises(MakingError, match=r"odd\.toml: controller\.mux_inputs: 4 multiplexers; allowed are 3"):
        made_for(board_of(text))


def test_wires_that_do_not_fit_under_a_foot_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a groove of one layer, six wires wide, the tubes of three levels and more have no room for theirs."""
    assert geometry.groove_holds(0.89) == 6 + 5
    monkeypatch.setattr(geometry, "PARTS", replace(geometry.PARTS, cable_exit=1.2))
    with pytest.raises(MakingError, match=r"WT-C3: 7 wires to the strip; allowed are 6, for .* \(and 6 more\)"):
        made_for(REFERENCE)


def test_parts_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    for text in ("", "[kinds]\nnano = 1\n", "not TOML at all"):
        file = tmp_path / "parts.toml"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(WiringError, match=r"parts\.toml: "):
            load_catalogue(file)
