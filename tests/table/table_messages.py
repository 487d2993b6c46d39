"""Messages between a program that referees, to be killed, and the test that has the board and its people."""

from __future__ import annotations

import pickle
import socket
import struct
from dataclasses import dataclass
from typing import Any

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.table.table import TablePhase

#: The machine that is not switched off, and the time of day at which its monotonic clock was 0.
BOOT, WALL = "one", 1_763_000_000.0


@dataclass(frozen=True)
class Setting:
    """Setting in which a program starts, at ``now`` (monotonic seconds)."""

    header: Header
    calibration: Calibration
    now: float


@dataclass(frozen=True)
class Step:
    """Time has passed to ``now``: the frames that came (with the times of their last bytes), what was pressed."""

    now: float
    frames: tuple[tuple[float, bytes], ...] = ()
    told: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Steps:
    """Steps to be answered together; when they are ``saved`` only once all is on the disk, which takes no time."""

    steps: tuple[Step, ...]
    saved: bool = True


@dataclass(frozen=True)
class Seen:
    """Sight that people have of a program: the rulings that it showed, what it said, what it is about.

    ``past``: at its start, the rulings of the game that it offers. ``outgoing``: the bytes for the board.
    ``saved``: the rulings that its journal has called durable since the last answer.
    """

    shown: tuple[Ruling, ...]
    said: tuple[str, ...]
    phase: TablePhase
    connected: bool = False
    past: tuple[Ruling, ...] = ()
    outgoing: bytes = b""
    saved: tuple[Ruling, ...] = ()


class FedLine:
    """The link to a board whose frames are handed in."""

    def __init__(self, wiring: Wiring, now: float) -> None:
        self.session = LinkSession(wiring.hash)
        self.session.opened(now)
        self._frames: list[tuple[float, bytes]] = []

    def feed(self, frames: tuple[tuple[float, bytes], ...]) -> None:
        """These frames have come."""
        self._frames += frames

    def poll(self, now: float) -> list[LinkEvent]:
        """Events that the link makes of them."""
        events: list[LinkEvent] = []
        for sent, frame in self._frames:
            events += self.session.receive(frame, sent)
        self._frames.clear()
        return events + self.session.advance(now)


def sensing_of(wiring: Wiring, setting: Setting) -> Sensing:
    return Sensing(wiring, setting.calibration, SensingSettings(), setting.header.holders)


def send(to: socket.socket, message: Any) -> None:
    """Send a message, whole."""
    data = pickle.dumps(message)
    to.sendall(struct.pack("!I", len(data)) + data)


def receive(of: socket.socket) -> Any:
    """The next message; None when there is nobody any more."""
    head = _receive_bytes(of, 4)
    if head is None:
        return None
    data = _receive_bytes(of, struct.unpack("!I", head)[0])
    return None if data is None else pickle.loads(data)


def _receive_bytes(of: socket.socket, count: int) -> bytes | None:
    data = b""
    while len(data) < count:
        try:
            piece = of.recv(count - len(data))
        except ConnectionError:
            return None
        if not piece:
            return None
        data += piece
    return data
