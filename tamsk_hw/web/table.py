"""The page at which a table is played.

The board refuses what physics forbids and the referee rules on the rest, so nothing is judged here. Where the page
is for this computer alone, whoever reaches it may play, from the page's own address. Where it is open to a
network, a browser has the hands of the seats whose links it has opened (`tamsk_hw.web.seats`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields as fields_of
from typing import Any, Final

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import HandsError, LiveError, StreamError
from tamsk_hw.facts.refusals import DeskRefusal, HandDeed
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.hands.acting import as_json
from tamsk_hw.hands.client import next_deeds
from tamsk_hw.hands.requests import Deed, PressButton, PressKind, Take, read_deed
from tamsk_hw.partner.intention import seat_of
from tamsk_hw.web.arbiter import Ask
from tamsk_hw.web.gate import FORM_HEADERS, Gate, address_of
from tamsk_hw.web.pages import Events, NewsSource, Pages
from tamsk_hw.web.posted import PostRefused, is_https
from tamsk_hw.web.requests import asked, read_wish, request_for
from tamsk_hw.web.seats import SEAT_COOKIES, Seats, SeenTable
from tamsk_hw.web.security import Limiter, own_cookie
from tamsk_hw.words import table as words

#: Deeds of one address in a minute.
DEEDS: Final = 600

#: Failures of one address to sit down, in a minute.
SITTINGS: Final = 12

#: Seconds that a hand takes to let a glass down that was dragged, and in which a ring comes to rest.
TRAVEL, FALL = 0.1, 0.2

#: Rounds of hands in which a board is set up again; each takes at least one thing home.
_MOST_ROUNDS: Final = 100

_SEATS: Final = {"red": {Player.RED}, "black": {Player.BLACK}, "both": set(Player)}

#: The seat of whoever only watches.
_NO_SEAT: Final = "none"


class PlayTable:
    """The page ``/table``."""

    def __init__(
        self,
        pages: Pages,
        seen: SeenTable,
        gate: Gate,
        ask: Ask,
        clock: Callable[[], float],
        seats: Seats | None = None,
    ) -> None:
        """``ask`` asks the service; ``clock`` gives seconds that never decrease.

        ``seats``: those of a page that is open to a network; without them everybody plays everything.
        """
        self._pages = Pages(seen, "/table")
        self._pages.is_arbiter = lambda request: pages.is_arbiter(request)
        for each in (pages, self._pages):
            each.templates.globals.update(has_hands=True)
        self._seen = seen
        self._gate = gate
        self._ask = ask
        self._seats = seats
        self._lesson: NewsSource | None = None
        self._deeds = Limiter(DEEDS, 60.0, clock)
        self._sittings = Limiter(SITTINGS, 60.0, clock)

    @property
    def routes(self) -> list[BaseRoute]:
        """The table's addresses."""
        return [
            Route("/table", self.show, methods=["GET"]),
            Route("/table/now", self._pages.now, methods=["GET"]),
            Route("/table/events", Events(self._pages, self._lesson), methods=["GET"]),
            Route("/table/do", self._gate.guarded(self.do, self._deeds), methods=["POST"]),
            Route("/table/sit", self._gate.guarded(self.sit, self._sittings), methods=["POST"]),
            Route("/table/again", self._gate.guarded(self.again), methods=["POST"]),
            Route("/table/answer", self._gate.guarded(self.answer), methods=["POST"]),
        ]

    def offer_lessons(self, news: NewsSource) -> None:
        """Its page leads to the lessons, too, and its events have the ``news`` of the one that is taught."""
        self._lesson = news
        self._pages.templates.globals.update(has_lessons=True)

    async def show(self, request: Request) -> Response:
        """``/table?seat=red``: the table of whoever plays red, black or both."""
        return self._pages.render(request, "table.html", **self.shown(request))

    def shown(self, request: Request) -> dict[str, Any]:
        """What a template with the table (``_playing.html``) is filled with."""
        return {
            **self._pages.whole(),
            "seat": self.seat(request, request.query_params.get("seat")),
            "decides": self._players(request) == set(PLAYERS),
            "said": words.table_texts(),
            "actions": words.actions(),
            "invitations": self._invitations(request),
        }

    def seat(self, request: Request, wished: str | None) -> str:
        """The seat that a browser gets: the wished one if it may have it."""
        his = self._players(request)
        may = [name for name, players in _SEATS.items() if players <= his]
        if wished in may:
            return str(wished)
        game, played = self._pages.table.kept.game, self._seen.link.played
        program = None if game is None else seat_of(red=game.names.red, black=game.names.black)
        if program is not None and len(played) == 1:  # a rematch may have given it the other colour
            played = frozenset({program.player})
        left = his - played
        usual = next(iter(left)).value if len(left) == 1 else "both"
        return usual if usual in may else next(iter(may), _NO_SEAT)

    def check_hands(self, request: Request, needed: AbstractSet[Player] = frozenset()) -> None:
        """Take requests of browsers that have the needed players' hands, or anybody's.

        Raises:
            PostRefused: it has not.
        """
        his = self._players(request)
        if not his:
            raise PostRefused(403, DeskRefusal.NO_SEAT)
        if not needed <= his:
            raise PostRefused(403, DeskRefusal.OTHER_SEAT)

    def _players(self, request: Request) -> frozenset[Player]:
        return frozenset(PLAYERS) if self._seats is None else self._seats.players_of(request)

    def _invitations(self, request: Request) -> list[tuple[Player, str, str, Markup]]:
        """Of each seat the colour, its words, its link and its QR code; for the board's own computer only."""
        if self._seats is None or not self._seats.is_at_the_board(request):
            return []
        links = {player: self._seats.links.link(player) for player in PLAYERS}
        return [
            (
                player,
                words.seat_words(player),
                link,
                Markup(segno.make(link, error="l", micro=False).svg_inline(omitsize=True, light="#fff")),
            )
            for player, link in links.items()
        ]

    async def sit(self, request: Request, fields: dict[str, str]) -> Response:
        """``/table/sit``: take a player's seat by the secret of its link."""
        try:
            player = Player(fields.get("seat", ""))
        except ValueError:
            raise PostRefused(400, DeskRefusal.MALFORMED) from None
        answer = JSONResponse({"done": 1, "words": words.seat_words(player)}, headers=FORM_HEADERS)
        if self._seats is None:
            return answer
        session = self._seats.sit_down(player, fields.get("secret", ""))
        if session is None:
            raise PostRefused(403, DeskRefusal.DEAD_SEAT)
        self._sittings.forgive(address_of(request))
        answer.set_cookie(
            own_cookie(request, SEAT_COOKIES[player]),
            session,
            secure=is_https(request),
            httponly=True,
            samesite="strict",
        )
        return answer

    async def do(self, request: Request, fields: dict[str, str]) -> Response:
        """``/table/do``: have hands do something; the answer comes when it is done."""
        self.check_hands(request)
        name = fields.pop("do", "")
        try:
            deed = HandDeed(name)
        except ValueError:
            raise PostRefused(400, DeskRefusal.NOT_BY_HAND) from None
        try:
            values: dict[str, Any] = dict(fields)
            if "turned" in values:
                values["turned"] = values["turned"] == "yes"
            wanted = read_deed(name, {**values, **self._besides(deed, values)})
            if isinstance(wanted, PressButton) and wanted.press not in (PressKind.SHORT, PressKind.LONG):
                raise ValueError(wanted.press)  # nobody would let it go when the browser has gone
        except (ValueError, StreamError):
            raise PostRefused(400, DeskRefusal.MALFORMED) from None
        self.check_hands(request, _hands_for(wanted))
        try:
            answer = await self._seen.link.do(_request(wanted))
        except HandsError as error:
            return _unreachable(error)
        player, tube, to = (getattr(wanted, name, None) for name in ("player", "tube", "to"))
        return _answered(answer, lambda: words.done_words(deed, player, tube, to))

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
        self.check_hands(request)
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
            return _unreachable(error)
        return _answered(answer, words.set_up_words)

    async def answer(self, request: Request, fields: dict[str, str]) -> Response:
        """``/table/answer``: who has both players' hands answers what the arbiter is asked; there is none here."""
        self.check_hands(request, frozenset(PLAYERS))
        scene = self._seen.scene
        question = None if scene is None else asked(scene, self._seen)
        code = fields.get("answer", "")
        wish = read_wish(code)
        if question is None or wish is None or code not in [each.code for each in question.answers]:
            raise PostRefused(409, DeskRefusal.NOT_ASKED)
        try:
            answer = await asyncio.to_thread(self._ask, request_for(wish))
        except LiveError as error:
            return _unreachable(error)
        return _answered(answer, words.answered_words)


