"""The arbiter's page.

What the desk shows: the question with its answers, and every button that would have an effect now.

The arbiter's desk: signs in, shows what can be decided, and passes on what is decided.

Everything that changes something is posted, from this page only, by somebody who is signed in; the service decides
what is possible. Nothing here waits in the page's loop: the service is asked in a thread.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import LiveError, StreamError
from tamsk_hw.facts.refusals import DeskRefusal
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player, Tube
from tamsk_hw.live.client import connect
from tamsk_hw.panel.keys import Hindrance, is_played
from tamsk_hw.partner.intention import PARTNER_NAMES
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.view import Phase
from tamsk_hw.svg import Layout
from tamsk_hw.web.gate import COOKIE, FORM_HEADERS, FormError, Gate, address_of, read_form, request_name
from tamsk_hw.web.live import LineKind, ShownTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.posted import JSON, PostRefused, is_https, kind_of
from tamsk_hw.web.requests import (
    AskedArbiter,
    Wish,
    WishButton,
    asked,
    confirmation,
    decisions_now,
    game_wishes,
    is_possible,
    label_of,
    player_wishes,
    read_wish,
    request_for,
    wish_button,
)
from tamsk_hw.web.scene import TableScene
from tamsk_hw.web.security import SESSION_SECONDS, DeskAnswer, Limiter, TokenFile, own_cookie
from tamsk_hw.web.shown import board_svg
from tamsk_hw.words import arbiter as words
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.table import hindrance_words


@dataclass(frozen=True, slots=True)
class TubeChoice:
    """A tube about which something can be decided."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class ChosenTube:
    """The tube that was tapped or chosen: what is there or belongs there, and what can be decided about it."""

    name: str
    lines: tuple[str, ...]
    buttons: tuple[WishButton, ...]


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """A choice of the form by which a game is set up."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """Everything on the desk; without a table (``scene`` None) only the answer to the last request."""

    scene: TableScene | None
    here: bool
    """The service is there."""
    game: str
    """The key of the game."""
    place: str
    """The newest line of the stream."""
    answer: DeskAnswer | None
    rulings: tuple[tuple[str, str, str], ...]
    """The newest first: time, words, clause."""
    headline: str = ""
    svg: Markup | None = None
    question: AskedArbiter | None = None
    confirm: WishButton | None = None
    confirm_label: str = ""
    """The label of the button that confirms."""
    asked: str = ""
    """What happens if it is confirmed, as a question."""
    not_possible: bool = False
    """What was to be confirmed is not possible any more."""
    game_buttons: tuple[WishButton, ...] = ()
    player_buttons: tuple[WishButton, ...] = ()
    glass_buttons: tuple[WishButton, ...] = ()
    end_buttons: tuple[WishButton, ...] = ()
    tubes: tuple[TubeChoice, ...] = ()
    tube: ChosenTube | None = None
    choices: tuple[RulesChoice, ...] = ()
    """Empty while a game is played: then the names alone can be changed."""
    red: str = ""
    black: str = ""
    programs: tuple[str, ...] = tuple(PARTNER_NAMES)
    """The names by which the program plays."""
    over: bool = False


def desk_view(table: ShownTable, *, tube: str | None, confirm: str | None, answer: DeskAnswer | None) -> DeskView:
    """The desk as the table stands; ``tube`` and ``confirm`` are what the address names."""
    scene, game, place = table.scene, table.kept.game, table.kept.place
    here = table.absence is None
    common = {
        "scene": scene,
        "here": here,
        "game": "" if game is None else game.key,
        "place": "" if place is None else str(place),
        "answer": answer,
        "rulings": _rulings(table),
    }
    if scene is None or not here:
        return DeskView(**common)  # type: ignore[arg-type]
    state, view = scene.state, scene.view
    decisions = decisions_now(state)
    wish = None if confirm is None else read_wish(confirm)
    asks = None if wish is None else confirmation(wish)
    possible = wish is not None and is_possible(wish, state)
    played = is_played(view, state.offered)
    return DeskView(
        **common,  # type: ignore[arg-type]
        headline=headline(scene.diagnosis),
        svg=Markup(board_svg(scene, Layout.BOARD)),
        question=asked(scene, table),
        confirm=wish_button(wish) if wish is not None and asks is not None and possible else None,
        confirm_label="" if wish is None else words.confirm_label(label_of(wish)),
        asked="" if asks is None else words.confirmation_words(asks, view),
        not_possible=confirm is not None and not possible,
        game_buttons=_buttons(game_wishes(state)),
        player_buttons=_buttons(player_wishes(state)),
        glass_buttons=_buttons(each for each in decisions if each.action in (Action.EXPIRE, Action.REVIVE)),
        end_buttons=_buttons(each for each in decisions if each.action in (Action.AWARD, Action.ABANDON)),
        tubes=_places(scene, decisions),
        tube=_chosen(scene, decisions, TUBE_OF_NAME.get(tube or "")),
        choices=() if played or state.offered else _choices(table),
        red=scene.name_of(Player.RED) or "",
        black=scene.name_of(Player.BLACK) or "",
        over=view.phase is Phase.OVER,
    )


def _buttons(wishes: Iterable[Wish]) -> tuple[WishButton, ...]:
    return tuple(wish_button(wish) for wish in wishes)


def _places(scene: TableScene, decisions: list[Arbiter]) -> tuple[TubeChoice, ...]:
    """The tubes about which something can be decided, in board order."""
    view = scene.view
    standing = {glass.tube: glass for glass in view.glasses}
    tubes = sorted({each.tube for each in decisions if each.tube is not None})
    return tuple(
        TubeChoice(tube.name, words.tube_label(tube, standing.get(tube), view.rings[tube])) for tube in tubes
    )


def _chosen(scene: TableScene, decisions: list[Arbiter], tube: Tube | None) -> ChosenTube | None:
    if tube is None:
        return None
    view = scene.view
    glasses = [glass for glass in view.glasses if tube in (glass.tube, glass.standing)]
    lines = [words.glass_line(glass) for glass in glasses]
    if view.rings[tube] or view.rings_seen[tube]:
        lines.append(words.rings_line(view.rings[tube], view.rings_seen[tube]))
    homes = {glass.tube for glass in glasses}
    buttons = _buttons(
        each
        for each in decisions
        if each.tube is tube or (each.tube in homes and each.action in (Action.EXPIRE, Action.REVIVE))
    )
    return ChosenTube(tube.name, tuple(lines), buttons)


def _choices(table: ShownTable) -> tuple[RulesChoice, ...]:
    """The rules that can be chosen, those of the newest game chosen."""
    rules = Ruleset()
    with suppress(StreamError):  # a newer service's header
        for line in table.kept.current(LineKind.GAME):
            rules = parse_header(line.record["header"], "header").ruleset
    chosen = {
        "level": str(rules.level),
        "start": rules.start.value,
        "late_penalty": rules.late_penalty.value,
        "forfeit_penalised": "yes" if rules.forfeit_penalised else "no",
    }
    return tuple(
        RulesChoice(name, label, tuple(options.items()), chosen[name])
        for name, label, options in words.form_choices()
    )


def _rulings(table: ShownTable) -> tuple[tuple[str, str, str], ...]:
    lines = table.kept.current(LineKind.RULING, LineKind.DECISION)
    shown = (line.shown() for line in lines[:-41:-1])
    return tuple((each["clock"], each["said"], each["clause"]) for each in shown)


#: Failures to sign in from one address in a minute, after which it waits. Nobody else waits: a token is too long
#: to be guessed by many addresses together.
SIGN_INS: Final = 6

#: How the service is asked: gives its answer. Raises `LiveError` when there is none.
Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def asker(services: Sequence[Path]) -> Ask:
    """Asks the first service that is found at one of the places."""

    def ask(what: Mapping[str, Any]) -> Mapping[str, Any]:
        with connect(services) as connection:
            return connection.ask(dict(what))

    return ask


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request to the service: what is asked, its words when it is done, and what it is called."""

    what: Mapping[str, Any]
    done: Callable[[], str]
    label: Callable[[], str]

    def answered(self, seq: int) -> DeskAnswer:
        """It was done by this line of the stream."""
        return DeskAnswer(self.done, seq)

    def refused(self, why: Callable[[], str]) -> DeskAnswer:
        """It was not done."""
        return DeskAnswer(lambda: words.refused_words(self.label(), why()))

    def refused_here(self, why: DeskRefusal) -> DeskAnswer:
        """It was not done, for a reason of the desk."""
        return self.refused(partial(words.desk_refusal_words, why))


