"""Captures: the raw line with times, buttons and decisions, as JSON Lines (docs/formats.md, Captures).

`CaptureFile` writes one while a board is served. The file is written in the background; a disk that does not keep
up ends the capture, and never the game.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.link.tape import Tape
from tamsk_hw.board.sensing import SensingSettings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.facts.notices import RecordStopped
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.stream import event_as_dict, json_line
from tamsk_hw.system.output import BackgroundWriter

#: The most bytes that wait for the disk: some minutes of a busy board.
MOST_WAITING: Final = 32 * 1024 * 1024


class Capture(Tape):
    """Is told of all that reaches sensing and referee, and takes note of none of it.

    Times are the loop's, in seconds, never decreasing.
    """

    def offered(self, now: float, header: Header) -> None:
        """An unfinished game is offered: nothing is refereed before `game`."""

    def game(
        self,
        now: float,
        header: Header,
        past: Sequence[Event] = (),
        *,
        watched: float = 0.0,
        away: tuple[float, float] | None = None,
    ) -> None:
        """A game begins, or one with the events ``past``, watched until ``watched``, is resumed after ``away``."""

    def event(self, now: float, event: Event) -> None:
        """A button or a decision was taken; its own time is by the same clock."""

    def round(self, now: float) -> None:
        """A round of the loop has ended."""

    def close(self) -> None:
        """The capture ends."""


class CaptureLines(Capture):
    """The lines of a capture, in order, given to ``write`` without their ends.

    ``calibration``: None for an uncalibrated board. ``rests``: those with which sensing begins, None for the
    calibrated ones.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        wiring: Wiring,
        calibration: Calibration | None,
        sensing: SensingSettings,
        rests: Sequence[float] | None = None,
    ) -> None:
        self._write = write
        self._head: dict[str, Any] | None = {
            "calibration": None if calibration is None else calibration.to_dict(),
            "wiring": f"{wiring.hash:08x}",
            "rounds": True,
        }
        usual = asdict(SensingSettings())
        if unusual := {key: value for key, value in asdict(sensing).items() if value != usual[key]}:
            self._head["sensing"] = unusual
        if rests is not None:
            self._head["rests"] = list(rests)
        self._last = float("-inf")

    def _line(self, now: float, what: dict[str, Any]) -> None:
        self._last = now
        self._write(json_line({"t": now, **what}))

    def _begin(self, now: float, header: Header, more: dict[str, Any]) -> None:
        """The first line."""
        head, self._head = self._head, None
        self._write(json_line({"capture": 1, "header": header.as_dict(), **(head or {}), **more}))
        self._line(now, {"port": "closed"})

    def offered(self, now: float, header: Header) -> None:
        """Begin the capture at a table that offers a game."""
        self._begin(now, header, {"offered": True})

    def game(
        self,
        now: float,
        header: Header,
        past: Sequence[Event] = (),
        *,
        watched: float = 0.0,
        away: tuple[float, float] | None = None,
    ) -> None:
        """Begin the capture, or a further game in it."""
        if self._head is not None:
            self._begin(now, header, {})
            return
        line: dict[str, Any] = {"header": header.as_dict(), "past": [event_as_dict(event) for event in past]}
        if away is not None:
            line |= {"watched": watched, "away": list(away)}
        self._line(now, line)

    def event(self, now: float, event: Event) -> None:
        """A button or a decision; ``pressed`` is its own time where that is another."""
        record = event_as_dict(event)
        del record["t"]
        self._line(now, {"event": record} if event.t == now else {"event": record, "pressed": event.t})

    def round(self, now: float) -> None:
        """Note a round in which nothing came: time passed in it."""
        if now != self._last:
            self._line(now, {"rx": ""})

    def opened(self, now: float) -> None:
        """The port was opened."""
        self._line(now, {"port": "open"})

    def closed(self, now: float) -> None:
        """The port was closed."""
        self._line(now, {"port": "closed"})

    def read(self, now: float, data: bytes) -> None:
        """Bytes were read."""
        if data:
            self._line(now, {"rx": data.hex()})

    def wrote(self, now: float, data: bytes) -> None:
        """Bytes were written."""
        if data:
            self._line(now, {"tx": data.hex()})

    def close(self) -> None:
        """Write the last line: the capture ends after its last round."""
        if self._head is None:
            self._line(self._last, {"end": True})


class CaptureFile(CaptureLines):
    """A capture in a file; close it at the end. A disk that takes no more is reported once, to ``notice``."""

    def __init__(
        self,
        path: Path,
        wiring: Wiring,
        calibration: Calibration | None,
        sensing: SensingSettings,
        notice: Callable[[RecordStopped], None],
        rests: Sequence[float] | None = None,
    ) -> None:
        """Open the file.

        Raises:
            ConfigError: it cannot be written.
        """
        super().__init__(self._take, wiring, calibration, sensing, rests)
        self._path = path
        self._notice = notice
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise ConfigError(f"--capture {path}: {error.strerror}; allowed: a file that can be written") from None
        self._writer: BackgroundWriter | None = BackgroundWriter(
            self._file.fileno(), lambda lines: b"", most_waiting=2 * MOST_WAITING
        )

    def _take(self, line: str) -> None:
        if self._writer is None:
            return
        try:
            if self._writer.waiting > MOST_WAITING:
                raise OSError(errno.ENOBUFS, os.strerror(errno.ENOBUFS))
            self._writer.write(f"{line}\n".encode())
        except OSError as error:
            self._stop(error)

    def _stop(self, error: OSError) -> None:
        self._writer = None  # its thread may still write: the file stays open
        self._notice(RecordStopped(self._path, error.strerror or str(error)))

    def close(self) -> None:
        """Write the last line; wait for the disk, for a while."""
        super().close()
        if self._writer is None:
            return
        try:
            self._writer.close()
        except OSError as error:
            self._stop(error)
        else:
            if self._writer.wait_until_written(0.0):
                self._file.close()
