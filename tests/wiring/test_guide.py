"""The building guide: the programs' words at a board half built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.simulator.faults import ChainCut, Fault, HallSensorOpen, MultiplexerDead
from tamsk_hw.simulator.running import RunningBoard
from tamsk_hw.simulator.things import WorldStart
from tests.wiring.facts import WIRING

BUILD = (WIRING / "build.md").read_text(encoding="utf-8")


def said_at(tmp_path: Path, faults: list[Fault], *arguments: str) -> str:
    """The output of the program at a simulated board with these faults."""
    with RunningBoard(tmp_path / "port", seed=3, setup=WorldStart.FREE) as board:
        for fault in faults:
            board.put_fault(fault)
        return CliRunner().invoke(main, [*arguments, "--port", board.port]).stdout


#: A step of the guide: what is not there yet, what is asked, what is said; the words stand in the guide, too.
NO_MUXES: list[Fault] = [MultiplexerDead(mux) for mux in range(3)]
NO_TUBES: list[Fault] = [HallSensorOpen(tube) for tube in TUBES]


@pytest.mark.parametrize(
    ("faults", "part", "words"),
    [
        ([*NO_MUXES, ChainCut(1)], "rings", "74HC165s 1 to 7: all inputs read ones"),
        ([*NO_MUXES, ChainCut(2)], "rings", "74HC165s 2 to 7"),
        (NO_TUBES, "board", "no fault flags, references as they should be"),
        (NO_TUBES, "glasses", "as if shorted or not connected"),
    ],
    ids=["one chip", "two chips", "references", "no tubes"],
)
def test_a_step_of_the_guide_says_what_it_should(
    tmp_path: Path, faults: list[Fault], part: str, words: str
) -> None:
    assert words in BUILD
    assert f"tamsk-hw selftest {part} --no-hands --port PORT" in BUILD
    assert words in said_at(tmp_path, faults, "selftest", part, "--no-hands")


def test_the_controller_alone_is_heard(tmp_path: Path) -> None:
    """Step 3: nothing but the Nano."""
    said = said_at(tmp_path, [*NO_MUXES, ChainCut(0)], "selftest", "board", "--no-hands")
    for line in ("link", "traffic", "versions", "reset"):
        assert f"`{line}`" in BUILD
        assert re.search(rf"^ok +{line} ", said, re.MULTILINE), said
