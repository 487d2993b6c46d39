"""Sentences for a board that is out of reach or must not be used: the cause, and what to do about it."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.link.problems import (
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
)
from tamsk_hw.errors import LinkError
from tamsk_hw.words.translating import tr


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
            return tr("{port}: {trouble}", port=port, trouble=_port_words(trouble, system))
        case PortReopened(port):
            return tr("{port}: nothing from the board; the port is opened again", port=port)
        case PortClosed():
            return tr("closed")
        case BoardSilent(seconds):
            return tr("nothing from the board for {seconds:.1f} s", seconds=float(seconds))
        case NoAnswer(seconds, 0):
            return tr("the board says nothing for {seconds:.0f} s", seconds=float(seconds))
        case NoAnswer(seconds, received, False):
            return tr(
                "{received} bytes came in {seconds:.0f} s, and no frame of a board among them",
                received=received,
                seconds=float(seconds),
            )
        case NoAnswer(seconds):
            return tr(
                "frames come, but no HELLO within {seconds:.0f} s: what is sent to the board does not arrive",
                seconds=float(seconds),
            )
        case FramesMissed(seconds):
            return tr(
                "what the board sent in {seconds:.1f} s is lost, as this computer did not read it in time",
                seconds=float(seconds),
            )
        case OtherProtocol(board_id, (major, minor), (own_major, own_minor)):
            return tr(
                "board {board:08x} speaks protocol {protocol}, this program {own}",
                board=board_id,
                protocol=f"{major}.{minor}",
                own=f"{own_major}.{own_minor}",
            )
        case OtherLayout(board_id, counts, needed):
            return tr(
                "board {board:08x} has {rings} ring sensors, {fields} fields and {references} references, this "
                "program needs {rings_needed}, {fields_needed} and {references_needed}",
                board=board_id,
                rings=counts[0],
                fields=counts[1],
                references=counts[2],
                rings_needed=needed[0],
                fields_needed=needed[1],
                references_needed=needed[2],
            )
        case OtherWiring(board_id, wiring, needed):
            return tr(
                "board {board:08x} was built from wiring {wiring:08x}, this program's map is {needed:08x}",
                board=board_id,
                wiring=wiring,
                needed=needed,
            )
        case OtherBoard(board_id, configured):
            return tr(
                "board {board:08x} is not the configured {configured:08x}", board=board_id, configured=configured
            )
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
            return tr("check its cable and its supply")
        case NoAnswer(received=0):
            return tr("check its supply and cable; a new board needs its program (tamsk-hw flash)")
        case NoAnswer(heard=False):
            return tr(
                "it may be another device, or need its program (tamsk-hw flash): correct board.port, or flash it"
            )
        case NoAnswer():
            return tr("check the cable, and flash the board (tamsk-hw flash)")
        case FramesMissed():
            return tr("end other programs on this computer; put right at the board what the lights show")
        case OtherProtocol():
            return tr("flash the board with the firmware that belongs to this program")
        case OtherLayout():
            return tr("connect another board")
        case OtherWiring():
            return tr("flash the firmware built from this map, or use the board's own map")
        case OtherBoard():
            return tr("connect that one, or change board.board_id in the configuration")
        case _:
            assert_never(problem)


def _port_words(trouble: PortTrouble, system: str) -> str:
    match trouble:
        case PortTrouble.IN_USE:
            return tr("in use by another program")
        case PortTrouble.NOT_SERIAL:
            return tr("is no serial line")
        case PortTrouble.UNPLUGGED:
            return tr("it was unplugged, or another program reads it, too")
        case PortTrouble.MISSING | PortTrouble.NO_RIGHT | PortTrouble.OTHER:
            return system
        case _:
            assert_never(trouble)


def _port_advice(trouble: PortTrouble) -> str:
    match trouble:
        case PortTrouble.MISSING | PortTrouble.UNPLUGGED:
            return tr("plug in the board, or correct the port")
        case PortTrouble.NO_RIGHT:
            return tr("add this user to the group that owns the port (dialout)")
        case PortTrouble.IN_USE:
            return tr("end the other program")
        case PortTrouble.NOT_SERIAL | PortTrouble.OTHER:
            return tr("correct the port")
        case _:
            assert_never(trouble)
