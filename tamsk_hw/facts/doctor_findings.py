"""The findings of ``tamsk-hw doctor`` on configuration, computer and board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tamsk_hw.board.protocol import FaultFlag, Hello, ResetCause
from tamsk_hw.facts.examined import ClockFacts, DiskFacts, LinkFacts, PinFacts, PortFacts, Said
from tamsk_hw.facts.severity import Severity


@dataclass(frozen=True, slots=True)
class ConfigurationRead:
    """The configuration can be used; ``origin`` says which it is."""

    origin: str
    severity: Severity = Severity.OK


@dataclass(frozen=True, slots=True)
class ConfigurationRefused:
    """The configuration cannot be used."""

    refusal: Said
    severity: Severity = Severity.PROBLEM


@dataclass(frozen=True, slots=True)
class LightsDoubtful:
    """The configured lights will not work on this computer."""

    warning: Said
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class ServiceKeptOut:
    """systemd keeps a configured place from the service or its page."""

    warning: Said
    severity: Severity = Severity.WARNING


class PortState(Enum):
    """The states of the configured port."""

    NOT_CONFIGURED = "not_configured"
    MISSING = "missing"
    NO_LINE = "no_line"
    CLOSED = "closed"
    """This user may not use it."""
    IN_USE = "in_use"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class PortFinding:
    """The configured port; ``port`` is None when none is configured."""

    state: PortState
    severity: Severity
    port: PortFacts | None = None


class PinsState(Enum):
    """The states of the pin factory."""

    UNUSED = "unused"
    UNUSABLE = "unusable"
    HANGING = "hanging"
    """Its driver gives no answer."""
    MOCK = "mock"
    USABLE = "usable"


@dataclass(frozen=True, slots=True)
class PinsFinding:
    """The pin factory."""

    state: PinsState
    severity: Severity
    pins: PinFacts


class LinkResult(Enum):
    """The results of a try to reach the board."""

    UNUSABLE = "unusable"
    """The port cannot be opened, no board answers, or the one that does must not be used."""
    CONNECTED = "connected"


@dataclass(frozen=True, slots=True)
class LinkFinding:
    """The try to reach the board."""

    state: LinkResult
    severity: Severity
    link: LinkFacts


class TrafficState(Enum):
    """The states of the traffic from the board."""

    LOSSY = "lossy"
    SLOW = "slow"
    CLOCK_OFF = "clock_off"
    """The controller's clock is off."""
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class TrafficFinding:
    """The frames that came since the connection; opening the port is explained by itself."""

    state: TrafficState
    severity: Severity
    link: LinkFacts
    frames: int
    damaged: int
    missing: int
    doubled: int


class VersionsState(Enum):
    """The relations between program and board."""

    BOARD_UNKNOWN = "board_unknown"
    """The board did not report its versions."""
    OTHER_PROTOCOL = "other_protocol"
    OTHER_WIRING = "other_wiring"
    OTHER_BOARD = "other_board"
    """It is not the configured one."""
    FITTING = "fitting"


@dataclass(frozen=True, slots=True)
class VersionsFinding:
    """The versions of program and board; ``asked``: a board is configured; ``wanted``: the id of the one."""

    state: VersionsState
    severity: Severity
    program: str
    wiring_hash: int | None
    hello: Hello | None
    asked: bool
    wanted: int | None = None


@dataclass(frozen=True, slots=True)
class ResetFinding:
    """The board's last reset."""

    severity: Severity
    cause: ResetCause


@dataclass(frozen=True, slots=True)
class FlagRaised:
    """The board reports a fault of its own."""

    severity: Severity
    flag: FaultFlag


@dataclass(frozen=True, slots=True)
class ReferenceReading:
    """Reference ``number`` (1 … 3, quarters of 5 V) reads ``reading`` in place of ``expected``."""

    number: int
    reading: int
    expected: int


@dataclass(frozen=True, slots=True)
class ReferenceVoltagesOff:
    """Reference voltages read what they should not."""

    references: tuple[ReferenceReading, ...]
    severity: Severity = Severity.PROBLEM


@dataclass(frozen=True, slots=True)
class BoardSound:
    """The board reports no fault, and its references are as they should be."""

    severity: Severity = Severity.OK


class CalibrationFileState(Enum):
    """The states of the calibration file."""

    UNUSABLE = "unusable"
    MISSING = "missing"
    PARTIAL = "partial"
    OLD = "old"
    GOOD = "good"


@dataclass(frozen=True, slots=True)
class CalibrationFileFinding:
    """The calibration file: ``unmeasured`` fields, its ``age`` in seconds, why it cannot be used."""

    state: CalibrationFileState
    severity: Severity
    file: Path
    problem: str | None = None
    unmeasured: tuple[str, ...] = ()
    age: float = 0.0


class DiskState(Enum):
    """The states of the journal's disk."""

    NO_FOLDER = "no_folder"
    CLOSED = "closed"
    """This user may not write there."""
    NO_DISK = "no_disk"
    """The folder is to be made where no file can be kept, as in /proc."""
    UNKNOWN = "unknown"
    """It does not say how much is free."""
    FULL = "full"
    NEARLY_FULL = "nearly_full"
    ROOMY = "roomy"


@dataclass(frozen=True, slots=True)
class DiskFinding:
    """The journal's folder and its disk."""

    state: DiskState
    severity: Severity
    disk: DiskFacts


class ClockState(Enum):
    """The states of the computer's clocks."""

    BACKWARD = "backward"
    """The monotonic clock went back."""
    UNSET = "unset"
    """The time of day was never set."""
    ALONE = "alone"
    """The network does not set the time of day."""
    UNKNOWN = "unknown"
    """It is not known whether it does."""
    SYNCHRONISED = "synchronised"


@dataclass(frozen=True, slots=True)
class ClockFinding:
    """The computer's clocks."""

    state: ClockState
    severity: Severity
    clock: ClockFacts


DoctorFinding = (
    ConfigurationRead
    | ConfigurationRefused
    | LightsDoubtful
    | ServiceKeptOut
    | PortFinding
    | PinsFinding
    | LinkFinding
    | TrafficFinding
    | VersionsFinding
    | ResetFinding
    | FlagRaised
    | ReferenceVoltagesOff
    | BoardSound
    | CalibrationFileFinding
    | DiskFinding
    | ClockFinding
)
