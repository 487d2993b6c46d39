"""``tamsk-hw doctor`` and ``tamsk-hw config check``: findings on configuration, computer and board.

The second looks at neither pins nor line. Both change nothing, wait no longer than they say, and go on after
anything that they find.
"""

import contextlib
import grp
import os
import pwd
import shutil
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.console import Console

from tamsk_hw.board.calibration import KnownCalibration, field_names, read_calibration
from tamsk_hw.board.protocol import Hello
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration, ruleset_on
from tamsk_hw.configuration.reading import state_folder
from tamsk_hw.configuration.settings import SECTIONS
from tamsk_hw.errors import ConfigError, Finding, TamskError, WiringError, printable
from tamsk_hw.panel.hardware import DEVICE_TREE, Computer, DriverError, PinFactory, open_pin_factory, this_computer
from tamsk_hw.panel.outputs import SPI_LIGHTS_GPIO, LightRoute
from tamsk_hw.panel.simulated import panel_places, speak_to
from tamsk_hw.words.hardware import driver_advice, driver_cause
from tamsk_hw.workbench.board import Clock
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING, print_findings
from tamsk_hw.workbench.link_check import check_board, check_link, check_versions, link_facts
from tamsk_hw.workbench.services import check_services, run_quietly

#: Seconds for anything else that may hang: a disk, a driver, another program.
MOST = 3.0

#: Bytes that should be free for the journal, and below which it will soon stop. A game takes some 50 KiB.
ENOUGH_FREE, LEAST_FREE = 100 * 2**20, 5 * 2**20

#: Seconds after which a calibration should be checked: magnets age and tables move.
OLD_CALIBRATION: Final = 730 * 86400.0

#: No computer that runs this has an earlier year, unless its clock was never set.
FIRST_YEAR: Final = 2024

#: The library by which `neopixel` drives lights on a Raspberry Pi 5.
PI_5_LIGHTS: Final = "adafruit_raspberry_pi5_neopixel_write"

#: Linux's major number of /dev/null and its like.
MEMORY_DEVICES: Final = 1

_CALIBRATE: Final = "tamsk-hw calibrate sensors"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The computer's interfaces that the doctor uses; tests replace them.

    ``device_tree``: Linux's description of the computer. ``spi``: the device that `neopixel_spi` opens.
    ``memory``: the device that `neopixel` writes to on a Pi before the Pi 5. ``synchronised``: a file that exists
    once systemd-timesyncd has set the time of day.
    """

    device_tree: Path = DEVICE_TREE
    spi: Path = Path("/dev/spidev0.0")
    memory: Path = Path("/dev/mem")
    processes: Path = Path("/proc")
    synchronised: Path = Path("/run/systemd/timesync/synchronized")
    systemctl: str = "systemctl"
    clock: Clock = field(default_factory=Clock)
    is_installed: Callable[[str], bool] = lambda library: find_spec(library) is not None
    open_pins: Callable[[PinFactory], Any] = open_pin_factory


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The configuration, and the findings on it, on computer and board.

    ``refusal``: why the configuration is refused; ``configuration`` is then that of the defaults. ``hello``: the
    board's last HELLO, refused or not.
    """

    configuration: Configuration
    findings: Sequence[Finding]
    refusal: TamskError | None = None
    hello: Hello | None = None


def show_doctor(config: Path | None) -> int:
    """Print all findings; the program's exit status: 0 without problems, 1 with some."""
    return print_findings(examine(config, Surroundings()).findings, Console())


def show_configuration(config: Path | None) -> None:
    """Print the configuration and the findings on it.

    Raises:
        ConfigError: it is refused, rules included for which the board lacks tubes.
        WiringError: the program's own map is broken.
    """
    places, here = Places.of(os.environ), Surroundings()
    configuration, wiring = read_settings(config, places)
    click.echo("\n".join(configuration_lines(configuration, places)))
    print_findings(check_settings(config, configuration, wiring, here, {}), Console())


def examine(config: Path | None, here: Surroundings) -> Examined:
    """Look at everything, in a quarter of a minute at most; what others rest on comes first."""
    places = Places.of(os.environ)
    try:
        configuration, wiring = read_settings(config, places)
    except TamskError as error:
        configuration = Configuration(state_folder=state_folder(places))
        advice = "correct it; tamsk-hw config check says the same"
        found = [Finding(PROBLEM, "configuration", str(error), advice)]
        found += check_versions(None, None, asked=False, wanted=None)
        found += [bounded_disk(configuration.journal_folder), clock_finding(here)]
        return Examined(configuration=configuration, findings=found, refusal=error)
    found = [Finding(OK, "configuration", configuration.origin)]
    board, port, hello = configuration.board, configuration.board.port, None
    holders: dict[int, str] = {} if port is None else bounded(lambda: holders_of(port, here.processes), {})
    found += check_settings(config, configuration, wiring, here, holders)
    seen: list[Finding] = []
    if port is not None:
        found += check_pins(configuration, here)
        if any(each.subject == "port" and each.severity is OK for each in found):
            link = link_facts(port, wiring.hash, here.clock)
            hello = link.hello
            found += check_link(link)
            seen = check_board(link, configuration.sensing.reference_margin)
    found += check_versions(hello, wiring.hash, asked=port is not None, wanted=board.board_id)
    found += [*seen, clock_finding(here)]
    return Examined(configuration=configuration, findings=found, hello=hello)


