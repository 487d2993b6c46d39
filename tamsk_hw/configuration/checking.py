"""The configuration checked against the computer.

Configured places that systemd keeps from the service or its page, each with the drop-in that opens it.

Commands run outside the units' sandboxes, so systemd is asked for the units as they are loaded, drop-ins included.
Where it does not run, or the units are not installed, nothing is known and nothing is reported.

``tamsk-hw config check``: the file that is read, values that differ from their defaults, and settings that
cannot work on this computer.

Nothing here opens a device or loads a library of lights or pins.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tamsk_hw.board.calibration import CalibrationState, read_calibration
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.configuration.reading import Places, load_configuration, ruleset_on
from tamsk_hw.configuration.settings import SECTIONS, Configuration
from tamsk_hw.errors import ConfigError, Finding, Severity, WiringError, printable
from tamsk_hw.panel.hardware import DEVICE_TREE, PinFactory, this_computer
from tamsk_hw.panel.outputs import SPI_LIGHTS_GPIO, LightRoute

SERVICE: Final = "tamsk-hw.service"
PAGE: Final = "tamsk-hw-web.service"

#: Seconds for which systemd's answer is waited for; a busy Raspberry Pi takes several.
MOST: Final = 15.0

#: The folders that systemd makes for a unit, and leaves writable, by their settings.
_OWN_FOLDERS: Final = {
    "StateDirectory": "/var/lib",
    "CacheDirectory": "/var/cache",
    "LogsDirectory": "/var/log",
    "RuntimeDirectory": "/run",
}

_PROTECTED_SYSTEM: Final = {
    "strict": ("/",),
    "full": ("/usr", "/boot", "/efi", "/etc"),
    "yes": ("/usr", "/boot", "/efi"),
}
_HOMES: Final = ("/home", "/root", "/run/user")
_PROPERTIES: Final = ("Id", "LoadState", "ExecStart", "ProtectSystem", "ProtectHome", "PrivateTmp")
_PATHS: Final = ("ReadWritePaths", "BindPaths", "BindReadOnlyPaths", *_OWN_FOLDERS)


@dataclass(frozen=True, slots=True)
class _Need:
    """A place that a unit needs, and the consequence of its absence."""

    unit: str
    setting: str
    path: Path | None
    otherwise: str
    writes: bool = False


def sandbox_warnings(
    configuration: Configuration, places: Places, systemctl: str = "systemctl"
) -> Iterator[Finding]:
    """Warnings about every configured place; none for a user's own configuration, which the units do not read."""
    if configuration.file is not None and configuration.file == places.user:
        return
    try:
        units = _loaded_units(systemctl)
    except subprocess.TimeoutExpired:
        cause = "systemd has not answered: it is not known whether the services may use their folders"
        yield Finding(Severity.WARNING, "service", cause, "check again when the computer is less busy")
        return
    for need in _needs(configuration, units.get(SERVICE, {}).get("ExecStart", "")):
        if need.path is not None and need.unit in units:
            yield from _kept_out(need, need.path, units[need.unit])


def _needs(configuration: Configuration, command: str) -> Iterator[_Need]:
    folder, board = configuration.journal.folder, configuration.board
    capture = re.search(r"--capture[= ](/\S+)", command)
    yield _Need(SERVICE, "journal.folder", folder, "games are not saved", writes=True)
    yield _Need(PAGE, "journal.folder", folder, "it shows no games of the past")
    yield _Need(SERVICE, "board.wiring", board.wiring, "it does not start")
    yield _Need(SERVICE, "board.calibration", board.calibration, "the board is played uncalibrated")
    yield _Need(SERVICE, "gpio.hands", configuration.gpio.hands, "buttons and lights do not work")
    if capture:
        yield _Need(SERVICE, "run --capture", Path(capture[1]).parent, "it does not start", writes=True)


