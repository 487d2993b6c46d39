"""``tamsk-hw replay --picture`` and ``tamsk-hw games replay`` at a terminal."""

import termios
from pathlib import Path

import pytest

from tests.commands.at_a_terminal import PROGRAM, AtATerminal
from tests.journal.played import played, write

RECORDING = Path(__file__).parents[1] / "recordings" / "level-1.jsonl"


@pytest.mark.parametrize("command", [("replay", "--picture"), ("games", "replay")], ids=" ".join)
def test_a_kept_game_is_paused_stepped_and_left(command: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path, played())
    of_what = (str(RECORDING),) if command[0] == "replay" else ("1", "--folder", str(tmp_path))
    terminal = AtATerminal(*PROGRAM, *command, *of_what)
    try:
        terminal.read("space pause")
        terminal.type(" ")
        terminal.read(", paused")
        for _ in range(3):
            terminal.type("\x1b[C")
        terminal.read("Turn 1: red to move")
        terminal.type("+")
        terminal.read("2× speed")
        assert not terminal.settings[3] & termios.ICANON
        terminal.type("q")
        assert terminal.end() == 0
    finally:
        terminal.kill()
