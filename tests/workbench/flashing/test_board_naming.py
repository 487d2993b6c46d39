"""``tamsk-hw flash`` and the board's id: a board without one gets one, the user may choose it and is told."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tests.workbench.flashing.flash_bench import (
    HASH,
    Bench,
    FlashedController,
    hex_lines,
    program,
    refused,
    run,
    write_hex,
)


def controller(bench: Bench) -> FlashedController:
    assert isinstance(bench.board.board, FlashedController)
    return bench.board.board


def told(result: Result) -> int:
    """The id that the user is told at the end."""
    assert result.exit_code == 0, result.stderr
    found = re.fullmatch("This is board ([0-9a-f]{8}).", result.stdout.splitlines()[-1])
    assert found, result.stdout
    return int(found[1], 16)


@pytest.mark.parametrize("none", [0, 0xFFFFFFFF])
def test_a_board_without_an_id_gets_one_and_keeps_it(bench: Bench, file: Path, none: int) -> None:
    controller(bench).board_id = none
    bench.runs()
    first = told(run(bench, file))
    assert first not in (0, 0xFFFFFFFF)
    assert controller(bench).board_id == first
    assert told(run(bench, file)) == first


@pytest.mark.parametrize("before", [0, 0x7A3517])
def test_the_user_may_choose_it_whatever_it_was(bench: Bench, file: Path, before: int) -> None:
    controller(bench).board_id = before
    bench.runs()
    assert told(run(bench, file, "--board-id", "0a1B2c3D")) == 0x0A1B2C3D
    assert controller(bench).board_id == 0x0A1B2C3D


@pytest.mark.parametrize("word", ["", "0x1a2b3c", "1a2b3c4d5", "1a2b3c4g", "00000000", "FFFFFFFF"])
def test_what_is_no_id_is_refused_in_one_line_before_anything_is_written(
    bench: Bench, file: Path, word: str
) -> None:
    bench.runs()
    result = run(bench, file, f"--board-id={word}")
    line = refused(result)
    assert len(result.stderr.splitlines()) == 1
    assert "eight hexadecimal digits" in line
    assert bench.calls() == []


def test_a_board_that_keeps_no_id_is_told_but_an_id_that_was_asked_for_must_be_kept(
    bench: Bench, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record can be written no more: what is read back is damaged."""
    worn = property(lambda board: 0, lambda board, board_id: None)
    monkeypatch.setattr(FlashedController, "board_id", worn, raising=False)
    bench.runs()
    result = run(bench, file)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[-1].startswith("This board keeps no id")
    line = refused(run(bench, file, "--board-id", "1a2b3c4d"))
    assert "the program was written, but the board has no id, not 1a2b3c4d" in line


def test_an_old_program_that_answers_gets_no_id(bench: Bench, file: Path) -> None:
    """The program to be written is not there, so nothing is done to the board by it."""
    controller(bench).board_id = 0
    bench.avrdude()
    bench.runs()
    assert "was written, but the board answers with 1.0.0" in refused(run(bench, file, "--board-id", "1a2b3c4d"))
    assert controller(bench).board_id == 0


def test_a_board_that_this_host_does_not_talk_to_cannot_get_one(bench: Bench, tmp_path: Path) -> None:
    foreign = write_hex(tmp_path / "foreign.hex", hex_lines(program(protocol=(1, 0), wiring_hash=HASH)))
    bench.runs()
    line = refused(run(bench, foreign, "--force", "--board-id", "1a2b3c4d"))
    assert "this board did not get the id 1a2b3c4d" in line


@pytest.mark.parametrize("arguments", [[], ["--port", ""]])
def test_without_a_port_it_says_in_one_line_how_to_give_one(bench: Bench, arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["flash", *arguments])
    line = refused(result)
    assert len(result.stderr.splitlines()) == 1
    assert "--port /dev/ttyUSB0" in line
    assert bench.calls() == []