def _loaded_units(systemctl: str) -> dict[str, Mapping[str, str]]:
    """The properties of the installed units by the units' names; none without systemd."""
    properties = ",".join((*_PROPERTIES, *_PATHS))
    try:
        shown = subprocess.run(
            [systemctl, "show", SERVICE, PAGE, f"--property={properties}"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=MOST,
            check=False,
        ).stdout
    except OSError:
        return {}
    units = (dict(line.split("=", 1) for line in unit.splitlines() if "=" in line) for unit in shown.split("\n\n"))
    return {unit["Id"]: unit for unit in units if "Id" in unit and unit.get("LoadState") == "loaded"}


def _kept_out(need: _Need, path: Path, unit: Mapping[str, str]) -> Iterator[Finding]:
    real = Path(os.path.realpath(path))
    own = [os.path.join(above, name) for setting, above in _OWN_FOLDERS.items() for name in _listed(unit, setting)]
    bound = [*own, *_there(unit, "BindPaths")]
    is_seen = _is_below(real, [*bound, *_there(unit, "BindReadOnlyPaths")])
    is_writable = _is_below(real, [*bound, *_there(unit, "ReadWritePaths")])
    home, system = unit.get("ProtectHome", "no"), unit.get("ProtectSystem", "no")
    in_home = _is_below(real, _HOMES)
    bind = f"{'BindPaths' if need.writes else 'BindReadOnlyPaths'}={_in_unit(real)}"
    verb = "does not see"
    if in_home and home == "yes":  # nothing listed below it is seen
        why, lines = "ProtectHome=yes", ["ProtectHome=tmpfs", bind]
    elif in_home and home == "tmpfs" and not is_seen:
        why, lines = "ProtectHome=tmpfs", [bind]
    elif unit.get("PrivateTmp") == "yes" and _is_below(real, ("/tmp", "/var/tmp")) and not is_seen:
        why, lines = "PrivateTmp=yes", [bind]
    elif need.writes and not is_writable and _is_below(real, _PROTECTED_SYSTEM.get(system, ())):
        verb, why, lines = "may not write in", f"ProtectSystem={system}", [f"ReadWritePaths={_in_unit(real)}"]
    elif need.writes and not is_writable and in_home and home == "read-only":
        verb, why, lines = "may not write in", "ProtectHome=read-only", [f"ReadWritePaths={_in_unit(real)}"]
    else:
        return
    make = ""
    if need.writes and not os.path.lexists(path):
        make = f"sudo install -d -o tamsk-hw -g tamsk-hw -m 750 {shlex.quote(str(path))}, "
    name = need.unit.removesuffix(".service")
    yield Finding(
        Severity.WARNING,
        "service",
        f"{need.setting}: {need.unit} {verb} {path} ({why}): {need.otherwise}",
        f"{make}sudo systemctl edit {name}, enter the lines [Service] and {' and '.join(lines)}, "
        f"then sudo systemctl restart {name}",
    )


def _listed(unit: Mapping[str, str], setting: str) -> list[str]:
    """The paths in a setting, as the unit sees them."""
    text = unit.get(setting, "")
    if setting.startswith("Bind"):  # [-]SOURCE:DESTINATION[:rbind], without quotes
        return re.findall(r":(/[^:]*?)(?::\w*)?(?= -?/|$)", text)
    try:
        words = shlex.split(text)
    except ValueError:  # systemd quotes otherwise than shlex knows
        words = text.split()
    return [word.lstrip("-+").partition(":")[0] for word in words]


def _there(unit: Mapping[str, str], setting: str) -> Iterator[str]:
    """The paths in a setting without those that are missing, which systemd passes over."""
    for path in _listed(unit, setting):
        try:
            os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:  # closed to this user, not to systemd
            pass
        yield path


def _is_below(path: Path, folders: Iterable[str]) -> bool:
    return any(path.is_relative_to(os.path.realpath(folder)) for folder in folders)


def _in_unit(path: Path) -> str:
    """A path as it is written in a unit; the - lets the unit start where the path is missing."""
    text = f"-{path}".replace("%", "%%")
    return f'"{text}"' if re.search(r"\s", text) else text


#: The library by which `neopixel` drives lights on a Raspberry Pi 5.
PI_5_LIGHTS = "adafruit_raspberry_pi5_neopixel_write"


def _is_installed(library: str) -> bool:
    return find_spec(library) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The places on this computer that the warnings look at."""

    device_tree: Path = DEVICE_TREE
    """Where Linux says which computer this is."""
    spi: Path = Path("/dev/spidev0.0")
    """The SPI device that `neopixel_spi` opens."""
    memory: Path = Path("/dev/mem")
    """The device that `neopixel` writes to on a Pi before the Pi 5."""
    is_installed: Callable[[str], bool] = _is_installed
    """True for a library that is installed."""
    systemctl: str = "systemctl"
    """systemd's program that shows what the units may use."""


def check(chosen: Path | None, places: Places, machine: Machine) -> list[str]:
    """Read the configuration and the wiring map that it names; give what is to be said, line by line.

    Raises `ConfigError` for what is refused, rules included for which the board lacks tubes, `WiringError` when
    the program's own map is broken.
    """
    configuration = load_configuration(chosen, places)
    wiring = _wiring(configuration)
    ruleset_on(wiring, configuration)
    lines = [f"Configuration: {configuration.origin}"]
    if configuration.file is None:
        lines.append(f"Looked for: {', '.join(str(file) for file in places.searched)}")
    changed = differences(configuration)
    lines.append("Other than the defaults:" if changed else "Every value is its default.")
    lines += [f"  {line}" for line in changed]
    if configuration.board.port is None:
        lines.append("Board: none is configured; tamsk-hw run plays on the simulated board.")
    else:
        lines.append(f"Board: {configuration.board.port}")
    found = list(warnings(configuration, wiring, machine))
    found += map(str, sandbox_warnings(configuration, places, machine.systemctl))
    if chosen is None:
        found = [*_passed_over(configuration, places), *found]
    lines += [f"Warning: {warning}" for warning in found]
    lines.append("No warnings." if not found else f"{len(found)} warning{'s' * (len(found) > 1)}.")
    return [printable(line) for line in lines]


def differences(configuration: Configuration) -> list[str]:
    """Every value that is not its default, as it stands in the file, with the default."""
    return [
        f"{section.name}.{key.name} = {key.kind.write(value)} (default {key.kind.write(key.default)})"
        for section in SECTIONS
        for key in section.keys
        if (value := section.value(configuration, key)) != key.default
    ]


def warnings(configuration: Configuration, wiring: Wiring, machine: Machine) -> Iterator[str]:
    """Settings that are allowed and cannot work on this computer, each with what to do.

    Without a configured board nothing is asked of the computer but a place for the journal.
    """
    if configuration.board.port is not None:
        yield from _board(configuration, configuration.board.port)
        computer = this_computer(machine.device_tree)
        if computer.is_pi:
            yield from (f"lights.route: {each}" for each in lights_warnings(configuration, wiring, machine))
            yield from _pins(configuration, computer.is_pi_5)
        elif idle := _needing_a_pi(configuration):
            name = computer.model or "nobody says which"
            yield f"this computer is no Raspberry Pi ({name}): these will not work: {', '.join(idle)}"
        drives_no_pin = computer.is_pi_5 and configuration.gpio.factory is PinFactory.RPIGPIO
        has_pins = computer.is_pi and not drives_no_pin and "buttons" in _needing_a_pi(configuration)
        if not has_pins and not (_is_simulated(configuration) and configuration.buttons.enabled):
            yield (
                "buttons: none will work; start, claim and resign with tamsk-hw do, "
                "or with the keys of tamsk-hw run in a terminal"
            )
    yield from _journal(configuration.journal_folder)


def _wiring(configuration: Configuration) -> Wiring:
    """The wiring map that the configuration names."""
    try:
        return load_wiring(configuration.board.wiring)
    except WiringError as error:
        if configuration.board.wiring is None:
            raise
        raise ConfigError(f"{configuration.origin}: board.wiring: {error}") from error


def _passed_over(configuration: Configuration, places: Places) -> Iterator[str]:
    """Files that somebody may believe to be read."""
    for file in places.searched:
        if configuration.file not in (None, file) and os.path.exists(file):
            yield f"{file} is there, too, and is not read"


def _is_simulated(configuration: Configuration) -> bool:
    """Buttons and lights are those of a simulated board."""
    return configuration.gpio.factory is PinFactory.SIMULATE


def _needing_a_pi(configuration: Configuration) -> list[str]:
    """Parts that are switched on and need a Raspberry Pi's pins."""
    simulated = _is_simulated(configuration)
    with_pins = configuration.gpio.factory is not PinFactory.MOCK and not simulated
    wanted = {
        "lights": configuration.lights.route is not LightRoute.NONE and not simulated,
        "buttons": configuration.buttons.enabled and with_pins,
        "buzzer": configuration.buzzer.enabled and with_pins,
    }
    return [name for name, is_wanted in wanted.items() if is_wanted]


#: Linux's major number of /dev/null and its like.
MEMORY_DEVICES = 1


def _board(configuration: Configuration, port: str) -> Iterator[str]:
    try:
        found = os.stat(port)
    except OSError:
        yield f"board.port: {port} is not there right now: plug in the board, or correct the port"
    else:
        if not stat.S_ISCHR(found.st_mode) or os.major(found.st_rdev) == MEMORY_DEVICES:
            yield f"board.port: {port} is no serial line: correct the port"
        elif not os.access(port, os.R_OK | os.W_OK):
            yield f"board.port: this user may not use {port}: add the user to the group that owns it (dialout)"
    problem = _calibration_problem(configuration.calibration_file)
    if problem is not None:
        yield (
            f"board.calibration: {configuration.calibration_file} {problem}: the board is played uncalibrated, "
            "until it has been calibrated or the path is corrected"
        )


def _calibration_problem(path: Path) -> str | None:
    known = read_calibration(path)
    return "is not there" if known.state is CalibrationState.MISSING else known.problem


def _lights(cause: str, advice: str) -> Finding:
    return Finding(Severity.WARNING, "lights", cause, advice)


def lights_warnings(configuration: Configuration, wiring: Wiring, machine: Machine) -> Iterator[Finding]:
    """Warnings that concern the lights; none unless they are a Raspberry Pi's."""
    route, computer = configuration.lights.route, this_computer(machine.device_tree)
    if not computer.is_pi or _is_simulated(configuration):
        return
    if route is LightRoute.SPI:
        if wiring.lights_pin != SPI_LIGHTS_GPIO:
            yield _lights(
                f'"spi" sends on GPIO{SPI_LIGHTS_GPIO}, the wiring map has the lights on GPIO{wiring.lights_pin}',
                f"wire them to GPIO{SPI_LIGHTS_GPIO} and say so in the map",
            )
        if not os.path.exists(machine.spi):
            yield _lights(f'"spi" needs {machine.spi}, which is not there', "switch SPI on (raspi-config)")
    elif route is LightRoute.GPIO:
        if computer.is_pi_5 and not machine.is_installed(PI_5_LIGHTS):
            yield _lights(
                f'"gpio" on a Raspberry Pi 5 needs the library {PI_5_LIGHTS}, which is not installed',
                'install it, or use "spi"',
            )
        elif not computer.is_pi_5 and not os.access(machine.memory, os.W_OK):
            yield _lights(f'"gpio" needs root ({machine.memory}), which this user is not', 'use "spi"')


def _pins(configuration: Configuration, is_pi_5: bool) -> Iterator[str]:
    factory = configuration.gpio.factory
    if not configuration.buttons.enabled and not configuration.buzzer.enabled:
        return
    if factory is PinFactory.RPIGPIO and is_pi_5:
        yield 'gpio.factory: "rpigpio" does not work on a Raspberry Pi 5: use "lgpio"'
    elif factory is PinFactory.MOCK:
        yield 'gpio.factory: "mock" moves no pin: buttons and buzzer will not work; use "lgpio"'


def _journal(folder: Path) -> Iterator[str]:
    there = folder
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    if not there.is_dir():
        yield f"journal.folder: {there} is no folder: games are not saved; correct the path"
    elif not os.access(there, os.W_OK | os.X_OK):
        yield f"journal.folder: this user may not write in {there}: games are not saved; correct owner or path"
    elif there != folder and (problem := _cannot_be_made(folder, there)) is not None:
        yield f"journal.folder: {folder} cannot be made: {problem}: games are not saved; correct the path"


def _cannot_be_made(folder: Path, there: Path) -> str | None:
    """Why ``folder`` cannot be made below ``there``, a folder that may be written; None when it can."""
    try:
        disk = os.statvfs(there)
    except OSError as error:
        return (error.strerror or str(error)).lower()
    if not disk.f_blocks:
        return f"{there} keeps no files"
    if any(len(os.fsencode(part)) > disk.f_namemax for part in folder.relative_to(there).parts):
        return f"a name is longer than {disk.f_namemax} bytes"
    return None
