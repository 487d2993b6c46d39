"""An evening at a real broker: eight boards, sixteen players, a Swiss tournament of three rounds.

The arbiter does everything with the forms of the page. In the middle of the second round a board, a bridge, the
hall and the broker are killed. At the end the hall has every ruling once and in order, and the results of the
tournament are those of the boards' journals.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tamsk_hw.hall.store import NAME, Store
from tamsk_hw.journal.archive import Archive
from tests.hall.test_hall import Evening, at_hall, in_journal
from tests.mqtt.broker import COMMAND, Mosquitto, broker, wait_until

ENTRANTS = [f"Player {number}" for number in range(1, 17)]
BOARDS = 8
SPEED = "20"
KILLED_BOARD, KILLED_BRIDGE = "B3", "B5"

#: The program at a board whose people wait for the start.
WAITING = (sys.executable, "-u", "-m", "tests.hall.waiting_board")


class Arbiter:
    """A browser of the arbiter's; after a restart of the hall he signs in again."""

    def __init__(self, evening: Evening) -> None:
        hall = evening.hall
        command = [*COMMAND, "hall", "--config", str(hall.file), "token"]
        shown = subprocess.run(command, env=hall.environment, capture_output=True, text=True, check=True).stdout
        found = re.search("#token=([A-Za-z0-9_-]+)", shown)
        assert found is not None
        self._token = found[1]
        self._origin = f"http://127.0.0.1:{hall.page}"
        self._count = 0
        self.sign_in()

    def sign_in(self) -> None:
        self._client = httpx2.Client(base_url=self._origin, headers={"origin": self._origin}, timeout=60)
        answer = self._client.post("/arbiter/sign-in", data={"token": self._token}, follow_redirects=True)
        assert answer.status_code == 200

    def do(self, what: str, **fields: str) -> str:
        """Send a form of the page; return its answer."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', self._client.get("/tournament").text)
        assert csrf is not None
        self._count += 1
        given = {
            "csrf": csrf[1],
            "request": f"request-{self._count}",
            "tournament": "Cup",
            "change": what,
            **fields,
        }
        page = self._client.post("/tournament/change", data=given, follow_redirects=True).text
        answer = re.search(r'id="answer"[^>]*>([^<]*)<', page)
        assert answer is not None, page
        return answer[1]

    def until_done(self, what: str) -> None:
        """Press until all boards have done it: one that has must not be asked again."""
        words = wait_until(
            lambda: (said := self.do(what)) and ("not: 0" in said or said == "Done.") and said, what
        )
        assert words

    def pairings(self, round_number: int) -> list[dict[str, Any]]:
        exported = self._client.get("/tournament/Cup/tournament.json").json()["tournament"]
        return [each for each in exported["pairings"] if each["round"] == round_number]

    def until_played(self, round_number: int) -> list[dict[str, Any]]:
        """Wait for all results of a round."""

        def played() -> list[dict[str, Any]] | None:
            found = self.pairings(round_number)
            return found if all(each["result"] for each in found) else None

        return wait_until(played, f"the results of round {round_number}")


@pytest.fixture
def evening(tmp_path: Path, processes: list[subprocess.Popen[Any]]) -> Iterator[tuple[Evening, Mosquitto]]:
    with broker(tmp_path / "broker") as started:
        yield Evening(tmp_path, processes, started, BOARDS), started


def board_starts(evening: Evening, name: str, turns: str = "") -> subprocess.Popen[Any]:
    """Start a board, and wait until the hall shows its game: one after the other, as a start takes a processor."""
    before = evening.hall.boards().get(name, {}).get("game")
    board = evening.boards[name]
    options = ("run", "--simulated", "--level", "1", "--speed", SPEED, "--config", str(board.file))
    process = board.start(*options, command=("env", f"TURNS={turns}", *WAITING))

    def is_there() -> bool:
        known = evening.hall.boards().get(name, {})
        return bool(known.get("online")) and known["game"] not in (None, before)

    wait_until(is_there, name)
    return process


def is_played(board: Any, red: str) -> bool:
    """A few turns of this player's game are in the board's journal."""
    archive = Archive(board.journal)
    for number, _ in archive.keys(100).values():
        game = archive.load(number)
        if game.red == red:
            rulings = [json.loads(line) for each in game.entries for line in each.rulings]
            return any(ruling.get("number", 0) >= 3 for ruling in rulings)
    return False


def results_in_journals(evening: Evening) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The results of all games that are over, by their boards and the names of red and black."""
    found = {}
    for name, board in evening.boards.items():
        archive = Archive(board.journal)
        for number, _ in archive.keys(100).values():
            game = archive.load(number)
            rulings = [json.loads(line) for each in game.entries for line in each.rulings]
            over = next((ruling for ruling in rulings if ruling["ruling"] == "game_over"), None)
            if over is not None:
                found[name, str(game.red), str(game.black)] = {"winner": over["winner"], **over["rings_left"]}
    return found


def test_a_swiss_evening_in_which_everything_is_killed_once(evening: tuple[Evening, Mosquitto]) -> None:
    here, broker = evening
    hall = here.hall.start("hall")
    wait_until(here.hall.answers, "the hall")
    bridges, boards = {}, {}
    for name, board in here.boards.items():
        bridges[name] = board.start("mqtt")
        # At one board the second game, before which there is one that nobody plays, is long enough to be killed.
        boards[name] = board_starts(here, name, "4 4 500" if name == KILLED_BOARD else "")
    arbiter = Arbiter(here)
    assert arbiter.do("new", system="swiss", level="1", entrants="\n".join(ENTRANTS)) == "Done."
    for number in (1, 2, 3):
        wait_until(lambda: all(here.hall.boards().get(name, {}).get("online") for name in here.boards), "boards")
        assert arbiter.do("pair", round=str(number)) == "Done."
        assert [each["board"] for each in arbiter.pairings(number)] == [*here.boards]
        arbiter.until_done("send")
        arbiter.until_done("start")
        if number == 2:
            (red,) = (each["red"] for each in arbiter.pairings(2) if each["board"] == KILLED_BOARD)
            wait_until(lambda red=red: is_played(here.boards[KILLED_BOARD], red), "some turns")
            boards[KILLED_BOARD].kill()
            bridges[KILLED_BRIDGE].kill()
            hall.kill()
            broker.kill()
            broker.start()
            hall = here.hall.start("hall")
            wait_until(here.hall.answers, "the hall again")
            bridges[KILLED_BRIDGE] = here.boards[KILLED_BRIDGE].start("mqtt")
            boards[KILLED_BOARD] = board_starts(here, KILLED_BOARD)
            arbiter.sign_in()
            arbiter.until_done("send")  # its game was broken off: the arbiter has the two play again
            arbiter.until_done("start")
        played = arbiter.until_played(number)
        assert len({each["game"] for each in played}) == BOARDS
    for name, board in here.boards.items():
        games = in_journal(board)  # without those that nobody started
        assert len(games) == (4 if name == KILLED_BOARD else 3)
        wait_until(lambda name=name, games=games: at_hall(here.hall, name).items() >= games.items(), name)
    entered = {
        (each["board"], each["red"], each["black"]): each["result"]
        for number in (1, 2, 3)
        for each in arbiter.pairings(number)
    }
    assert len(entered) == 3 * BOARDS
    assert entered == results_in_journals(here)
    store = Store(here.hall.folder / "data" / "tamsk-hw" / NAME)
    by_boards = [each.by for each in store.changes("Cup") if each.by in here.boards]
    store.close()
    assert Counter(by_boards) == dict.fromkeys(here.boards, 3)  # each result was entered once
