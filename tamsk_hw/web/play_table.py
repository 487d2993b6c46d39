"""The table at which people play on the page: shows it as eyes see it, and passes deeds on to the hands.

The board refuses what physics forbids and the referee rules on the rest, so nothing is judged here. What is posted
needs no sign-in: whoever reaches the page of a simulated board may play at it, from the page's own address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import HandsError, LiveError, StreamError
from tamsk_hw.facts.desk_refusals import DeskRefusal
from tamsk_hw.facts.hand_deeds import HandDeed
from tamsk_hw.game.players import Player
from tamsk_hw.hands.deeds import Deed, PressButton, PressKind
from tamsk_hw.hands.eyes import as_json
from tamsk_hw.hands.requests import read_deed
from tamsk_hw.hands.tidying import next_deeds
from tamsk_hw.web.desk import Ask
from tamsk_hw.web.events import Events
from tamsk_hw.web.gate import FORM_HEADERS, Gate
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.posted import PostRefused
from tamsk_hw.web.seen_table import SeenTable
from tamsk_hw.web.sessions import Limiter
from tamsk_hw.words import table_page as words

#: Deeds of one address in a minute.
DEEDS: Final = 600

#: Seconds that a hand takes to let a glass down that was dragged, and in which a ring comes to rest.
TRAVEL, FALL = 0.1, 0.2

#: Rounds of hands in which a board is set up again; each takes at least one thing home.
_MOST_ROUNDS: Final = 100

_SEATS: Final = {"red": {Player.RED}, "black": {Player.BLACK}, "both": set(Player)}


class PlayTable:
    """The page ``/table``."""

    def __init__(self, pages: Pages, seen: SeenTable, gate: Gate, ask: Ask, clock: Callable[[], float]) -> None:
        """``ask`` asks the service; ``clock`` gives seconds that never decrease."""
        self._pages = Pages(seen, "/table")
        self._pages.is_arbiter = lambda request: pages.is_arbiter(request)
        for each in (pages, self._pages):
            each.templates.globals.update(has_hands=True)
        self._seen = seen
        self._gate = gate
        self._ask = ask
        self._deeds = Limiter(DEEDS, 60.0, clock)

    @property
    def routes(self) -> list[BaseRoute]:
        """The table's addresses."""
        return [
            Route("/table", self.show, methods=["GET"]),
            Route("/table/now", self._pages.now, methods=["GET"]),
            Route("/table/events", Events(self._seen), methods=["GET"]),
            Route("/table/do", self._gate.guarded(self.do, self._deeds), methods=["POST"]),
            Route("/table/again", self._gate.guarded(self.again), methods=["POST"]),
        ]

    def offer_lessons(self) -> None:
        """Its page leads to the lessons, too."""
        self._pages.templates.globals.update(has_lessons=True)

    async def show(self, request: Request) -> Response:
        """``/table?seat=red``: the table of whoever plays red, black or both."""
        return self._pages.render(request, "table.html", **self.shown(request))

    def shown(self, request: Request) -> dict[str, Any]:
        """What a template with the table (``_playing.html``) is filled with."""
        left = set(Player) - self._seen.link.played
        usual = next(iter(left)).value if len(left) == 1 else "both"
        seat = request.query_params.get("seat")
        return {
            **self._pages.whole(),
            "seat": seat if seat in _SEATS else usual,
            "said": words.table_texts(),
            "actions": words.actions(),
        }

    async def do(self, request: Request, fields: dict[str, str]) -> Response:
        """``/table/do``: have hands do something; the answer comes when it is done."""
        name = fields.pop("do", "")
        try:
            deed = HandDeed(name)
            values: dict[str, Any] = dict(fields)
            if "turned" in values:
                values["turned"] = values["turned"] == "yes"
            asked = read_deed(name, {**values, **self._besides(deed, values)})
            if isinstance(asked, PressButton) and asked.press not in (PressKind.SHORT, PressKind.LONG):
                raise ValueError(asked.press)  # nobody would let it go when the browser has gone
        except (ValueError, StreamError):
            raise PostRefused(400, DeskRefusal.MALFORMED) from None
        try:
            answer = await self._seen.link.do(_request(asked))
        except HandsError as error:
            return JSONResponse({"refused": str(error)}, 503, {**FORM_HEADERS, "Retry-After": "1"})
        if "refused" in answer:
            return JSONResponse({"refused": str(answer["refused"])}, headers=FORM_HEADERS)
        said = words.done_words(deed, getattr(asked, "player", None), getattr(asked, "tube", None))
        return JSONResponse({"done": answer.get("done"), "words": said}, headers=FORM_HEADERS)

    def _besides(self, deed: HandDeed, values: Mapping[str, Any]) -> dict[str, Any]:
        """What a deed needs besides what the page says: a hand that was dragged is there already."""
        match deed:
            case HandDeed.SEAT:
                return {"travel": TRAVEL}
            case HandDeed.DROP:
                return {"within": FALL}
            case HandDeed.PLACE:
                return self._as_it_lay(values.get("glass"))
            case _:
                return {}

    def _as_it_lay(self, name: object) -> dict[str, Any]:
        """A glass that was on the board comes back with its sand as it was; another one with its sand above."""
        scene = self._seen.scene
        for glass in () if scene is None or scene.at_hand is None else scene.at_hand.off:
            if glass.seen.name == name and glass.is_known:
                return {"end": glass.seen.end.value}
        return {}

    async def again(self, request: Request, fields: dict[str, str]) -> Response:
        """``/table/again``: after a game hands set the board up, and the next one begins."""
        scene, link = self._seen.scene, self._seen.link
        if scene is None or scene.view.over is None:
            raise PostRefused(409, DeskRefusal.OTHER_GAME)
        try:
            for _ in range(_MOST_ROUNDS):
                if link.look is None or not (deeds := next_deeds(as_json(link.look))):
                    break
                await asyncio.gather(*map(link.do, deeds))
                await asyncio.sleep(2 * TRAVEL)  # until the next look has come
            answer = await asyncio.to_thread(self._ask, {"do": {"game": "next"}})
        except (HandsError, LiveError) as error:
            return JSONResponse({"refused": str(error)}, 503, {**FORM_HEADERS, "Retry-After": "1"})
        if "refused" in answer:
            return JSONResponse({"refused": str(answer["refused"])}, headers=FORM_HEADERS)
        return JSONResponse({"done": answer["done"], "words": words.set_up_words()}, headers=FORM_HEADERS)


def _request(deed: Deed) -> dict[str, Any]:
    """The line by which hands are asked for a deed."""
    values = {field.name: as_json(getattr(deed, field.name)) for field in fields_of(deed)}
    return {"do": deed.name, **{key: value for key, value in values.items() if value is not None}}
