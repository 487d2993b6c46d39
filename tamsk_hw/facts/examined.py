"""The facts that ``tamsk-hw doctor`` judges: computer, clocks, disk, port, link, calibration."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkStatistics, NoAnswer, PortNotOpened, Refusal
from tamsk_hw.board.protocol import Hello, Snapshot
from tamsk_hw.configuration import Configuration
from tamsk_hw.errors import TamskError
from tamsk_hw.panel.hardware import Computer, DriverTrouble, PinFactory


@dataclass(frozen=True, slots=True)
class Said:
    """The message of an error: its cause, and what to do about it where that is known."""

    cause: str
    advice: str | None = None

    @classmethod
    def by(cls, error: TamskError) -> Said:
        """The message of an error."""
        return cls(error.cause, error.advice)


@dataclass(frozen=True, slots=True)
class RunningProgram:
    """A running program, by its name (None when nobody knows it) and its process's number."""

    name: str | None
    process: int

    @property
    def is_ours(self) -> bool:
        """It is this program."""
        return self.name == "tamsk-hw"


@dataclass(frozen=True, slots=True, kw_only=True)
class PortFacts:
    """The configured port.

    ``group``: the name of the group that owns it. ``group_may``: that group may read and write it. ``user``: who
    asks; ``in_group``: the user's process belongs to it. ``may_use``: this process may read and write.
    """

    path: str
    exists: bool = True
    is_line: bool = True
    """It is a serial line (a character device)."""
    may_use: bool = True
    user: str = ""
    group: str = ""
    group_may: bool = True
    in_group: bool = True
    holders: tuple[RunningProgram, ...] = ()
    """Other programs that have it open; only those that this user may see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFacts:
    """A try to reach the board, of ``waited`` seconds."""

    waited: float
    connected_after: float | None = None
    """Seconds to a HELLO that may be used."""
    problem: Refusal | PortNotOpened | NoAnswer | None = None
    """Why the port could not be opened, no board answered, or the one that did must not be used."""
    hello: Hello | None = None
    """The last that the board said of itself, refused or not."""
    snapshot: Snapshot | None = None
    faults: int = 0
    """All fault flags of the snapshots that came while connected."""
    listened: float = 0.0
    """Seconds for which snapshots were counted after the connection."""
    snapshots: int = 0
    statistics: LinkStatistics = field(default_factory=LinkStatistics)
    before: LinkStatistics = field(default_factory=LinkStatistics)
    """The counters at the connection: what was cut, echoed or old when the port was opened is none of the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinFacts:
    """gpiozero's pin factory."""

    factory: PinFactory
    computer: Computer
    needed: bool
    """Buttons or buzzer are switched on."""
    problem: DriverTrouble | None = None
    """Why it cannot be opened."""
    hangs: bool = False
    """Its driver gives no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskFacts:
    """The journal's folder and the disk under it."""

    folder: Path
    nearest: Path
    """The folder itself, or the nearest above it that is there."""
    is_folder: bool = True
    writable: bool = True
    """This user may write in ``nearest``, and its disk is not read-only."""
    is_disk: bool = True
    """Files can be kept below ``nearest``, unlike in /proc."""
    free: int | None = None
    """Bytes that are free for this user; None when nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFacts:
    """The computer's clocks."""

    backward: float = 0.0
    """Seconds by which the monotonic clock went back while it was looked at."""
    year: int
    """Of the time of day."""
    synchronised: bool | None = None
    """The time of day is set by the network; None when nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything. What is None was not looked at: the configuration is refused, or no board is configured."""

    program: str
    """The program's version."""
    configuration: Configuration
    refusal: Said | None = None
    """Why the configuration is refused; then ``configuration`` is that of the defaults."""
    refused_line: int | None = None
    """The line of the file that is refused."""
    refused_key: tuple[str, ...] = ()
    """The key that is refused, part by part."""
    lights: tuple[Said, ...] = ()
    """The warnings of ``tamsk-hw config check`` that concern the lights."""
    kept_out: tuple[Said, ...] = ()
    """Those that concern places which systemd keeps from the service or its page."""
    wiring_hash: int | None = None
    port: PortFacts | None = None
    link: LinkFacts | None = None
    pins: PinFacts | None = None
    calibration: KnownCalibration | None = None
    now: float = 0.0
    """The time of day, seconds since 1970."""
    disk: DiskFacts
    clock: ClockFacts
