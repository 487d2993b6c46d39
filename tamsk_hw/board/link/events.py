"""Reports of a link to the program above it."""

from __future__ import annotations

from dataclasses import dataclass

from tamsk_hw.board.link.problems import LossReason, NoAnswer, PortNotOpened, Refusal
from tamsk_hw.board.protocol.messages import Hello, SelfTestReport, Settings, Snapshot


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
class SettingsArrived:
    """The settings that hold on the board; ``as_asked``: they are those that were asked for."""

    time: float
    settings: Settings
    as_asked: bool


@dataclass(frozen=True, slots=True)
class BoardIdArrived:
    """The board's id, in answer to a wish for another; ``as_asked``: it is the one that was asked for."""

    time: float
    board_id: int
    as_asked: bool


@dataclass(frozen=True, slots=True)
class SelfTestDone:
    """The board finished a self-test."""

    time: float
    report: SelfTestReport


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


LinkEvent = (
    Connected
    | SnapshotArrived
    | Lost
    | Refused
    | Unreachable
    | SettingsArrived
    | SelfTestDone
    | BoardIdArrived
    | LineQuality
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStatistics:
    """Counters of a link since it was made.

    The counters of frames are those of `DecoderCounters`. ``heard``: frames of a board have come since the
    port was opened. ``opens``: times the port was opened; ``connections``: times a good HELLO began a
    connection, of which ``reconnects`` followed an earlier one; ``board_resets``: HELLOs with a new boot id after
    the first; ``time_jumps``: times the controller's clock jumped without one;
    ``snapshots``: given; ``skipped``: left out because the host was behind. ``delay``: seconds of the latest
    snapshot from its instant to its arrival, beyond the least-delayed frames. ``clock_error``: how much slower
    (+) or faster (-) than the host's the controller's clock runs, relative; 0.005 is 0.5 %.
    """

    connected: bool = False
    heard: bool = False
    received_bytes: int = 0
    frames: int = 0
    crc_errors: int = 0
    malformed: int = 0
    unknown: int = 0
    misshapen: int = 0
    gaps: int = 0
    missing: int = 0
    doubled: int = 0
    snapshots: int = 0
    skipped: int = 0
    opens: int = 0
    connections: int = 0
    reconnects: int = 0
    board_resets: int = 0
    time_jumps: int = 0
    delay: float = 0.0
    clock_error: float = 0.0

    @property
    def damaged(self) -> int:
        """Frames that could not be read."""
        return self.crc_errors + self.malformed
