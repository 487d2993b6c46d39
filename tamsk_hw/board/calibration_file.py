"""The calibration file: TOML to be read by people, written whole or not at all, with the last one kept beside it.

The file is that of `Configuration.calibration_file`. Only what was measured stands in it; the rest is taken as the
reference build's. Keys of later versions beside those known here are let be.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from tamsk_hw.board.calibration import Calibration, CalibrationError
from tamsk_hw.board.protocol.messages import Settings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError, InputError, printable
from tamsk_hw.game.players import PLAYERS, START_TUBES
from tamsk_hw.game.tubes import CAPACITY, TUBE_OF_NAME, TUBES
from tamsk_hw.system.bounded_toml import TomlError, parse_toml
from tamsk_hw.system.files import make_folder, sync, written_beside
from tamsk_hw.system.reading import read_file

#: Version of the file's layout; a file with a larger one is refused.
VERSION: Final = 1

#: More is no calibration: bytes.
MOST_BYTES = 1 << 18

#: Characters of a problem, at most.
_LONGEST = 300

#: The keys that are a calibration's values.
_KEYS = ("fields", "holders", "sand")

FIELD_NAMES = (*(tube.name for tube in TUBES), "timer")
"""The fields' names: tubes in board order, then the timer's cradle."""

GLASS_NAMES = tuple(tube.name for player in PLAYERS for tube in START_TUBES[player])
"""The glasses' names: the tubes that they start on (R1.3)."""

_HEAD = """\
# What was measured on this board, written by tamsk-hw calibrate. What does not stand here is taken as the
# reference build's. Fields are in steps of 8 bits, holders in counts of their converter, sand in seconds
# [end A down, end B down], rings the shortest light (microseconds) that sees each ring, from the bottom up.
"""


class CalibrationState(Enum):
    """Extent to which a board is calibrated."""

    UNUSABLE = "unusable"
    """The file cannot be used."""
    MISSING = "missing"
    """There is no file."""
    PARTIAL = "partial"
    """Some fields were not measured."""
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCalibration:
    """A calibration, and how much of it was measured.

    ``fitted`` are the names of the board's fields in their order (``"D4"``, ``"timer"``), ``measured`` those of
    them that were measured. ``holders_measured``: the ring holders' load cells were calibrated, both.
    ``glasses``: the glasses that were timed, by their start tubes; ``timer_timed``: the 15-second timer was.
    ``light_times``: for each tube whose ring sensors were tested the shortest light time (microseconds) that saw
    the ring, from the bottom up, 0 where none did. ``modified``: seconds since 1970, None where there is no file.
    ``problem``: why the file cannot be used, None when it can; else every value is nominal.
    """

    calibration: Calibration = field(default_factory=Calibration)
    fitted: tuple[str, ...] = FIELD_NAMES
    measured: frozenset[str] = frozenset()
    holders_measured: bool = False
    glasses: frozenset[str] = frozenset()
    timer_timed: bool = False
    light_times: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    modified: float | None = None
    problem: str | None = None

    @property
    def light_time(self) -> int:
        """Light time of the board's banks (microseconds): the default, or what the weakest ring sensor needs."""
        return max(Settings().light_time, *(time for times in self.light_times.values() for time in times), 0)

    @property
    def settings(self) -> Settings | None:
        """Settings that this board needs; None where its own, those after a reset, do."""
        usual = Settings()
        return None if self.light_time == usual.light_time else replace(usual, light_time=self.light_time)

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """The fields that are taken as the reference build's, tubes in board order, then the timer."""
        return tuple(name for name in self.fitted if name not in self.measured)

    @property
    def untimed(self) -> tuple[str, ...]:
        """The glasses that nobody has timed, by their start tubes."""
        return tuple(name for name in GLASS_NAMES if name not in self.glasses)

    def is_measured(self, index: int) -> bool:
        """True for a field (0 … 37) that was calibrated."""
        return FIELD_NAMES[index] in self.measured

    @property
    def state(self) -> CalibrationState:
        """Extent to which this board is calibrated."""
        if self.problem is not None:
            return CalibrationState.UNUSABLE
        if self.modified is None:
            return CalibrationState.MISSING
        return CalibrationState.PARTIAL if self.unmeasured else CalibrationState.COMPLETE


def field_names(wiring: Wiring) -> tuple[str, ...]:
    """The names of the fields that a board has, tubes in board order, then the timer's cradle."""
    return tuple(FIELD_NAMES[index] for index in wiring.fields)


def read_calibration(path: Path, fitted: tuple[str, ...] = FIELD_NAMES) -> KnownCalibration:
    """Read the calibration of a board with the fields ``fitted``.

    Never raises for what stands in the file, or without one.
    """
    return replace(_read(path), fitted=fitted)


def _read(path: Path) -> KnownCalibration:
    """Read the file."""
    try:
        modified = path.stat().st_mtime
        data = read_file(path, MOST_BYTES)
    except FileNotFoundError:
        return KnownCalibration()
    except OSError as error:
        return KnownCalibration(problem=f"cannot be read: {(error.strerror or str(error)).lower()}")
    except InputError as error:
        return KnownCalibration(modified=modified, problem=f"is {error}")
    try:
        return _known(parse_toml(data.decode("utf-8")), modified)
    except (TomlError, UnicodeDecodeError) as error:
        problem = f"is no TOML: {error}"
    except CalibrationError as error:
        problem = error.problem
    problem = printable(" ".join(problem.split()))
    return KnownCalibration(
        modified=modified, problem=problem if len(problem) <= _LONGEST else problem[: _LONGEST - 3] + "..."
    )


