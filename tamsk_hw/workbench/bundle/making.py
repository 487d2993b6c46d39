"""``tamsk-hw bundle``: one file for a bug report, without secrets.

Every part is gathered by itself. One that cannot be had is missing, with a note why; no part stops the others.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from tamsk_hw.board.calibration import calibration_text, field_names, read_calibration
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.configuration.settings import SECTIONS
from tamsk_hw.errors import TamskError, printable
from tamsk_hw.facts.examined import Facts, Said
from tamsk_hw.journal import Archive
from tamsk_hw.words.doctor_findings import program_words
from tamsk_hw.workbench.bundle.capture import capture_part
from tamsk_hw.workbench.bundle.file import packed, refuse_what_is_there, write_new
from tamsk_hw.workbench.bundle.games import folder_list, game_files, game_list
from tamsk_hw.workbench.bundle.harmless import HIDDEN, Harmless
from tamsk_hw.workbench.bundle.line import LISTEN, decoded, harmless_bytes, listen
from tamsk_hw.workbench.bundle.versions import JOURNALCTL, of_this_computer, service_log, versions
from tamsk_hw.workbench.doctor.checks import examine
from tamsk_hw.workbench.doctor.doctor import plain_line, summary
from tamsk_hw.workbench.doctor.gathering import Surroundings, gather, this_place
from tamsk_hw.workbench.listening import Board

#: Bytes that one part may have: what is longer is cut. Without a capture a bundle stays below 4 MiB, unpacked.
MOST_PART: Final = 500_000

#: Seconds that a part may take which reads a disk.
PART_WITHIN: Final = 15.0

#: Seconds that the doctor may take; it promises a quarter of a minute.
DOCTOR_WITHIN: Final = 30.0

#: The manifest's name.
MANIFEST: Final = "README.txt"

_PARTS: Final = frozenset(
    {part for section in SECTIONS for part in section.name.split(".")}
    | {key.name for section in SECTIONS for key in section.keys}
)

_T = TypeVar("_T")


class _Missing(Exception):
    """A part cannot be had; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleSettings:
    """The options of ``tamsk-hw bundle``. ``games``: the number of last games to include."""

    output: Path | None = None
    config: Path | None = None
    games: int = 3
    capture: Path | None = None
    """A capture whose last minutes are included."""
    yes: bool = False
    """Neither show all that is in it nor ask before it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The parts of this computer that tests replace."""

    surroundings: Surroundings
    environment: Mapping[str, str]
    today: Callable[[], datetime] = datetime.now
    log_command: tuple[str, ...] = JOURNALCTL
    ask: Callable[[str], bool] | None = None
    """A question to the person at the terminal; None without one."""


@dataclass(slots=True)
class Bundle:
    """The parts gathered so far: files by name, and the reasons for missing ones."""

    harmless: Harmless = field(default_factory=Harmless)
    files: dict[str, bytes] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, content: str | bytes) -> None:
        """Add a file that holds only what is harmless."""
        data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        if len(data) > MOST_PART:
            data = data[:MOST_PART] + b"\n-- cut here: more does not fit\n" * isinstance(content, str)
        self.files[name] = data

    def attempt(self, name: str, work: Callable[[], _T], within: float | None = None) -> _T | None:
        """The result of ``work``; None, and a note, when it fails or takes longer than ``within`` seconds.

        ``within`` defaults to `PART_WITHIN`.
        """
        try:
            return _within(PART_WITHIN if within is None else within, work)
        except Exception as error:  # something is wrong, or nobody would make a bundle: it must not stop here
            words = " ".join(str(error).split()) or type(error).__name__
            if not isinstance(error, _Missing | TamskError | OSError):
                words = f"{type(error).__name__}: {words}"
            self.missing[name] = self.harmless.text(words)
            return None


def _within(seconds: float, work: Callable[[], _T]) -> _T:
    """The result of ``work``; raises `_Missing` when it takes longer and is left behind in a thread."""
    given: list[_T] = []
    raised: list[Exception] = []

    def run() -> None:
        try:
            given.append(work())
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not given:
        raise _Missing(f"gives no answer within {seconds:g} s")
    return given[0]


