"""A program opens the port: what it meets before the line is as it should be.

A serial port is opened first and set to pass bytes on as they are a moment later. Until then the system treats it
as a terminal: it echoes to the board, in a terminal's way, what the board sends. What waited in a buffer from
before comes first, and what comes next may begin in the middle of a frame.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard, RunningBoard

_CARET, _DELETE = 0x5E, 0x7F


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Disturbances of each opening of a port.

    ``old``: frames of before the opening that are delivered first. ``echoed``: the frames after these, as they
    come through a terminal to the program, and back to the board. ``cut``: bytes that are missing at the beginning
    of what the board sends next.
    """

    old: int = 0
    echoed: int = 0
    cut: int = 0


class OpeningLine:
    """The line of a port that is opened and closed, with these disturbances."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._unread: deque[bytes] = deque(maxlen=opening.old + opening.echoed)
        self._to_cut = 0

    def closed(self, frames: Iterable[bytes]) -> None:
        """Take frames that the board sends while nobody has the port open."""
        self._unread += frames

    def opened(self) -> tuple[list[bytes], bytes]:
        """A program opens the port: what it is given first, and what the board hears."""
        frames = [self._unread.popleft() for _ in range(len(self._unread))]
        old, echoed = frames[: self._opening.old], frames[self._opening.old :]
        self._to_cut = self._opening.cut
        return [*old, *map(mangled, echoed)], b"".join(map(echo, echoed))

    def carry(self, frame: bytes) -> bytes:
        """The frame as it comes through; the first ones may be cut."""
        cut = min(self._to_cut, len(frame))
        self._to_cut -= cut
        return frame[cut:]


def echo(data: bytes) -> bytes:
    """The bytes that a terminal sends back: control characters as ^ and a letter."""
    echoed = bytearray()
    for byte in data:
        if byte < 0x20 or byte == _DELETE:
            echoed += bytes((_CARET, byte ^ 0x40))
        else:
            echoed.append(byte)
    return bytes(echoed)


def mangled(data: bytes) -> bytes:
    """The bytes that a program reads from a terminal: of line ends the other one, and nothing that steers it."""
    return bytes(0x0A if byte == 0x0D else byte for byte in data if byte not in (0x03, 0x11, 0x13))


class OpenedPty(PtyBoard):
    """A board on a pseudo-terminal, with these disturbances of each opening."""

    def __init__(self, board: SimulatedBoard, link: Path, opening: Opening) -> None:
        self._opening = OpeningLine(opening)
        super().__init__(board, link)

    def _on_open(self) -> None:
        super()._on_open()
        given, heard = self._opening.opened()
        self._waiting += given
        if heard:
            self.board.receive(heard)

    def _pass_on(self, frames: list[bytes]) -> None:
        if self.is_open:
            super()._pass_on([self._opening.carry(frame) for frame in frames])
        else:
            self._opening.closed(frames)


class OpenedRunning(OpenedPty, RunningBoard):
    """A running board, with these disturbances of each opening."""

    def __init__(self, link: Path, opening: Opening, **settings: Any) -> None:
        self._opening = OpeningLine(opening)
        RunningBoard.__init__(self, link, **settings)
