"""Events of a link, causes of a board out of reach as facts, and the controller's time in host time.

`TimeMap` works from the least-delayed frames. A frame that the controller stamped at ``c`` arrives at ``offset +
rate · c + delay``. The delay is never negative, so the wanted line lies below all arrivals and touches the least
delayed. Of the lines below the recent arrivals the one closest to them on the whole is taken: the edge of their
lower convex hull at their middle (Moon, Skelly and Towsley 1999). One arrival for each second, the least delayed,
is kept for it.
"""

import errno
import os
import re
import termios
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import ClassVar, Final

from tamsk_hw.board.protocol import WRAP, DecoderCounters, Hello, RingSignals, Snapshot


class PortTrouble(Enum):
    """The kinds of trouble with a serial port."""

    MISSING = "missing"
    IN_USE = "in_use"
    NO_RIGHT = "no_right"
    NOT_SERIAL = "not_serial"
    UNPLUGGED = "unplugged"
    OTHER = "other"


class BaseProblem:
    """A reason for which a board is out of reach, with its name in the live stream."""

    __slots__ = ()
    code: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Name the class, as ``port_closed`` for ``PortClosed``."""
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@dataclass(frozen=True, slots=True)
class PortNotOpened(BaseProblem):
    """The port cannot be opened; ``system`` is what the system calls that, in lower case."""

    port: str
    trouble: PortTrouble
    system: str


@dataclass(frozen=True, slots=True)
class PortFailed(BaseProblem):
    """The open port failed; ``system`` is what the system calls that, in lower case."""

    port: str
    trouble: PortTrouble
    system: str


@dataclass(frozen=True, slots=True)
class PortReopened(BaseProblem):
    """The open port was silent for so long that it is closed and opened again."""

    port: str


@dataclass(frozen=True, slots=True)
class PortClosed(BaseProblem):
    """The program closed the port."""


@dataclass(frozen=True, slots=True)
class BoardSilent(BaseProblem):
    """No good frame came for ``seconds``."""

    seconds: float


@dataclass(frozen=True, slots=True)
class FramesMissed(BaseProblem):
    """Frames of ``seconds`` by the board's own clock never came: this computer did not read in time."""

    seconds: float


@dataclass(frozen=True, slots=True)
class OtherProtocol(BaseProblem):
    """The board speaks a protocol version (major, minor) that does not fit this program's."""

    board_id: int
    protocol: tuple[int, int]
    needed: tuple[int, int]


@dataclass(frozen=True, slots=True)
class OtherLayout(BaseProblem):
    """The board sends other numbers of ring sensors, fields and references than this program needs."""

    board_id: int
    counts: tuple[int, int, int]
    needed: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class OtherWiring(BaseProblem):
    """The board's firmware was built from another wiring map than this program's (both as hashes)."""

    board_id: int
    wiring: int
    needed: int


@dataclass(frozen=True, slots=True)
class OtherBoard(BaseProblem):
    """It is another board than the configured one."""

    board_id: int
    configured: int


@dataclass(frozen=True, slots=True)
class NoAnswer(BaseProblem):
    """No board has answered on the open port for ``seconds``.

    ``received``: the bytes that came; ``heard``: frames of a board were among them.
    """

    seconds: float
    received: int
    heard: bool


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


#: The greatest relative clock error believed; a ceramic resonator is within 0.005.
GREATEST_CLOCK_ERROR: Final = 0.01

# Seconds of controller time of which the least-delayed arrival is kept, and how many such are looked back on.
_SPAN = 1.0
_SPANS = 64

# A stamp this many seconds ahead of its own arrival comes from another count than the one before it. One that
# steps back is ahead, too: by the wrap less the step.
_JUMP = 5.0

# After this many seconds without a frame the count may have wrapped unseen.
_SILENCE = WRAP / 2 / 1e6