def make_bundle(settings: BundleSettings, here: Here | None = None) -> int:
    """Gather, show all of it, ask at a terminal, and write the file; the program's exit status.

    Raises:
        ConfigError: the file is there already or cannot be written; then there is none.
    """
    if here is None:
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        ask = click.confirm if at_terminal else None
        here = Here(surroundings=this_place(), environment=os.environ, ask=ask)
    made = here.today()
    folder = f"tamsk-hw-bundle-{made:%Y%m%d-%H%M%S}"
    path = settings.output or Path(f"{folder}.tar.gz")
    refuse_what_is_there(path)
    click.echo("Looking at everything; this takes up to a minute.", err=True)
    bundle = gather_bundle(settings, here)
    manifest = manifest_of(bundle, made)
    files = {MANIFEST: manifest.encode("utf-8", "backslashreplace"), **bundle.files}
    if not settings.yes:
        show = click.echo if here.ask is None else click.echo_via_pager
        show("\n\n".join(_shown(name, content) for name, content in files.items()) + "\n")
        if here.ask is not None and not here.ask("Write this into a bundle?"):
            click.echo("Nothing was written.", err=True)
            return 1
    data = packed(files, folder, made)
    write_new(path, data)
    if settings.yes:
        click.echo(printable_lines(manifest))
    click.echo(f"\n{printable(str(path.absolute()))}: {len(data)} bytes")
    return 0


def _shown(name: str, content: bytes) -> str:
    """A part as people see it before it is packed."""
    if name.endswith(".bin"):
        return f"==== {name}: {len(content)} bytes, which line.txt shows"
    return f"==== {name}\n{printable_lines(content.decode())}"


def gather_bundle(settings: BundleSettings, here: Here) -> Bundle:
    """Gather every part."""
    bundle = Bundle(Harmless(of_this_computer(here.environment)))
    places = Places.of(here.environment)
    facts = bundle.attempt("doctor.txt", lambda: gather(settings.config, places, here.surroundings), DOCTOR_WITHIN)
    configuration = Configuration()
    if facts is not None:
        configuration = facts.configuration
    else:
        read = bundle.attempt("configuration.txt", lambda: load_configuration(settings.config, places))
        configuration = read or configuration
    archive = Archive(configuration.journal_folder)
    games = bundle.attempt("games.txt", archive.games)
    people = {configuration.players.red, configuration.players.black}
    people |= {name for game in games or () for name in (game.red, game.black)}
    harmless = bundle.harmless = Harmless((*people, *of_this_computer(here.environment)))

    if facts is not None:
        found = facts
        _put(bundle, "doctor.txt", lambda: _doctor(found, harmless))
    if "configuration.txt" not in bundle.missing:
        _put(bundle, "configuration.txt", lambda: _configuration(configuration, facts, harmless))
    hello = None if facts is None or facts.link is None else facts.link.hello
    tree = here.surroundings.machine.device_tree
    _put(bundle, "versions.txt", lambda: versions(hello, tree))
    _put(bundle, "calibration.toml", lambda: _calibration(configuration))
    if games is not None:
        _put(bundle, "games.txt", lambda: _of_games(game_list(games, harmless), len(games)))
        for game in games[-settings.games :] if settings.games else ():
            files = bundle.attempt(f"games/{game.number}", partial(game_files, archive, game.number, harmless))
            for name, content in files or ():
                bundle.put(name, content)
    _put(
        bundle,
        "journal-folder.txt",
        lambda: _not_empty(folder_list(configuration.journal_folder), "no journal yet"),
    )
    _line(bundle, facts, here)
    if settings.capture is not None:
        _capture(bundle, settings.capture, configuration)
    _put(bundle, "service.log", lambda: harmless.text(service_log(here.log_command)))
    return bundle


def _put(bundle: Bundle, name: str, work: Callable[[], str]) -> None:
    content = bundle.attempt(name, work)
    if content is not None:
        bundle.put(name, content)


def _doctor(facts: Facts, harmless: Harmless) -> str:
    """The doctor's lines. A refusal quotes the file, which may hold anything, so only its place is given."""
    if facts.refusal is not None:
        facts = replace(facts, refusal=Said(_place(facts)))
    findings = examine(facts)
    return harmless.text("\n".join([*map(plain_line, findings), summary(findings), ""]))


def _place(facts: Facts) -> str:
    """The place of a refusal in the configuration; of its key the parts that the program knows."""
    if facts.refused_line is None:
        return "what is refused may not be quoted here"
    key = ".".join(part if part in _PARTS else HIDDEN for part in facts.refused_key)
    return f"line {facts.refused_line}" + (f", key {key}" if key else "")


