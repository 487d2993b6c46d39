"""A question to the arbiter (R9.3) from a board on a serial port, answered by keys.

It is shown, the answer is kept as an event, and the events give the same rulings again.
`test_arbiter_desk` answers by a phone, `test_live_stream` has ``tamsk-hw arbiter``.
"""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.records import verify
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.simulator.pty_board import RunningBoard
from tests.commands.at_a_terminal import PROGRAM, AtATerminal, configuration
from tests.end_to_end.live_programs import Listener, check

QUESTION = "Whose glass was put into the full tube E1?"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RunningBoard]:
    board = RunningBoard(tmp_path / "board", seed=5)
    yield board
    board.close()


def play(board: RunningBoard) -> None:
    """Red fills E1, and leaves it: three turns."""
    for start, end in ((Tube.D1, Tube.E1), (Tube.G1, Tube.F2), (Tube.E1, Tube.D2)):
        board.move(Player.RED, start, end)
        board.drop(Player.RED, end)


def ask(board: RunningBoard) -> None:
    """Both players hold a glass, and one is seated in the full tube."""
    board.lift(Player.RED, Tube.D2)
    board.lift(Player.BLACK, Tube.F2)
    board.seat(Player.BLACK, Tube.E1, turned=True)


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Everything that the service publishes."""
    listener = Listener("--since", "0")
    yield listener
    listener.process.kill()
    listener.process.wait()


def check_game(folder: Path, listener: Listener) -> None:
    """The answer is an event of the journal's game; stored and published rulings come of the events again."""
    game = Archive(folder / "journal").load(1)
    _, events = game.header_and_events()
    decisions = [event for event in events if isinstance(event, Arbiter)]
    assert [(each.action, each.player) for each in decisions] == [(Action.AWARD, Player.RED)]
    assert verify(game) is None
    rulings = check(listener.lines)
    [asked] = [ruling for ruling in rulings if ruling["ruling"] == "arbiter_needed"]
    assert asked["rule"] == "R9.3"
    over = rulings[-1]
    assert (over["ruling"], over["winner"], over["reason"], over["rule"]) == (
        *("game_over", "red", "awarded", "R9.6"),
    )
    assert [line for entry in game.entries for line in map(json.loads, entry.rulings)] == rulings


def test_the_question_is_answered_by_keys(board: RunningBoard, listener: Listener, tmp_path: Path) -> None:
    terminal = AtATerminal(*PROGRAM, "run", "--config", str(configuration(tmp_path)))
    try:
        terminal.read("The board is ready: press s.")
        terminal.type("s")
        terminal.read("Turn 1: red to move.")
        play(board)
        terminal.read("Turn 4: black to move.")
        ask(board)
        terminal.read(QUESTION)
        terminal.type("a")
        terminal.read("The arbiter decides:")
        terminal.type("1")
        terminal.read("Who wins?")
        terminal.type("1")
        terminal.read("Red wins?")
        terminal.type("y")
        terminal.read("Red wins: awarded by the arbiter")
        listener.ruled("game_over")
        assert terminal.end(signal.SIGTERM) == 143
    finally:
        terminal.kill()
    check_game(tmp_path, listener)