class TimeMap:
    """Maps stamps of 32-bit microseconds to host seconds, learning from each.

    Mapped times never decrease and never lie after their arrival, whatever is fed in.
    """

    def __init__(self) -> None:
        self._floor = float("-inf")
        self._arrival = float("-inf")
        self.jumps = 0
        """Number of times that the count began again without `restart`: the board was reset unseen."""
        self._points: deque[tuple[float, float]] = deque(maxlen=_SPANS)
        self.restart()

    def restart(self) -> None:
        """Forget the line, as the controller counts from 0 again. Mapped times still never decrease."""
        self._points.clear()
        self._stamp: int | None = None
        self._count = 0
        self.rate = 1.0
        """Host seconds that pass in a second of the controller's clock, as far as known; 1 at first."""
        self._offset = 0.0
        self._best: tuple[float, float] | None = None
        self._best_level = float("inf")
        self._span_end = _SPAN

    def place(self, stamp: int, arrival: float) -> float:
        """The host time (seconds) of a frame stamped ``stamp`` (µs, 32 bits) that came at ``arrival``."""
        arrival = max(arrival, self._arrival)
        if self._stamp is not None:
            step = (stamp - self._stamp) % WRAP
            ahead = self._offset + self.rate * (self._count + step) * 1e-6 - arrival
            if ahead > _JUMP or arrival - self._arrival > _SILENCE:
                self.jumps += 1
                self.restart()
            else:
                self._count += step
        if self._stamp is None:
            self._offset = arrival
        self._stamp = stamp
        self._arrival = arrival

        seconds = self._count * 1e-6
        if seconds >= self._span_end:
            self._close_span(seconds)
        level = arrival - self.rate * seconds
        if level < self._best_level:
            self._best_level = level
            self._best = (seconds, arrival)
        # An arrival below the line is less delayed than all before: the line goes down to it at once.
        self._offset = min(self._offset, level)
        # Rounding may put an arrival that touches the line a hair before it.
        mapped = min(self._offset + self.rate * seconds, arrival)
        self._floor = max(self._floor, mapped)
        return self._floor

    def _close_span(self, seconds: float) -> None:
        """Keep the span's least-delayed arrival and draw the line again."""
        if self._best is not None:
            self._points.append(self._best)
        self._best = None
        self._best_level = float("inf")
        self._span_end = seconds + _SPAN
        if len(self._points) >= 2:
            rate = _middle_slope(self._points)
            self.rate = min(max(rate, 1 - GREATEST_CLOCK_ERROR), 1 + GREATEST_CLOCK_ERROR)
        if self._points:
            self._offset = min(arrival - self.rate * at for at, arrival in self._points)


def _middle_slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the lower convex hull's edge above or at the mean of the points' abscissas, which increase."""
    hull: list[tuple[float, float]] = []
    for x, y in points:
        while len(hull) >= 2 and (hull[-1][1] - hull[-2][1]) * (x - hull[-1][0]) >= (y - hull[-1][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    middle = sum(x for x, _ in points) / len(points)
    for (left, low), (right, high) in pairwise(hull):
        if right >= middle:
            return (high - low) / (right - left)
    raise AssertionError("two or more points have an edge at their middle")


@dataclass(frozen=True, slots=True)
class Connected:
    """The board said who it is, and may be used. ``time``: host time in seconds.

    ``restarted``: since the last connection of this link the board was reset (normal when a port is opened).
    It may come while connected: then the board was reset in between, without having been missed.
    """

    time: float
    hello: Hello
    restarted: bool


@dataclass(frozen=True, slots=True)
class SnapshotArrived:
    """The board at host time ``time`` (seconds): never decreasing, never after ``arrival``.

    ``missed``: frames were lost since the one before it.
    """

    time: float
    arrival: float
    snapshot: Snapshot
    missed: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """The board is out of reach since ``last_heard`` (host time, seconds), noticed at ``time``."""

    time: float
    reason: LossReason
    last_heard: float


@dataclass(frozen=True, slots=True)
class Refused:
    """A board answered that must not be used. Reported once for each reason."""

    time: float
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The port cannot be opened, or no board answers on it. Reported once for each reason; trying goes on."""

    time: float
    reason: PortNotOpened | NoAnswer


@dataclass(frozen=True, slots=True)
class Answered:
    """The board's answer to `LinkSession.set_board_id`; ``as_asked``: its id is the one that was asked for."""

    time: float
    board_id: int
    as_asked: bool = True


@dataclass(frozen=True, slots=True)
class SignalsArrived:
    """The signals of a converter's ring sensors; the board reports each converter once a second."""

    time: float
    signals: RingSignals


@dataclass(frozen=True, slots=True)
class LineQuality:
    """The line has become ``bad``, or well again. Shares (0 … 1) of the last seconds' frames.

    ``lost``: of those that the board sent, damaged ones included; ``damaged``: those that came and could not be
    read; ``doubled``: of those that came, copies of earlier ones.
    """

    time: float
    bad: bool
    lost: float
    damaged: float
    doubled: float


LinkEvent = Connected | SnapshotArrived | SignalsArrived | Lost | Refused | Unreachable | Answered | LineQuality


@dataclass(slots=True, kw_only=True)
class LinkStatistics(DecoderCounters):
    """Counters of a link since it was made.

    ``heard``: frames of a board have come since the port was opened. ``opens``: times the port was opened;
    ``connections``: times a good HELLO began a connection; ``board_resets``: HELLOs with a new boot id after the
    first; ``time_jumps``: times the controller's clock jumped without one; ``snapshots``: given; ``skipped``: left
    out because the host was behind. ``delay``: seconds of the latest snapshot from its instant to its arrival,
    beyond the least-delayed frames. ``clock_error``: how much slower (+) or faster (-) than the host's the
    controller's clock runs, relative; 0.005 is 0.5 %.
    """

    connected: bool = False
    heard: bool = False
    received_bytes: int = 0
    snapshots: int = 0
    skipped: int = 0
    opens: int = 0
    connections: int = 0
    board_resets: int = 0
    time_jumps: int = 0
    delay: float = 0.0
    clock_error: float = 0.0
