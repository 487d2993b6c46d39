"""The building guide works: its links, its commands, and the programs' words at a board half built."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.simulator.faults import ChainCut, Fault, HallSensorOpen, MultiplexerDead
from tamsk_hw.simulator.running import RunningBoard
from tamsk_hw.simulator.world import WorldStart
from tests.wiring.facts import WIRING

PAGES = [*sorted(WIRING.glob("*.md")), WIRING.parent / "firmware" / "README.md"]
BUILD = (WIRING / "build.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def commands(text: str, program: str) -> list[list[str]]:
    """The words after the program's name, for each of its command lines in a page's fences and code spans."""
    fences = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    lines = [shlex.split(line, comments=True) for fence in fences for line in fence.splitlines()]
    return [words[1:] for words in (*lines, *map(str.split, spans)) if len(words) > 1 and words[0] == program]


def targets(folder: Path) -> set[str]:
    """The targets of a Makefile."""
    text = (folder / "Makefile").read_text(encoding="utf-8")
    return {name for line in re.findall(r"^([a-z][a-z ]*):", text, re.MULTILINE) for name in line.split()}


def unknown(text: str) -> list[str]:
    """The command lines of a page that are none."""
    found = []
    for words in commands(text, "tamsk-hw"):
        try:
            command: click.Command | None = main
            context, rest = click.Context(main, info_name="tamsk-hw"), [word for word in words if word != "…"]
            while isinstance(command, click.Group) and rest:
                command = command.get_command(context, rest.pop(0))
            assert command is not None
            command.make_context(command.name, rest, parent=context)
        except (AssertionError, click.UsageError):
            found.append(f"tamsk-hw {' '.join(words)}")
    for words in commands(text, "make"):
        folder = WIRING.parent / (words[1] if words[:1] == ["-C"] else ".")
        named = [word for word in words[2 if words[:1] == ["-C"] else 0 :] if "=" not in word]
        if not set(named) <= targets(folder):
            found.append(f"make {' '.join(words)}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_command_is_one(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert commands(text, "tamsk-hw") or commands(text, "make")
    assert unknown(text) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("`make wiring`", "`make wirings`"),
        ("`make -C firmware tables`", "`make -C firmware table`"),
    ],
)
def test_a_command_that_is_none_is_found(right: str, wrong: str) -> None:
    text = (WIRING / "README.md").read_text(encoding="utf-8")
    assert right in text
    assert unknown(text.replace(right, wrong)) == [wrong.strip("`")] * text.count(right)


@pytest.mark.parametrize("wrong", ["tamsk-hw selftests", "tamsk-hw selftest --hands"])
def test_a_command_of_the_program_that_is_none_is_found(wrong: str) -> None:
    text = BUILD.replace("tamsk-hw flash --port PORT\n", f"{wrong}\n")
    assert text != BUILD
    assert unknown(text) == [wrong]


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
