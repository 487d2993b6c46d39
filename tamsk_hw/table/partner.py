"""The partner in its own process: questions, answers, and advice for the loop.

No ruling waits for it. It is asked about the newest view once it has answered the last question; views that come
meanwhile it never sees. An answer belongs to the view that it was asked about, and is shown only while that still
stands in what matters for it.
"""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, BinaryIO, Final, TypeAlias, cast

from tamsk_hw.errors import StreamError
from tamsk_hw.facts.notices import PartnerEnded
from tamsk_hw.forms import from_json, number
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.partner.intention import Advice, MoveGlass, PartnerSeat, seat_of
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.table.table import BoardTable

#: The bytes that say how long a question is.
_LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class PartnerGame:
    """One game of the partner; ``number`` counts them, from 0."""

    seat: PartnerSeat
    ruleset: Ruleset
    seed: int
    number: int


@lru_cache(maxsize=1)
def _packed_game(game: PartnerGame) -> bytes:
    return pickle.dumps(game, pickle.HIGHEST_PROTOCOL)


def packed(game: PartnerGame, view: View) -> bytes:
    """A question about ``view`` as it is sent: its length, then the question pickled.

    The board's tubes, which would take most of the time, go with the ruleset once a game.
    """
    parts = (_packed_game(game), replace(view, tubes=()))
    content = pickle.dumps(parts, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_LENGTH_BYTES, "big") + content


def next_question(incoming: BinaryIO) -> tuple[PartnerGame, View] | None:
    """The next question; None at the end. They are the service's own, by a pipe that nobody else has."""
    length = incoming.read(_LENGTH_BYTES)
    content = incoming.read(int.from_bytes(length, "big"))
    if len(length) < _LENGTH_BYTES or not content:
        return None
    packed_game, view = pickle.loads(content)
    game: PartnerGame = pickle.loads(packed_game)
    return game, replace(view, tubes=game.ruleset.tubes)


#: Seconds until the partner is asked again about a view in which nothing has changed, unless it names others.
AGAIN_SECONDS: Final = 1.0

#: Real seconds that the process has to end by itself when the service does.
_FAREWELL: Final = 1.0

#: The most bytes of an answer.
_MOST_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class PartnerAnswer:
    """The partner's advice, if there is any, and the ``seconds`` after which it asks to be asked again."""

    advice: Advice | None
    seconds: Annotated[float, number(float, 0)] = AGAIN_SECONDS


