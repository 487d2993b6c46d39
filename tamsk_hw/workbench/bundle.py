"""``tamsk-hw bundle``: one file for a bug report, shown to the person before it is written.

Every part is gathered by itself. One that cannot be had is missing, with a note why; no part stops the others.
"""

import importlib.metadata
import io
import os
import platform
import pwd
import re
import sqlite3
import sys
import tarfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from tamsk_hw import __version__
from tamsk_hw.board.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR
from tamsk_hw.configuration import Configuration, Places
from tamsk_hw.errors import ConfigError, printable
from tamsk_hw.journal.archive import Archive
from tamsk_hw.panel.hardware import this_computer
from tamsk_hw.workbench.doctor import Examined, Surroundings, bounded, configuration_lines, examine
from tamsk_hw.workbench.findings import plain_line, summary
from tamsk_hw.workbench.services import run_quietly

#: Characters that one part may have: what is longer is cut at its beginning.
MOST_PART: Final = 500_000

#: Seconds that a part may take which reads a disk, and seconds for the doctor, who promises fifteen.
PART_WITHIN: Final = 15.0
DOCTOR_WITHIN: Final = 30.0

#: The text in place of a hidden one.
HIDDEN: Final = "…"

#: The service's log of this start of the computer.
JOURNALCTL: Final = (
    *("journalctl", "--boot", "--unit=tamsk-hw.service", "--no-pager", "--quiet"),
    *("--output=short-iso", "--no-hostname", "--lines=3000"),
)