def read_settings(config: Path | None, places: Places) -> tuple[Configuration, Wiring]:
    """The configuration, and the wiring map that it names.

    Raises:
        ConfigError: one of them is refused, rules included for which the board lacks tubes.
        WiringError: the program's own map is broken.
    """
    configuration = load_configuration(config, places)
    try:
        wiring = load_wiring(configuration.board.wiring)
    except WiringError as error:
        if configuration.board.wiring is None:
            raise
        raise ConfigError(f"{configuration.origin}: board.wiring: {error}") from error
    ruleset_on(wiring, configuration)
    return configuration, wiring


def configuration_lines(configuration: Configuration, places: Places) -> list[str]:
    """The file that is read, and every value that is not its default, as it stands in the file."""
    lines = [f"Configuration: {configuration.origin}"]
    if configuration.file is None:
        lines.append(f"Looked for: {', '.join(str(file) for file in places.searched)}")
    changed = [
        f"  {section.name}.{key.name} = {key.kind.write(value)} (default {key.kind.write(key.default)})"
        for section in SECTIONS
        for key in section.keys
        if (value := section.value(configuration, key)) != key.default
    ]
    lines.append("Other than the defaults:" if changed else "Every value is its default.")
    return [printable(line) for line in (*lines, *changed)]


def check_settings(
    config: Path | None,
    configuration: Configuration,
    wiring: Wiring,
    here: Surroundings,
    holders: Mapping[int, str],
) -> list[Finding]:
    """Findings on settings that are allowed, of which some may not work on this computer.

    No device is opened. ``config``: the file that a person named. ``holders``: the other programs that have the
    port open, where that matters.
    """
    places = Places.of(os.environ)
    found = [
        Finding(WARNING, "configuration", f"{file} is there, too, and is not read")
        for file in places.searched
        if config is None and configuration.file not in (None, file) and os.path.exists(file)
    ]
    found.append(check_port(configuration.board.port, holders))
    if configuration.board.port is not None:
        found += check_panel(configuration, wiring, here)
        file, fitted = configuration.calibration_file, field_names(wiring)
        hangs = KnownCalibration(problem=f"could not be read within {MOST:g} s")
        known = bounded(lambda: read_calibration(file, fitted), hangs)
        found.append(check_calibration(known, file, time.time()))
    found += check_services(configuration, places, here.systemctl)
    return [*found, bounded_disk(configuration.journal_folder)]


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


# ---- the port


def check_port(path: str | None, holders: Mapping[int, str]) -> Finding:
    """The port is there, may be used, and is free."""
    if path is None:
        cause = "no board is configured; tamsk-hw run plays on the simulated one"
        return Finding(WARNING, "port", cause, "set board.port to the board's line (ls /dev/serial/by-id)")
    try:
        status = os.stat(path)
    except OSError:
        return Finding(PROBLEM, "port", f"{path} is not there", "plug in the board, or correct board.port")
    if not stat.S_ISCHR(status.st_mode) or os.major(status.st_rdev) == MEMORY_DEVICES:
        return Finding(PROBLEM, "port", f"{path} is no serial line", "correct board.port")
    group = _name_or_number(lambda: grp.getgrgid(status.st_gid).gr_name, status.st_gid)
    if not os.access(path, os.R_OK | os.W_OK):
        user = _name_or_number(lambda: pwd.getpwuid(os.getuid()).pw_name, os.getuid())
        cause = f"user {user} may not use {path}, which belongs to the group {group}"
        if status.st_mode & 0o060 != 0o060 or group == "root":
            advice = "install the udev rule that comes with the program: it gives the port to a group for users"
        elif status.st_gid in {os.getegid(), *os.getgroups()}:
            advice = "look at the port's owner and mode (ls -lL)"
        else:
            advice = f"sudo usermod -aG {group} {user}, and log in again"
        return Finding(PROBLEM, "port", cause, advice)
    if holders:
        programs = [f"{name or 'a program'} (process {process})" for process, name in holders.items()]
        cause, severity, advice = f"{path} is in use by {', '.join(programs)}", PROBLEM, "end that program"
        if set(holders.values()) == {"tamsk-hw"}:
            severity = WARNING
            advice = "to look at the link end it first (the service: sudo systemctl stop tamsk-hw)"
        return Finding(severity, "port", cause, advice)
    return Finding(OK, "port", f"{path}, group {group}")