class PartnerClient:
    """The partner's process, started at once; nothing here waits for it."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "tamsk_hw.table.partner_program")) -> None:
        """Start it.

        Raises:
            ConnectionError: it cannot be started.
        """
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the service, which then ends him
            )
        except OSError as error:
            raise ConnectionError(str(error)) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions, self._answers = self._process.stdin, self._process.stdout
        for pipe in (self._questions, self._answers):
            os.set_blocking(pipe.fileno(), False)
        self._outgoing = b""
        self._incoming = b""

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def ask(self, game: PartnerGame, view: View) -> None:
        """Send a question, as much of it as the pipe takes now. Raises `ConnectionError`."""
        self._outgoing += packed(game, view)
        self._send()

    def take_answer(self) -> PartnerAnswer | None:
        """The answer if it has come. Raises `ConnectionError`."""
        self._send()
        try:
            data = os.read(self._answers.fileno(), _MOST_BYTES)
        except BlockingIOError:
            return None
        self._incoming += data
        line, end, rest = self._incoming.partition(b"\n")
        if not data or rest or (not end and len(line) > _MOST_BYTES):
            raise ConnectionError("the process has ended, or says too much")
        if not end:
            return None
        self._incoming = b""
        return _read_answer(line)

    def _send(self) -> None:
        if self._outgoing:
            with suppress(BlockingIOError):
                try:
                    sent = os.write(self._questions.fileno(), self._outgoing)
                except BrokenPipeError:
                    raise ConnectionError("the process has ended") from None
                self._outgoing = self._outgoing[sent:]

    def kill(self) -> None:
        """End it at once, without waiting for that."""
        self._process.kill()
        self._close_pipes()

    def close(self) -> None:
        """Have it end, and wait for that for a short time."""
        self._close_pipes()
        try:
            self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _close_pipes(self) -> None:
        for pipe in (self._questions, self._answers):
            with suppress(OSError):
                pipe.close()


def _read_answer(line: bytes) -> PartnerAnswer:
    """An answer, read. Raises `ConnectionError` for what is none."""
    try:
        return cast(PartnerAnswer, from_json(PartnerAnswer, json.loads(line), "answer"))
    except (ValueError, RecursionError, StreamError):
        raise ConnectionError("that is no answer") from None


#: Real seconds between two attempts to start the partner's process.
RETRY_SECONDS: Final = 3.0

#: Real seconds after which a process that does not answer is ended and started again.
HANGS_SECONDS: Final = 30.0


_Facts: TypeAlias = tuple[object, ...]


def _position(view: View) -> _Facts:
    """The facts on which a move depends: all but sand, seconds and hands."""
    return (
        view.phase,
        view.number,
        view.turn,
        view.late,
        view.penalty,
        view.link_lost,
        view.question,
        view.wrong,
        view.rings,
        tuple((glass.owner, glass.tube, glass.state) for glass in view.glasses),
        tuple((tube, ring.player) for tube, ring in view.ring_open.items()),
        tuple(view.left.values()),
    )


def _moment(view: View) -> _Facts:
    """Further facts on which other advice depends: glasses in hands, a move that has been started, the timer."""
    standing = tuple(glass.standing for glass in view.glasses)
    return (view.move_started, view.deadline is None, view.rings_seen, standing)


class PartnerAdviser:
    """Advice from the partner, for the player with its name. Close it at the end."""

    def __init__(
        self,
        table: BoardTable,
        start: Callable[[], PartnerClient],
        notice: Callable[[PartnerEnded], None],
        seed: int = 0,
    ) -> None:
        """``start`` starts the process of the partner; ``notice`` hears when it ended by itself."""
        self._table = table
        self._start = start
        self._notice = notice
        self._seed = seed
        self._game = 0
        self._is_new = True
        self._client: PartnerClient | None = None
        self._start_at = float("-inf")
        self._is_reported = False
        self._asked: tuple[_Facts, _Facts] | None = None
        self._asked_at = float("-inf")
        self._answer: PartnerAnswer | None = None
        self._answered: tuple[_Facts, _Facts] = ((), ())

    def advice(self, view: View, *, offered: bool) -> Advice | None:
        """The advice of the last answer, if the view that it was given for still stands in what matters."""
        advice = None if self._answer is None else self._answer.advice
        if advice is None or offered or self._answered[0] != _position(view):
            return None
        if not isinstance(advice.act, MoveGlass) and self._answered[1] != _moment(view):
            return None
        return advice

    def follow(self, view: View, *, offered: bool, now: float) -> None:
        """Take the answer; ask about this view if something has changed, or when the partner wants to be asked."""
        names = self._table.names
        seat = seat_of(red=names.red, black=names.black)
        if seat is None:
            self._dismiss()
            return
        if view.phase is Phase.SETUP:
            self._game += not self._is_new
            self._is_new = True
        try:
            self._take_answer(now)
            if self._asked is None and not offered and view.phase is Phase.PLAY and not view.link_lost:
                self._ask(seat, view, now)
        except ConnectionError:
            self._lose(now)

    def _take_answer(self, now: float) -> None:
        """Take the answer, if there is a process and it has been asked."""
        if self._client is None:
            if now < self._start_at:
                return
            self._start_at = now + RETRY_SECONDS
            self._client = self._start()
        heard = self._client.take_answer()
        if heard is not None:
            if self._asked is None:
                raise ConnectionError("nobody has asked")
            self._answer, self._answered, self._asked = heard, self._asked, None
            self._is_reported = False
        elif self._asked is not None and now - self._asked_at > HANGS_SECONDS:
            raise ConnectionError("no answer")

    def _ask(self, seat: PartnerSeat, view: View, now: float) -> None:
        facts = (_position(view), _moment(view))
        again = self._asked_at if self._answer is None else self._asked_at + self._answer.seconds
        if self._client is None or (facts == self._answered and now < again):
            return
        self._is_new = False
        self._client.ask(PartnerGame(seat, self._table.ruleset, self._seed, self._game), view)
        self._asked, self._asked_at = facts, now

    def _lose(self, now: float) -> None:
        """Give the process up: the game goes on without it until another one has started."""
        self._dismiss()
        self._start_at = now + RETRY_SECONDS
        if not self._is_reported:
            self._is_reported = True
            self._notice(PartnerEnded())

    def _dismiss(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.kill()
        self._asked = self._answer = None

    def close(self) -> None:
        """End the process, if there is one, and wait for that for a moment."""
        if self._client is not None:
            self._client.close()
            self._client = None
