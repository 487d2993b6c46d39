"""Configured places that systemd keeps from the service or its page, each with the drop-in that opens it.

Commands run outside the units' sandboxes, so systemd is asked for the units as they are loaded, drop-ins included.
Where it does not run, or the units are not installed, nothing is known and nothing is reported.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tamsk_hw.configuration import Configuration, Places
from tamsk_hw.errors import Finding, Severity

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


def check_services(configuration: Configuration, places: Places, systemctl: str) -> Iterator[Finding]:
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
