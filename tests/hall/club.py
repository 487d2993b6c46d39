"""A club's evening in one process: boards that a test plays, tournaments, and their pages."""

import re
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from httpx2 import Response
from starlette.testclient import TestClient

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.errors import LiveError
from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import Player
from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.hall import Hall
from tamsk_hw.hall.page import HallNews
from tamsk_hw.hall.rounds import Tournaments
from tamsk_hw.hall.store import Store
from tamsk_hw.hall.tournament import Pairing, Tournament
from tamsk_hw.hall.tournament_page import TournamentPages
from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.mqtt.messages import EventMessage, HeaderMessage, PresenceMessage, RulingMessage, StateMessage
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.rulings import GameOver, Reason
from tamsk_hw.web.app import page_app
from tamsk_hw.web.gate import COOKIE, PostGuard
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Binding, TokenFile
from tests.web.stream import greeting, state_line
from tests.web.tables import ORIGIN, begun

#: Four entrants as a form has them.
FOUR: Final = "Ann\nBob\nCid\nDan"

RED, BLACK = Player.RED, Player.BLACK

SETUP: Final[dict[str, Any]] = state_line(Referee(Header()).view(0.0))["state"]
PLAY: Final = begun()


class PlayedBoard(HallBoard):
    """A board of the hall, with what its bridge would send."""

    def __init__(self, name: str, store: Store) -> None:
        super().__init__(name, LiveTable(lambda: 0.0, lambda: 0.0), store, store.games().get(name, ()))
        self.count = 0
        self.asked: list[Mapping[str, Any]] = []
        self.refuses = ""
        self.names = NO_NAMES
        self.on_message(PresenceMessage(online=True, service=greeting()), 0.0)
        self.begin(NO_NAMES)

    @property
    def key(self) -> str:
        return f"{self.name}-{self.count}"

    def begin(self, names: Names) -> None:
        """Set up the next game."""
        self.count += 1
        self.names = names
        self.on_message(HeaderMessage(game=self.key, header=Header().as_dict(), names=names), 0.0)
        self.show(SETUP)

    def show(self, state: Mapping[str, Any]) -> None:
        self.on_message(StateMessage(game=self.key, number=0, names=self.names, state=state), 0.0)

    def end(self, winner: Player | None, red: int, black: int, reason: Reason = Reason.FEWEST_RINGS) -> None:
        """The game is over."""
        over = to_json(GameOver(9.0, "R5.2", winner, reason, {RED: red, BLACK: black}))
        self.on_message(EventMessage(game=self.key, number=1, event={"t": 9.0, "event": "tick"}, rulings=1), 0.0)
        self.on_message(RulingMessage(game=self.key, number=1, place=0, ruling=over), 0.0)


