"""The language of an answer: its address names it, else the reader chose it, else the browser asks for it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamsk_hw.errors import CatalogueError
from tamsk_hw.facts.desk_refusals import DeskRefusal
from tamsk_hw.system.language import Language
from tamsk_hw.web.posted import PostRefused, check_origin, is_https, read_fields
from tamsk_hw.words.desk import desk_refusal_words
from tamsk_hw.words.translating import catalogue, speaking

COOKIE: Final = "tamsk-language"

#: Seconds for which a browser keeps the choice: a year.
_KEPT: Final = 365 * 24 * 3600

#: The most languages of a browser that are looked at.
_MOST_RANGES: Final = 30

#: An element of ``Accept-Language`` (RFC 9110, section 12.5.4): a language range, perhaps with its weight.
_RANGE: Final = re.compile(
    r"(?P<code>[a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*(?:[ \t]*;[ \t]*q=(?P<weight>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?",
    re.ASCII | re.IGNORECASE,
)

_BY_CODE: Final = {language.value: language for language in Language}


def accepted_language(header: str, usual: Language) -> Language | None:
    """The language that an ``Accept-Language`` header likes best; None when it likes none of the program's.

    A region is passed over, as in ``de-AT``. ``*`` stands for the ``usual`` language. Of equal weights the first
    counts; what is not understood is passed over.
    """
    weights: dict[Language, float] = {}
    for element in header.split(",", _MOST_RANGES)[:_MOST_RANGES]:
        read = _RANGE.fullmatch(element.strip(" \t"))
        if read is None:
            continue
        code = read["code"].lower()
        language = usual if code == "*" else _BY_CODE.get(code)
        if language is not None:
            weights.setdefault(language, float(read["weight"] or 1.0))
    best = max(weights, key=lambda language: weights[language], default=None)
    return best if best is not None and weights[best] > 0 else None


def language_of(scope: Scope, usual: Language) -> Language:
    """The language in which a request is answered; a stream's address names that of its page."""
    request = Request(scope)
    named = _BY_CODE.get(request.query_params.get("language", ""))
    chosen = _BY_CODE.get(request.cookies.get(COOKIE, ""))
    language = (
        named or chosen or accepted_language(Headers(scope=scope).get("accept-language", ""), usual) or usual
    )
    try:
        catalogue(language)
    except CatalogueError:
        return Language.ENGLISH
    return language


class Translated:
    """Has the application answer each request in its language; ``usual``: of a browser that names none."""

    def __init__(self, app: ASGIApp, usual: Language) -> None:
        self.app = app
        self._usual = usual

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the request's language. What all languages share, below ``/static``, names none."""
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        language = language_of(scope, self._usual)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Language"] = language.value
                headers.add_vary_header("Accept-Language, Cookie")
            await send(message)

        with speaking(language):
            await self.app(scope, receive, send_named)


async def choose_language(request: Request) -> Response:
    """``/language``: keep the language that was chosen, and go back to the page where that was done."""
    try:
        check_origin(request)
        fields = await read_fields(request)
    except PostRefused as refused:
        return PlainTextResponse(desk_refusal_words(refused.why), refused.status)
    language = _BY_CODE.get(fields.get("language", ""))
    if language is None:
        return PlainTextResponse(desk_refusal_words(DeskRefusal.MALFORMED), 400)
    answer = RedirectResponse(_own_path(fields.get("back", "")), 303, {"Cache-Control": "no-store"})
    answer.set_cookie(
        COOKIE, language.value, max_age=_KEPT, secure=is_https(request), httponly=True, samesite="strict"
    )
    return answer


def _own_path(back: str) -> str:
    """The address, if it is one of this page's; else the scoreboard's."""
    try:
        parts = urlsplit(back)
    except ValueError:
        return "/"
    is_path = back.startswith("/") and not back.startswith("//") and back.isprintable() and "\\" not in back
    return back if is_path and not parts.scheme and not parts.netloc else "/"
