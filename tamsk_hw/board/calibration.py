"""Calibration and baselines: their values and their files.

The calibration's values are measured and set on one board: fields, load cells, sand (docs/design.md, Glasses);
`Calibration()` is what the reference build would give without any measurement. Its file, that of
`Configuration.calibration_file`, is TOML to be read by people, written whole or not at all, with the last one kept
beside it. Only what was measured stands in it; the rest is taken as the reference build's. Keys of later versions
beside those known here are let be.

The file of followed baselines says by how much sensors have drifted, from one start of the service to the next. A
board that has drifted during an evening would else begin at its calibrated rests after a restart, and quick moves
would be missed. The calibration file is never changed by it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from tamsk_hw.board.protocol import FIELDS, LEAST_THRESHOLD, MOST_THRESHOLD, RING_BITS, RING_INPUTS
from tamsk_hw.board.wiring import STRICT, Wiring
from tamsk_hw.errors import ConfigError, InputError, printable
from tamsk_hw.forms import Form, Misfit, form_of, number, one_of, to_json
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, START_TUBES, TUBE_OF_NAME, TUBES, Tube
from tamsk_hw.system.files import TomlError, make_folder, parse_toml, read_file, sync, written_beside

#: Smallest deflection of a seated glass, in steps of 8 bits: below it, seated and leaning run into the noise.
LEAST_DEFLECTION = 20

#: Noise may be at most this share of the smaller deflection, or a glass held just above would count as gone.
MOST_NOISE_SHARE = 0.15

#: A seated glass must read within these bounds, clear of the rails even with 10 % of field to spare.
LOWEST_SEATED, HIGHEST_SEATED = 15, 240

#: Counts of the HX711 (gain 128, 4.3 V on the cell) for a ring of 2.5 g on a 500 g cell of 0.5 mV/V: 10.7 µV.
NOMINAL_COUNTS_PER_RING = 5344.0


class CalibrationError(ConfigError):
    """A calibration is refused; ``problem`` names the key, its value and what is allowed."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"calibration: {problem}")
        self.problem = problem


FIELD_NAMES = (*(tube.name for tube in TUBES), "timer")
"""The fields' names: tubes in board order, then the timer's cradle."""

GLASS_NAMES = tuple(tube.name for player in PLAYERS for tube in START_TUBES[player])
"""The glasses' names: the tubes that they start on (R1.3)."""


def _by_name(names: Sequence[str], nominal: Any) -> Form:
    """The form of values that have names; what is missing is nominal."""
    mapping: Any = Mapping
    values = form_of(mapping[Annotated[str, one_of(dict(zip(names, names, strict=True)), str)], type(nominal)])

    def read(value: Any) -> tuple[Any, ...]:
        given = values.read(value)
        return tuple(given.get(each, nominal) for each in names)

    return replace(values, write=lambda given: values.write(dict(zip(names, given, strict=True))), read=read)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCalibration:
    """One Hall sensor, in steps of 8 bits.

    ``rest`` is the reading with no glass (about 128); a seated glass with end A down reads ``rest + end_a``,
    with end B down ``rest - end_b``. ``noise`` is how far a quiet reading strays from its mean, neighbours'
    magnets included.
    """

    shape: ClassVar = STRICT
    rest: float = 128.0
    end_a: float = 67.0
    end_b: float = 67.0
    noise: float = 3.0

    def problem(self) -> str | None:
        """The first value that cannot be, as ``key: value; allowed …``; None when all can."""
        if not 90 <= self.rest <= 166:
            return f"rest: {self.rest:g}; allowed are 90 to 166 steps"
        for key, deflection in (("end_a", self.end_a), ("end_b", self.end_b)):
            if not deflection >= LEAST_DEFLECTION:
                return f"{key}: {deflection:g}; allowed are {LEAST_DEFLECTION} steps or more"
        if not self.rest + self.end_a <= HIGHEST_SEATED:
            return f"end_a: {self.end_a:g}; allowed are {HIGHEST_SEATED - self.rest:g} steps or less at this rest"
        if not self.rest - self.end_b >= LOWEST_SEATED:
            return f"end_b: {self.end_b:g}; allowed are {self.rest - LOWEST_SEATED:g} steps or less at this rest"
        most = MOST_NOISE_SHARE * min(self.end_a, self.end_b)
        if not 0 < self.noise <= most:
            return (
                f"noise: {self.noise:g}; allowed are more than 0 and at most {most:g} steps at these deflections"
            )
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderCalibration:
    """One ring holder's load cell, in counts of its converter.

    ``zero`` is the reading of the empty holder, used once, for the first count; ``per_ring`` the counts of
    one ring (negative for a cell mounted upside down); ``margin`` how far readings of a holder at rest may
    lie apart (0.5 g).
    """

    shape: ClassVar = STRICT
    zero: float = 0.0
    per_ring: float = NOMINAL_COUNTS_PER_RING
    margin: float = NOMINAL_COUNTS_PER_RING * 0.2

    def problem(self) -> str | None:
        """The first value that cannot be, as ``key: value; allowed …``; None when all can."""
        if not abs(self.zero) < 2**23:
            return f"zero: {self.zero:g}; allowed are counts of 24 bits, signed"
        if not 100 <= abs(self.per_ring) < 2**18:
            return f"per_ring: {self.per_ring:g}; allowed are 100 to {2**18 - 1} counts, or as many below zero"
        most = abs(self.per_ring) * 0.4
        if not 0 < self.margin <= most:
            return f"margin: {self.margin:g}; allowed are more than 0 and at most {most:g}, 0.4 rings"
        return None