def _configuration(configuration: Configuration, facts: Facts | None, harmless: Harmless) -> str:
    """The configuration without comments; of names, paths, ports and ids only whether they are given."""
    if facts is not None and facts.refusal is not None:
        return f"refused: {_place(facts)}\n"
    lines = [harmless.text(f"# {configuration.origin}")]
    for section in SECTIONS:
        lines += ["", f"[{section.name}]"]
        for key in section.keys:
            value: Any = section.value(configuration, key)
            is_default = value == key.default
            shown = key.kind.write(value) if is_default or key.kind.plain else HIDDEN
            lines.append(f"{key.name} = {shown}{'  # default' if is_default else ''}")
    return "\n".join([*lines, ""])


def _calibration(configuration: Configuration) -> str:
    """The measured values, without the file's comments."""
    known = read_calibration(configuration.calibration_file)
    if known.problem is not None:
        raise _Missing(known.problem)
    if known.modified is None:
        raise _Missing("there is none: the board is not calibrated")
    return calibration_text(known, datetime.fromtimestamp(known.modified))


def _of_games(listed: str, count: int) -> str:
    if not count:
        raise _Missing("there are no games yet")
    return listed


def _not_empty(text: str, otherwise: str) -> str:
    if not text:
        raise _Missing(otherwise)
    return text


def _line(bundle: Bundle, facts: Facts | None, here: Here) -> None:
    """Add raw bytes and frames, where the port is free."""

    def heard() -> tuple[bytes, str]:
        if facts is None or facts.refusal is not None:
            raise _Missing("the configuration cannot be read")
        configuration = facts.configuration
        if facts.port is None or configuration.board.port is None:
            raise _Missing("no board is configured")
        if facts.port.holders:
            programs = ", ".join(map(program_words, facts.port.holders))
            raise _Missing(f"the port is in use by {programs}: end it and make another bundle")
        wiring = load_wiring(configuration.board.wiring)
        raw = listen(configuration.board.port, wiring.hash, here.surroundings.clock)
        if not raw:
            raise _Missing(f"nothing came on the line in {LISTEN:g} s")
        raw = harmless_bytes(raw)
        known = read_calibration(configuration.calibration_file, field_names(wiring))
        return raw, decoded(raw, Board(configuration=configuration, wiring=wiring, known=known))

    found = bundle.attempt("line.bin", heard)
    if found is not None:
        bundle.put("line.bin", found[0])
        bundle.put("line.txt", found[1])


def _capture(bundle: Bundle, file: Path, configuration: Configuration) -> None:
    """Add the last minutes of a capture, whole."""
    content = bundle.attempt("capture.jsonl", lambda: capture_part(file, load_wiring(configuration.board.wiring)))
    if content is not None:
        bundle.files["capture.jsonl"] = content.encode()


_CONTENTS: Final = {
    "doctor.txt": "what tamsk-hw doctor finds",
    "configuration.txt": "the configuration's numbers and choices",
    "versions.txt": "program, firmware, system, libraries",
    "calibration.toml": "what was measured on this board",
    "games.txt": "the games in the journal",
    "journal-folder.txt": "sizes of the journal's files",
    "line.bin": "the board's frames, its id made 0",
    "line.txt": "the same, frame by frame",
    "capture.jsonl": "the last minutes of the capture",
    "service.log": "the service's log since the start",
}


def manifest_of(bundle: Bundle, made: datetime) -> str:
    """The list of what is in the bundle, what is missing and why, and what was replaced."""
    lines = [f"tamsk-hw bundle of {made:%Y-%m-%d %H:%M}", "", "In it:"]
    for name, data in bundle.files.items():
        what = _CONTENTS.get(name) or ("a game's events" if "events" in name else "the rulings on them")
        lines.append(f"{len(data):>9} bytes  {name:22} {what}")
    if bundle.missing:
        lines += ["", "Missing:"]
        lines += [f"  {name}: {printable(words)}" for name, words in bundle.missing.items()]
    lines += [
        "",
        "Only what is known to be harmless is in it: measured values, settings that",
        "are numbers or choices, events and rulings, and of texts the words of the",
        f"program itself. All else is left out, or shown as {HIDDEN}.",
    ]
    return "\n".join([*lines, ""])


def printable_lines(text: str) -> str:
    """The text with each line printable."""
    return "\n".join(printable(line) for line in text.rstrip("\n").split("\n"))
