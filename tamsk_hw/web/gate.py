"""The gate of posted forms."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tamsk_hw.web.pages import Pages, with_query
from tamsk_hw.web.posted import JSON, PostRefused, check_origin, kind_of, malformed, read_fields
from tamsk_hw.web.security import DeskAnswer, Limiter, Session, Sessions, TokenFile, own_cookie
from tamsk_hw.words.translating import tr

COOKIE: Final = "tamsk-desk"

#: Requests that one address may make in a minute, besides those that sign in.
REQUESTS: Final = 120

#: Headers of every page with a form.
FORM_HEADERS: Final = {"Cache-Control": "no-store"}

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


#: The most characters of an address: those of IPv6, with a zone.
_MOST_ADDRESS: Final = 64


def address_of(request: Request) -> str:
    """The address from which somebody asks; behind a proxy on this computer, the one that it names."""
    return "" if request.client is None else request.client.host[:_MOST_ADDRESS]


class PostGuard:
    """The one way in for everything that changes something."""

    def __init__(self, pages: Pages, file: TokenFile, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.sessions = Sessions(file, clock)
        self._pages = pages
        self._requests = Limiter(REQUESTS, 60.0, clock)
        pages.is_arbiter = lambda request: self.session(request) is not None

    def session(self, request: Request) -> Session | None:
        """The session of the browser, if its user is signed in."""
        return self.sessions.find(request.cookies.get(own_cookie(request, COOKIE)))

    def route(
        self,
        path: str,
        answer: Callable[[Request, dict[str, str]], Awaitable[Response]],
        limiter: Limiter | None = None,
    ) -> Route:
        """An address to which fields are posted by this site's pages: not too many, not too large.

        ``limiter`` counts them; without it they are counted among all others.
        """

        async def read_and_answer(request: Request) -> Response:
            return await answer(request, await read_fields(request))

        return self.raw_route(path, read_and_answer, limiter)

    def raw_route(
        self, path: str, answer: Callable[[Request], Awaitable[Response]], limiter: Limiter | None = None
    ) -> Route:
        """The same where ``answer`` reads the post."""
        counted = limiter or self._requests

        async def guarded(request: Request) -> Response:
            try:
                check_origin(request)
                if not counted.allows(address_of(request)):
                    raise PostRefused(429, tr("Too many attempts; wait a minute."))
                return await answer(request)
            except PostRefused as refused:
                return self._refusal(request, refused)

        return Route(path, guarded, methods=["POST"])

    async def do_once(
        self,
        request: Request,
        fields: Mapping[str, str],
        begin: Callable[[], Coroutine[Any, Any, DeskAnswer] | str],
    ) -> Response:
        """Do what a form asks for; posted twice, it is done once.

        ``begin`` returns the work, or the address of a page that comes first.

        Raises:
            PostRefused: nobody is signed in, or the form is of another session or has no name.
        """
        session = self.checked(request, fields)
        name = fields.get("request", "")
        if not _REQUEST_ID.fullmatch(name):
            raise malformed()
        answer = session.answers.get(name)
        if answer is None:
            work = begin()
            if isinstance(work, str):
                return RedirectResponse(work, 303, FORM_HEADERS)
            answer = session.begin(name, work)
        outcome = await asyncio.shield(answer)
        if kind_of(request) != JSON:
            return RedirectResponse(with_query(outcome.where, answer=name), 303, FORM_HEADERS)
        if outcome.done is None:
            return JSONResponse({"refused": outcome.words}, 409, FORM_HEADERS)
        return JSONResponse({"done": outcome.done, "words": outcome.words}, headers=FORM_HEADERS)

    def signed_in(self, request: Request) -> Session:
        """The session of the browser.

        Raises:
            PostRefused: nobody is signed in there.
        """
        session = self.session(request)
        if session is None:
            raise PostRefused(401, tr("You are not signed in, or no longer: sign in again."))
        return session

    def checked(self, request: Request, fields: Mapping[str, str]) -> Session:
        """The session of the browser that posts a form.

        Raises:
            PostRefused: nobody is signed in there, or the form is of another session.
        """
        session = self.signed_in(request)
        if not secrets.compare_digest(session.csrf.encode(), fields.get("csrf", "").encode()):
            raise PostRefused(403, tr("The page was too old for that; look at the desk and press again."))
        return session

    def sign_in_page(self, request: Request, status: int = 200, why: str = "") -> Response:
        """The form by which to sign in; ``why``: the reason for which nothing else is shown."""
        has_token = self.sessions.file.kept() is not None
        shown = self._pages.render(request, "sign_in.html", status, why=why, has_token=has_token)
        shown.headers.update(FORM_HEADERS)
        return shown

    def _refusal(self, request: Request, refused: PostRefused) -> Response:
        headers = {**FORM_HEADERS, **({"Retry-After": "60"} if refused.status == 429 else {})}
        if kind_of(request) == JSON:
            return JSONResponse({"refused": refused.why}, refused.status, headers)
        if refused.status == 401:
            return self.sign_in_page(request, 401, refused.why)
        shown = self._pages.render(request, "desk_refused.html", refused.status, why=refused.why)
        shown.headers.update(headers)
        return shown
