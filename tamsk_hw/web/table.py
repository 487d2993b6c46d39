"""The page at which a table is played.

The board refuses what physics forbids and the referee rules on the rest, so nothing is judged here. Where the page
is for this computer alone, everybody who reaches it may play, from the page's own address. Where it is open to a
network, a browser has the hands of the seats whose links it has opened (`tamsk_hw.web.seats`).
"""

from collections.abc import Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

import segno
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import HandsError, LiveError, StreamError
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.hands.actions import HandAction, read_action
from tamsk_hw.partner.intention import PARTNER_NAMES, seat_of
from tamsk_hw.referee.events import Action
from tamsk_hw.referee.view import Phase
from tamsk_hw.simulator.world import PressKind
from tamsk_hw.web.arbiter import Ask, choice_text, rules_choices, setup_of
from tamsk_hw.web.gate import FORM_HEADERS, Limiter, PostGuard, asked_from, give_cookie, malformed, read_fields
from tamsk_hw.web.live import NewsFeed
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.requests import COMMANDS, answers_now, decide, request_for
from tamsk_hw.web.scene import TableScene
from tamsk_hw.web.seats import SEAT_COOKIES, Seats, SeenTable
from tamsk_hw.web.security import own_cookie
from tamsk_hw.words.prompts import decided_words
from tamsk_hw.words.table import DONE, done_words
from tamsk_hw.words.translating import tr

#: Actions of one address in a minute.
ACTIONS: Final = 600

#: Failures of one address to sit down, in a minute.
SITTINGS: Final = 12

#: Seconds that a hand takes to let a glass down that was dragged, and in which a ring comes to rest.
TRAVEL, FALL = 0.1, 0.2

_SEATS: Final = {"red": {Player.RED}, "black": {Player.BLACK}, "both": set(Player)}

#: The seat of a browser that only watches.
_NO_SEAT: Final = "none"


