"""A desk before a service that a test plays at a real socket."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

from tamsk_hw.live.stream import Names
from tamsk_hw.web.app import page_app
from tamsk_hw.web.arbiter import ArbiterDesk, asker
from tamsk_hw.web.gate import COOKIE
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Hosts, TokenFile
from tests.web.stream import Told, greeting

ORIGIN = "http://127.0.0.1:8137"

#: The cookie of the desk of the page at that port.
OWN_COOKIE = f"{COOKIE}-8137"


class FakeService:
    """Answers what is asked with ``answer``, at a socket; ``asked`` are the requests without their ids."""

    def __init__(self, place: Path) -> None:
        self.asked: list[Any] = []
        self.answer: Mapping[str, Any] = {"done": 17}
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(place))
        self._listening.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connected, _ = self._listening.accept()
            except OSError:
                return
            with connected, connected.makefile("rw") as lines:
                lines.write(json.dumps(greeting()) + "\n")
                lines.flush()
                for line in lines:
                    request = json.loads(line)
                    name = request.pop("id")
                    self.asked.append(request)
                    lines.write(json.dumps({"re": name, **self.answer}) + "\n")
                    lines.flush()

    def close(self) -> None:
        if self._listening.fileno() >= 0:
            self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()


class DeskTable:
    """A page with a desk, its clock set by hand, its token known."""

    def __init__(self, folder: Path) -> None:
        self.seconds = 0.0
        self.service = FakeService(folder / "live.sock")
        self.file = TokenFile.of(folder)
        self.token = self.file.renew()
        self.table = LiveTable(lambda: 0.0, lambda: 0.0)
        self.pages = Pages(self.table)
        self.desk = ArbiterDesk(self.pages, self.file, asker([folder / "live.sock"]), lambda: self.seconds)
        self.app = page_app(self.pages, Hosts("127.0.0.1"), self.desk.routes)
        self.requests = 0
        self._told = Told()

    def client(self, origin: str = ORIGIN, address: str = "testclient", base: str = ORIGIN) -> TestClient:
        """A browser at an address; it says from which site its page is, and calls the page at ``base``."""
        return TestClient(
            self.app,
            base_url=base,
            raise_server_exceptions=False,
            headers={"origin": origin},
            client=(address, 5),
        )

    def signed_in(self) -> TestClient:
        client = self.client()
        assert client.post("/arbiter/sign-in", data={"token": self.token}).status_code == 200
        return client

    def play(self, scenario: str, until: str | None = None, *, names: Names | None = None) -> None:
        """Tell the table a scenario's game: to the state after a ruling of this kind, else to its end."""
        self.table.greeted(greeting())
        is_found = False
        for record in self._told.game(scenario, names=names or Names()):
            self.table.heard(record)
            is_found = is_found or ("ruling" in record and record["ruling"]["ruling"] == until)
            if is_found and "state" in record:
                return
        assert until is None

    @property
    def game(self) -> str:
        return "" if self.table.kept.game is None else self.table.kept.game.key

    def fields(self, client: TestClient, **more: str) -> dict[str, str]:
        """What a form of the desk sends besides its own fields."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/arbiter").text)
        assert csrf is not None
        self.requests += 1
        return {"csrf": csrf[1], "request": f"request-{self.requests}", "game": self.game, **more}

    def press(self, client: TestClient, code: str, **more: str) -> Response:
        """Press a button of the desk; give the page that comes of it."""
        return client.post("/arbiter/do", data=self.fields(client, wish=code, **more))


__all__ = ["OWN_COOKIE", "DeskTable", "FakeService"]