_Glass = Annotated[Tube, one_of({name: TUBE_OF_NAME[name] for name in GLASS_NAMES}, str)]
_PAIRS: Final = form_of(Mapping[_Glass, tuple[float, float]])
_GLASSES: Final = replace(
    _PAIRS, write=lambda given: _PAIRS.write(dict(given)), read=lambda value: tuple(_PAIRS.read(value).items())
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandCalibration:
    """Running times of the glasses from full, in seconds, each ``(end A down, end B down)`` (R6.1).

    ``glasses`` gives the glass that starts on a tube (R1.3) its own pair, others have ``glass``.
    ``tolerance`` is the relative error of all these durations (R6.4), 0 … below 1; not measured, a glass may
    well be 5 % off.
    """

    shape: ClassVar = STRICT
    glass: tuple[float, float] = (180.0, 180.0)
    glasses: Annotated[tuple[tuple[Tube, tuple[float, float]], ...], _GLASSES] = ()
    timer: tuple[float, float] = (15.0, 15.0)
    tolerance: float = 0.05

    def problem(self) -> str | None:
        """The first value that cannot be, as ``key: value; allowed …``; None when all can."""
        pairs = [("glass", self.glass), *((f"glasses.{tube}", pair) for tube, pair in self.glasses)]
        for key, pair in (*pairs, ("timer", self.timer)):
            for seconds in pair:
                if not 1 <= seconds <= 3600:
                    return f"{key}: {seconds:g}; allowed are 1 to 3600 seconds"
        if not 0 <= self.tolerance < 1:
            return f"tolerance: {self.tolerance:g}; allowed are 0 to less than 1"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A board's calibration: 38 ``fields`` (tubes in board order, then the cradle), red's and black's holder,
    sand.

    Raises `CalibrationError` when a value cannot be.
    """

    shape: ClassVar = STRICT
    fields: Annotated[tuple[FieldCalibration, ...], _by_name(FIELD_NAMES, FieldCalibration())] = (
        FieldCalibration(),
    ) * FIELDS
    holders: Annotated[
        tuple[HolderCalibration, HolderCalibration], _by_name(list(map(str, PLAYERS)), HolderCalibration())
    ] = (HolderCalibration(), HolderCalibration())
    sand: SandCalibration = SandCalibration()

    def __post_init__(self) -> None:
        if len(self.fields) != FIELDS:
            raise CalibrationError(f"{len(self.fields)} fields; allowed is {FIELDS}")
        parts: list[tuple[str, FieldCalibration | HolderCalibration | SandCalibration]] = []
        parts += [(f"fields.{name}", field) for name, field in zip(FIELD_NAMES, self.fields, strict=True)]
        parts += [(f"holders.{player}", holder) for player, holder in zip(PLAYERS, self.holders, strict=True)]
        parts += [("sand", self.sand)]
        for place, part in parts:
            problem = part.problem()
            if problem is not None:
                raise CalibrationError(f"{place}.{problem}")

    @classmethod
    def from_dict(cls, data: object) -> Calibration:
        """A calibration from plain dicts, as `to_json` gives them; what is missing is nominal.

        Raises `CalibrationError` naming the key, its value and what is allowed.
        """
        try:
            found: Calibration = form_of(Calibration).read(data)
        except Misfit as misfit:
            raise CalibrationError(misfit.message("the whole")) from None
        return found


#: Version of the file's layout; a file with a larger one is refused.
VERSION: Final = 2

# Of this version the ring sensors' part has figures of a principle that is no more; they are left.
_LIGHT_TIMES_VERSION: Final = 1

#: More is no calibration: bytes.
MOST_BYTES = 1 << 18

#: Characters of a problem, at most.
_LONGEST = 300

#: The keys that are a calibration's values.
_KEYS = ("fields", "holders", "sand")

_HEAD = """\
# What was measured on this board, written by tamsk-hw calibrate. What does not stand here is taken as the
# reference build's. Fields are in steps of 8 bits, holders in counts of their converter, sand in seconds
# [end A down, end B down], rings the signal (counts) of each ring sensor under its ring, from the bottom up.
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
    ``ring_counts``: for each tube whose ring sensors were measured the signals under their rings (counts), from
    the bottom up, 0 where none was seen. ``modified``: seconds since 1970, None where there is no file.
    ``problem``: why the file cannot be used, None when it can; else every value is nominal.
    """

    calibration: Calibration = field(default_factory=Calibration)
    fitted: tuple[str, ...] = FIELD_NAMES
    measured: frozenset[str] = frozenset()
    holders_measured: bool = False
    glasses: frozenset[str] = frozenset()
    timer_timed: bool = False
    ring_counts: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    modified: float | None = None
    problem: str | None = None

    def thresholds(self, wiring: Wiring) -> tuple[bytes, ...]:
        """The thresholds of all ring sensors (`LinkSession`): half of what each has under its ring, in counts."""
        found = bytearray(RING_BITS)
        for name, row in self.ring_counts.items():
            for bit, counts in zip(wiring.ring_bits[TUBE_OF_NAME[name]], row, strict=False):
                found[bit] = min(MOST_THRESHOLD, max(LEAST_THRESHOLD, round(counts / 2))) if counts else 0
        return tuple(bytes(found[at : at + RING_INPUTS]) for at in range(0, RING_BITS, RING_INPUTS))

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
        ring_counts=_ring_counts(table.get("rings", {})) if version > _LIGHT_TIMES_VERSION else {},
        modified=modified,
    )


def _ring_counts(data: object) -> dict[str, tuple[float, ...]]:
    """The ring sensors' part of the file."""
    try:
        rows = form_of(Mapping[Tube, tuple[Annotated[float, number(float, 0, 1023)], ...]]).read(data)
    except Misfit as misfit:
        raise CalibrationError(misfit.at("rings").message("rings")) from None
    for tube, row in rows.items():
        if len(row) != CAPACITY[tube]:
            raise CalibrationError(f"rings.{tube} is {list(row)}; allowed: {CAPACITY[tube]} numbers")
    return {tube.name: row for tube, row in rows.items()}


def calibration_text(known: KnownCalibration, saved: datetime) -> str:
    """The file's text: what was measured, a line for each sensor and glass."""
    values = to_json(known.calibration)
    lines = [_HEAD.rstrip(), f"version = {VERSION}", f"saved = {saved.replace(microsecond=0).isoformat()}"]
    fields = [name for name in FIELD_NAMES if name in known.measured]
    if fields:
        lines += ["", "[fields]", *(f"{name} = {_inline(values['fields'][name])}" for name in fields)]
    if known.ring_counts:
        rows = {tube.name: known.ring_counts[tube.name] for tube in TUBES if tube.name in known.ring_counts}
        lines += ["", "[rings]", *(f"{name} = {list(row)}" for name, row in rows.items())]
    if known.holders_measured:
        lines += ["", "[holders]", *(f"{name} = {_inline(holder)}" for name, holder in values["holders"].items())]
    if known.glasses or known.timer_timed:
        sand = values["sand"]
        lines += ["", "[sand]", f"tolerance = {_number_text(sand['tolerance'])}"]
        if known.glasses:
            lines.append(f"glass = {_pair_text(sand['glass'])}")
        if known.timer_timed:
            lines.append(f"timer = {_pair_text(sand['timer'])}")
        glasses = [name for name in GLASS_NAMES if name in known.glasses]
        if glasses:
            lines += ["", "[sand.glasses]", *(f"{name} = {_pair_text(sand['glasses'][name])}" for name in glasses)]
    return "\n".join([*lines, ""])


def _inline(values: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f"{key} = {_number_text(value)}" for key, value in values.items()) + " }"


def _pair_text(pair: list[float]) -> str:
    return f"[{_number_text(pair[0])}, {_number_text(pair[1])}]"


def _number_text(value: float) -> str:
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


#: Version of the file's layout; a file with a larger one is not used.
RESTS_VERSION: Final = 1

#: Seconds for which followed rests count: after a night a board has warmed up or cooled down again. They count as
#: long before, too: a Raspberry Pi that has no network yet starts with a time of the past.
COUNT_FOR: Final = 86_400.0

#: More is no file of rests: bytes.
RESTS_MOST_BYTES: Final = 1 << 14

_RESTS_HEAD = """\
# The rest of each Hall sensor as it was followed by tamsk-hw run, in steps of 8 bits. It counts for a
# day, with this calibration of the fields and this wiring map. The file may be deleted.
"""


#: Hashes of the fields' calibration and of the wiring map of the board that rests belong to.
BoardIdentity = tuple[str, str]


def board_identity(calibration: Calibration, wiring: Wiring) -> BoardIdentity:
    """The identity of a board with this calibration and this map."""
    fields = json.dumps(to_json(calibration)["fields"], sort_keys=True)
    return sha256(fields.encode()).hexdigest()[:16], f"{wiring.hash:08x}"


def baselines_text(board: BoardIdentity, rests: Sequence[float], saved: float) -> str:
    """The file's text; ``saved`` in seconds since 1970."""
    when = datetime.fromtimestamp(saved, UTC).replace(microsecond=0).isoformat()
    calibration, wiring = board
    identity = f'calibration = "{calibration}"\nwiring = "{wiring}"\n'
    lines = [f"{name} = {float(rest)!r}" for name, rest in zip(FIELD_NAMES, rests, strict=True)]
    return f"{_RESTS_HEAD}version = {RESTS_VERSION}\nsaved = {when}\n{identity}\n[rests]\n" + "\n".join(
        [*lines, ""]
    )


def read_baselines(path: Path, board: BoardIdentity, now: float) -> tuple[float, ...] | None:
    """Read the rests of ``board`` at the time ``now`` (seconds since 1970), for `Sensing.restore_baselines`.

    None without a file, and for one of another board or too old to count.

    Raises:
        CalibrationError: the file cannot be used.
    """
    try:
        return _rests_in(parse_toml(read_file(path, RESTS_MOST_BYTES).decode("utf-8")), board, now)
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"cannot be read: {(error.strerror or str(error)).lower()}"
    except InputError as error:
        problem = f"is {error}"
    except (TomlError, UnicodeDecodeError) as error:
        problem = printable(f"is no TOML: {error}")
    except (KeyError, TypeError, ValueError, OverflowError):
        problem = "has not the values that tamsk-hw run writes"
    raise CalibrationError(problem)


def _rests_in(table: Mapping[str, Any], board: BoardIdentity, now: float) -> tuple[float, ...] | None:
    """The file's rests, if they count. Raises `KeyError`, `TypeError` or `ValueError` where it is damaged."""
    if table["version"] != RESTS_VERSION:
        raise ValueError
    saved = table["saved"].timestamp() if isinstance(table["saved"], datetime) else None
    rests = table["rests"]
    values = tuple(rests[name] for name in FIELD_NAMES)
    numbers = all(type(value) in (int, float) and 0 <= value <= 255 for value in values)
    if saved is None or len(rests) != len(values) or not numbers:
        raise ValueError
    counts = (table["calibration"], table["wiring"]) == board and abs(now - saved) <= COUNT_FOR
    return tuple(map(float, values)) if counts else None
