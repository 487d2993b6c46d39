"""The whole page of one table, before a service that a test plays at a real socket; its clock is set by hand."""

import asyncio
import json
import re
import socket
import threading
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from httpx2 import Response
from starlette.routing import BaseRoute
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from tamsk_hw.errors import HandsError, TamskError
from tamsk_hw.forms import from_json, to_json
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, End, Player
from tamsk_hw.hands.actions import read_action
from tamsk_hw.hands.observation import Observation
from tamsk_hw.journal.archive import Archive
from tamsk_hw.live.client import ask
from tamsk_hw.live.stream import Names
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Button, ButtonName, Press, Seat
from tamsk_hw.web.app import PageSettings, page_app, whole_page
from tamsk_hw.web.arbiter import ArbiterDesk
from tamsk_hw.web.archive import ArchivePages
from tamsk_hw.web.gate import COOKIE
from tamsk_hw.web.lessons import LessonPages, TutorProcess
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import GameRepository, Pages
from tamsk_hw.web.replay import Replays
from tamsk_hw.web.seats import HandsLink, Seats, SeenTable
from tamsk_hw.web.security import Binding, TokenFile
from tamsk_hw.web.table import PlayTable
from tests.hands.at_hand import AtHand
from tests.web.stream import Told, greeting, state_line

ORIGIN: Final = "http://127.0.0.1:8137"

#: The cookie of the desk of the page at that port.
OWN_COOKIE: Final = f"{COOKIE}-8137"

#: The address of a page that is open to a network, and a phone's.
OPEN: Final = "http://192.168.1.7:8137"
PHONE: Final = "192.168.1.20"


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


