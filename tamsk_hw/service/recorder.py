"""Writing a game's event stream to a file, so that ``tamsk-hw replay`` rules on it again (CONTRACT: header)."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from tamsk_hw.errors import ConfigError
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.stream import event_as_dict, json_line


class Recorder:
    """An event stream in a file; every event is handed over as it comes, so that a killed program loses none.

    Raises:
        ConfigError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO
        try:
            self._file = path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise ConfigError(f"--record {path}: {error.strerror}; allowed: a file that can be written") from None

    def begin(self, header: Header) -> None:
        """Write the header."""
        self._line(json_line(header.as_dict()))

    def record(self, event: Event) -> None:
        """Write one event."""
        self._line(json_line(event_as_dict(event)))

    def end(self, t: float) -> None:
        """Write that time has passed to ``t`` (seconds), so that what fell due last is ruled on again; close."""
        if not self._file.closed:
            self.record(Tick(t))
            self._file.close()

    def _line(self, text: str) -> None:
        try:
            self._file.write(text + "\n")
        except OSError as error:
            raise ConfigError(
                f"--record {self._path}: {error.strerror}; the game is recorded no further"
            ) from None