def _name_or_number(name: Callable[[], str], number: int) -> str:
    """The name of a user or a group; its number where it has none."""
    try:
        return name()
    except KeyError:
        return str(number)


def holders_of(path: str, processes: Path) -> dict[int, str]:
    """The other programs that have a file open, as far as this user may see them: names by process ids.

    A name that cannot be read is empty.
    """
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


# ---- lights, buttons and buzzer


def check_panel(configuration: Configuration, wiring: Wiring, here: Surroundings) -> Iterator[Finding]:
    """Settings of lights, buttons and buzzer that cannot work on this computer."""
    factory, computer = configuration.gpio.factory, this_computer(here.device_tree)
    wanted = _needing_pins(configuration)
    if factory is not PinFactory.SIMULATE:
        if computer.is_pi:
            yield from _check_lights(configuration.lights.route, computer, wiring.lights_pin, here)
        lights = ["lights"] * (configuration.lights.route is not LightRoute.NONE)
        if not computer.is_pi and (idle := lights + wanted * (factory is not PinFactory.MOCK)):
            cause = f"this computer is no Raspberry Pi ({computer.model or 'of an unknown kind'})"
            advice = 'set gpio.factory to "mock" and lights.route to "none", or do without them'
            yield Finding(WARNING, "computer", f"{cause}: these will not work: {', '.join(idle)}", advice)
    no_pins = factory is PinFactory.MOCK or (factory is not PinFactory.SIMULATE and not computer.is_pi)
    if wanted and factory is PinFactory.MOCK:
        cause = "moves no pin: buttons and buzzer do nothing"
        yield Finding(WARNING, _factory_words(factory), cause, 'use "lgpio" on a Raspberry Pi')
    if computer.is_pi_5 and factory is PinFactory.RPIGPIO:
        no_pins = True
        if wanted:
            yield Finding(WARNING, _factory_words(factory), "does not work on a Raspberry Pi 5", 'use "lgpio"')
    if no_pins or not configuration.buttons.enabled:
        advice = "start, claim and resign with tamsk-hw do, or with the keys of tamsk-hw run in a terminal"
        yield Finding(WARNING, "buttons", "none will work", advice)


def _needing_pins(configuration: Configuration) -> list[str]:
    """The parts at pins that are switched on."""
    parts = {"buttons": configuration.buttons.enabled, "buzzer": configuration.buzzer.enabled}
    return [name for name, is_wanted in parts.items() if is_wanted]


def _factory_words(factory: PinFactory) -> str:
    return "simulated panel" if factory is PinFactory.SIMULATE else f"pin factory {factory.value}"


def _check_lights(route: LightRoute, computer: Computer, pin: int, here: Surroundings) -> Iterator[Finding]:
    """Lights of a Raspberry Pi. ``pin``: the GPIO at which the wiring map has them."""
    if route is LightRoute.SPI:
        if pin != SPI_LIGHTS_GPIO:
            cause = f'"spi" sends on GPIO{SPI_LIGHTS_GPIO}, the wiring map has the lights on GPIO{pin}'
            advice = f"wire them to GPIO{SPI_LIGHTS_GPIO} and say so in the map"
            yield Finding(WARNING, "lights", cause, advice)
        if not os.path.exists(here.spi):
            cause = f'"spi" needs {here.spi}, which is not there'
            yield Finding(WARNING, "lights", cause, "switch SPI on (raspi-config)")
    elif route is LightRoute.GPIO:
        if computer.is_pi_5 and not here.is_installed(PI_5_LIGHTS):
            cause = f'"gpio" on a Raspberry Pi 5 needs the library {PI_5_LIGHTS}, which is not installed'
            yield Finding(WARNING, "lights", cause, 'install it, or use "spi"')
        elif not computer.is_pi_5 and not os.access(here.memory, os.W_OK):
            cause = f'"gpio" needs root ({here.memory}), which this user is not'
            yield Finding(WARNING, "lights", cause, 'use "spi"')


def check_pins(configuration: Configuration, here: Surroundings) -> list[Finding]:
    """The result of opening the pins, which are closed again.

    None where nothing needs them, or where `check_panel` has said that they cannot work.
    """
    factory, computer = configuration.gpio.factory, this_computer(here.device_tree)
    is_simulated = factory is PinFactory.SIMULATE
    if factory is PinFactory.MOCK or not _needing_pins(configuration) or not (computer.is_pi or is_simulated):
        return []

    def opened() -> Finding:
        places = panel_places(configuration.gpio.hands, os.environ, configuration.state_folder)
        try:
            pins: Any = speak_to(places) if is_simulated else here.open_pins(factory)
        except DriverError as error:
            advice = driver_advice(error.trouble) or "switch buttons and buzzer off, or mend it"
            return Finding(PROBLEM, subject, driver_cause(error.trouble), advice)
        with contextlib.suppress(Exception):  # nothing can be done about it
            pins.close()
        return Finding(OK, subject, "the simulated board answers" if is_simulated else computer.model)

    subject = _factory_words(factory)
    return [bounded(opened, Finding(PROBLEM, subject, "its driver gives no answer", "restart the computer"))]


