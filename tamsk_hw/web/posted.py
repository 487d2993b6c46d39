"""Posts of a browser: from this page only, small, and as a form or JSON; or a file with a form."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from tamsk_hw.facts.desk_refusals import DeskRefusal
from tamsk_hw.journal.importing import MOST_IMPORT

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
    """What was posted is refused with a status; ``detail`` names the wrong field of a form."""

    def __init__(self, status: int, why: DeskRefusal, detail: str | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.why = why
        self.detail = detail


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
        raise PostRefused(403, DeskRefusal.FOREIGN)


async def read_upload(request: Request) -> tuple[dict[str, str], bytes]:
    """The fields of a posted form, and the content of its field ``file``; b"" where none was chosen.

    Raises:
        PostRefused: it is too large, or not understood.
    """
    if kind_of(request) != UPLOAD:
        raise PostRefused(415, DeskRefusal.OTHER_FORM)
    too_large = PostRefused(413, DeskRefusal.FILE_TOO_LARGE)

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
            raise PostRefused(400, DeskRefusal.MALFORMED)
        "".join(fields.values()).encode()
        content = b"" if not files else await files[0].read()
        await form.close()
    except (ClientDisconnect, MultiPartException, ValueError, KeyError):
        raise PostRefused(400, DeskRefusal.MALFORMED) from None
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
        raise PostRefused(415, DeskRefusal.OTHER_FORM)
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise PostRefused(413, DeskRefusal.TOO_LARGE)
    except ClientDisconnect:
        raise PostRefused(400, DeskRefusal.MALFORMED) from None
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
        raise PostRefused(400, DeskRefusal.MALFORMED) from None
    return fields


def _json(text: str) -> list[tuple[str, str]]:
    """The pairs of a JSON object. Raises `ValueError` when it is none, or has values that are no texts."""
    record = json.loads(text)
    if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
        raise ValueError("no object of texts")
    return list(record.items())
