"""Sentences for a board that is out of reach or must not be used: the cause, and what to do about it."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.link.problems import (
    BoardSilent,
    FramesMissed,
    LinkProblem,
    OtherBoard,
    OtherLayout,
    OtherProtocol,
    OtherWiring,
    PortClosed,
    PortFailed,
    PortNotOpened,
    PortReopened,
    PortTrouble,
)
from tamsk_hw.errors import LinkError


def link_error(problem: LinkProblem) -> LinkError:
    """The problem as an error to raise; ``str`` of it is `link_words`."""
    return LinkError(link_cause(problem), link_advice(problem))


def link_words(problem: LinkProblem) -> str:
    """Cause and advice in one line."""
    return str(link_error(problem))


def link_cause(problem: LinkProblem) -> str:
    """The cause alone."""
    match problem:
        case PortNotOpened(port, trouble, system) | PortFailed(port, trouble, system):
            return f"{port}: {_port_words(trouble, system)}"
        case PortReopened(port):
            return f"{port}: nothing from the board; the port is opened again"
        case PortClosed():
            return "closed"
        case BoardSilent(seconds):
            return f"nothing from the board for {seconds:.1f} s"
        case FramesMissed(seconds):
            return f"what the board sent in {seconds:.1f} s is lost, as this computer did not read it in time"
        case OtherProtocol(board_id, (major, minor), (own_major, own_minor)):
            return f"board {board_id:08x} speaks protocol {major}.{minor}, this program {own_major}.{own_minor}"
        case OtherLayout(board_id, counts, needed):
            return (
                f"board {board_id:08x} has {counts[0]} ring sensors, {counts[1]} fields and {counts[2]} "
                f"references, this program needs {needed[0]}, {needed[1]} and {needed[2]}"
            )
        case OtherWiring(board_id, wiring, needed):
            return f"board {board_id:08x} was built from wiring {wiring:08x}, this program's map is {needed:08x}"
        case OtherBoard(board_id, configured):
            return f"board {board_id:08x} is not the configured {configured:08x}"
        case _:
            assert_never(problem)


def link_advice(problem: LinkProblem) -> str | None:
    """The advice alone; None where nothing can be done but wait."""
    match problem:
        case PortNotOpened(trouble=trouble):
            return _port_advice(trouble)
        case PortFailed() | PortReopened() | PortClosed():
            return None
        case BoardSilent():
            return "check its cable and its supply"
        case FramesMissed():
            return "end other programs on this computer; put right at the board what the lights show"
        case OtherProtocol():
            return "flash the board with the firmware that belongs to this program"
        case OtherLayout():
            return "connect another board"
        case OtherWiring():
            return "flash the firmware built from this map, or use the board's own map"
        case OtherBoard():
            return "connect that one, or change board.board_id in the configuration"
        case _:
            assert_never(problem)


def _port_words(trouble: PortTrouble, system: str) -> str:
    match trouble:
        case PortTrouble.IN_USE:
            return "in use by another program"
        case PortTrouble.NOT_SERIAL:
            return "is no serial line"
        case PortTrouble.UNPLUGGED:
            return "it was unplugged, or another program reads it, too"
        case PortTrouble.MISSING | PortTrouble.NO_RIGHT | PortTrouble.OTHER:
            return system
        case _:
            assert_never(trouble)


def _port_advice(trouble: PortTrouble) -> str:
    match trouble:
        case PortTrouble.MISSING | PortTrouble.UNPLUGGED:
            return "plug in the board, or correct the port"
        case PortTrouble.NO_RIGHT:
            return "add this user to the group that owns the port (dialout)"
        case PortTrouble.IN_USE:
            return "end the other program"
        case PortTrouble.NOT_SERIAL | PortTrouble.OTHER:
            return "correct the port"
        case _:
            assert_never(trouble)
