"""Configured places that systemd keeps from the service or its page, each with the drop-in that opens it.

Commands run outside the units' sandboxes, so systemd is asked for the units as they are loaded, drop-ins included.
Where it does not run, or the units are not installed, nothing is known and nothing is reported.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tamsk_hw.configuration import Configuration, Places
from tamsk_hw.errors import Finding, Severity

SERVICE: Final = "tamsk-hw.service"
PAGE: Final = "tamsk-hw-web.service"

#: Seconds for which systemd's answer is waited for; a busy Raspberry Pi takes several.
MOST: Final = 15.0

#: The folders that systemd makes for our units, and leaves writable, by their settings.
_OWN_FOLDERS: Final = {"StateDirectory": "/var/lib", "RuntimeDirectory": "/run"}

_HOMES: Final = ("/home", "/root", "/run/user")
_PROPERTIES: Final = ("Id", "LoadState", "ExecStart", "ProtectSystem", "ProtectHome", "PrivateTmp")
_PATHS: Final = ("ReadWritePaths", "BindPaths", "BindReadOnlyPaths", *_OWN_FOLDERS)


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
    folder, board = configuration.journal.folder, configuration.board
    capture = re.search(r"--capture[= ](/\S+)", units.get(SERVICE, {}).get("ExecStart", ""))
    # Unit, setting, place, the consequence of its absence, and whether it is written.
    for unit, setting, path, otherwise, writes in (
        (SERVICE, "journal.folder", folder, "games are not saved", True),
        (PAGE, "journal.folder", folder, "it shows no games of the past", False),
        (SERVICE, "board.wiring", board.wiring, "it does not start", False),
        (SERVICE, "board.calibration", board.calibration, "the board is played uncalibrated", False),
        (SERVICE, "gpio.hands", configuration.gpio.hands, "buttons and lights do not work", False),
        (SERVICE, "run --capture", Path(capture[1]).parent if capture else None, "it does not start", True),
    ):
        if path is not None and unit in units and (shut := _shut(path, units[unit], writes=writes)) is not None:
            verb, why, lines = shut
            make = ""
            if writes and not os.path.lexists(path):
                make = f"sudo install -d -o tamsk-hw -g tamsk-hw -m 750 {shlex.quote(str(path))}, "
            name = unit.removesuffix(".service")
            yield Finding(
                Severity.WARNING,
                "service",
                f"{setting}: {unit} {verb} {path} ({why}): {otherwise}",
                f"{make}sudo systemctl edit {name}, enter the lines [Service] and {' and '.join(lines)}, "
                f"then sudo systemctl restart {name}",
            )


def run_quietly(
    command: Sequence[str], seconds: float, errors: str = "replace"
) -> subprocess.CompletedProcess[str]:
    """Run a program that is asked nothing; its output and errors as texts.

    Raises:
        OSError: there is no such program.
        subprocess.TimeoutExpired: it has not ended in time.
    """
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.run(
        command, stdin=null, stdout=pipe, stderr=pipe, encoding="utf-8", errors=errors, timeout=seconds
    )


def _loaded_units(systemctl: str) -> dict[str, Mapping[str, str]]:
    """The properties of the installed units by the units' names; none without systemd."""
    properties = ",".join((*_PROPERTIES, *_PATHS))
    try:
        command = (systemctl, "show", SERVICE, PAGE, f"--property={properties}")
        shown = run_quietly(command, MOST, errors="surrogateescape").stdout
    except OSError:
        return {}
    units = (dict(line.split("=", 1) for line in unit.splitlines() if "=" in line) for unit in shown.split("\n\n"))
    return {unit["Id"]: unit for unit in units if "Id" in unit and unit.get("LoadState") == "loaded"}


def _shut(path: Path, unit: Mapping[str, str], *, writes: bool) -> tuple[str, str, list[str]] | None:
    """The unit's trouble with a place, the setting that makes it, and the lines that end it; None for none."""
    real = Path(os.path.realpath(path))
    own = [os.path.join(above, name) for setting, above in _OWN_FOLDERS.items() for name in _listed(unit, setting)]
    bound = [*own, *_there(unit, "BindPaths")]
    is_seen = _is_below(real, [*bound, *_there(unit, "BindReadOnlyPaths")])
    is_writable = _is_below(real, [*bound, *_there(unit, "ReadWritePaths")])
    home = unit.get("ProtectHome", "no")
    in_home = _is_below(real, _HOMES)
    bind = f"{'BindPaths' if writes else 'BindReadOnlyPaths'}={_in_unit(real)}"
    if in_home and home == "yes":  # nothing listed below it is seen
        return "does not see", "ProtectHome=yes", ["ProtectHome=tmpfs", bind]
    if in_home and home == "tmpfs" and not is_seen:
        return "does not see", "ProtectHome=tmpfs", [bind]
    if unit.get("PrivateTmp") == "yes" and _is_below(real, ("/tmp", "/var/tmp")) and not is_seen:
        return "does not see", "PrivateTmp=yes", [bind]
    if writes and not is_writable and unit.get("ProtectSystem") == "strict":
        return "may not write in", "ProtectSystem=strict", [f"ReadWritePaths={_in_unit(real)}"]
    return None


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
