"""Writing a game's event stream to a file, so that ``tamsk-hw replay`` rules on it again.

See docs/formats.md, Header.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from tamsk_hw.errors import ConfigError
from tamsk_hw.facts.notices import RecordStopped
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.stream import event_as_dict, json_line


class Recorder:
    """An event stream in a file; every event is handed over as it comes, so that a killed program loses none.

    A disk that takes no more is reported once, to ``notice``, and the game goes on without its record.

    Raises:
        ConfigError: the file cannot be opened.
    """

    def __init__(self, path: Path, notice: Callable[[RecordStopped], None]) -> None:
        self._path = path
        self._notice = notice
        self._file: TextIO | None
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
        self.record(Tick(t))
        self._close()

    def _line(self, text: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(text + "\n")
        except OSError as error:
            self._notice(RecordStopped(self._path, error.strerror or str(error)))
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()
