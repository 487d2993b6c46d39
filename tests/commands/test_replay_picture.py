"""``tamsk-hw replay --picture`` at a terminal."""

import termios
from pathlib import Path

from tests.commands.at_a_terminal import PROGRAM, AtATerminal
from tests.journal.played import played, write

RECORDING = Path(__file__).parents[1] / "recordings" / "level-1.jsonl"


def test_a_recorded_game_is_paused_stepped_and_left(tmp_path: Path) -> None:
    terminal = AtATerminal(*PROGRAM, "replay", "--picture", str(RECORDING))
    try:
        terminal.read("space pause")
        terminal.type(" ")
        terminal.read(", paused")
        for _ in range(3):
            terminal.type("\x1b[C")
        terminal.read("Turn 1: red to move")
        terminal.type("+")
        terminal.read("2× speed")
        before = terminal.settings[3] & termios.ICANON
        terminal.type("q")
        assert terminal.end() == 0
        assert not before
    finally:
        terminal.kill()


def test_a_game_of_the_journal_is_shown(tmp_path: Path) -> None:
    write(tmp_path, played())
    terminal = AtATerminal(*PROGRAM, "games", "replay", "1", "--folder", str(tmp_path))
    try:
        terminal.read("replay of")
        terminal.type("q")
        assert terminal.end() == 0
    finally:
        terminal.kill()
