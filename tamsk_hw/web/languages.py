"""The language of a page: its address names it, else the reader chose it, else the browser asks for it."""

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from tamsk_hw.errors import CatalogueError
from tamsk_hw.system.output import Language
from tamsk_hw.web.gate import check_origin, give_cookie, malformed, read_fields
from tamsk_hw.words.translating import catalogue

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


async def choose_language(request: Request) -> Response:
    """``/language``: keep the language that was chosen, and go back to the page where that was done.

    Raises:
        HTTPException: another site's page asks, or no form of this page sends that.
    """
    check_origin(request)
    fields = await read_fields(request)
    language = _BY_CODE.get(fields.get("language", ""))
    if language is None:
        raise malformed()
    answer = RedirectResponse(_own_path(fields.get("back", "")), 303, {"Cache-Control": "no-store"})
    give_cookie(request, answer, COOKIE, language.value, _KEPT)
    return answer


def _own_path(back: str) -> str:
    """The address, if it is one of this page's; else the scoreboard's."""
    try:
        parts = urlsplit(back)
    except ValueError:
        return "/"
    is_path = back.startswith("/") and not back.startswith("//") and back.isprintable() and "\\" not in back
    return back if is_path and not parts.scheme and not parts.netloc else "/"
