"""Gathering the facts on computer and board for the doctor: the part of it that does I/O.

It changes nothing, waits no longer than it says, and raises for nothing that it finds.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shutil
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from tamsk_hw.board.calibration import KnownCalibration, field_names, read_calibration
from tamsk_hw.board.link_events import (
    Connected,
    LinkEvent,
    LinkStatistics,
    NoAnswer,
    PortNotOpened,
    Refusal,
    Refused,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol import Decoder, FaultFlag, Hello, Snapshot
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration, ruleset_on
from tamsk_hw.configuration.checking import MEMORY_DEVICES, Machine, lights_warnings, sandbox_warnings
from tamsk_hw.errors import Finding, TamskError
from tamsk_hw.panel.hardware import Computer, DriverError, PinFactory, open_pin_factory, this_computer
from tamsk_hw.panel.simulated import panel_places, speak_to
from tamsk_hw.table.refereeing import OPENING
from tamsk_hw.words.hardware import driver_advice, driver_cause
from tamsk_hw.workbench.board import Clock, polls_within

#: Seconds for the board to answer, and seconds of counting its snapshots after that.
CONNECT_WITHIN = 5.0
LISTEN = 1.0

#: Seconds for anything else that may hang: a disk, a driver, another program.
MOST = 3.0

# Seconds for which the monotonic clock is watched.
_LOOK_AT_CLOCK = 0.05

T = TypeVar("T")


# ---- the facts


@dataclass(frozen=True, slots=True, kw_only=True)
class PortFacts:
    """The configured port.

    ``is_line``: it is a character device. ``group``: the name of the group that owns it; ``group_may``: that group
    may read and write it; ``in_group``: this process belongs to it. ``holders``: the other programs that have it
    open, as far as this user may see them: their names (empty for unknown ones) by their process ids.
    """

    path: str
    exists: bool = True
    is_line: bool = True
    may_use: bool = True
    user: str = ""
    group: str = ""
    group_may: bool = True
    in_group: bool = True
    holders: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFacts:
    """A try to reach the board, of at most ``waited`` seconds.

    ``connected_after``: seconds to a HELLO that may be used; ``problem``: why there was none. ``hello``: the last
    one, refused or not. ``faults``: all fault flags of the ``snapshots`` that came in ``listened`` seconds after
    the connection. ``before``: the counters at the connection; bytes of before are no fault of the line.
    """

    waited: float
    connected_after: float | None = None
    problem: Refusal | PortNotOpened | NoAnswer | None = None
    hello: Hello | None = None
    snapshot: Snapshot | None = None
    faults: int = 0
    listened: float = 0.0
    snapshots: int = 0
    statistics: LinkStatistics = field(default_factory=LinkStatistics)
    before: LinkStatistics = field(default_factory=LinkStatistics)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinFacts:
    """gpiozero's pin factory, ``needed`` by buttons or buzzer. ``problem``: cause and advice; None for none."""

    factory: PinFactory
    computer: Computer
    needed: bool
    problem: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskFacts:
    """The journal's folder, and ``nearest``: the folder itself, or the nearest above it that exists.

    ``writable``: this user may write in ``nearest``. ``is_disk``: files can be kept below it, unlike in /proc.
    ``free``: bytes that this user has left, None when the system does not say.
    """

    folder: Path
    nearest: Path
    is_folder: bool = True
    writable: bool = True
    is_disk: bool = True
    free: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFacts:
    """The computer's clocks.

    ``backward``: seconds by which the monotonic clock went back. ``synchronised``: the network sets the time of
    day; None when the system does not say.
    """

    backward: float = 0.0
    year: int
    synchronised: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything. A fact that is None was not looked at: the configuration is refused, or no board is configured.

    ``refusal``: why the configuration is refused; ``configuration`` is then that of the defaults. ``warnings`` are
    those of ``tamsk-hw config check`` on lights and places. ``now``: the time of day, seconds since 1970.
    """

    configuration: Configuration
    refusal: TamskError | None = None
    warnings: tuple[Finding, ...] = ()
    wiring_hash: int | None = None
    port: PortFacts | None = None
    link: LinkFacts | None = None
    pins: PinFacts | None = None
    calibration: KnownCalibration | None = None
    now: float = 0.0
    disk: DiskFacts
    clock: ClockFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The computer's interfaces that the doctor uses; tests replace them.

    ``synchronised``: a file that exists once systemd-timesyncd has set the time of day.
    """

    machine: Machine = field(default_factory=Machine)
    clock: Clock = field(default_factory=Clock)
    processes: Path = Path("/proc")
    may_use: Callable[[str], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    open_pins: Callable[[PinFactory], Any] = open_pin_factory
    synchronised: Path = Path("/run/systemd/timesync/synchronized")


# ---- gathering


def gather(config: Path | None, places: Places, here: Surroundings) -> Facts:
    """All facts, in a quarter of a minute at most."""
    configuration, wiring, refusal = Configuration(), None, None
    try:
        configuration = load_configuration(config, places)
        wiring = load_wiring(configuration.board.wiring)
        ruleset_on(wiring, configuration)
    except TamskError as error:
        configuration, wiring = replace(Configuration(), state_folder=configuration.state_folder), None
        refusal = error
    folder = configuration.journal_folder
    facts = Facts(
        configuration=configuration,
        refusal=refusal,
        now=time.time(),
        disk=bounded(lambda: disk_facts(folder), DiskFacts(folder=folder, nearest=folder)),
        clock=clock_facts(here),
        warnings=tuple(sandbox_warnings(configuration, places, here.machine.systemctl)),
    )
    if wiring is None:
        return facts
    fitted = field_names(wiring)
    facts = replace(
        facts,
        wiring_hash=wiring.hash,
        calibration=bounded(
            lambda: read_calibration(configuration.calibration_file, fitted),
            KnownCalibration(problem=f"could not be read within {MOST:g} s"),
        ),
    )
    path = configuration.board.port
    if path is None:
        return facts
    port = port_facts(path, here)
    usable = port.exists and port.is_line and port.may_use and not port.holders
    return replace(
        facts,
        warnings=(*lights_warnings(configuration, wiring, here.machine), *facts.warnings),
        port=port,
        pins=pin_facts(configuration, here),
        link=link_facts(path, wiring.hash, here.clock) if usable else None,
    )


def bounded(work: Callable[[], T], otherwise: T, seconds: float | None = None) -> T:
    """The result of ``work``; ``otherwise`` when it fails or takes longer than ``seconds`` (default `MOST`).

    Work that hangs is left behind in a thread.
    """
    result: list[T] = []

    def run() -> None:
        with contextlib.suppress(OSError):
            result.append(work())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(MOST if seconds is None else seconds)
    return result[0] if result else otherwise


def port_facts(path: str, here: Surroundings) -> PortFacts:
    """The port's existence, owner, rights and users."""
    user = str(os.getuid())
    with contextlib.suppress(KeyError):
        user = pwd.getpwuid(os.getuid()).pw_name
    try:
        status = os.stat(path)
    except OSError:
        return PortFacts(path=path, exists=False, user=user)
    group = str(status.st_gid)
    with contextlib.suppress(KeyError):
        group = grp.getgrgid(status.st_gid).gr_name
    return PortFacts(
        path=path,
        is_line=stat.S_ISCHR(status.st_mode) and os.major(status.st_rdev) != MEMORY_DEVICES,
        may_use=here.may_use(path),
        user=user,
        group=group,
        group_may=status.st_mode & 0o060 == 0o060,
        in_group=status.st_gid in {os.getegid(), *os.getgroups()},
        holders=bounded(lambda: holders_of(path, here.processes), {}),
    )


def holders_of(path: str, processes: Path) -> dict[int, str]:
    """The other programs that have a file open, as far as this user may see them: names by process ids."""
    real = os.path.realpath(path)
    found = {}
    for process in sorted(processes.glob("[0-9]*"), key=lambda each: each.name):
        if process.name == str(os.getpid()):
            continue
        with contextlib.suppress(OSError):  # another user's, or gone
            if any(os.readlink(each) == real for each in (process / "fd").iterdir()):
                found[int(process.name)] = _name_of(process)
    return found


def _name_of(process: Path) -> str:
    """A program's name, empty when it cannot be read; a Python script goes by its own."""
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    names = [os.path.basename(os.fsdecode(word)) for word in words if word and not word.startswith(b"-")]
    return next(iter(names[1:] if names and names[0].startswith("python") and len(names) > 1 else names), "")


def pin_facts(configuration: Configuration, here: Surroundings) -> PinFacts:
    """The result of opening the pin factory; it is closed again."""
    factory = configuration.gpio.factory
    needed = configuration.buttons.enabled or configuration.buzzer.enabled
    facts = PinFacts(factory=factory, computer=this_computer(here.machine.device_tree), needed=needed)

    def problem() -> tuple[str, str] | None:
        try:
            opened: Any = (
                speak_to(panel_places(configuration.gpio.hands, os.environ, configuration.state_folder))
                if factory is PinFactory.SIMULATE
                else here.open_pins(factory)
            )
        except DriverError as error:
            advice = driver_advice(error.trouble) or "switch buttons and buzzer off, or mend it"
            return driver_cause(error.trouble), advice
        with contextlib.suppress(Exception):  # nothing can be done about it
            opened.close()
        return None

    hangs: tuple[str, str] | None = ("its driver gives no answer", "restart the computer")
    return replace(facts, problem=bounded(problem, hangs)) if needed else facts


def link_facts(path: str, wiring_hash: int, clock: Clock) -> LinkFacts:
    """Try to reach the board; then count what it sends."""
    decoder = Decoder()
    hellos: list[Hello] = []
    link = SerialLink(
        path,
        wiring_hash,
        tap=lambda data: hellos.extend(each for each in decoder.feed(data) if isinstance(each, Hello)),
    )
    facts = LinkFacts(waited=CONNECT_WITHIN)
    began = clock.now()
    try:
        for events in polls_within(link, clock, CONNECT_WITHIN):
            facts = _with(facts, events)
            if any(isinstance(event, Connected) for event in events):
                facts = replace(
                    facts, connected_after=clock.now() - began, listened=LISTEN, before=link.statistics
                )
            if facts.problem is not None or facts.connected_after is not None:
                break
        if facts.problem is None and facts.connected_after is not None:
            connected = clock.now()
            for events in polls_within(link, clock, LISTEN):
                facts = _with(facts, events, just_opened=clock.now() - connected < OPENING)
        return replace(facts, statistics=link.statistics, hello=hellos[-1] if hellos else None)
    finally:
        link.close()


def _with(facts: LinkFacts, events: Sequence[LinkEvent], *, just_opened: bool = True) -> LinkFacts:
    """The facts with these events. ``just_opened``: a receive error comes of opening the line, not the cable."""
    for event in events:
        match event:
            case SnapshotArrived(snapshot=snapshot):
                faults = snapshot.faults & ~FaultFlag.RECEIVE_ERROR if just_opened else snapshot.faults
                facts = replace(
                    facts, snapshot=snapshot, snapshots=facts.snapshots + 1, faults=facts.faults | faults
                )
            case Refused() | Unreachable():
                facts = replace(facts, problem=event.reason)
            case _:
                pass
    return facts


def disk_facts(folder: Path) -> DiskFacts:
    """The journal's folder, or the nearest above it that exists. May hang with its disk."""
    nearest = folder.absolute()
    while not os.path.lexists(nearest) and nearest != nearest.parent:
        nearest = nearest.parent
    facts = DiskFacts(folder=folder, nearest=nearest, is_folder=nearest.is_dir())
    if not facts.is_folder:
        return facts
    with contextlib.suppress(OSError):
        status = os.statvfs(nearest)
        facts = replace(
            facts,
            writable=not status.f_flag & os.ST_RDONLY,
            is_disk=nearest == folder.absolute() or status.f_blocks > 0,
            free=status.f_bavail * status.f_frsize,
        )
    return replace(facts, writable=facts.writable and os.access(nearest, os.W_OK | os.X_OK))


def clock_facts(here: Surroundings) -> ClockFacts:
    """The direction of the monotonic clock, and the state of the time of day."""
    backward = 0.0
    before = began = time.monotonic()
    for _ in range(100_000):
        now = time.monotonic()
        backward = max(backward, before - now)
        before = now
        if not 0 <= now - began < _LOOK_AT_CLOCK:
            break
    return ClockFacts(backward=backward, year=datetime.now().year, synchronised=_synchronised(here))


def _synchronised(here: Surroundings) -> bool | None:
    if here.synchronised.exists():
        return True
    command = shutil.which("timedatectl")
    if command is None:
        return None
    try:
        answer = subprocess.run(
            [command, "show", "-p", "NTPSynchronized", "--value"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=MOST,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(answer)
