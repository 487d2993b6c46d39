"""The arbiter's desk: signs in, shows what can be decided, and passes on what is decided.

Everything that changes something is posted, from this page only, by somebody who is signed in; the service decides
what is possible. Nothing here waits in the page's loop: the service is asked in a thread.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import LiveError
from tamsk_hw.facts.desk_refusals import DeskRefusal
from tamsk_hw.live.client import connect
from tamsk_hw.panel.possible import Hindrance
from tamsk_hw.web.arbiter_token import TokenFile
from tamsk_hw.web.asked import label_of
from tamsk_hw.web.desk_view import desk_view
from tamsk_hw.web.gate import COOKIE, FORM_HEADERS, Gate, address_of, request_name
from tamsk_hw.web.new_game import FormError, read_form
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.posted import JSON, PostRefused, is_https, kind_of
from tamsk_hw.web.security import own_cookie
from tamsk_hw.web.sessions import SESSION_SECONDS, DeskAnswer, Limiter
from tamsk_hw.web.wishes import confirmation, read_wish, request_for
from tamsk_hw.words import desk as words
from tamsk_hw.words.live import hindrance_words

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
