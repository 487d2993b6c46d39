"""Posts of browsers: how they are read, who may post, how often, and that each is answered once.

A post comes from this page only, is small, and is a form or JSON, or a file with a form. Sessions live in memory,
under the hash of their cookie's secret.
"""

import asyncio
import json
import re
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.changes import MOST_IMPORT
from tamsk_hw.journal.records import checked_name
from tamsk_hw.web.pages import Pages, with_query
from tamsk_hw.web.security import MOST_SESSIONS, TokenFile, digest, own_cookie
from tamsk_hw.words.translating import tr

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


def malformed(field: str | None = None) -> HTTPException:
    """A refusal of something that no form of this page sends; ``field`` is the wrong one, if it is known."""
    if field is None:
        return HTTPException(400, tr("That is not understood."))
    return HTTPException(400, tr("That is not understood. The wrong field: {detail}.", detail=field))


def posted_name(fields: Mapping[str, str], field: str) -> str | None:
    """The name in a field of a form; None for an empty one.

    Raises:
        HTTPException: it is no name.
    """
    try:
        return checked_name(fields.get(field))
    except JournalError:
        raise malformed(field) from None


def kind_of(request: Request) -> str:
    """The media type of a request's body."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def give_cookie(request: Request, answer: Response, name: str, value: str, seconds: int | None = None) -> None:
    """Have the browser keep a cookie for this site's pages; without ``seconds`` as long as the browser runs."""
    # Before this page there may be a proxy with which the browser speaks TLS.
    secure = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
    answer.set_cookie(name, value, max_age=seconds, secure=secure, httponly=True, samesite="strict")


def check_origin(request: Request) -> None:
    """Take requests from pages of this site only; a browser says which page asks.

    Raises:
        HTTPException: another site's page asks, or nobody says which.
    """
    host, origin = request.headers.get("host"), request.headers.get("origin")
    site = request.headers.get("sec-fetch-site")
    try:
        is_own = site == "same-origin" if origin is None else urlsplit(origin).netloc == host
    except ValueError:
        is_own = False
    if not is_own or site not in (None, "same-origin"):
        raise HTTPException(
            403,
            tr(
                "Only this page's own forms may ask for that. A proxy in front of the page must pass on the "
                "header Host as the browser sends it, with the port."
            ),
        )


async def _bounded(request: Request, most: int, too_large: HTTPException) -> AsyncGenerator[bytes, None]:
    """The parts of a body of at most ``most`` bytes; raises ``too_large`` for a larger one."""
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large
        yield part


async def read_upload(request: Request) -> tuple[dict[str, str], bytes]:
    """The fields of a posted form, and the content of its field ``file``; b"" where none was chosen.

    Raises:
        HTTPException: it is too large, or not understood.
    """
    if kind_of(request) != UPLOAD:
        raise HTTPException(415, tr("That is neither a form nor JSON."))
    too_large = HTTPException(
        413,
        tr(
            "That is too large: at most {count} MiB. In a shell: tamsk-hw games import FILE", count=MOST_FILE >> 20
        ),
    )
    try:
        body = _bounded(request, MOST_FILE + _MOST_REST, too_large)
        parser = MultiPartParser(request.headers, body, max_files=1, max_fields=8, max_part_size=_MOST_REST)
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


async def read_fields(request: Request, most_fields: int = _MOST_FIELDS) -> dict[str, str]:
    """The fields of a posted form, at most ``most_fields``, or of a JSON object whose values are texts.

    Raises:
        HTTPException: it is too large, or not understood.
    """
    kind = kind_of(request)
    if kind not in (FORM, JSON):
        raise HTTPException(415, tr("That is neither a form nor JSON."))
    too_large = HTTPException(413, tr("That is too large."))
    try:
        text = b"".join([part async for part in _bounded(request, MOST_BYTES, too_large)]).decode()
        pairs = (
            _json(text)
            if kind == JSON
            else parse_qsl(
                text,
                keep_blank_values=True,
                strict_parsing=bool(text),
                errors="strict",
                max_num_fields=most_fields,
            )
        )
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise ValueError("a field twice")
        "".join(fields.values()).encode()
    except (ClientDisconnect, ValueError, RecursionError):
        raise malformed() from None
    return fields


def _json(text: str) -> list[tuple[str, str]]:
    """The pairs of a JSON object. Raises `ValueError` when it is none, or has values that are no texts."""
    record = json.loads(text)
    if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
        raise ValueError("no object of texts")
    return list(record.items())


COOKIE: Final = "tamsk-desk"

#: Requests that one address may make in a minute, besides those that sign in.
REQUESTS: Final = 120

#: Headers of every answer to a form.
FORM_HEADERS: Final = {"Cache-Control": "no-store"}

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)

#: Seconds for which somebody stays signed in.
SESSION_SECONDS: Final = 12 * 3600

#: Requests whose answers a session remembers.
MOST_ANSWERS: Final = 100

#: The most addresses of which a limiter knows anything.
_MOST_KEYS: Final = 2000


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """The answer to a request; ``done`` is the stream's line that came of it, True if that is not known.

    It is None if refused. ``words`` gives its words, in the language that is spoken when they are read.
    """

    words: Callable[[], str]
    where: str
    """The page that shows it."""
    done: int | None = None
    draft: Mapping[str, str] = field(default_factory=dict)
    """The fields of a refused form that stays filled in."""


