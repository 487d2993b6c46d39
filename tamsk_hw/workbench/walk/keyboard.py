"""The keyboard reader of the walks: whole lines or single keys, without waiting."""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import termios
import tty
from enum import Enum
from types import TracebackType
from typing import Any, Final, Self

_READ: Final = 4096

# The sequences that arrows and function keys send.
_ARROWS: Final = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O[A-Z])")

#: A longer line is no command.
_LONGEST: Final = 200


class Typing(Enum):
    """The ways to read a terminal. Anything else is always read by lines."""

    LINES = "lines"
    """Lines, edited and echoed by the terminal."""
    SHOWN = "shown"
    """Lines, edited here without an echo: the screen shows `Keyboard.line`."""
    KEYS = "keys"
    """Each key at once, without an echo. Enter is an empty text."""


class Keyboard:
    """Standard input, or another ``descriptor``; None when there is none.

    While it is entered a terminal is read as ``typing`` says; Ctrl-C stays what it is.
    """

    def __init__(self, descriptor: int | None, typing: Typing = Typing.LINES) -> None:
        self._descriptor = descriptor
        self.open = descriptor is not None
        """More may be typed."""
        is_terminal = descriptor is not None and os.isatty(descriptor)
        self._typing = typing if is_terminal else Typing.LINES
        self._before: list[Any] | None = None
        self.line = ""
        """The text typed since the last Enter."""

    @classmethod
    def standard(cls, typing: Typing) -> Keyboard:
        """Standard input, if there is one."""
        try:
            return cls(sys.stdin.fileno(), typing)
        except (AttributeError, OSError, ValueError):  # closed, or not a file at all
            return cls(None)

    def take(self) -> list[str]:
        """The lines, or keys, that were typed since the last call."""
        if self._descriptor is None or not self.open:
            return []
        try:
            if not select.select([self._descriptor], [], [], 0)[0]:
                return []
            data = os.read(self._descriptor, _READ)
        except (OSError, ValueError):
            data = b""
        if not data:
            self.open = False
            last, self.line = self.line, ""
            return [last] if last else []
        text = _ARROWS.sub("", data.replace(b"\r\n", b"\n").decode("utf-8", "ignore"))
        if self._typing is Typing.KEYS:
            return ["" if key in "\r\n" else key for key in text if key in "\r\n" or key.isprintable()]
        return self._edit(text)

    def _edit(self, text: str) -> list[str]:
        """The lines that ``text`` completes."""
        lines: list[str] = []
        for character in text:
            if character in "\r\n":
                lines.append(self.line)
                self.line = ""
            elif self._typing is Typing.SHOWN and character in "\x7f\b":
                self.line = self.line[:-1]
            elif character.isprintable() and len(self.line) < _LONGEST:
                self.line += character
        return lines

    def __enter__(self) -> Self:
        if self._typing is not Typing.LINES and self._descriptor is not None:
            self._before = termios.tcgetattr(self._descriptor)
            tty.setcbreak(self._descriptor)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None and self._descriptor is not None:
            with contextlib.suppress(termios.error, OSError):
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
