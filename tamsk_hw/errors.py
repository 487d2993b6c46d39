"""The one family of exceptions that tamsk-hw raises for misuse and bad input, and the findings of its checks.

Every message is one line, written for the person at the board: what is wrong, where, and what is allowed. An error
keeps its cause and what to do about it apart, so that nobody has to take the line apart again; so does a finding.
"""

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Severity(Enum):
    """The judgement on what was looked at."""

    OK = "ok"
    WARNING = "warning"
    """Something to look at."""
    PROBLEM = "problem"
    """Something that must be mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgement of doctor, self-test or calibration: on which thing, why, and what to do (empty for nothing).

    Written in English where it is found.
    """

    severity: Severity
    subject: str
    cause: str
    advice: str = ""

    def __str__(self) -> str:
        """Cause and advice in one line."""
        return f"{self.cause}: {self.advice}" if self.advice else self.cause


class TamskError(Exception):
    """Anything tamsk-hw refuses. ``str(error)`` is one line that can be shown as it stands: cause and advice."""

    def __init__(self, cause: str, advice: str | None = None) -> None:
        super().__init__(cause if advice is None else f"{cause}: {advice}")
        self.cause = cause
        """The cause."""
        self.advice = advice
        """The remedy; None where the cause says that already."""


class MisuseError(TamskError):
    """An object of this library was misused: out of order, or with a value that it does not allow."""


class StreamError(TamskError):
    """A stream of events or its header is refused; the message names line, key, value and what is allowed."""


class InputError(TamskError):
    """A file is none, or larger than anything it could be; the message says what it is, its reader adds which."""


class WiringError(TamskError):
    """The wiring map has a gap, a double use or an impossible pin; the message names it."""


class ConfigError(TamskError):
    """A setting is refused; the message names file, key, value and what is allowed."""


class SettingError(ConfigError):
    """A value of a section of settings is refused; the reader of the settings can add its place.

    ``against``: other keys of the section that the value does not go with.
    """

    def __init__(
        self, section: str, key: str, value: object, allowed: str, *, against: tuple[str, ...] = ()
    ) -> None:
        shown = f'"{value}"' if isinstance(value, str) else repr(value)
        super().__init__(f"{section}: {key} is {shown}; allowed: {allowed}")
        self.section = section
        self.key = key
        self.value = value
        self.allowed = allowed
        self.against = against


class CatalogueError(TamskError):
    """A language's catalogue cannot be read; ``language`` is its code."""

    def __init__(self, language: str, why: object) -> None:
        super().__init__(
            f'the catalogue of the language "{language}" cannot be read ({why})', "install the program again"
        )
        self.language = language


class LinkError(TamskError):
    """The board cannot be reached or must not be used; the message says what to do."""


class JournalError(TamskError):
    """The journal of games cannot be used, or a game in it cannot be read; the message says what to do."""


class HallError(TamskError):
    """A tournament is not as it must be, or cannot be paired; the message names what is wrong or missing."""


class SocketError(TamskError):
    """A program's socket cannot be made, or nobody answers on it; the message says what to do."""


class LiveError(SocketError):
    """The live stream cannot be published, or no service answers on it; the message says what to do."""


class HandsError(SocketError):
    """No simulated board answers to hands; the message says what to do."""


class FlashError(TamskError):
    """A controller's program is damaged, belongs to another board or cannot be written; the message says more."""


#: The zero width non-joiner and the zero width joiner.
_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """The text with everything that would not print, or would steer a terminal, as its number.

    A joiner after a character stays: names of several scripts are written with it.
    """
    shown = ""
    for character in text:
        joins = character in _JOINERS and shown[-1:].strip() != ""
        shown += character if character.isprintable() or joins else ascii(character)[1:-1]
    return shown


def shortened(value: Any) -> str:
    """A value as JSON has it, cut where it is long."""
    shown = json.dumps(value, ensure_ascii=False, default=repr)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def refuse(where: str, key: str, value: Any, allowed: str) -> StreamError:
    """The one-line message for a value that is not allowed."""
    return StreamError(f"{where}: {key} is {shortened(value)}; allowed: {allowed}")
