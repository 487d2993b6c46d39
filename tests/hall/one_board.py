"""A hall with one board, whose bridge it reaches over a broker that stands in for the real one."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.store import NAME
from tamsk_hw.mqtt.bridge import Outbox
from tamsk_hw.mqtt.messages import Message, PresenceMessage, RequestMessage
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.live import LiveTable
from tests.hall.bench import Bench
from tests.web.stream import Told, greeting
from tests.web.tables import ORIGIN

#: The desk of the board.
DESK = "/boards/one/arbiter"


class OneBoard(Bench):
    """The board "one" and its bridge. Messages between them arrive at once, each request ``copies`` times.

    The board's service answers ``asked`` as ``answer`` says.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.copies = 1
        self.asked: list[dict[str, Any]] = []
        self.answer: dict[str, Any] = {"done": 17}
        self.folder = folder
        self.hall._broker = self  # type: ignore[assignment]
        self.board = HallBoard("one", LiveTable(lambda: 0.0, lambda: 0.0), self.store)
        self.hall.boards["one"] = self.board
        self.bridge = Outbox()
        self._seq = self._requests = 0

    def play(self, scenario: str, until: str | None = None, *, key: str = "a") -> None:
        """Have a game played at the board: to the state after a ruling of this kind, else to its end."""
        self.bridge.greeted(greeting())
        is_found = False
        for record in Told().game(scenario, key):
            self._seq += 1
            if "state" not in record:
                self.bridge.heard({**record, "seq": self._seq})
                is_found = is_found or ("ruling" in record and record["ruling"]["ruling"] == until)
                continue
            self.bridge.heard({"seq": self._seq, "saved": self._seq - 1, "game": 1})
            self.bridge.heard(record)
            if is_found:
                break
        self._deliver()
        assert self.bridge.state is not None
        self.board.on_message(self.bridge.state, 0.0)
        self.hall.changed()

    def lose(self) -> None:
        """The hall has no broker any more."""
        self.hall._broker = None
        self.board.on_message(PresenceMessage(online=False), 0.0)

    def stop(self) -> None:
        """The board's service ends."""
        self.bridge.lost(Absence.NONE_THERE)
        self._deliver()

    def _deliver(self) -> None:
        while self.bridge.waiting:
            self.board.on_message(self.bridge.waiting.popleft(), 0.0)

    async def publish(self, board: str, message: Message) -> None:
        """Bring a request to the board, and what it says to the hall."""
        assert board == "one"
        assert isinstance(message, RequestMessage)
        for _ in range(self.copies):
            if (line := self.bridge.request(message)) is not None:
                self.asked.append({key: value for key, value in line.items() if key != "id"})
                self.bridge.heard({"re": line["id"], **self.answer})
        self._deliver()

    def ask(self, request: Mapping[str, Any], by: str = "Zoe") -> Any:
        return asyncio.run(self.hall.ask("one", by, request))

    def log(self) -> list[tuple[Any, ...]]:
        """All requests that are logged: time, board, game, by, request and answer."""
        with sqlite3.connect(self.folder / NAME) as connection:
            rows = connection.execute("SELECT time, board, game, by, request, answer FROM request").fetchall()
        return [(*row[:4], json.loads(row[4]), row[5]) for row in rows]

    # A browser.

    def client(self, **headers: str) -> TestClient:
        made = {"origin": ORIGIN, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return TestClient(self.app, base_url=ORIGIN, raise_server_exceptions=False, headers=made)

    def signed_in(self, **headers: str) -> TestClient:
        client = self.client(**headers)
        assert client.post("/arbiter/sign-in", data={"token": self.token}).status_code == 200
        return client

    def fields(self, client: TestClient, at: str = DESK, **more: str) -> dict[str, str]:
        """The fields that every form of the page at ``at`` sends, besides ``more``."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', client.get(at).text)
        assert csrf is not None
        self._requests += 1
        game = {} if self.bridge._game is None else {"game": self.bridge._game.key}
        return {"csrf": csrf[1], "request": f"request-{self._requests}", **game, **more}

    def press(self, client: TestClient, code: str, **more: str) -> str:
        """The page that comes of a button of the desk."""
        return str(client.post(f"{DESK}/do", data=self.fields(client, wish=code, **more)).text)