class ArbiterDesk:
    """The desk of one table. ``gate`` is the way in for everything else that the arbiter may change, too."""

    def __init__(self, pages: Pages, file: TokenFile, ask: Ask, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.gate = Gate(pages, file, clock)
        self.sessions = self.gate.sessions
        self._pages = pages
        self._ask = ask
        self._sign_ins = Limiter(SIGN_INS, 60.0, clock)

    @property
    def routes(self) -> list[BaseRoute]:
        """The desk's addresses."""
        guarded = self.gate.guarded
        return [
            Route("/arbiter", self.show, methods=["GET"]),
            Route("/arbiter/sign-in", guarded(self.sign_in, self._sign_ins), methods=["POST"]),
            Route("/arbiter/sign-out", guarded(self.sign_out), methods=["POST"]),
            Route("/arbiter/do", guarded(self.do), methods=["POST"]),
        ]

    # What is shown.

    async def show(self, request: Request) -> Response:
        """``/arbiter``: the desk, or the form by which to sign in."""
        session = self.gate.session(request)
        if session is None:
            return self.gate.sign_in_page(request)
        asked = request.query_params
        view = desk_view(
            self._pages.table,
            tube=asked.get("tube"),
            confirm=asked.get("confirm"),
            answer=session.answered(asked.get("answer")),
        )
        fresh = secrets.token_urlsafe(12)
        return self._pages.render(
            request, "desk.html", desk=view, said=words.desk_texts(), csrf=session.csrf, fresh=fresh
        )

    # What is posted.

    async def sign_in(self, request: Request, fields: dict[str, str]) -> Response:
        """Sign in by a token."""
        secret = self.sessions.sign_in(fields.get("token", "").strip())
        if secret is None:
            if kind_of(request) == JSON:
                raise PostRefused(403, DeskRefusal.WRONG_TOKEN)
            return self.gate.sign_in_page(request, 403, DeskRefusal.WRONG_TOKEN)
        self._sign_ins.forgive(address_of(request))
        answer: Response = RedirectResponse("/arbiter", 303, FORM_HEADERS)
        if kind_of(request) == JSON:
            session = self.sessions.find(secret)
            answer = JSONResponse({"csrf": session and session.csrf}, headers=FORM_HEADERS)
        answer.set_cookie(
            own_cookie(request, COOKIE),
            secret,
            max_age=SESSION_SECONDS,
            secure=is_https(request),
            httponly=True,
            samesite="strict",
        )
        return answer

    async def sign_out(self, request: Request, fields: dict[str, str]) -> Response:
        """Sign out."""
        self.gate.checked(request, fields)
        self.sessions.end(request.cookies.get(own_cookie(request, COOKIE)))
        answer = RedirectResponse("/arbiter", 303, FORM_HEADERS)
        answer.delete_cookie(own_cookie(request, COOKIE), httponly=True, samesite="strict")
        return answer

    async def do(self, request: Request, fields: dict[str, str]) -> Response:
        """Have the service do something; asked for twice, it is done once."""
        session = self.gate.checked(request, fields)
        name = request_name(fields)
        answer = session.answers.get(name)
        if answer is None:
            asked = self._read(fields)
            if isinstance(asked, str):  # to be confirmed first
                return RedirectResponse(f"/arbiter?confirm={asked}", 303, FORM_HEADERS)
            answer = session.begin(name, self._pass_on(asked, fields.get("game", "")))
        outcome = await asyncio.shield(answer)
        if kind_of(request) == JSON:
            if outcome.done is None:
                return JSONResponse({"refused": outcome.words}, 409, FORM_HEADERS)
            return JSONResponse({"done": outcome.done, "words": outcome.words}, headers=FORM_HEADERS)
        return RedirectResponse(f"/arbiter?answer={name}", 303, FORM_HEADERS)

    def _read(self, fields: Mapping[str, str]) -> _Asked | str:
        """What the service is to be asked for; the code of a wish that is to be confirmed first.

        Raises:
            PostRefused: it is not understood.
        """
        if "setup" in fields:
            try:
                game = read_form(fields, secrets.choice)
            except FormError as error:
                raise PostRefused(400, DeskRefusal.MALFORMED, str(error)) from None
            done = words.set_up_words if game.ruleset else words.names_changed_words
            if game.drawn:
                done = partial(words.drawn_words, game.names.red, game.names.black)
            return _Asked(game.as_request(), done, words.set_up_label if game.ruleset else words.names_label)
        code = fields.get("wish", "")
        wish = read_wish(code)
        if wish is None:
            raise PostRefused(400, DeskRefusal.MALFORMED)
        if confirmation(wish) is not None and fields.get("confirmed") != "yes":
            return code
        label = partial(label_of, wish)
        return _Asked(request_for(wish), lambda: words.done_words(label()), label)

    async def _pass_on(self, asked: _Asked, game: str) -> DeskAnswer:
        """Ask the service, if the game is still the one that was on the page."""
        table = self._pages.table
        if table.absence is not None or table.scene is None:
            return asked.refused_here(DeskRefusal.UNREACHABLE)
        if table.kept.game is not None and table.kept.game.key != game:
            return asked.refused_here(DeskRefusal.OTHER_GAME)
        try:
            answer = await asyncio.to_thread(self._ask, asked.what)
        except LiveError:
            return asked.refused_here(DeskRefusal.UNSURE)
        if "refused" in answer:
            return asked.refused(partial(_reason, answer))
        return asked.answered(int(answer["done"]))


def _reason(answer: Mapping[str, Any]) -> str:
    """The service's reason in the language that is spoken; in the service's words if it is not known here."""
    try:
        return hindrance_words(Hindrance(answer.get("why")))
    except ValueError:
        return str(answer["refused"])