def _answered(answer: Mapping[str, Any], done: Callable[[], str]) -> Response:
    """What the hands or the service answered, for the page: refused, or ``done`` with its words."""
    if "refused" in answer:
        return JSONResponse({"refused": str(answer["refused"])}, headers=FORM_HEADERS)
    return JSONResponse({"done": answer.get("done"), "words": done()}, headers=FORM_HEADERS)


def _unreachable(error: HandsError | LiveError) -> Response:
    """Nobody answered; the page may ask again."""
    return JSONResponse({"refused": str(error)}, 503, {**FORM_HEADERS, "Retry-After": "1"})


def _hands_for(deed: Deed) -> frozenset[Player]:
    """The players whose hands a deed needs; Start is pressed by anybody's."""
    if isinstance(deed, PressButton):
        return frozenset(player for player in PLAYERS if player.value == deed.button.value)
    needed = {getattr(deed, "player", None), deed.to if isinstance(deed, Take) else None}
    return frozenset(player for player in PLAYERS if player in needed)


def _request(deed: Deed) -> dict[str, Any]:
    """The line by which hands are asked for a deed."""
    values = {field.name: as_json(getattr(deed, field.name)) for field in fields_of(deed)}
    return {"do": deed.name, **{key: value for key, value in values.items() if value is not None}}
