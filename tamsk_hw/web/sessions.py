"""Who is signed in at the desk. Sessions live in memory; a cookie's secret is known here by its hash alone."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any, Final

from tamsk_hw.web.arbiter_token import TokenFile, digest

#: Seconds for which somebody stays signed in.
SESSION_SECONDS: Final = 12 * 3600

#: The most sessions at a time; one more ends the oldest.
MOST_SESSIONS: Final = 50

#: Requests whose answers a session remembers.
MOST_ANSWERS: Final = 100

#: The most addresses of which a limiter knows anything.
_MOST_KEYS: Final = 2000


@dataclass(frozen=True, slots=True)
class DeskAnswer:
    """The answer to a request; ``done`` is the stream's line that came of it, None if refused.

    ``say`` gives its words, in the language that is spoken when they are read.
    """

    say: Callable[[], str]
    done: int | None = None
    where: str = "/arbiter"
    """The page that shows it."""

    @property
    def words(self) -> str:
        """The answer in words."""
        return self.say()


@dataclass(slots=True)
class Session:
    """Somebody who is signed in until ``ends``; ``csrf`` is in every form of his."""

    token: str
    """The hash of the token with which he signed in."""
    ends: float
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


class Sessions:
    """All sessions of the token that is in force."""

    def __init__(self, file: TokenFile, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        self.file = file
        self._clock = clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def sign_in(self, token: str) -> str | None:
        """The secret of a new session; None for a wrong token."""
        kept = self.file.kept()
        given = digest(token)
        if kept is None or not compare_digest(kept, given):
            return None
        secret = secrets.token_urlsafe(32)
        self._sessions[digest(secret)] = Session(kept, self._clock() + SESSION_SECONDS)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return secret

    def find(self, secret: str | None) -> Session | None:
        """The session of a cookie; None for an unknown one, after 12 hours, and since a new token was made."""
        key = digest(secret or "")
        session = self._sessions.get(key)
        if session is None:
            return None
        if self._clock() >= session.ends or self.file.kept() != session.token:
            del self._sessions[key]
            return None
        return session

    def end(self, secret: str | None) -> None:
        """Sign out."""
        self._sessions.pop(digest(secret or ""), None)


class Limiter:
    """Allows each key ``most`` attempts in ``seconds``."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most = most
        self.seconds = seconds
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Count an attempt, unless there were too many."""
        now = self._clock()
        times = self._times.setdefault(key, deque())
        self._times.move_to_end(key)
        while len(self._times) > _MOST_KEYS:
            self._times.popitem(last=False)
        while times and times[0] <= now - self.seconds:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        return True

    def forgive(self, key: str) -> None:
        """Take back the last attempt, where only failures count."""
        if times := self._times.get(key):
            times.pop()
