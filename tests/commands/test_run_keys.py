"""``tamsk-hw run`` at a terminal: keys for all that buttons and arbiter do, and the terminal as it was."""

import os
import shutil
import signal
import termios
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.archive import Archive
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Event, Press
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.simulator.pty_board import RunningBoard
from tests.commands.at_a_terminal import PROGRAM, AtATerminal, configuration

DEMO = (*PROGRAM, "run", "--seed", "3", "--speed", "1")

#: Bits of a terminal's local settings that the program changes.
CANONICAL = termios.ICANON | termios.ECHO


@pytest.fixture
def terminals() -> Iterator[list[AtATerminal]]:
    terminals: list[AtATerminal] = []
    yield terminals
    for terminal in terminals:
        terminal.kill()


def decided(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """Presses and decisions of people."""
    found: list[tuple[object, ...]] = []
    for event in events:
        if isinstance(event, Button):
            found.append((event.button, event.press))
        elif isinstance(event, Arbiter):
            found.append((event.action, event.tube, event.player))
    return found


def test_a_board_without_buttons_is_played_by_keys(terminals: list[AtATerminal], tmp_path: Path) -> None:
    """Started, ended, resumed, decided, and the next game set up; the journal has the buttons' own events."""
    command = (*PROGRAM, "run", "--config", str(configuration(tmp_path)))
    board = RunningBoard(tmp_path / "board", seed=5)
    try:
        first = AtATerminal(*command)
        terminals.append(first)
        first.read("The board is ready: press s.")
        assert not first.settings[3] & CANONICAL
        first.type("s")
        first.read("Turn 1: red to move.")
        first.type("q")
        first.read("A game that is not over is offered at the next start.")
        first.type("y")
        assert first.end() == 0

        second = AtATerminal(*command)
        terminals.append(second)
        second.read("A game is unfinished: s resumes it, a abandons it.")
        second.type("s")
        second.read("Nobody watched the board")
        second.type("a")
        second.read("The arbiter decides:")
        second.type("1")
        second.read("Who wins?")
        second.type("\x1b[B\n")
        second.read("Black wins?")
        second.type("y")
        second.read("Black wins: awarded by the arbiter")
        second.read("Press s to set up the next game.")
        second.type("s")
        second.read("The board is ready: press s.")
        assert second.end(signal.SIGTERM) == 143
    finally:
        board.close()
    _, events = Archive(tmp_path / "journal").load(1).header_and_events()
    assert decided(events) == [(ButtonName.START, Press.SHORT), (Action.AWARD, None, Player.BLACK)]


def test_a_demo_is_ended_by_a_resignation(terminals: list[AtATerminal], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    terminal = AtATerminal(*DEMO, "--record", str(record))
    terminals.append(terminal)
    terminal.read("Turn 1: red to move.")
    terminal.type("r")
    terminal.read("Red announces a claim: drop the ring within 5 seconds.")
    terminal.type("B")
    terminal.read("Black resigns, and red wins?")
    terminal.type("y")
    terminal.read("Red wins: black resigned")
    assert terminal.end() == 0
    assert "Stopped before the end" not in terminal.shown
    _, events = read_stream(record.read_text(encoding="utf-8").splitlines(), "record")
    presses = decided(events)
    assert presses.count((ButtonName.RED, Press.SHORT)) == 1
    assert presses[-1] == (ButtonName.BLACK, Press.LONG)


@pytest.mark.parametrize(
    ("keys", "number", "status", "term"),
    [
        ("qy", None, 0, "xterm-256color"),
        ("\x03", None, 130, "dumb"),
        ("", signal.SIGTERM, 143, "xterm-256color"),
        ("R", signal.SIGINT, 130, "dumb"),
    ],
)
def test_the_terminal_is_left_as_it_was(
    terminals: list[AtATerminal], keys: str, number: signal.Signals | None, status: int, term: str
) -> None:
    script = 'trap : INT; "$@"; echo status $?; stty -a'
    terminal = AtATerminal("/bin/sh", "-c", script, "sh", *DEMO, term=term)
    terminals.append(terminal)
    terminal.read("The game begins")
    terminal.type(keys)
    if number is not None:
        child = Path(f"/proc/{terminal.process}/task/{terminal.process}/children").read_text().split()[0]
        os.kill(int(child), number)
    terminal.read(f"status {status}")
    left = terminal.read("extproc").partition(f"status {status}")[2]
    assert "susp = ^Z" in left
    assert " icanon" in left
    assert " echo " in left


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_ctrl_z_gives_the_terminal_back_and_the_game_goes_on_with_fg(
    terminals: list[AtATerminal], term: str
) -> None:
    """A shell with job control suspends the game, looks at the terminal, and continues it."""
    script = '"$@"; echo suspended; stty -a; echo; fg >/dev/null; echo status $?'
    terminal = AtATerminal(shutil.which("bash") or "", "-m", "-c", script, "bash", *DEMO, term=term)
    terminals.append(terminal)
    terminal.read("The game begins")
    terminal.type("\x1a")
    terminal.read("suspended")
    left = terminal.read("extproc").partition("suspended")[2]
    assert "susp = ^Z" in left
    assert " icanon" in left
    terminal.read("Red lifts the glass on A4.")
    terminal.type("R")
    terminal.read("Red resigns, and black wins?")
    terminal.type("y")
    terminal.read("Black wins: red resigned")
    terminal.read("Press s for another game, q to end.")
    terminal.type("qy")
    terminal.read("status 0")


def test_a_program_in_the_background_leaves_keys_and_terminal_alone(terminals: list[AtATerminal]) -> None:
    """Whoever touches the terminal from there is stopped."""
    script = '"$@" & read line; echo got $line; kill -TERM $!; wait $!; echo status $?'
    terminal = AtATerminal(shutil.which("bash") or "", "-m", "-c", script, "bash", *DEMO, term="dumb")
    terminals.append(terminal)
    terminal.read("The game begins")
    terminal.type("Ryqy\n")
    terminal.read("got Ryqy")
    terminal.read("status 143")
