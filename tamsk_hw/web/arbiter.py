"""The arbiter's page.

Everything that changes something is posted, from this page only, by somebody who is signed in; the service decides
what is possible.
"""

import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import LiveError, StreamError
from tamsk_hw.forms import to_json
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start, TimerSide
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.panel.keys import Rejection, is_played
from tamsk_hw.partner.intention import PARTNER_NAMES
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.web import gate, requests
from tamsk_hw.web.live import LineKind, LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import TokenFile, own_cookie
from tamsk_hw.words.translating import tr, worded

#: Failures to sign in from one address in a minute, after which it waits. Nobody else waits: a token is too long
#: to be guessed by many addresses together.
SIGN_INS: Final = 6

#: The most rulings on the page.
_MOST_RULINGS: Final = 40

#: Asks the service, and returns its answer. Raises `LiveError` when there is none.
Ask = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


def rules_choices() -> tuple[tuple[str, str, Mapping[Any, str]], ...]:
    """The choices of the form by which a game is set up: each a key of the ruleset, its label, and its options.

    Options are values of the ruleset with their labels.
    """
    levels = {1: tr("1: without sand"), 2: tr("2: with sand"), 3: tr("3: with the 15-second timer")}
    starts = {Start.CORNERS: tr("in the corners"), Start.FREE: tr("free: placed one by one")}
    penalties = {
        LatePenalty.TWO_RINGS: tr("the opponent drops two rings"),
        LatePenalty.LOSE_TURN: tr("the next turn is lost"),
    }
    forfeits = {True: tr("has that penalty, too"), False: tr("has no other penalty")}
    sides = {None: tr("not said"), TimerSide.LEFT: tr("left"), TimerSide.RIGHT: tr("right")}
    return (
        ("level", tr("Level"), levels),
        ("start", tr("Start of the glasses"), starts),
        ("late_penalty", tr("Penalty for lateness"), penalties),
        ("forfeit_penalised", tr("A turn lost by the timer"), forfeits),
        ("timer_side", tr("Black's side for the timer"), sides),
    )


def choice_text(value: int | Start | LatePenalty | TimerSide | None) -> str:
    """The text that the form sends for a value of the ruleset."""
    if value is None:
        return "none"
    return ("yes" if value else "no") if isinstance(value, bool) else str(to_json(value))


