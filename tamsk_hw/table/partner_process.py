"""The partner's process as the service sees it: nothing here waits for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Final, Protocol

from tamsk_hw.errors import PartnerLostError
from tamsk_hw.live.advice import read_advice
from tamsk_hw.partner.advice import Advice
from tamsk_hw.referee.header import is_number
from tamsk_hw.table.partner_task import PartnerTask, packed

#: Seconds until he is asked again about a view in which nothing has changed, unless he names others.
AGAIN_SECONDS: Final = 1.0

#: Real seconds that he has to end by himself when the service does.
_FAREWELL: Final = 1.0

#: The most bytes of an answer.
_MOST_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class PartnerAnswer:
    """What the partner advises, if anything; he wants to be asked again in ``seconds``."""

    advice: Advice | None
    seconds: float


class Mind(Protocol):
    """Whoever thinks: a process, or a test's."""

    def ask(self, task: PartnerTask) -> None:
        """Ask, when the last question is answered. Raises `PartnerLostError`."""

    def heard(self) -> PartnerAnswer | None:
        """The answer, once it is there. Raises `PartnerLostError`."""

    def kill(self) -> None:
        """End it at once, without waiting for that."""

    def close(self) -> None:
        """Have it end."""


class PartnerProcess:
    """One process, started at once."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "tamsk_hw.table.partner_program")) -> None:
        """Start it.

        Raises:
            PartnerLostError: it cannot be started.
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
            raise PartnerLostError(str(error)) from None
        for pipe in (self._pipe(self._process.stdin), self._pipe(self._process.stdout)):
            os.set_blocking(pipe, False)
        self._outgoing = b""
        self._incoming = b""

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @staticmethod
    def _pipe(end: IO[bytes] | None) -> int:
        assert end is not None
        return end.fileno()

    def ask(self, task: PartnerTask) -> None:
        """Send a question, as much of it as the pipe takes now. Raises `PartnerLostError`."""
        self._outgoing += packed(task)
        self._send()

    def heard(self) -> PartnerAnswer | None:
        """The answer if it has come. Raises `PartnerLostError`."""
        self._send()
        try:
            data = os.read(self._pipe(self._process.stdout), _MOST_BYTES)
        except BlockingIOError:
            return None
        self._incoming += data
        line, end, rest = self._incoming.partition(b"\n")
        if not data or rest or (not end and len(line) > _MOST_BYTES):
            raise PartnerLostError("the process has ended, or says too much")
        if not end:
            return None
        self._incoming = b""
        return _read_answer(line)

    def _send(self) -> None:
        if self._outgoing:
            with suppress(BlockingIOError):
                try:
                    sent = os.write(self._pipe(self._process.stdin), self._outgoing)
                except BrokenPipeError:
                    raise PartnerLostError("the process has ended") from None
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
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _read_answer(line: bytes) -> PartnerAnswer:
    """An answer, read. Raises `PartnerLostError` for what is none."""
    try:
        record: Any = json.loads(line)
        advice, seconds = record["advice"], record.get("seconds", AGAIN_SECONDS)
        if not is_number(seconds) or seconds < 0:
            raise ValueError(seconds)
        return PartnerAnswer(None if advice is None else read_advice(advice), float(seconds))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise PartnerLostError("that is no answer") from None