class LinkAtHand(HandsLink):
    """A connection to a board in the same process; what is posted is done at once, in simulated time."""

    def __init__(self, at_hand: AtHand) -> None:
        super().__init__([])
        self.at_hand = at_hand
        self.is_gone = False
        self.see()

    def see(self) -> None:
        """Look at the board."""
        seen = json.loads(json.dumps(to_json(self.at_hand.hands.observe())))
        self.look = from_json(Observation, seen, "look")
        self.publish()

    async def do(self, deed: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.is_gone:
            raise HandsError("the simulated board has gone")
        values = dict(deed)
        try:
            done = self.at_hand.hands.begin(read_action(values.pop("do"), values))
        except TamskError as error:
            return {"refused": str(error)}
        self.at_hand.board.advance(done)
        self.see()
        return {"done": done}


def served_page(table: LiveTable, folder: Path, hands: HandsLink | None = None, **more: Any) -> ASGIApp:
    """The page as the program serves it; socket, token and journal are in the folder."""
    settings = PageSettings(
        binding=Binding("127.0.0.1"),
        services=[folder / "live.sock"],
        token=TokenFile.of(folder),
        games=GameRepository(folder / "journal"),
        **more,
    )
    return whole_page(table, settings, hands)


def begun() -> dict[str, Any]:
    """The state of a game that has begun, all glasses on their start tubes."""
    referee = Referee(Header())
    for number, tube in enumerate(tube for player in PLAYERS for tube in START_TUBES[player]):
        referee.handle(Seat(0.1 * number, tube, End.A))
    referee.handle(Button(2.0, ButtonName.START, Press.SHORT))
    record: dict[str, Any] = state_line(referee.view(2.0), buttons=frozenset(ButtonName))["state"]
    return record


class Table:
    """A page with scoreboard, desk, archive and replays, and with a simulated board if it has ``hands``.

    ``journal`` is the archive's folder. With ``seats`` the page is open to a network, also by their ``names``.
    """

    def __init__(
        self,
        folder: Path,
        journal: Path | None = None,
        *,
        hands: bool = False,
        seats: Seats | None = None,
        names: tuple[str, ...] = (),
        clock: Callable[[], float] | None = None,
        tutor: TutorProcess | None = None,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.seconds = 0.0
        clock = clock or (lambda: self.seconds)
        places = [folder / "live.sock"]
        self.service, asking = FakeService(places[0]), partial(asyncio.to_thread, ask, places)
        self.file = TokenFile.of(folder)
        self.token = self.file.renew()
        self.live = LiveTable(clock, lambda: 1_000_000.0)
        self.pages = Pages(self.live)
        self.desk = ArbiterDesk(self.pages, self.file, lambda request: asking, clock)
        games = GameRepository(journal or folder / "journal")
        self.archive, self.journal = ArchivePages(self.pages, games, self.desk.guard), Archive(games.folder)
        routes: list[BaseRoute] = [*self.desk.routes(), *self.archive.routes, *Replays(self.pages, games).routes]
        if hands or seats is not None:
            self.at_hand = AtHand(seed=1)
            self.link = LinkAtHand(self.at_hand)
            seen = SeenTable(self.live, self.link, clock)
            self.play = PlayTable(self.pages, seen, self.desk.guard, asking, clock, seats)
            self.tutor = tutor or TutorProcess(places, [folder / "hands.sock"])
            routes += LessonPages(self.pages, self.play, self.desk.guard, self.tutor).routes
            routes += self.play.routes
            self.live.greeted(greeting())
            self.live.heard({"state": begun()})
        self.links = seats
        self.app = page_app(self.pages, Binding("127.0.0.1" if seats is None else "0.0.0.0", names=names), routes)
        self._requests = 0
        self._told = Told()

    def client(self, origin: str | None = None, address: str = "testclient", base: str = ORIGIN) -> TestClient:
        """A browser at an address; it says from which site its page is, and calls the page at ``base``."""
        return TestClient(
            self.app,
            base_url=base,
            raise_server_exceptions=False,
            headers={"origin": base if origin is None else origin},
            client=(address, 5),
        )

    @cached_property
    def browser(self) -> TestClient:
        """A browser on the page's own computer."""
        return self.client()

    def signed_in(self) -> TestClient:
        client = self.client()
        assert client.post("/arbiter/sign-in", data={"token": self.token}).status_code == 200
        return client

    def phone(self, address: str = PHONE, at: str = OPEN) -> TestClient:
        """A browser elsewhere, which calls the page by ``at``."""
        return self.client(address=address, base=at)

    def seated(self, player: Player) -> TestClient:
        """A phone that has opened a seat's link."""
        assert self.links is not None
        phone = self.phone()
        answer = phone.post("/table/sit", json={"seat": player.value, "secret": self.links.secrets[player]})
        assert answer.status_code == 200
        return phone

    def tell(self, scenario: str, until: str | None = None, *, names: Names | None = None) -> None:
        """Tell the table a scenario's game: to the state after a ruling of this kind, else to its end."""
        self.live.greeted(greeting())
        is_found = False
        for record in self._told.game(scenario, names=names or Names()):
            self.live.heard(record)
            is_found = is_found or ("ruling" in record and record["ruling"]["ruling"] == until)
            if is_found and "state" in record:
                return
        assert until is None

    @property
    def game(self) -> str:
        return "" if self.live.kept.game is None else self.live.kept.game.key

    def fields(self, client: TestClient, **more: str) -> dict[str, str]:
        """The fields that every form of the arbiter sends besides its own."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/arbiter").text)
        assert csrf is not None
        self._requests += 1
        return {"csrf": csrf[1], "request": f"request-{self._requests}", "game": self.game, **more}

    def press(self, client: TestClient, code: str, **more: str) -> Response:
        """Press a button of the desk; give the page that comes of it."""
        return client.post("/arbiter/do", data=self.fields(client, wish=code, **more))

    def change(self, client: TestClient, what: str, **more: str) -> Response:
        """Send a form of the archive; give the page that comes of it."""
        return client.post("/games/change", data=self.fields(client, change=what, **more))

    def upload(self, client: TestClient, content: bytes, name: str = "game.jsonl", **more: str) -> Response:
        """Send the form with a file."""
        files: dict[str, Any] = {"file": (name, content, "application/octet-stream")}
        return client.post("/games/import", data=self.fields(client, **more), files=files)

    def do(self, **fields: str) -> Any:
        """Have hands do something."""
        return self.browser.post("/table/do", json=fields)

    def place(self, tube: str) -> dict[str, str]:
        """The page's words about a tube."""
        html = self.browser.get("/table/now").text
        found = re.search(rf'<g id="place-{tube}"(.*?)>', html, re.DOTALL)
        assert found is not None
        return dict(re.findall(r'([a-z-]+)="([^"]*)"', found[1]))
