"""The calibration as the diagnostics read it: what was measured, and what is taken as the reference build's.

The file is that of `Configuration.calibration_file`. Other keys beside fields, holders and sand, such as a version
or the date, are let be.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import TUBES

#: More is no calibration: bytes.
MOST_BYTES = 1 << 18

#: The keys that are a calibration's values.
_KEYS = ("fields", "holders", "sand")

_FIELD_NAMES = (*(tube.name for tube in TUBES), "timer")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCalibration:
    """A calibration, and how much of it was measured.

    ``measured`` are the fields' names (``"D4"``, ``"timer"``). ``holders_measured``: the ring holders' load
    cells were calibrated. ``modified``: seconds since 1970, None where there is no file. ``problem``: why the
    file cannot be used, None when it can; else every value is nominal.
    """

    calibration: Calibration = field(default_factory=Calibration)
    measured: frozenset[str] = frozenset()
    holders_measured: bool = False
    modified: float | None = None
    problem: str | None = None

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """The fields that are taken as the reference build's, tubes in board order, then the timer."""
        return tuple(name for name in _FIELD_NAMES if name not in self.measured)

    def is_measured(self, index: int) -> bool:
        """Whether this field (0 … 37) was calibrated."""
        return _FIELD_NAMES[index] in self.measured

    @property
    def words(self) -> str:
        """How far this board is calibrated, in a few words."""
        missing = len(self.unmeasured)
        if self.problem is not None:
            return "calibration file cannot be used: reference build's values"
        if self.modified is None:
            return "not calibrated: reference build's values"
        return f"calibrated but for {missing} of {len(_FIELD_NAMES)} fields" if missing else "calibrated"


def read_calibration(path: Path) -> KnownCalibration:
    """What is known of the board's calibration. Never raises for what stands in the file, or without one."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        modified = path.stat().st_mtime
    except FileNotFoundError:
        return KnownCalibration()
    except OSError as error:
        return KnownCalibration(problem=f"cannot be read: {(error.strerror or str(error)).lower()}")
    if len(data) > MOST_BYTES:
        return KnownCalibration(modified=modified, problem=f"is larger than {MOST_BYTES} bytes")
    try:
        table = tomllib.loads(data.decode("utf-8"))
        values = {key: table[key] for key in _KEYS if key in table}
        calibration = Calibration.from_dict(values)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        return KnownCalibration(modified=modified, problem=f"is no TOML: {' '.join(str(error).split())}")
    except ConfigError as error:
        return KnownCalibration(modified=modified, problem=str(error).removeprefix("calibration: "))
    measured = frozenset(values.get("fields", {}))
    return KnownCalibration(
        calibration=calibration,
        measured=measured,
        holders_measured=bool(values.get("holders")),
        modified=modified,
    )