@dataclass(slots=True)
class Session:
    """Somebody who is signed in until ``ends``; ``csrf`` is in every form of his."""

    token: str
    """The hash of the token with which he signed in."""
    ends: float
    name: str = ""
    """The name that he gave."""
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    answers: OrderedDict[str, asyncio.Future[DeskAnswer]] = field(default_factory=OrderedDict)
    """The newest requests by their ids."""

    def begin(self, request: str, work: Coroutine[Any, Any, DeskAnswer]) -> asyncio.Future[DeskAnswer]:
        """Do what a request asks for, and keep the answer for those that are sent again."""
        self.answers[request] = answer = asyncio.ensure_future(work)
        while len(self.answers) > MOST_ANSWERS:
            self.answers.popitem(last=False)
        return answer

    def answered(self, request: str | None) -> DeskAnswer | None:
        """The answer that a request has had; None for an unknown one, and while it is under way."""
        answer = self.answers.get(request or "")
        return answer.result() if answer is not None and answer.done() and not answer.cancelled() else None


class Limiter:
    """Allows each key ``most`` attempts in a minute."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Count an attempt, unless there were too many."""
        now = self._clock()
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while len(self._times) > _MOST_KEYS:
            self._times.popitem(last=False)
        while times and times[0] <= now - 60.0:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        return True

    def forgive(self, key: str) -> None:
        """Take back the last attempt, where only failures count."""
        if times := self._times.get(key):
            times.pop()


#: The most characters of an address: those of IPv6, with a zone.
_MOST_ADDRESS: Final = 64


def asked_from(request: Request) -> str:
    """The address from which somebody asks; behind a proxy on this computer, the one that it names."""
    return "" if request.client is None else request.client.host[:_MOST_ADDRESS]


def _session_key(request: Request) -> str:
    """The hash under which the session of a browser is kept, if it has one."""
    return digest(request.cookies.get(own_cookie(request, COOKIE), ""))


class PostGuard:
    """The one way in for everything that changes something."""

    def __init__(self, pages: Pages, file: TokenFile, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.file = file
        self._clock = clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._pages = pages
        self._requests = Limiter(REQUESTS, clock)
        pages.is_arbiter = lambda request: self.session(request) is not None

    def session(self, request: Request) -> Session | None:
        """The session of the browser; None without one, after 12 hours, and since a new token was made."""
        key = _session_key(request)
        session = self._sessions.get(key)
        if session is None:
            return None
        if self._clock() >= session.ends or self.file.kept() != session.token:
            del self._sessions[key]
            return None
        return session

    def sign_in(self, token: str) -> tuple[str, Session] | None:
        """A new session with the secret of its cookie; None for a wrong token."""
        kept = self.file.kept()
        if kept is None or not secrets.compare_digest(kept, digest(token)):
            return None
        secret = secrets.token_urlsafe(32)
        self._sessions[digest(secret)] = session = Session(kept, self._clock() + SESSION_SECONDS)
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return secret, session

    def sign_out(self, request: Request) -> None:
        """End the session of the browser."""
        self._sessions.pop(_session_key(request), None)

    def route(
        self, path: str, answer: Callable[[Request], Awaitable[Response]], limiter: Limiter | None = None
    ) -> Route:
        """An address to which this site's pages post, and not too often; ``answer`` reads the post.

        ``limiter`` counts them; without it they are counted among all others.
        """
        counted = limiter or self._requests

        async def guarded(request: Request) -> Response:
            try:
                check_origin(request)
                if not counted.allows(asked_from(request)):
                    raise HTTPException(429, tr("Too many attempts; wait a minute."), {"Retry-After": "60"})
                return await answer(request)
            except HTTPException as refused:
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
            HTTPException: nobody is signed in, or the form is of another session or has no name.
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
            return JSONResponse({"refused": outcome.words()}, 409, FORM_HEADERS)
        return JSONResponse({"done": outcome.done, "words": outcome.words()}, headers=FORM_HEADERS)

    def signed_in(self, request: Request) -> Session:
        """The session of the browser.

        Raises:
            HTTPException: nobody is signed in there.
        """
        session = self.session(request)
        if session is None:
            raise HTTPException(401, tr("You are not signed in, or no longer: sign in again."))
        return session

    def checked(self, request: Request, fields: Mapping[str, str]) -> Session:
        """The session of the browser that posts a form.

        Raises:
            HTTPException: nobody is signed in there, or the form is of another session.
        """
        session = self.signed_in(request)
        if not secrets.compare_digest(session.csrf.encode(), fields.get("csrf", "").encode()):
            raise HTTPException(403, tr("The page was too old for that; look at the desk and press again."))
        return session

    def sign_in_page(self, request: Request, status: int = 200, why: str = "") -> Response:
        """The form by which to sign in; ``why``: the reason for which nothing else is shown."""
        has_token = self.file.kept() is not None
        return self._pages.of(request).render(request, "sign_in.html", status, why=why, has_token=has_token)

    def _refusal(self, request: Request, refused: HTTPException) -> Response:
        headers = {**FORM_HEADERS, **(refused.headers or {})}
        if kind_of(request) == JSON:
            return JSONResponse({"refused": refused.detail}, refused.status_code, headers)
        if refused.status_code == 401:
            return self.sign_in_page(request, 401, refused.detail)
        shown = self._pages.of(request).render(
            request, "desk_refused.html", refused.status_code, why=refused.detail
        )
        shown.headers.update(headers)
        return shown

    def form_page(self, request: Request, template: str, **more: Any) -> Response:
        """A page that has forms for who is signed in: with what they need, and the answer to the last one."""
        session = self.session(request)
        return self._pages.of(request).render(
            request,
            template,
            csrf=None if session is None else session.csrf,
            fresh=secrets.token_urlsafe(12),
            answer=None if session is None else session.answered(request.query_params.get("answer")),
            **more,
        )
