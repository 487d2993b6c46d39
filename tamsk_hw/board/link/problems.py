"""Causes of a board out of reach or not to be used, as facts; `tamsk_hw.words.link` puts them in words."""

from __future__ import annotations

import errno
import os
import termios
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class PortTrouble(Enum):
    """The kinds of trouble with a serial port."""

    MISSING = "missing"
    IN_USE = "in_use"
    NO_RIGHT = "no_right"
    NOT_SERIAL = "not_serial"
    UNPLUGGED = "unplugged"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PortNotOpened:
    """The port cannot be opened; ``system`` is what the system calls that, in lower case."""

    port: str
    trouble: PortTrouble
    system: str
    code: ClassVar[str] = "port_not_opened"


@dataclass(frozen=True, slots=True)
class PortFailed:
    """The open port failed; ``system`` is what the system calls that, in lower case."""

    port: str
    trouble: PortTrouble
    system: str
    code: ClassVar[str] = "port_failed"


@dataclass(frozen=True, slots=True)
class PortReopened:
    """The open port was silent for so long that it is closed and opened again."""

    port: str
    code: ClassVar[str] = "port_reopened"


@dataclass(frozen=True, slots=True)
class PortClosed:
    """The program closed the port."""

    code: ClassVar[str] = "port_closed"


@dataclass(frozen=True, slots=True)
class BoardSilent:
    """No good frame came for ``seconds``."""

    seconds: float
    code: ClassVar[str] = "board_silent"


@dataclass(frozen=True, slots=True)
class FramesMissed:
    """Frames of ``seconds`` by the board's own clock never came: this computer did not read in time."""

    seconds: float
    code: ClassVar[str] = "frames_missed"


@dataclass(frozen=True, slots=True)
class OtherProtocol:
    """The board speaks a protocol version (major, minor) that does not fit this program's."""

    board_id: int
    protocol: tuple[int, int]
    needed: tuple[int, int]
    code: ClassVar[str] = "other_protocol"


@dataclass(frozen=True, slots=True)
class OtherLayout:
    """The board sends other numbers of ring sensors, fields and references than this program needs."""

    board_id: int
    counts: tuple[int, int, int]
    needed: tuple[int, int, int]
    code: ClassVar[str] = "other_layout"


@dataclass(frozen=True, slots=True)
class OtherWiring:
    """The board's firmware was built from another wiring map than this program's (both as hashes)."""

    board_id: int
    wiring: int
    needed: int
    code: ClassVar[str] = "other_wiring"


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """It is another board than the configured one."""

    board_id: int
    configured: int
    code: ClassVar[str] = "other_board"


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No board has answered on the open port for ``seconds``.

    ``received``: the bytes that came; ``heard``: frames of a board were among them.
    """

    seconds: float
    received: int
    heard: bool
    code: ClassVar[str] = "no_answer"


Refusal = OtherProtocol | OtherLayout | OtherWiring | OtherBoard

LossReason = BoardSilent | FramesMissed | PortFailed | PortReopened | PortClosed | Refusal

LinkProblem = LossReason | PortNotOpened | NoAnswer


def port_trouble(error: Exception) -> tuple[PortTrouble, str]:
    """The kind of trouble that a port's error is, and what the system calls it, in lower case and on one line."""
    number = getattr(error, "errno", None)
    if number is None and isinstance(error, termios.error) and error.args:
        number = error.args[0]
    words = " ".join(str(error).split())
    system = os.strerror(number).lower() if isinstance(number, int) else words
    match number:
        case errno.EAGAIN | errno.EBUSY:
            return PortTrouble.IN_USE, system
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return PortTrouble.MISSING, system
        case errno.EACCES | errno.EPERM:
            return PortTrouble.NO_RIGHT, system
    # pyserial tells these two by text alone.
    if number == errno.ENOTTY or "Inappropriate ioctl" in words:
        return PortTrouble.NOT_SERIAL, system
    if "returned no data" in words:
        return PortTrouble.UNPLUGGED, system
    return PortTrouble.OTHER, system
