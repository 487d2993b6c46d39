"""The keyboard reader of games and walks: whole lines or single keys, without waiting."""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import termios
import time
import tty
from enum import Enum
from typing import Any, Final, Self

from tamsk_hw.panel.diagnosis import BACKSPACE, DOWN, ENTER, ESCAPE, LEFT, RIGHT, UP

_READ: Final = 4096

# The sequences that arrows and function keys send.
_SEQUENCES: Final = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O[A-Z])")

# The beginning of one, whose rest may come with the next read.
_BEGINNING: Final = re.compile(r"\x1b(\[[0-9;]*|O)?\Z")

#: Seconds after which a beginning is all that comes: Escape by itself.
_REST_SECONDS: Final = 0.05

_ARROWS: Final = {"\x1b[A": UP, "\x1bOA": UP, "\x1b[B": DOWN, "\x1bOB": DOWN}
_SIDEWAYS: Final = {"\x1b[C": RIGHT, "\x1bOC": RIGHT, "\x1b[D": LEFT, "\x1bOD": LEFT}

#: Ctrl-Z, where it is read as a key.
SUSPEND: Final = "\x1a"

#: Keys without a character of their own.
_UNPRINTABLE: Final = {
    "\r": ENTER,
    "\n": ENTER,
    "\x1b": ESCAPE,
    "\x7f": BACKSPACE,
    "\b": BACKSPACE,
    SUSPEND: SUSPEND,
}

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
    ARROWS = "arrows"
    """As KEYS, with up and down, Escape and Backspace (`tamsk_hw.panel.diagnosis`), and Ctrl-Z as `SUSPEND`."""
    STEPS = "steps"
    """As KEYS, with the four arrows."""


class Keyboard:
    """Standard input, or another ``descriptor``; None when there is none.

    While it is entered a terminal is read as ``typing`` says; Ctrl-C stays what it is. A program in the background
    does not touch its terminal: it would be stopped for that.
    """

    def __init__(self, descriptor: int | None, typing: Typing = Typing.LINES) -> None:
        self._descriptor = descriptor
        self.open = descriptor is not None
        """More may be typed."""
        self.is_terminal = descriptor is not None and os.isatty(descriptor)
        """It is a terminal."""
        self._typing = typing if self.is_terminal else Typing.LINES
        self._is_entered = False
        self._before: list[Any] | None = None
        self._beginning = ""
        self._began = 0.0
        self.line = ""
        """The text typed since the last Enter."""

    @classmethod
    def standard(cls, typing: Typing) -> Keyboard:
        """Standard input, if there is one."""
        try:
            return cls(sys.stdin.fileno(), typing)
        except (AttributeError, OSError, ValueError):  # closed, or not a file at all
            return cls(None)

    def fileno(self) -> int | None:
        """The descriptor that becomes readable when something is typed; None when nothing can be."""
        return self._descriptor if self.open and self._is_ours else None

    def take(self) -> list[str]:
        """The lines, or keys, that were typed since the last call."""
        if self._descriptor is None or not self.open or not self._is_ours:
            return []
        self._prepare()
        try:
            if not select.select([self._descriptor], [], [], 0)[0]:
                return self._escape()
            data = os.read(self._descriptor, _READ)
        except (OSError, ValueError):
            data = b""
        if not data:
            self.open = False
            last, self.line = self.line, ""
            return [last] if last else []
        text = self._beginning + data.replace(b"\r\n", b"\n").decode("utf-8", "ignore")
        begun = _BEGINNING.search(text)
        self._beginning = "" if begun is None else begun[0]
        self._began = time.monotonic()
        text = text.removesuffix(self._beginning)
        if self._typing is Typing.ARROWS:
            text = _SEQUENCES.sub(lambda found: _ARROWS.get(found[0], ""), text)
            return [_UNPRINTABLE.get(key, key) for key in text if key in _UNPRINTABLE or key.isprintable()]
        sideways = _SIDEWAYS | _ARROWS if self._typing is Typing.STEPS else {}
        text = _SEQUENCES.sub(lambda found: sideways.get(found[0], ""), text)
        if self._typing in (Typing.KEYS, Typing.STEPS):
            return [ENTER if key in "\r\n" else key for key in text if key in "\r\n" or key.isprintable()]
        return self._edit(text)

    def _escape(self) -> list[str]:
        """Escape by itself, once it is clear that no sequence follows."""
        if not self._beginning or time.monotonic() < self._began + _REST_SECONDS:
            return []
        alone, self._beginning = self._beginning == ESCAPE, ""
        return [ESCAPE] if alone and self._typing is Typing.ARROWS else []

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

    @property
    def _is_ours(self) -> bool:
        """False for the terminal of a program that runs in the background."""
        if self._descriptor is None or not self.is_terminal:
            return True
        try:
            return os.tcgetpgrp(self._descriptor) == os.getpgrp()
        except OSError:  # a terminal that is not the one that controls this program
            return True

    def _prepare(self) -> None:
        """Have the terminal give single keys, unless it does already; later for a program in the background."""
        if not self._is_entered or self._before is not None or self._typing is Typing.LINES:
            return
        if self._descriptor is not None and self._is_ours:
            self._before = termios.tcgetattr(self._descriptor)
            tty.setcbreak(self._descriptor)
            if self._typing is Typing.ARROWS:
                settings = termios.tcgetattr(self._descriptor)
                settings[6][termios.VSUSP] = os.fpathconf(self._descriptor, "PC_VDISABLE").to_bytes(1, "big")
                termios.tcsetattr(self._descriptor, termios.TCSANOW, settings)

    def __enter__(self) -> Self:
        self._is_entered = True
        self._prepare()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_entered = False
        before, self._before = self._before, None
        if before is not None and self._descriptor is not None and self._is_ours:
            with contextlib.suppress(termios.error, OSError):
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)
