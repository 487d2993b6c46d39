"""A page with hands at a simulated board, in simulated time: what is posted is done at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tamsk_hw.errors import HandsError, TamskError
from tamsk_hw.forms import from_json, to_json
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, End
from tamsk_hw.hands.actions import read_action
from tamsk_hw.hands.observation import Observation
from tamsk_hw.live.state import TableState, state_as_dict
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Button, ButtonName, Press, Seat
from tamsk_hw.web.app import page_app
from tamsk_hw.web.arbiter import Ask
from tamsk_hw.web.gate import PostGuard
from tamsk_hw.web.lessons import LessonPages, TutorProcess
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.seats import HandsLink, Seats, SeenTable
from tamsk_hw.web.security import Hosts, TokenFile
from tamsk_hw.web.table import PlayTable
from tests.hands.at_hand import AtHand
from tests.web.desk_table import ORIGIN
from tests.web.stream import Told, greeting


class LinkAtHand(HandsLink):
    """A connection to a board in the same process."""

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


def begun() -> dict[str, Any]:
    """The state of a game that has begun, all glasses on their start tubes."""
    referee = Referee(Header())
    for number, tube in enumerate(tube for player in PLAYERS for tube in START_TUBES[player]):
        referee.handle(Seat(0.1 * number, tube, End.A))
    referee.handle(Button(2.0, ButtonName.START, Press.SHORT))
    state = TableState(referee.view(2.0), False, frozenset(ButtonName))
    record: dict[str, Any] = json.loads(json.dumps(state_as_dict(state)))
    return record


def play_table(
    pages: Pages, live: LiveTable, link: HandsLink, folder: Path, ask: Ask, seats: Seats | None = None
) -> PlayTable:
    """The table with hands, whose clock stands still."""
    gate = PostGuard(pages, TokenFile.of(folder), lambda: 0.0)
    return PlayTable(pages, SeenTable(live, link, lambda: 0.0), gate, ask, lambda: 0.0, seats)


class HandsTable:
    """A page with a board, and a service that says yes."""

    def __init__(self, folder: Path) -> None:
        self.at_hand = AtHand(seed=1)
        self.link = LinkAtHand(self.at_hand)
        self.live = LiveTable(lambda: 0.0, lambda: 0.0)
        self.asked: list[Mapping[str, Any]] = []
        pages = Pages(self.live)
        self.play = play_table(pages, self.live, self.link, folder, self._ask)
        self.school = TutorProcess([folder / "live.sock"], [folder / "hands.sock"])
        gate = PostGuard(pages, TokenFile.of(folder), lambda: 0.0)
        self.pages = pages
        lessons = LessonPages(pages, self.play, gate, self.school)
        app = page_app(pages, Hosts("127.0.0.1"), [*self.play.routes, *lessons.routes])
        self.client = TestClient(app, base_url=ORIGIN, raise_server_exceptions=False, headers={"origin": ORIGIN})
        self.live.greeted(greeting())
        self.live.heard({"state": begun()})

    def _ask(self, what: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(what)
        return {"done": 5}

    def do(self, **fields: str) -> Any:
        return self.client.post("/table/do", json=fields)

    def ask(self, game: str) -> None:
        """Play a game to its question."""
        for record in Told().game(game):
            self.live.heard(record)
            if record.get("state", {}).get("question"):
                return
        raise AssertionError("nothing was asked")

    def place(self, tube: str) -> dict[str, str]:
        """What the page says of a tube."""
        html = self.client.get("/table/now").text
        found = re.search(rf'<g id="place-{tube}"(.*?)>', html, re.DOTALL)
        assert found is not None
        return dict(re.findall(r'([a-z-]+)="([^"]*)"', found[1]))


def hands_tour(table: HandsTable, asked: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """All that the page of a table says, and of everything that hands can do; each with a name."""
    client = table.client
    client.headers.update(asked)

    def did(*deeds: dict[str, str]) -> Iterator[tuple[str, str]]:
        for deed in deeds:
            answer = client.post("/table/do", json=deed).json()
            assert "done" in answer, (deed, answer)
            yield deed["do"], answer["words"]

    yield "table", client.get("/table").text
    red, black = {"player": "red"}, {"player": "black"}
    yield from did(
        {"do": "drop", **red, "tube": "D4"},
        {"do": "take", **red, "tube": "D4"},
        {"do": "turn_timer", **black},
        {"do": "lift", **red, "tube": "D1"},
        {"do": "turn", **red},
        {"do": "seat", **red, "tube": "D2"},
        {"do": "lean", **black, "tube": "G1"},
        {"do": "straighten", **black, "tube": "G1"},
        {"do": "lean", **black, "tube": "A1"},
        {"do": "lift", **red, "tube": "G4"},
        {"do": "put_away", **red},
        {"do": "place", **red, "tube": "G4", "glass": "G4"},
        {"do": "lift", **red, "tube": "G4"},
        {"do": "put_away", **red},
        {"do": "lift", **red, "tube": "A4"},
        {"do": "take_up", **black},
        {"do": "put_back", **black},
        {"do": "take_up", **black},
        {"do": "press", "button": "red"},
    )
    yield "much at hand", client.get("/table").text
    yield from did({"do": "put_away", **red})
    yield from did({"do": "put_timer_away", **red})
    yield "timer away", client.get("/table").text
    yield from did({"do": "place_timer", **red})
    yield "timer back", client.get("/table").text
    table.ask("R5.4-twice-unseen")
    yield "asked", client.get("/table").text
    yield "answered", client.post("/table/answer", json={"answer": "award-red"}).json()["words"]
    for record in Told().game("R5.2-fewest-rings"):
        table.live.heard(record)
    yield "over", client.get("/table").text
    yield "again", client.post("/table/again", json={}).json()["words"]
    yield "lessons", client.get("/learn").text
    yield from ((f"lesson {number}", client.get(f"/learn/{number}").text) for number in (1, 10))