class ArbiterDesk:
    """The arbiter's page of each table. ``guard`` protects everything else that the arbiter may change, too."""

    def __init__(
        self, pages: Pages, file: TokenFile, ask: Callable[[Request], Ask], clock: Callable[[], float]
    ) -> None:
        """``ask`` gives the way to ask the table that is meant; ``clock`` gives seconds that never decrease."""
        self.guard = gate.PostGuard(pages, file, clock)
        self._pages = pages
        self._ask = ask
        self._sign_ins = gate.Limiter(SIGN_INS, clock)

    def routes(self, at: str = "") -> list[BaseRoute]:
        """The page's addresses, where those of a table begin with ``at``."""
        post, desk = self.guard.route, f"{at}{self._pages.desk}"
        return [
            Route(desk, self.show, methods=["GET"]),
            post(f"{desk}/sign-in", self.sign_in, self._sign_ins),
            post(f"{desk}/sign-out", self.sign_out),
            post(f"{desk}/do", self.do),
        ]

    async def show(self, request: Request) -> Response:
        """``/arbiter``: the page, or the form by which to sign in; the address names a tube, or a command."""
        if self.guard.session(request) is None:
            return self.guard.sign_in_page(request)
        pages, asked = self._pages.of(request), request.query_params
        table = pages.live
        place, game = table.kept.place, table.kept.game
        scene = table.scene if table.absence is None else None
        confirm = requests.COMMANDS.get(asked.get("confirm", ""))
        possible = scene is not None and confirm is not None and requests.is_possible(confirm, scene.state)
        is_set_up = scene is None or is_played(scene.view, scene.state.offered) or scene.state.offered
        return self.guard.form_page(
            request,
            "desk.html",
            board=request.path_params.get("board"),
            events=f"{pages.at}/events",
            scene=table.scene,
            here=table.absence is None,
            answers=None if scene is None else requests.answers_now(scene.state, table.kept.rulings()),
            confirm=confirm if possible else None,
            not_possible=scene is not None and "confirm" in asked and not possible,
            tube=TUBE_OF_NAME.get(asked.get("tube", "")),
            choices=() if is_set_up else rules_choices(),
            rules=_rules(table),
            text_of_choice=choice_text,
            game="" if game is None else game.key,
            place="" if place is None else str(place),
            rulings=pages.rulings(_MOST_RULINGS),
            programs=tuple(PARTNER_NAMES),
        )

    async def sign_in(self, request: Request) -> Response:
        """Sign in by a token."""
        fields = await gate.read_fields(request)
        signed_in = self.guard.sign_in(fields.get("token", "").strip())
        if signed_in is None:
            why = tr("That token is wrong, or a newer one has been made.")
            if gate.kind_of(request) == gate.JSON:
                raise HTTPException(403, why)
            return self.guard.sign_in_page(request, 403, why)
        self._sign_ins.forgive(gate.asked_from(request))
        secret, session = signed_in
        answer: Response = RedirectResponse(self._pages.of(request).desk, 303, gate.FORM_HEADERS)
        if gate.kind_of(request) == gate.JSON:
            answer = JSONResponse({"csrf": session.csrf}, headers=gate.FORM_HEADERS)
        gate.give_cookie(request, answer, own_cookie(request, gate.COOKIE), secret, gate.SESSION_SECONDS)
        return answer

    async def sign_out(self, request: Request) -> Response:
        """Sign out."""
        self.guard.checked(request, await gate.read_fields(request))
        self.guard.sign_out(request)
        answer = RedirectResponse(self._pages.of(request).desk, 303, gate.FORM_HEADERS)
        answer.delete_cookie(own_cookie(request, gate.COOKIE), httponly=True, samesite="strict")
        return answer

    async def do(self, request: Request) -> Response:
        """Send a command to the service, or a game that is set up."""
        fields = await gate.read_fields(request)
        return await self.guard.do_once(request, fields, lambda: self._begin(request, fields))

    def _begin(self, request: Request, fields: Mapping[str, str]) -> Coroutine[Any, Any, gate.DeskAnswer] | str:
        """The work that a form asks for, or the page on which it must be confirmed first.

        Raises:
            HTTPException: it is not understood.
        """
        if "setup" in fields:
            return self._pass_on(request, *setup_of(fields), fields)
        code = fields.get("wish", "")
        command = requests.COMMANDS.get(code)
        if command is None:
            raise gate.malformed()
        if requests.confirmation(command) is not None and fields.get("confirmed") != "yes":
            return f"{self._pages.of(request).desk}?confirm={code}"
        label = partial(requests.label_of, command)
        what = requests.request_for(command)
        return self._pass_on(request, what, label, lambda: tr("Done: {label}.", label=label()), fields)

    async def _pass_on(
        self,
        request: Request,
        what: Mapping[str, Any],
        label: Callable[[], str],
        done: Callable[[], str],
        fields: Mapping[str, str],
    ) -> gate.DeskAnswer:
        """Ask the service, if the game is still the one that was on the page."""

        pages = self._pages.of(request)
        table = pages.live

        def refused(why: Callable[[], str]) -> gate.DeskAnswer:
            return gate.DeskAnswer(lambda: tr("Refused: {label}. {why}", label=label(), why=why()), pages.desk)

        if table.absence is not None or table.scene is None:
            return refused(lambda: tr("The service does not answer; nothing was changed."))
        if table.kept.game is not None and table.kept.game.key != fields.get("game", ""):
            return refused(lambda: tr("Another game is on the board by now; nothing was changed."))
        try:
            answer = await self._ask(request)(what)
        except LiveError:
            return refused(lambda: tr("The service has not answered; look at the board before you try again."))
        if "refused" in answer:
            return refused(lambda: _reason(answer))
        return gate.DeskAnswer(done, pages.desk, answer["done"])


def _rules(table: LiveTable) -> Ruleset:
    """The rules of the newest game; the usual ones without a game, and for a newer service's header."""
    rules = Ruleset()
    with suppress(StreamError):
        for line in table.kept.current(LineKind.GAME):
            rules = parse_header(line.record["header"], "header").ruleset
    return rules


def _reason(answer: Mapping[str, Any]) -> str:
    """The reason of a service or a bridge in the language that is spoken; in its words if it is not known here."""
    known = next((each for each in Rejection if each.value == answer.get("why")), None)
    return worded(str(answer["refused"]) if known is None else known.sentence)


def setup_of(fields: Mapping[str, str]) -> tuple[dict[str, Any], Callable[[], str], Callable[[], str]]:
    """The request of the form by which a game is set up, its label, and its words when it is done.

    Without rules the names alone change. Colours may be drawn by lot (E 1.1).

    Raises:
        HTTPException: the form has another choice, or a name that is too long.
    """
    ruleset: dict[str, Any] = {}
    for key, _, options in rules_choices():
        if key in fields:
            values = {choice_text(value): to_json(value) for value in options}
            if fields[key] not in values:
                raise gate.malformed(key)
            ruleset[key] = values[fields[key]]
    red, black = (gate.posted_name(fields, player) for player in ("red", "black"))
    is_drawn = fields.get("lot") == "yes"
    is_swapped = is_drawn and secrets.choice((False, True))
    if is_swapped:
        red, black = black, red
    setup = {"names": {"red": red, "black": black}, **({"ruleset": ruleset} if ruleset else {})}

    def label() -> str:
        return tr("Set up a game") if ruleset else tr("Change the names")

    def done() -> str:
        if is_drawn and red == black:
            return tr("By lot: change places.") if is_swapped else tr("By lot: stay where you sit.")
        if is_drawn:
            return tr(
                "The lot: {red} has red, {black} has black. The game is set up.",
                red=red or tr("nobody named"),
                black=black or tr("nobody named"),
            )
        return tr("The game is set up.") if ruleset else tr("The names are changed.")

    return {"setup": setup}, label, done
