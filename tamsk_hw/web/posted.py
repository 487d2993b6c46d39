"""Forms that are posted, and the language of a page.

Posts of a browser: from this page only, small, and as a form or JSON; or a file with a form.

The language of an answer: its address names it, else the reader chose it, else the browser asks for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

from tamsk_hw.errors import CatalogueError, JournalError
from tamsk_hw.journal.changes import MOST_IMPORT
from tamsk_hw.journal.records import checked_name
from tamsk_hw.system.output import Language
from tamsk_hw.words.translating import catalogue, tr

#: The most bytes of a body.
MOST_BYTES: Final = 8 * 1024

#: The most fields.
_MOST_FIELDS: Final = 40

#: The most bytes of a file, and of the rest of a form that has one.
MOST_FILE: Final = MOST_IMPORT
_MOST_REST: Final = 8 * 1024

UPLOAD: Final = "multipart/form-data"
FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"


class PostRefused(Exception):
    """A post is refused with a status and a sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


def malformed(field: str | None = None) -> PostRefused:
    """A refusal of something that no form of this page sends; ``field`` is the wrong one, if it is known."""
    if field is None:
        return PostRefused(400, tr("That is not understood."))
    return PostRefused(400, tr("That is not understood. The wrong field: {detail}.", detail=field))


def posted_name(fields: Mapping[str, str], field: str) -> str | None:
    """The name in a field of a form; None for an empty one.

    Raises:
        PostRefused: it is no name.
    """
    try:
        return checked_name(fields.get(field))
    except JournalError:
        raise malformed(field) from None


def kind_of(request: Request) -> str:
    """The media type of a request's body."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def is_https(request: Request) -> bool:
    """True when the browser speaks TLS, perhaps with a proxy before this page."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")


def check_origin(request: Request) -> None:
    """Take requests from pages of this site only; a browser says which page asks.

    Raises:
        PostRefused: another site's page asks, or nobody says which.
    """
    host, origin = request.headers.get("host"), request.headers.get("origin")
    site = request.headers.get("sec-fetch-site")
    try:
        is_own = site == "same-origin" if origin is None else urlsplit(origin).netloc == host
    except ValueError:
        is_own = False
    if not is_own or site not in (None, "same-origin"):
        raise PostRefused(
            403,
            tr(
                "Only this page's own forms may ask for that. A proxy in front of the page must pass on the "
                "header Host as the browser sends it, with the port."
            ),
        )


async def read_upload(request: Request) -> tuple[dict[str, str], bytes]:
    """The fields of a posted form, and the content of its field ``file``; b"" where none was chosen.

    Raises:
        PostRefused: it is too large, or not understood.
    """
    if kind_of(request) != UPLOAD:
        raise PostRefused(415, tr("That is neither a form nor JSON."))
    too_large = PostRefused(
        413,
        tr(
            "That is too large: at most {count} MiB. In a shell: tamsk-hw games import FILE", count=MOST_FILE >> 20
        ),
    )

    async def bounded() -> AsyncGenerator[bytes, None]:
        size = 0
        async for part in request.stream():
            size += len(part)
            if size > MOST_FILE + _MOST_REST:
                raise too_large
            yield part

    try:
        parser = MultiPartParser(request.headers, bounded(), max_files=1, max_fields=8, max_part_size=_MOST_REST)
        form = await parser.parse()
        pairs = form.multi_items()
        files = [value for name, value in pairs if name == "file" and isinstance(value, UploadFile)]
        fields = {name: value for name, value in pairs if isinstance(value, str)}
        if len(pairs) != len(fields) + len(files):
            raise malformed()
        "".join(fields.values()).encode()
        content = b"" if not files else await files[0].read()
        await form.close()
    except (ClientDisconnect, MultiPartException, ValueError, KeyError):
        raise malformed() from None
    if len(content) > MOST_FILE:
        raise too_large
    return fields, content


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a posted form, or of a JSON object whose values are texts.

    Raises:
        PostRefused: it is too large, or not understood.
    """
    kind = kind_of(request)
    if kind not in (FORM, JSON):
        raise PostRefused(415, tr("That is neither a form nor JSON."))
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise PostRefused(413, tr("That is too large."))
    except ClientDisconnect:
        raise malformed() from None
    try:
        text = body.decode()
        pairs = (
            _json(text)
            if kind == JSON
            else parse_qsl(
                text,
                keep_blank_values=True,
                strict_parsing=bool(text),
                errors="strict",
                max_num_fields=_MOST_FIELDS,
            )
        )
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise ValueError("a field twice")
        "".join(fields.values()).encode()
    except (ValueError, RecursionError):
        raise malformed() from None
    return fields


def _json(text: str) -> list[tuple[str, str]]:
    """The pairs of a JSON object. Raises `ValueError` when it is none, or has values that are no texts."""
    record = json.loads(text)
    if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
        raise ValueError("no object of texts")
    return list(record.items())


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
    """``/language``: keep the language that was chosen, and go back to the page where that was done."""
    try:
        check_origin(request)
        fields = await read_fields(request)
        language = _BY_CODE.get(fields.get("language", ""))
        if language is None:
            raise malformed()
    except PostRefused as refused:
        return PlainTextResponse(refused.why, refused.status)
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
