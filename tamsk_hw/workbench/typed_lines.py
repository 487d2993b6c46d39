"""What is typed while glasses are timed: whole lines from a terminal, or from a pipe. Never waits."""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Any, Self

_READ = 4096

# What arrows and the like send.
_ARROWS = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O[A-Z])")

#: A longer line is no command.
_LONGEST = 200


class TypedLines:
    """Standard input, line by line.

    With ``keys`` each key is taken as it is pressed, without the terminal's echo: `line` is to be shown then.
    Ctrl-C stays what it is.
    """

    def __init__(self, descriptor: int | None, *, keys: bool = False) -> None:
        self._descriptor = descriptor
        self._keys = keys and descriptor is not None and os.isatty(descriptor)
        self._before: list[Any] | None = None
        self._begun = ""
        self._terminal = descriptor

    @classmethod
    def standard(cls, *, keys: bool) -> TypedLines:
        """Standard input, if there is one."""
        try:
            return cls(sys.stdin.fileno(), keys=keys)
        except (AttributeError, OSError, ValueError):  # closed, or not a file at all
            return cls(None)

    @property
    def open(self) -> bool:
        """More may come."""
        return self._descriptor is not None

    @property
    def line(self) -> str:
        """What was typed since the last Enter."""
        return self._begun

    def take(self) -> list[str]:
        """The lines that were finished since the last call."""
        if self._descriptor is None:
            return []
        try:
            if not select.select([self._descriptor], [], [], 0)[0]:
                return []
            data = os.read(self._descriptor, _READ)
        except (OSError, ValueError):
            data = b""
        if not data:
            self._descriptor = None
            return []
        lines: list[str] = []
        for character in _ARROWS.sub("", data.decode("utf-8", "ignore")):
            if character in "\r\n":
                lines.append(self._begun)
                self._begun = ""
            elif self._keys and character in "\x7f\b":
                self._begun = self._begun[:-1]
            elif character.isprintable() and len(self._begun) < _LONGEST:
                self._begun += character
        return lines

    def __enter__(self) -> Self:
        if self._keys and self._descriptor is not None:
            self._before = termios.tcgetattr(self._descriptor)
            tty.setcbreak(self._descriptor)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None and self._terminal is not None:
            with contextlib.suppress(termios.error, OSError):
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)