class PlayTable:
    """The page ``/table``."""

    def __init__(
        self,
        pages: Pages,
        seen: SeenTable,
        guard: PostGuard,
        ask: Ask,
        clock: Callable[[], float],
        seats: Seats | None = None,
    ) -> None:
        """``ask`` asks the service; ``clock`` gives seconds that never decrease.

        ``seats``: those of a page that is open to a network; without them everybody plays everything.
        """
        self._pages = Pages(seen.live, seen)
        self._pages.is_arbiter = lambda request: pages.is_arbiter(request)
        for each in (pages, self._pages):
            each.templates.globals.update(has_hands=True, start_choices=self._start_choices, played=self._played)
        self._seen = seen
        self._guard = guard
        self._ask = ask
        self._seats = seats
        self._actions = Limiter(ACTIONS, clock)
        self._sittings = Limiter(SITTINGS, clock)

    @property
    def routes(self) -> list[BaseRoute]:
        """The table's addresses."""
        post = self._guard.route
        return [
            Route("/table", self.show, methods=["GET"]),
            Route("/table/now", self._pages.now, methods=["GET"]),
            Route("/table/events", self._pages.events, methods=["GET"]),
            post("/table/do", self.do, self._actions),
            post("/table/sit", self.sit, self._sittings),
            post("/table/choose", self.choose),
            post("/table/again", self.again),
            post("/table/answer", self.answer),
            post("/table/pause", self.pause),
        ]

    def offer_lessons(self, lesson: NewsFeed) -> None:
        """Its page leads to the lessons, too, and its events have the news of the ``lesson`` that is taught."""
        self._pages.more = lesson
        self._pages.templates.globals.update(has_lessons=True)

    async def show(self, request: Request) -> Response:
        """``/table?seat=red``: the table for red, black or both."""
        return self._pages.render(request, "table.html", **self.shown(request))

    def shown(self, request: Request) -> dict[str, Any]:
        """The contents of a template with the table."""
        return {
            **self._pages.whole(),
            "seat": self.seat(request, wished := request.query_params.get("seat")),
            "changes": wished is None and self._players(request) == set(PLAYERS),
            "decides": self._players(request) == set(PLAYERS),
            "invitations": self._invitations(request),
        }

    def seat(self, request: Request, wished: str | None) -> str:
        """The seat that a browser gets: the wished one if it may have it."""
        his = self._players(request)
        may = [name for name, players in _SEATS.items() if players <= his]
        if wished in may:
            return str(wished)
        left = his - self._played()
        usual = next(iter(left)).value if len(left) == 1 else "both"
        return usual if usual in may else next(iter(may), _NO_SEAT)

    def _played(self) -> frozenset[Player]:
        """The players whom the program plays."""
        game, link = self._pages.live.kept.game, self._seen.link
        program = None if game is None else seat_of(red=game.names.red, black=game.names.black)
        # The newest name counts: a rematch may have given the program the other colour.
        follows = link.follows_names or len(link.played) == 1
        return link.played if program is None or not follows else frozenset({program.player})

    def check_hands(self, request: Request, needed: AbstractSet[Player] = frozenset()) -> None:
        """Take requests of browsers that have the needed players' hands, or anybody's.

        Raises:
            HTTPException: it has not.
        """
        his = self._players(request)
        if not his:
            raise HTTPException(
                403, tr("You have no seat here, or the page was started again since: scan a seat's QR code.")
            )
        if not needed <= his:
            raise HTTPException(403, tr("That is for the other player's hands; you have yours only."))

    def _players(self, request: Request) -> frozenset[Player]:
        return frozenset(PLAYERS) if self._seats is None else self._seats.players_of(request)

    def _invitations(self, request: Request) -> list[tuple[Player, str, str, Markup]]:
        """Of each seat the colour, its words, its link and its QR code; for the board's own computer only."""
        if self._seats is None or not self._seats.is_at_the_board(request):
            return []
        links = {player: self._seats.link(player) for player in PLAYERS}
        return [
            (
                player,
                _seat(player),
                link,
                Markup(segno.make(link, error="l", micro=False).svg_inline(omitsize=True, light="#fff")),
            )
            for player, link in links.items()
        ]

    async def sit(self, request: Request) -> Response:
        """``/table/sit``: take a player's seat by the secret of its link."""
        fields = await read_fields(request)
        try:
            player = Player(fields.get("seat", ""))
        except ValueError:
            raise malformed() from None
        answer = JSONResponse({"done": 1, "words": _seat(player)}, headers=FORM_HEADERS)
        if self._seats is None:
            return answer
        session = self._seats.sit_down(player, fields.get("secret", ""))
        if session is None:
            raise HTTPException(
                403,
                tr(
                    "This seat's link is not whole, or holds no longer, as the page was started again. Scan the "
                    "new QR code: tamsk-hw play prints it, and the table on the board's own computer shows it."
                ),
            )
        self._sittings.forgive(asked_from(request))
        give_cookie(request, answer, own_cookie(request, SEAT_COOKIES[player]), session)
        return answer

    async def do(self, request: Request) -> Response:
        """``/table/do``: have hands do something; the answer comes when it is done."""
        fields = await read_fields(request)
        self.check_hands(request)
        name = fields.pop("do", "")
        if name not in DONE:
            raise HTTPException(400, tr("Players do no such thing here; tamsk-hw hands breaks and repairs parts."))
        try:
            values: dict[str, Any] = dict(fields)
            if "turned" in values:
                values["turned"] = values["turned"] == "yes"
            values |= self._besides(name, values)
            wanted = read_action(name, values)
            if wanted.values.get("press") in (PressKind.DOWN, PressKind.UP):
                raise ValueError(name)  # nobody would let it go when the browser has gone
        except (ValueError, StreamError):
            raise malformed() from None
        self.check_hands(request, _hands_for(wanted))
        if self._seen.scene is not None and self._seen.scene.stands:
            return JSONResponse({"refused": tr("The game pauses; go on first.")}, headers=FORM_HEADERS)
        doing = self._seen.link.do({"do": name, **values})
        return await _answered(doing, lambda: done_words(name, wanted.values))

    def _besides(self, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of an action besides those of the page: a hand that was dragged is there already."""
        match name:
            case "seat":
                return {"travel": TRAVEL}
            case "drop":
                return {"within": FALL}
            case "place":
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

    def _start_choices(self, scene: TableScene) -> list[tuple[str, list[tuple[str, dict[str, str], bool]]]]:
        """The choices that are offered before a game, each group with its title.

        A choice has its words, the fields that the page posts for it, and whether it is the present one.
        """
        view, names = scene.view, scene.names
        if not self._seen.link.follows_names or view.phase is not Phase.SETUP or scene.state.offered:
            return []
        program = seat_of(red=names.red, black=names.black)
        side = Player.BLACK if program is None else program.player
        now = {"level": str(view.level), "red": names.red or "", "black": names.black or ""}
        options = {key: choices for key, _, choices in rules_choices()}
        levels, sides = options["level"], options["timer_side"] if view.level == 3 else {}
        opponents = {"": tr("a person")} | {name: name for name in PARTNER_NAMES}
        present = "" if program is None else now[side.value]
        swapped = now | {"red": now["black"], "black": now["red"]}
        colours = [] if program is None else [(tr("Change colours"), swapped, False)]
        return [
            (tr("Level"), [(words, now | {"level": str(n)}, n == view.level) for n, words in levels.items()]),
            (
                tr("Against"),
                [(words, now | {side.value: name}, name == present) for name, words in opponents.items()],
            ),
            (tr("Who plays red"), [*colours, (tr("Draw lots"), now | {"lot": "yes"}, False)]),
            (
                tr("Black's side for the timer"),
                [
                    (words, now | {"timer_side": choice_text(side)}, side is view.timer_side)
                    for side, words in sides.items()
                ],
            ),
        ]

    async def choose(self, request: Request) -> Response:
        """``/table/choose``: before a game, its level and who plays; it takes both players' hands."""
        fields = await read_fields(request)
        self.check_hands(request, frozenset(PLAYERS))
        scene = self._seen.scene
        if scene is None or not self._start_choices(scene):
            raise HTTPException(409, tr("The game has begun; nothing was changed."))
        what, _, done = setup_of(fields)
        return await _answered(self._ask(what), done)

    async def again(self, request: Request) -> Response:
        """``/table/again``: after a game hands set the board up, and the next one begins."""
        await read_fields(request)  # which refuses what no form of this page sends
        self.check_hands(request)
        scene = self._seen.scene
        if scene is None or scene.view.over is None:
            raise HTTPException(409, tr("Another game is on the board by now; nothing was changed."))
        return await _answered(self._begin_again(), lambda: tr("The board is set up for the next game."))

    async def _begin_again(self) -> Mapping[str, Any]:
        """Have hands set the board up, and the service begin the next game; give its answer."""
        tidied = await self._seen.link.do({"do": "tidy"})
        return tidied if "refused" in tidied else await self._ask({"do": {"game": "next"}})

    async def pause(self, request: Request) -> Response:
        """``/table/pause``: ask for a pause, or in one for its end; both players must, and the program does."""
        await read_fields(request)
        self.check_hands(request)
        scene = self._seen.scene
        if scene is None or scene.view.phase is not Phase.PLAY:
            raise HTTPException(409, tr("No game is being played."))
        if not self._seen.ask_pause(scene.view, self._players(request) | self._played()):
            return JSONResponse({"done": 1, "words": tr("The other player is asked.")}, headers=FORM_HEADERS)
        command = decide(Action.RESUME if scene.view.paused else Action.PAUSE)
        return await _answered(self._ask(request_for(command)), lambda: decided_words(command))

    async def answer(self, request: Request) -> Response:
        """``/table/answer``: answer a question for the arbiter; it takes both players' hands."""
        fields = await read_fields(request)
        self.check_hands(request, frozenset(PLAYERS))
        scene = self._seen.scene
        answers = None if scene is None else answers_now(scene.state, self._seen.live.kept.rulings())
        command = COMMANDS.get(fields.get("answer", ""))
        if command is None or command not in (answers or ()):
            raise HTTPException(409, tr("That is not asked any more; nothing was changed."))
        asking = self._ask(request_for(command))
        return await _answered(asking, lambda: tr("The answer is taken."))


def _seat(player: Player) -> str:
    """The place of the browsers that have a player's hands."""
    return tr("{Player}'s seat", player=player)


async def _answered(asking: Awaitable[Mapping[str, Any]], done: Callable[[], str]) -> Response:
    """The answer of the hands or the service, for the page: refused, or ``done`` with its words.

    Where nobody answers the page may ask again.
    """
    try:
        answer = await asking
    except (HandsError, LiveError) as error:
        return JSONResponse({"refused": str(error)}, 503, {**FORM_HEADERS, "Retry-After": "1"})
    if "refused" in answer:
        return JSONResponse({"refused": str(answer["refused"])}, headers=FORM_HEADERS)
    return JSONResponse({"done": answer.get("done"), "words": done()}, headers=FORM_HEADERS)


def _hands_for(action: HandAction) -> frozenset[Player]:
    """The players whose hands an action needs; Start is pressed by anybody's."""
    if action.name == "press":
        return frozenset(player for player in PLAYERS if player.value == action.values["button"].value)
    needed = {action.values.get("player"), action.values.get("to") if action.name == "take" else None}
    return frozenset(player for player in PLAYERS if player in needed)