# Addresses of networks, of their devices and of people.
_ADDRESS: Final = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b"
    r"|(?<![\w:])[0-9a-f]*:(?:[0-9a-f]*:)+[0-9a-f]+|[^\s@:;,]+@[^\s@:;,]+",
    re.IGNORECASE | re.ASCII,
)
_TIME: Final = re.compile(r"\d\d(?::\d\d){1,2}")

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Bundle:
    """The parts gathered so far: texts by name, and the reasons for missing ones. ``hidden``: texts to hide."""

    hidden: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def attempt(self, name: str, work: Callable[[], T], within: float = PART_WITHIN) -> T | None:
        """The result of ``work``; None, and a note, when it fails or takes longer than ``within`` seconds."""

        def tried() -> tuple[T | None, str]:
            try:
                return work(), ""
            except Exception as error:  # something is wrong, or nobody would make a bundle: it must not stop here
                return None, " ".join(str(error).split()) or type(error).__name__

        silent: tuple[T | None, str] = (None, f"gives no answer within {within:g} s")
        result, why = bounded(tried, silent, within)
        if why:
            self.missing[name] = self.without_hidden(why)
        return result

    def add(self, name: str, work: Callable[[], str]) -> None:
        """Add a text, if it can be had; one that is missing already stays so."""
        text = None if name in self.missing else self.attempt(name, work)
        if text is not None:
            self.files[name] = self.without_hidden(text[-MOST_PART:])

    def without_hidden(self, text: str) -> str:
        """The text without the names to hide, and without addresses."""
        for name in sorted(self.hidden, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", HIDDEN, text, flags=re.IGNORECASE)
        return _ADDRESS.sub(lambda found: found[0] if _TIME.fullmatch(found[0]) else HIDDEN, text)


def make_bundle(
    *,
    output: Path | None = None,
    yes: bool = False,
    here: Surroundings | None = None,
    ask: Callable[[str], bool] | None = None,
    **parts: Any,
) -> int:
    """Gather, show all of it, ask at a terminal, and write the file; the program's exit status.

    ``yes``: neither show all that is in it nor ask before it is written. ``ask`` puts a question to the person; by
    default at a terminal only. ``parts`` are those of `gather_bundle`.

    Raises:
        ConfigError: the file is there already or cannot be written; then there is none.
    """
    if ask is None and sys.stdin.isatty() and sys.stdout.isatty():
        ask = click.confirm
    made = datetime.now()
    folder = f"tamsk-hw-bundle-{made:%Y%m%d-%H%M%S}"
    path = output or Path(f"{folder}.tar.gz")
    if os.path.lexists(path):
        raise ConfigError(f"{path}: is there already, and is not replaced; name another file with -o")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {path.absolute().parent}; make it, or name another with -o")
    click.echo("Looking at everything; this takes up to a minute.", err=True)
    bundle = gather_bundle(here or Surroundings(), **parts)
    manifest = manifest_of(bundle, made)
    files = {"README.txt": manifest, **bundle.files}
    if not yes:
        show = click.echo if ask is None else click.echo_via_pager
        show("\n\n".join(f"==== {name}\n{_printable_lines(text)}" for name, text in files.items()) + "\n")
        if ask is not None and not ask("Write this into a bundle?"):
            click.echo("Nothing was written.", err=True)
            return 1
    data = packed(files, folder, made)
    _write_new(path, data)
    if yes:
        click.echo(_printable_lines(manifest))
    click.echo(f"\n{printable(str(path.absolute()))}: {len(data)} bytes")
    return 0


def gather_bundle(
    here: Surroundings, *, config: Path | None = None, games: int = 3, log_command: tuple[str, ...] = JOURNALCTL
) -> Bundle:
    """Gather every part, with the last ``games``."""
    bundle, places = Bundle(hidden=names_of_this_computer(os.environ)), Places.of(os.environ)
    unknown = Examined(configuration=Configuration(), findings=(), refusal=ConfigError("the doctor has failed"))
    facts = bundle.attempt("doctor.txt", lambda: examine(config, here), DOCTOR_WITHIN) or unknown
    configuration = facts.configuration
    archive = Archive(configuration.journal_folder)
    listed = bundle.attempt("games", archive.games) or []
    people = {configuration.players.red, configuration.players.black}
    people |= {name for game in listed for name in (game.red, game.black)}
    bundle.hidden |= {name for name in people if name}
    if configuration.board.port is not None and "by-id" in configuration.board.port:  # it has a serial number
        bundle.hidden.add(Path(configuration.board.port).name)
    if facts.refusal is not None:
        bundle.missing["configuration.txt"] = bundle.without_hidden(str(facts.refusal))
    parts: dict[str, Callable[[], str]] = {
        "doctor.txt": lambda: _lines([*map(plain_line, facts.findings), summary(facts.findings)]),
        "configuration.txt": lambda: _lines(configuration_lines(configuration, places)),
        "versions.txt": lambda: versions(facts, here),
        "calibration.toml": lambda: configuration.calibration_file.read_text(encoding="utf-8"),
    }
    for game in listed[-games:] if games else ():
        parts |= _game_parts(archive, game.number)
    parts["service.log"] = lambda: service_log(log_command)
    for name, work in parts.items():
        bundle.add(name, work)
    return bundle


# ---- the parts


def names_of_this_computer(environment: Mapping[str, str]) -> set[str]:
    """The names of this computer and its user, and the user's home."""
    names = {platform.node(), *(environment.get(name, "") for name in ("USER", "LOGNAME", "SUDO_USER", "HOME"))}
    with suppress(KeyError):
        account = pwd.getpwuid(os.getuid())
        names |= {account.pw_name, account.pw_gecos.split(",")[0]}
    return names - {"", "root", "/root", "tamsk-hw", "localhost"}


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def versions(facts: Examined, here: Surroundings) -> str:
    """A line for each thing that has a version."""
    hello = facts.hello
    firmware = "not known: the board did not report it"
    if hello is not None:
        version, protocol = ".".join(map(str, hello.firmware)), ".".join(map(str, hello.protocol))
        firmware = f"{version}, protocol {protocol}, wiring {hello.wiring_hash:08x}"
    system = {}
    with suppress(OSError):
        system = platform.freedesktop_os_release()
    found = {
        "tamsk-hw": f"{__version__}, protocol {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}",
        "firmware": firmware,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": system.get("PRETTY_NAME", "not known"),
        "kernel": f"{platform.system()} {platform.release()} ({platform.machine()})",
        "computer": this_computer(here.device_tree).model or "not known",
        "SQLite": sqlite3.sqlite_version,
    }
    libraries = {each.name: each.version for each in importlib.metadata.distributions() if each.name not in found}
    found |= sorted(libraries.items())
    return _lines(f"{name}: {version}" for name, version in found.items())


def _game_parts(archive: Archive, number: int) -> dict[str, Callable[[], str]]:
    """A game's stream, as ``tamsk-hw replay`` reads it, and the rulings that were shown."""
    return {
        f"games/{number}.events.jsonl": lambda: archive.load(number).stream,
        f"games/{number}.rulings.jsonl": lambda: _lines(chain(*(e.rulings for e in archive.load(number).entries))),
    }


def service_log(command: tuple[str, ...]) -> str:
    """The end of the service's log.

    Raises:
        ConfigError: there is none, or it may not be read; the message says why.
        OSError: the command cannot be run.
    """
    done = run_quietly(command, 10.0)
    if done.returncode:
        raise ConfigError(done.stderr.strip() or f"{command[0]} ends with status {done.returncode}")
    if not done.stdout.strip():
        raise ConfigError(done.stderr.strip() or "the service has logged nothing since this computer was started")
    return done.stdout


# ---- the file


def manifest_of(bundle: Bundle, made: datetime) -> str:
    """The list of what is in the bundle, what is missing and why, and what was hidden."""
    lines = [f"tamsk-hw bundle of {made:%Y-%m-%d %H:%M}", "", "In it:"]
    lines += [f"{len(text.encode()):>9} bytes  {name}" for name, text in bundle.files.items()]
    if bundle.missing:
        lines += ["", "Missing:"]
        lines += [f"  {name}: {printable(words)}" for name, words in bundle.missing.items()]
    return _lines(
        [
            *lines,
            "",
            "The names of the players, of this computer and of its user, a port's serial",
            f"number and addresses are shown as {HIDDEN}. Everything else is as it was: read it",
            "before you send it.",
        ]
    )


def packed(files: Mapping[str, str], folder: str, made: datetime) -> bytes:
    """The archive with these files in one folder, without owners."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=9) as archive:
        for name, text in files.items():
            data = text.encode("utf-8", "backslashreplace")
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), int(made.timestamp()), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file, for its owner alone. Raises `ConfigError`; then nothing is left behind."""
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            try:
                file.write(data)
                file.flush()
            except OSError:
                path.unlink()
                raise
    except OSError as error:
        words = (error.strerror or str(error)).lower()
        raise ConfigError(f"{path}: cannot be written: {words}", "name another place with -o") from None


def _printable_lines(text: str) -> str:
    """The text with each line printable."""
    return "\n".join(printable(line) for line in text.rstrip("\n").split("\n"))
