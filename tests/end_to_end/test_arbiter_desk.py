"""The arbiter's desk before the whole program: a question is raised on the board and answered in a browser."""

import json
import re
import subprocess
import time
from pathlib import Path

import pytest
from httpx2 import Client, ConnectError

from tests.programs import COMMAND, PYTHON, start
from tests.table.board_program import free_port

PATIENCE = 60.0

#: Red fills E1, and leaves it; then both players hold a glass, and one is seated in the full tube (R9.3).
HANDS = ("move D1 E1", "ring E1", "move G1 F2", "ring F2", "move E1 D2", "ring D2")
QUESTION = ("lift red D2", "lift black F2", "seat black E1")


@pytest.fixture
def processes(
    processes: list[subprocess.Popen[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[subprocess.Popen[str]]:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return processes


class Phone:
    """The arbiter's browser without scripts: it fills in the forms of the ``desk``."""

    def __init__(self, address: str, desk: str = "/arbiter") -> None:
        self.desk = desk
        self.client = Client(
            base_url=address, headers={"origin": address}, follow_redirects=True, timeout=PATIENCE
        )

    def until(self, words: str) -> str:
        ends = time.monotonic() + PATIENCE
        while words not in (page := self.client.get(self.desk).text):
            assert time.monotonic() < ends, page
            time.sleep(0.1)
        return page

    def press(self, page: str, code: str, **more: str) -> str:
        assert f'value="{code}"' in page
        hidden = dict(re.findall(r'<input type="hidden" name="(csrf|request|game)" value="([^"]*)"', page))
        return self.client.post(f"{self.desk}/do", data={**hidden, "wish": code, **more}).text


def test_a_question_from_the_board_is_answered_by_the_desks_forms(
    processes: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    port = str(free_port())
    table = start(processes, *PYTHON, "-m", "tests.table.live_board", str(tmp_path), stdin=subprocess.PIPE)
    assert table.stdin is not None
    start(processes, *COMMAND, "web", "--port", port)
    made = [*COMMAND, "web", "--port", port, "token"]
    words = subprocess.run(made, capture_output=True, text=True, check=True).stdout
    found = re.search(rf"(http://127\.0\.0\.1:{port})/arbiter#token=(\S+)", words)
    assert found is not None
    phone = Phone(found[1])
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            phone.client.get("/arbiter")
            break
        except ConnectError:
            assert time.monotonic() < ends
            time.sleep(0.1)
    assert phone.client.post("/arbiter/sign-in", data={"token": found[2]}).status_code == 200

    assert "Done: Start the game." in phone.press(phone.until("The board is ready"), "start")
    for hand in HANDS:
        table.stdin.write(f"{hand}\n")
        table.stdin.flush()
    phone.until("Turn 4")
    for hand in QUESTION:
        table.stdin.write(f"{hand}\n")
        table.stdin.flush()
    asked = phone.until("Black&#39;s: red wins")  # the ruling that asks may come before the state with its answers
    assert "Whose glass was put into the full tube E1?" in asked
    sure = phone.press(asked, "award-red")
    assert "Red wins?" in sure
    assert "Done: Red wins." in phone.press(sure, "award-red", confirmed="yes")
    over = phone.until("Next game")
    assert "The arbiter decides: red wins." in over
    kept = [*COMMAND, "games", "export", "1"]
    stream = subprocess.run(
        [*kept, "--folder", str(tmp_path / "journal")], capture_output=True, text=True, check=True
    )
    [decision] = [json.loads(line) for line in stream.stdout.splitlines() if '"arbiter"' in line]
    assert (decision["event"], decision["action"], decision["winner"]) == ("arbiter", "award", "red")