class Club:
    """A hall with boards "1" to "10" or so; ``restart`` begins it again with its database."""

    def __init__(self, folder: Path, boards: int = 2) -> None:
        self.folder = folder
        self._names = [str(number) for number in range(1, boards + 1)]
        self._requests = 0
        self.restart()

    def restart(self) -> None:
        self.store = Store(self.folder / "hall.sqlite")
        self.hall = Hall(MqttSettings(), self.store, lambda: 0.0, lambda: 1_000_000.0)
        self.boards = {name: PlayedBoard(name, self.store) for name in self._names}
        self.hall.boards.update(self.boards)
        self.hall.ask = self._ask  # type: ignore[method-assign]
        self.every = Tournaments(self.hall, self.store, lambda: 1_000_000.0)
        self.live = LiveTable(lambda: 0.0, lambda: 0.0)
        self.pages = Pages(self.live)
        self.pages.more = HallNews(self.hall, self.every)
        self.pages.templates.globals["is_hall"] = True
        file = TokenFile.of(self.folder)
        self.guard = PostGuard(self.pages, file, count().__next__)  # nobody posts too often
        routes = TournamentPages(self.pages, self.guard, self.hall, self.every).routes
        self.app = page_app(self.pages, Binding("127.0.0.1"), routes)
        self.token = file.renew()

    async def _ask(self, name: str, by: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        board = self.boards[name]
        if not board.is_online:
            raise LiveError(f"{name} cannot be reached")
        board.asked.append(request)
        if board.refuses:
            return {"refused": board.refuses}
        if "setup" in request:
            board.begin(Names(**request["setup"]["names"]))
        else:
            board.show(PLAY)
        return {"done": True}

    def browser(self, *, signed_in: bool = True) -> TestClient:
        client = TestClient(self.app, base_url=ORIGIN, raise_server_exceptions=False, headers={"origin": ORIGIN})
        if signed_in:
            entered = self.guard.sign_in(self.token)
            assert entered is not None
            client.cookies.set(f"{COOKIE}-8137", entered[0])
        return client

    def post(self, client: TestClient, what: str, name: str = "Cup", **fields: str) -> Response:
        """Send a form; return the page that comes of it."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/tournament").text)
        self._requests += 1
        given = {"csrf": csrf[1] if csrf else "", "request": f"request-{self._requests}", "tournament": name}
        return client.post("/tournament/change", data={**given, "change": what, **fields})

    def answered(self, client: TestClient, what: str, name: str = "Cup", **fields: str) -> str:
        """Send a form; return the answer."""
        text = self.post(client, what, name, **fields).text
        answer = re.search(r'id="answer"[^>]*>([^<]*)<', text)
        assert answer is not None, text
        return answer[1].replace("&#39;", "'")

    def tour(self, asked: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """All that the pages say, each with a name."""
        client, guest = self.browser(), self.browser(signed_in=False)
        for each in (client, guest):
            each.headers.update(asked)
        yield "none", guest.get("/tournament").text
        four = {"system": "knock_out", "level": "2", "entrants": "Ann\nBob\nCid\nDan"}
        yield "doubled", self.post(client, "new", **{**four, "entrants": "Ann\nAnn"}).text
        yield "nameless", self.post(client, "new", "..", **four).text
        yield "new", self.post(client, "new", **four).text
        yield "paired", self.post(client, "pair", round="1").text
        yield "paired twice", self.post(client, "pair", round="1").text
        yield "missing", self.post(client, "pair", round="2").text
        self.boards["1"].refuses = "Glas"
        self.boards["2"].on_message(PresenceMessage(online=False), 0.0)
        yield "refused", self.post(client, "send").text
        for board in self.boards.values():
            board.refuses = ""
            board.on_message(PresenceMessage(online=True), 0.0)
        yield "sent", self.post(client, "send").text
        self.boards["1"].begin(Names(red="Ann", black="Dan"))
        self.boards["1"].end(RED, 3, 4)
        yield "started", self.post(client, "start").text
        yield "tie", self.post(client, "result", round="1", table="1", red="4", black="4").text
        yield "tied", self.post(client, "result", round="1", table="2", red="4", black="4").text
        yield "again", self.post(client, "pair", round="2").text
        yield "results stay", self.post(client, "unpair").text
        for table in ("1", "2"):
            yield table, self.post(client, "result", round="1", table=table, winner="red").text
        yield "late", self.post(client, "enter", entrant="Eve").text
        for _ in range(2):
            yield "withdrawn", self.post(client, "withdraw", entrant="Bob").text
        yield "odd", self.post(client, "hand", round="2", **{"red-1": "0", "black-1": "0"}).text
        yield "round 2", self.post(client, "pair", round="2").text
        yield "sure", self.post(client, "result", round="1", table="1", winner="black").text
        yield "gone", self.post(client, "take", round="1", table="1", game="x").text
        yield "taken back", self.post(client, "unpair").text
        yield "rings", self.post(client, "result", round="1", table="1", winner="red", red="99", black="1").text
        yield "board", self.post(client, "result", round="1", table="1", winner="red", board="2").text
        yield "guest", guest.get("/tournament/Cup").text
        yield "list", client.get("/tournament").text

    @property
    def cup(self) -> Tournament:
        return self.every.all["Cup"]

    def at(self, round_number: int, table: int) -> Pairing:
        return next(each for each in self.cup.pairings if each.place == (round_number, table))

    def said(self) -> list[tuple[str, str]]:
        """The log, the oldest first: who changed what, in English."""
        return [(each.by, each.said.format_map(each.given)) for each in reversed(self.every.log("Cup"))]
