"""The gate of posted forms.

The way in for whoever posts something: from this page only, signed in, and not too often.

The form by which a game is set up: level, variants, names, and colours by lot. Chance comes in.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tamsk_hw.errors import JournalError
from tamsk_hw.facts.refusals import DeskRefusal
from tamsk_hw.game.ruleset import LatePenalty, Start
from tamsk_hw.journal.records import checked_name
from tamsk_hw.live.stream import Names
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.posted import JSON, PostRefused, check_origin, kind_of, read_fields
from tamsk_hw.web.security import Limiter, Session, Sessions, TokenFile, own_cookie
from tamsk_hw.words import arbiter as words

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


class Gate:
    """The one way in for all that changes something."""

    def __init__(self, pages: Pages, file: TokenFile, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.sessions = Sessions(file, clock)
        self._pages = pages
        self._requests = Limiter(REQUESTS, 60.0, clock)
        pages.is_arbiter = lambda request: self.session(request) is not None

    def session(self, request: Request) -> Session | None:
        """The session of whoever asks, if he is signed in."""
        return self.sessions.find(request.cookies.get(own_cookie(request, COOKIE)))

    def guarded(
        self,
        answer: Callable[[Request, dict[str, str]], Awaitable[Response]],
        limiter: Limiter | None = None,
    ) -> Callable[[Request], Awaitable[Response]]:
        """Take posted fields from this site's pages, not too many, not too large.

        ``limiter`` counts them; without it they are counted among all others.
        """

        async def read_and_answer(request: Request) -> Response:
            return await answer(request, await read_fields(request))

        return self.watched(read_and_answer, limiter)

    def watched(
        self, answer: Callable[[Request], Awaitable[Response]], limiter: Limiter | None = None
    ) -> Callable[[Request], Awaitable[Response]]:
        """Take posts from this site's pages, not too many by ``limiter``; ``answer`` reads them."""
        counted = limiter or self._requests

        async def watched(request: Request) -> Response:
            try:
                check_origin(request)
                if not counted.allows(address_of(request)):
                    raise PostRefused(429, DeskRefusal.TOO_OFTEN)
                return await answer(request)
            except PostRefused as refused:
                return self._refusal(request, refused)

        return watched

    def signed_in(self, request: Request) -> Session:
        """The session of whoever asks.

        Raises:
            PostRefused: he is not signed in.
        """
        session = self.session(request)
        if session is None:
            raise PostRefused(401, DeskRefusal.NOT_SIGNED_IN)
        return session

    def checked(self, request: Request, fields: Mapping[str, str]) -> Session:
        """The session of whoever posts a form of his own page.

        Raises:
            PostRefused: he is not signed in, or the form is of another session.
        """
        session = self.signed_in(request)
        if not secrets.compare_digest(session.csrf.encode(), fields.get("csrf", "").encode()):
            raise PostRefused(403, DeskRefusal.STALE)
        return session

    def sign_in_page(self, request: Request, status: int = 200, why: DeskRefusal | None = None) -> Response:
        """The form by which to sign in; ``why``: the reason why nothing else is shown."""
        return self._render(
            request,
            "sign_in.html",
            status,
            why=None if why is None else words.desk_refusal_words(why),
            has_token=self.sessions.file.kept() is not None,
        )

    def _render(self, request: Request, template: str, status: int, **more: Any) -> Response:
        shown = self._pages.render(request, template, status, said=words.desk_texts(), **more)
        shown.headers.update(FORM_HEADERS)
        return shown

    def _refusal(self, request: Request, refused: PostRefused) -> Response:
        headers = dict(FORM_HEADERS)
        if refused.status == 429:
            headers["Retry-After"] = "60"
        why = words.desk_refusal_words(refused.why)
        if refused.detail is not None:
            why = words.form_refused_words(refused.detail)
        if kind_of(request) == JSON:
            return JSONResponse({"refused": why}, refused.status, headers)
        if refused.status == 401:
            return self.sign_in_page(request, 401, refused.why)
        shown = self._render(request, "desk_refused.html", refused.status, why=why)
        shown.headers.update(headers)
        return shown


def request_name(fields: Mapping[str, str]) -> str:
    """The name that the browser gave its request.

    Raises:
        PostRefused: it has none.
    """
    name = fields.get("request", "")
    if not _REQUEST_ID.fullmatch(name):
        raise PostRefused(400, DeskRefusal.MALFORMED)
    return name


_LEVELS = {"1": 1, "2": 2, "3": 3}
_PENALTIES = {each.value: each.value for each in LatePenalty}
_STARTS = {each.value: each.value for each in Start}
_YES = {"yes": True, "no": False}

#: The choices of the form, as keys of the ruleset in a header.
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "level": _LEVELS,
    "start": _STARTS,
    "late_penalty": _PENALTIES,
    "forfeit_penalised": _YES,
}


class FormError(Exception):
    """A form that no desk has sent; its text is the name of the wrong field."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as the arbiter wants it; ``ruleset`` None: the names alone change. ``drawn``: colours by lot."""

    ruleset: Mapping[str, Any] | None
    names: Names
    drawn: bool

    def as_request(self) -> dict[str, Any]:
        """What the service is asked for (docs/live.md, Requests)."""
        names = {"names": self.names.as_dict()}
        return {"setup": names if self.ruleset is None else {"ruleset": dict(self.ruleset), **names}}


def read_form(fields: Mapping[str, str], choose: Callable[[tuple[bool, bool]], bool]) -> NewGame:
    """The game that a form describes; ``choose`` draws one of two for colours by lot.

    Raises:
        FormError: a choice that the form does not have, or a name that is too long.
    """
    ruleset: dict[str, Any] = {}
    for key, choices in CHOICES.items():
        if key in fields:
            if fields[key] not in choices:
                raise FormError(key)
            ruleset[key] = choices[fields[key]]
    red, black = (_name(fields, player) for player in ("red", "black"))
    drawn = fields.get("lot") == "yes"
    if drawn and choose((False, True)):
        red, black = black, red
    return NewGame(ruleset or None, Names(red=red, black=black), drawn)


def _name(fields: Mapping[str, str], player: str) -> str | None:
    try:
        return checked_name(fields.get(player))
    except JournalError:
        raise FormError(player) from None
