"""A hall over a real broker: boards, bridges, hall and broker are killed in the middle, and nothing is missing."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.hall.store import NAME, Store
from tamsk_hw.journal.archive import Archive
from tests.mqtt.broker import Mosquitto, Place, broker, wait_until

SPEED = "40"


def in_journal(board: Place) -> dict[str, list[Any]]:
    """The games of a board by their keys: each event with its rulings."""
    archive = Archive(board.journal)
    found = {}
    for number, _ in archive.keys(100).values():
        game = archive.load(number)
        found[game.key] = [(json.loads(each.line), list(map(json.loads, each.rulings))) for each in game.entries]
    return found


def at_hall(hall: Place, board: str) -> dict[str, list[Any]]:
    """The same as the hall has it."""
    store = Store(hall.folder / "data" / "tamsk-hw" / NAME)
    found = {}
    for lines in store.games().get(board, []):
        entries = store.entries(board, lines.key)
        found[lines.key] = [(dict(each.event), [dict(ruling) for ruling in each.rulings]) for each in entries]
    store.close()
    return found


class Evening:
    """Boards that play by themselves, each with its bridge, and the hall."""

    def __init__(
        self, folder: Path, processes: list[subprocess.Popen[Any]], broker: Mosquitto, boards: int
    ) -> None:
        self.hall = Place(folder / "hall", processes, broker.port)
        self.boards = {
            f"B{number}": Place(folder / f"B{number}", processes, broker.port, board=f"B{number}")
            for number in range(1, boards + 1)
        }

    def play(self, board: str, seed: int) -> subprocess.Popen[Any]:
        return self.boards[board].start(
            "run", "--simulated", "--level", "1", "--speed", SPEED, "--seed", str(seed)
        )

    def until_turn(self, number: int) -> None:
        """Wait until every board has come so far in its game."""

        def has(board: Place) -> bool:
            return any(
                ruling.get("number", 0) >= number
                for game in in_journal(board).values()
                for _, rulings in game
                for ruling in rulings
            )

        for board in self.boards.values():
            wait_until(lambda board=board: board.journal.exists() and has(board), f"turn {number}")


@pytest.fixture
def evening(tmp_path: Path, processes: list[subprocess.Popen[Any]]) -> Any:
    with broker(tmp_path / "broker") as started:
        yield Evening(tmp_path, processes, started, 2), started


def test_whatever_is_killed_each_ruling_comes_to_the_hall_once_and_in_order(
    evening: tuple[Evening, Mosquitto],
) -> None:
    here, broker = evening
    hall = here.hall.start("hall")
    bridges = {name: board.start("mqtt") for name, board in here.boards.items()}
    games = {name: here.play(name, seed) for seed, name in enumerate(here.boards, 3)}
    wait_until(
        lambda: all(each["online"] for each in here.hall.boards().values()) and len(here.hall.boards()) == 2,
        "boards",
    )
    here.until_turn(8)
    hall.kill()
    bridges["B1"].kill()
    here.until_turn(14)
    broker.kill()
    bridges["B1"] = here.boards["B1"].start("mqtt")
    here.until_turn(20)
    broker.start()
    here.hall.start("hall")
    for process in games.values():
        assert process.wait(120) == 0
    wait_until(
        lambda: [each["over"] for each in here.hall.boards().values() if each["over"]][1:], "both games over"
    )
    for name, board in here.boards.items():
        wait_until(lambda name=name, board=board: at_hall(here.hall, name) == in_journal(board), name)
        (rulings,) = ([each for _, found in game for each in found] for game in in_journal(board).values())
        assert here.hall.boards()[name]["over"] == rulings[-1]