# ---- calibration, disk and clock


def check_calibration(known: KnownCalibration, file: Path, now: float) -> Finding:
    """The board was measured, not too long ago."""
    subject = "calibration"
    if known.problem is not None:
        return Finding(PROBLEM, subject, f"{file} {known.problem}", f"correct it, or measure again: {_CALIBRATE}")
    if known.modified is None:
        return Finding(WARNING, subject, f"{file} is not there; the reference build's values are used", _CALIBRATE)
    if known.unmeasured:
        names = " ".join(known.unmeasured[:8]) + " …" * (len(known.unmeasured) > 8)
        return Finding(WARNING, subject, f"{file}: not calibrated are {names}", _CALIBRATE)
    age = max(0.0, now - known.modified)
    days = int(age // 86400)
    cause = f"{file}, {f'{days} day' + 's' * (days != 1) if days else 'less than a day'} old"
    if age > OLD_CALIBRATION:
        return Finding(WARNING, subject, cause, f"{_CALIBRATE}, if glasses are not felt well")
    return Finding(OK, subject, cause)


def bounded_disk(folder: Path) -> Finding:
    """`check_disk`, also of a disk that hangs."""
    cause = f"{folder} does not say how much is free"
    silent = Finding(WARNING, "disk", cause, "check whether its disk answers (df)")
    return bounded(lambda: check_disk(folder), silent)


def check_disk(folder: Path) -> Finding:
    """Games can be saved in the journal's folder, or in the one that will be made. May hang with its disk."""
    there = folder.absolute()
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    advice = "correct journal.folder"
    if not there.is_dir():
        return Finding(PROBLEM, "disk", f"{there} is no folder: games are not saved", advice)
    disk = os.statvfs(there)
    if disk.f_flag & os.ST_RDONLY or not os.access(there, os.W_OK | os.X_OK):
        cause = f"this user may not write in {there}: games are not saved"
        return Finding(PROBLEM, "disk", cause, "correct its owner, or journal.folder; or the disk is read-only")
    parts = folder.absolute().relative_to(there).parts
    cause = f"{folder} cannot be made: {{}}: games are not saved"
    if parts and not disk.f_blocks:
        return Finding(PROBLEM, "disk", cause.format(f"{there} keeps no files"), advice)
    if any(len(os.fsencode(part)) > disk.f_namemax for part in parts):
        return Finding(PROBLEM, "disk", cause.format(f"a name is longer than {disk.f_namemax} bytes"), advice)
    free = disk.f_bavail * disk.f_frsize
    cause = f"{folder}: {f'{free / 2**30:.1f} GiB' if free >= 2**30 else f'{free / 2**20:.1f} MiB'} free"
    if free < LEAST_FREE:
        return Finding(PROBLEM, "disk", cause, "make room: games will not be saved")
    if free < ENOUGH_FREE:
        return Finding(WARNING, "disk", cause, "make room soon")
    return Finding(OK, "disk", cause)


def clock_finding(here: Surroundings) -> Finding:
    """The finding on this computer's clocks."""
    return check_clock(datetime.now().year, _synchronised(here))


def check_clock(year: int, synchronised: bool | None) -> Finding:
    """The time of day is right, for the games' dates. That the other clock goes forward the system promises.

    ``synchronised``: the network sets the time of day; None when the system does not say.
    """
    if year < FIRST_YEAR:
        cause = f"the time of day is in {year}: games get wrong dates"
        return Finding(WARNING, "clock", cause, "set it (sudo timedatectl set-ntp true, or set-time)")
    if synchronised is False:
        cause = "the time of day is not set by the network: games may get wrong dates; their times are right"
        return Finding(WARNING, "clock", cause, "sudo timedatectl set-ntp true")
    if synchronised:
        return Finding(OK, "clock", "goes forward; the time of day is set by the network")
    return Finding(OK, "clock", "goes forward; it is not known whether the network sets the time of day")


def _synchronised(here: Surroundings) -> bool | None:
    if here.synchronised.exists():
        return True
    command = shutil.which("timedatectl")
    if command is None:
        return None
    try:
        answer = run_quietly((command, "show", "-p", "NTPSynchronized", "--value"), MOST).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(answer)
