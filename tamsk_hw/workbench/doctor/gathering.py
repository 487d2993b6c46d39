"""Gathering the facts on computer and board: the only part of the doctor that does I/O.

Nothing here changes anything, waits longer than it says, or raises for what it finds.
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from tamsk_hw import __version__
from tamsk_hw.board.calibration import KnownCalibration, field_names, read_calibration
from tamsk_hw.board.link_events import Connected, LinkEvent, Refused, SnapshotArrived, Unreachable
from tamsk_hw.board.protocol import Decoder, FaultFlag, Hello
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration, ruleset_on
from tamsk_hw.configuration.checking import MEMORY_DEVICES, Machine, lights_warnings, sandbox_warnings
from tamsk_hw.errors import ConfigError, TamskError
from tamsk_hw.facts.examined import (
    ClockFacts,
    DiskFacts,
    Facts,
    LinkFacts,
    PinFacts,
    PortFacts,
    RunningProgram,
    Said,
)
from tamsk_hw.panel.hardware import DriverError, PinFactory, open_pin_factory, this_computer
from tamsk_hw.panel.simulated import panel_places, speak_to
from tamsk_hw.table.refereeing import OPENING
from tamsk_hw.workbench.listening import Clock, polls_within

#: Seconds for the board to answer, and seconds of counting its snapshots after that.
CONNECT_WITHIN = 5.0
LISTEN = 1.0

#: Seconds for anything else that may hang: a disk, a driver, another program.
MOST = 3.0

# Seconds for which the monotonic clock is watched.
_LOOK_AT_CLOCK = 0.05

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The computer's interfaces that the doctor uses; tests give their own."""

    machine: Machine
    clock: Clock
    processes: Path = Path("/proc")
    may_use: Callable[[str], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    open_pins: Callable[[PinFactory], Any] = open_pin_factory
    synchronised: Path = Path("/run/systemd/timesync/synchronized")
    """A file that exists once systemd-timesyncd has set the time of day."""


def this_place() -> Surroundings:
    """This computer."""
    return Surroundings(machine=Machine(), clock=Clock())


def gather(config: Path | None, places: Places, here: Surroundings) -> Facts:
    """All facts, in a quarter of a minute at most."""
    configuration = Configuration()
    refusal: Said | None = None
    refused_line: int | None = None
    refused_key: tuple[str, ...] = ()
    wiring: Wiring | None = None
    try:
        configuration = load_configuration(config, places)
        wiring = load_wiring(configuration.board.wiring)
        ruleset_on(wiring, configuration)
    except TamskError as error:
        configuration = replace(Configuration(), state_folder=configuration.state_folder)
        refusal = Said.by(error)
        if isinstance(error, ConfigError):
            refused_line, refused_key = error.line, error.path
    facts = Facts(
        program=__version__,
        configuration=configuration,
        refusal=refusal,
        refused_line=refused_line,
        refused_key=refused_key,
        now=time.time(),
        disk=bounded(
            lambda: disk_facts(configuration.journal_folder),
            DiskFacts(folder=configuration.journal_folder, nearest=configuration.journal_folder),
        ),
        clock=clock_facts(here),
        kept_out=bounded(
            lambda: tuple(
                Said(each.cause, each.advice)
                for each in sandbox_warnings(configuration, places, here.machine.systemctl)
            ),
            (),
        ),
    )
    if wiring is None:
        return facts
    facts = replace(
        facts,
        wiring_hash=wiring.hash,
        calibration=bounded(
            lambda: read_calibration(configuration.calibration_file, field_names(wiring)),
            KnownCalibration(problem=f"could not be read within {MOST:g} s"),
        ),
    )
    path = configuration.board.port
    if path is None:
        return facts
    doubts = lights_warnings(configuration, wiring, here.machine)
    port = port_facts(path, here)
    usable = port.exists and port.is_line and port.may_use and not port.holders
    return replace(
        facts,
        lights=tuple(Said(each.cause, each.advice) for each in doubts),
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
        holders=bounded(lambda: holders_of(path, here.processes), ()),
    )


def holders_of(path: str, processes: Path) -> tuple[RunningProgram, ...]:
    """The other programs that have a file open, as far as this user may see them."""
    real = os.path.realpath(path)
    found = []
    for process in sorted(processes.glob("[0-9]*"), key=lambda each: each.name):
        if process.name == str(os.getpid()):
            continue
        try:
            held = any(os.readlink(each) == real for each in (process / "fd").iterdir())
        except OSError:  # another user's, or gone
            continue
        if held:
            found.append(RunningProgram(_name_of(process), int(process.name)))
    return tuple(found)


def _name_of(process: Path) -> str | None:
    """A program's name, None when nobody knows it; a Python script goes by its own."""
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        words = []
    names = [os.path.basename(os.fsdecode(word)) for word in words if word and not word.startswith(b"-")]
    if not names:
        return None
    return names[1] if names[0].startswith("python") and len(names) > 1 else names[0]


def pin_facts(configuration: Configuration, here: Surroundings) -> PinFacts:
    """The result of opening the pin factory; it is closed again."""
    factory = configuration.gpio.factory
    computer = this_computer(here.machine.device_tree)
    needed = configuration.buttons.enabled or configuration.buzzer.enabled
    facts = PinFacts(factory=factory, computer=computer, needed=needed)
    if not needed:
        return facts

    def try_it() -> PinFacts:
        try:
            opened: Any = (
                speak_to(panel_places(configuration.gpio.hands, os.environ, configuration.state_folder))
                if factory is PinFactory.SIMULATE
                else here.open_pins(factory)
            )
        except DriverError as error:
            return replace(facts, problem=error.trouble)
        with contextlib.suppress(Exception):  # nothing can be done about it
            opened.close()
        return facts

    return bounded(try_it, replace(facts, hangs=True))


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
    """The journal's folder, or the nearest above it that is there. May hang with its disk."""
    nearest = folder.absolute()
    while not os.path.lexists(nearest) and nearest != nearest.parent:
        nearest = nearest.parent
    facts = DiskFacts(folder=folder, nearest=nearest, is_folder=nearest.is_dir())
    if not facts.is_folder:
        return facts
    free = None
    read_only = False
    is_disk = True
    with contextlib.suppress(OSError):
        status = os.statvfs(nearest)
        free = status.f_bavail * status.f_frsize
        read_only = bool(status.f_flag & os.ST_RDONLY)
        is_disk = nearest == folder.absolute() or status.f_blocks > 0
    writable = os.access(nearest, os.W_OK | os.X_OK) and not read_only
    return replace(facts, writable=writable, is_disk=is_disk, free=free)


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
        said = subprocess.run(
            [command, "show", "-p", "NTPSynchronized", "--value"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=MOST,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(said)