def _known(table: Mapping[str, Any], modified: float) -> KnownCalibration:
    """The file's values. Raises `CalibrationError` for a value that cannot be."""
    if not table:
        raise CalibrationError("is empty")
    version = table.get("version", VERSION)
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version <= VERSION:
        raise CalibrationError(f"version: {version!r}; this program knows 1 to {VERSION}: calibrate again")
    values = {key: table[key] for key in _KEYS if key in table}
    calibration = Calibration.from_dict(values)
    sand = values.get("sand", {})
    return KnownCalibration(
        calibration=calibration,
        measured=frozenset(values.get("fields", {})),
        holders_measured=set(values.get("holders", {})) == {player.value for player in PLAYERS},
        glasses=frozenset(sand.get("glasses", {})),
        timer_timed="timer" in sand,
        light_times=_light_times(table.get("rings", {})),
        modified=modified,
    )


def _light_times(data: object) -> dict[str, tuple[int, ...]]:
    """The ring sensors' part of the file."""
    if not isinstance(data, Mapping):
        raise CalibrationError(f"rings: {data!r}; allowed is a table")
    times: dict[str, tuple[int, ...]] = {}
    for name, row in data.items():
        if name not in TUBE_OF_NAME:
            raise CalibrationError(f"rings.{name}: unknown key; allowed are the tubes' names")
        rings = CAPACITY[TUBE_OF_NAME[name]]
        numbers = isinstance(row, list) and all(type(time) is int and 0 <= time <= 250 for time in row)
        if not numbers or len(row) != rings:
            raise CalibrationError(f"rings.{name}: {row!r}; allowed are {rings} numbers of 0 to 250 microseconds")
        times[name] = tuple(row)
    return times


def calibration_text(known: KnownCalibration, saved: datetime) -> str:
    """The file's text: what was measured, a line for each sensor and glass."""
    values = known.calibration.to_dict()
    lines = [_HEAD.rstrip(), f"version = {VERSION}", f"saved = {saved.replace(microsecond=0).isoformat()}"]
    fields = [name for name in FIELD_NAMES if name in known.measured]
    if fields:
        lines += ["", "[fields]", *(f"{name} = {_inline(values['fields'][name])}" for name in fields)]
    if known.light_times:
        rows = {tube.name: known.light_times[tube.name] for tube in TUBES if tube.name in known.light_times}
        lines += ["", "[rings]", *(f"{name} = {list(row)}" for name, row in rows.items())]
    if known.holders_measured:
        lines += ["", "[holders]", *(f"{name} = {_inline(holder)}" for name, holder in values["holders"].items())]
    if known.glasses or known.timer_timed:
        sand = values["sand"]
        lines += ["", "[sand]", f"tolerance = {_number(sand['tolerance'])}"]
        if known.glasses:
            lines.append(f"glass = {_pair(sand['glass'])}")
        if known.timer_timed:
            lines.append(f"timer = {_pair(sand['timer'])}")
        glasses = [name for name in GLASS_NAMES if name in known.glasses]
        if glasses:
            lines += ["", "[sand.glasses]", *(f"{name} = {_pair(sand['glasses'][name])}" for name in glasses)]
    return "\n".join([*lines, ""])


def _inline(values: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f"{key} = {_number(value)}" for key, value in values.items()) + " }"


def _pair(pair: list[float]) -> str:
    return f"[{_number(pair[0])}, {_number(pair[1])}]"


def _number(value: float) -> str:
    """A number as TOML has it, exact."""
    return repr(float(value))


def backup_of(path: Path) -> Path:
    """Path of the previous calibration."""
    return path.with_name(path.name + ".bak")


def check_can_be_saved(path: Path) -> None:
    """Refuse a path that cannot be written, before a quarter of an hour's work.

    Raises:
        ConfigError: the calibration cannot be saved at ``path``.
    """
    probe = path.with_name(path.name + ".new")
    try:
        make_folder(path.parent)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ConfigError(
            f"{path}: the calibration cannot be saved here: {(error.strerror or str(error)).lower()}",
            "run this as a user who may write there, or name another file (board.calibration)",
        ) from None


def save_calibration(path: Path, known: KnownCalibration, saved: datetime) -> None:
    """Write the calibration to ``path``; the file that was there is kept as `backup_of` it.

    A power cut leaves the old file or the new one, whole.

    Raises:
        ConfigError: the file cannot be written; the old one is still there.
    """
    try:
        make_folder(path.parent)
        with written_beside(path, calibration_text(known, saved).encode()) as new:
            with contextlib.suppress(FileNotFoundError):
                _keep(path, backup_of(path))
            os.replace(new, path)
        sync(path.parent)
    except OSError as error:
        raise ConfigError(
            f"{path}: the calibration cannot be saved: {(error.strerror or str(error)).lower()}",
            "mend that, or name another file in the configuration (board.calibration)",
        ) from None


def _keep(path: Path, backup: Path) -> None:
    """Give the file at ``path`` a second name, in place of what had it."""
    link = backup.with_name(backup.name + ".new")
    with contextlib.suppress(FileNotFoundError):
        link.unlink()
    try:
        os.link(path, link)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without hard links
        link.write_bytes(path.read_bytes())
    os.replace(link, backup)
