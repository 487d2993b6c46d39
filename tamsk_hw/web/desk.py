"""The arbiter's desk: signs in, shows what can be decided, and passes on what is decided.

Everything that changes something is posted, from this page only, by somebody who is signed in; the service decides
what is possible. Nothing here waits in the page's loop: the service is asked in a thread.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
from tamsk_hw.web.desk_view import desk_view, label_of
from tamsk_hw.web.new_game import FormError, read_form
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.posted import JSON, PostRefused, check_origin, is_https, kind_of, read_fields
from tamsk_hw.web.sessions import SESSION_SECONDS, DeskAnswer, Limiter, Session, Sessions
from tamsk_hw.web.wishes import confirmation, read_wish, request_for
from tamsk_hw.words import desk as words
from tamsk_hw.words.live import hindrance_words

COOKIE: Final = "tamsk-desk"

#: Attempts to sign in from one address, and from all, in a minute.
SIGN_INS: Final = 6
ALL_SIGN_INS: Final = 30

#: Other requests that one address may make in a minute.
REQUESTS: Final = 120

_HEADERS: Final = {"Cache-Control": "no-store"}

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)

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
    """The desk of one table."""

    def __init__(self, pages: Pages, file: TokenFile, ask: Ask, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.sessions = Sessions(file, clock)
        self._pages = pages
        self._ask = ask
        self._sign_ins = Limiter(SIGN_INS, 60.0, clock)
        self._all_sign_ins = Limiter(ALL_SIGN_INS, 60.0, clock)
        self._requests = Limiter(REQUESTS, 60.0, clock)

    @property
    def routes(self) -> list[BaseRoute]:
        """The desk's addresses."""
        return [
            Route("/arbiter", self.show, methods=["GET"]),
            Route("/arbiter/sign-in", self._guarded(self.sign_in), methods=["POST"]),
            Route("/arbiter/sign-out", self._guarded(self.sign_out), methods=["POST"]),
            Route("/arbiter/do", self._guarded(self.do), methods=["POST"]),
        ]

    # What is shown.

    async def show(self, request: Request) -> Response:
        """``/arbiter``: the desk, or the form by which to sign in."""
        session = self._session(request)
        if session is None:
            return self._sign_in_page(request)
        asked = request.query_params
        view = desk_view(
            self._pages.table,
            tube=asked.get("tube"),
            confirm=asked.get("confirm"),
            answer=session.answered(asked.get("answer")),
        )
        fresh = secrets.token_urlsafe(12)
        return self._render(request, "desk.html", desk=view, csrf=session.csrf, fresh=fresh)

    def _sign_in_page(self, request: Request, status: int = 200, why: str | None = None) -> Response:
        has_token = self.sessions.file.kept() is not None
        return self._render(request, "sign_in.html", status, why=why, has_token=has_token)

    def _render(self, request: Request, template: str, status: int = 200, **more: Any) -> Response:
        return self._pages.render(request, template, status, said=words.desk_texts(), **more)

    def _session(self, request: Request) -> Session | None:
        return self.sessions.find(request.cookies.get(COOKIE))

    # What is posted.

    def _guarded(
        self, answer: Callable[[Request, dict[str, str]], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Take posts from this site's pages, not too many, not too large."""

        async def guarded(request: Request) -> Response:
            try:
                check_origin(request)
                if not self._requests.allows(_address(request)):
                    raise PostRefused(429, DeskRefusal.TOO_OFTEN)
                return await answer(request, await read_fields(request))
            except PostRefused as refused:
                return self._refusal(request, refused)

        return guarded

    def _refusal(self, request: Request, refused: PostRefused) -> Response:
        headers = dict(_HEADERS)
        if refused.status == 429:
            headers["Retry-After"] = "60"
        why = words.desk_refusal_words(refused.why)
        if refused.detail is not None:
            why = words.form_refused_words(refused.detail)
        if kind_of(request) == JSON:
            return JSONResponse({"refused": why}, refused.status, headers)
        if refused.status == 401:
            return self._sign_in_page(request, 401, why)
        shown = self._render(request, "desk_refused.html", refused.status, why=why)
        shown.headers.update(headers)
        return shown

    async def sign_in(self, request: Request, fields: dict[str, str]) -> Response:
        """Sign in by a token."""
        if not (self._sign_ins.allows(_address(request)) and self._all_sign_ins.allows("")):
            raise PostRefused(429, DeskRefusal.TOO_OFTEN)
        secret = self.sessions.sign_in(fields.get("token", "").strip())
        if secret is None:
            if kind_of(request) == JSON:
                raise PostRefused(403, DeskRefusal.WRONG_TOKEN)
            return self._sign_in_page(request, 403, words.desk_refusal_words(DeskRefusal.WRONG_TOKEN))
        answer: Response = RedirectResponse("/arbiter", 303, _HEADERS)
        if kind_of(request) == JSON:
            session = self.sessions.find(secret)
            answer = JSONResponse({"csrf": session and session.csrf}, headers=_HEADERS)
        answer.set_cookie(
            COOKIE, secret, max_age=SESSION_SECONDS, secure=is_https(request), httponly=True, samesite="strict"
        )
        return answer

    async def sign_out(self, request: Request, fields: dict[str, str]) -> Response:
        """Sign out."""
        self._signed_in(request, fields)
        self.sessions.end(request.cookies.get(COOKIE))
        answer = RedirectResponse("/arbiter", 303, _HEADERS)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    async def do(self, request: Request, fields: dict[str, str]) -> Response:
        """Have the service do something; asked for twice, it is done once."""
        session = self._signed_in(request, fields)
        name = fields.get("request", "")
        if not _REQUEST_ID.fullmatch(name):
            raise PostRefused(400, DeskRefusal.MALFORMED)
        answer = session.answers.get(name)
        if answer is None:
            asked = self._read(fields)
            if isinstance(asked, str):  # to be confirmed first
                return RedirectResponse(f"/arbiter?confirm={asked}", 303, _HEADERS)
            answer = asyncio.ensure_future(self._pass_on(asked, fields.get("game", "")))
            session.remember(name, answer)
        outcome = await asyncio.shield(answer)
        if kind_of(request) == JSON:
            if outcome.done is None:
                return JSONResponse({"refused": outcome.words}, 409, _HEADERS)
            return JSONResponse({"done": outcome.done, "words": outcome.words}, headers=_HEADERS)
        return RedirectResponse(f"/arbiter?answer={name}", 303, _HEADERS)

    def _signed_in(self, request: Request, fields: Mapping[str, str]) -> Session:
        session = self._session(request)
        if session is None:
            raise PostRefused(401, DeskRefusal.NOT_SIGNED_IN)
        if not secrets.compare_digest(session.csrf.encode(), fields.get("csrf", "").encode()):
            raise PostRefused(403, DeskRefusal.STALE)
        return session

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


def _address(request: Request) -> str:
    return "" if request.client is None else request.client.host
