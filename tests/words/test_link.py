"""Why a board cannot be used, in words: the cause and the advice apart, and together."""

from __future__ import annotations

import errno
import termios
from typing import get_args

import pytest
import serial

from tamsk_hw.board.link_events import (
    BoardSilent,
    FramesMissed,
    LinkProblem,
    NoAnswer,
    OtherBoard,
    OtherLayout,
    OtherProtocol,
    OtherWiring,
    PortClosed,
    PortFailed,
    PortNotOpened,
    PortReopened,
    PortTrouble,
    port_trouble,
)
from tamsk_hw.words.hardware import link_advice, link_cause, link_words

PORT = "/dev/ttyUSB0"

SAID: list[tuple[LinkProblem, str, str | None]] = [
    (
        PortNotOpened(PORT, PortTrouble.MISSING, "no such file or directory"),
        "/dev/ttyUSB0: no such file or directory",
        "plug in the board, or correct the port",
    ),
    (
        PortNotOpened(PORT, PortTrouble.NO_RIGHT, "permission denied"),
        "/dev/ttyUSB0: permission denied",
        "add this user to the group that owns the port (dialout)",
    ),
    (
        PortNotOpened(PORT, PortTrouble.IN_USE, "resource temporarily unavailable"),
        "/dev/ttyUSB0: in use by another program",
        "end the other program",
    ),
    (
        PortNotOpened(PORT, PortTrouble.NOT_SERIAL, "…"),
        "/dev/ttyUSB0: is no serial line",
        "correct the port",
    ),
    (PortNotOpened(PORT, PortTrouble.OTHER, "odd"), "/dev/ttyUSB0: odd", "correct the port"),
    (
        PortFailed(PORT, PortTrouble.UNPLUGGED, "…"),
        "/dev/ttyUSB0: it was unplugged, or another program reads it, too",
        None,
    ),
    (PortFailed(PORT, PortTrouble.OTHER, "input/output error"), "/dev/ttyUSB0: input/output error", None),
    (PortReopened(PORT), "/dev/ttyUSB0: nothing from the board; the port is opened again", None),
    (PortClosed(), "closed", None),
    (BoardSilent(0.52), "nothing from the board for 0.5 s", "check its cable and its supply"),
    (
        NoAnswer(5.0, 0, False),
        "the board says nothing for 5 s",
        "check its supply and cable; a new board needs its program (tamsk-hw flash)",
    ),
    (
        NoAnswer(5.01, 812, False),
        "812 bytes came in 5 s, and no frame of a board among them",
        "it may be another device, or need its program (tamsk-hw flash): correct board.port, or flash it",
    ),
    (
        NoAnswer(5.0, 812, True),
        "frames come, but no HELLO within 5 s: what is sent to the board does not arrive",
        "check the cable, and flash the board (tamsk-hw flash)",
    ),
    (
        FramesMissed(4.62),
        "what the board sent in 4.6 s is lost, as this computer did not read it in time",
        "end other programs on this computer; put right at the board what the lights show",
    ),
    (
        OtherProtocol(0x2B, (2, 0), (1, 0)),
        "board 0000002b speaks protocol 2.0, this program 1.0",
        "flash the board with the firmware that belongs to this program",
    ),
    (
        OtherLayout(0x2B, (32, 20, 3), (64, 38, 3)),
        "board 0000002b has 32 ring sensors, 20 fields and 3 references, this program needs 64, 38 and 3",
        "connect another board",
    ),
    (
        OtherWiring(0x2B, 0xABCDEF01, 0x12345678),
        "board 0000002b was built from wiring abcdef01, this program's map is 12345678",
        "flash the firmware built from this map, or use the board's own map",
    ),
    (
        OtherBoard(0x2B, 0x2A),
        "board 0000002b is not the configured 0000002a",
        "connect that one, or change board.board_id in the configuration",
    ),
]


@pytest.mark.parametrize(("problem", "cause", "advice"), SAID)
def test_cause_and_advice(problem: LinkProblem, cause: str, advice: str | None) -> None:
    assert (link_cause(problem), link_advice(problem)) == (cause, advice)
    assert link_words(problem) == (cause if advice is None else f"{cause}: {advice}")


def test_every_problem_is_here() -> None:
    assert {type(problem) for problem, *_ in SAID} == set(get_args(LinkProblem))


@pytest.mark.parametrize(
    ("error", "trouble", "system"),
    [
        (OSError(errno.ENOENT, "No such file"), PortTrouble.MISSING, "no such file or directory"),
        (OSError(errno.EACCES, "…"), PortTrouble.NO_RIGHT, "permission denied"),
        (OSError(errno.EAGAIN, "…"), PortTrouble.IN_USE, "resource temporarily unavailable"),
        (OSError(errno.EBUSY, "…"), PortTrouble.IN_USE, "device or resource busy"),
        (
            termios.error(errno.ENOTTY, "Inappropriate ioctl for device"),
            PortTrouble.NOT_SERIAL,
            "inappropriate ioctl for device",
        ),
        (
            serial.SerialException("device reports readiness to read but\n returned no data (…)"),
            PortTrouble.UNPLUGGED,
            "device reports readiness to read but returned no data (…)",
        ),
        (termios.error(errno.EIO, "Input/output error"), PortTrouble.OTHER, "input/output error"),
        (ValueError("odd\nport"), PortTrouble.OTHER, "odd port"),
    ],
)
def test_a_ports_error(error: Exception, trouble: PortTrouble, system: str) -> None:
    assert port_trouble(error) == (trouble, system)
