"""The file of followed rests: by how much sensors have drifted, kept from one start of the service to the next.

A board that has drifted during an evening would else begin at its calibrated rests after a restart, and quick
moves would be missed. The calibration file is never changed by it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.calibration_file import FIELD_NAMES
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import InputError, printable
from tamsk_hw.system.bounded_toml import TomlError, parse_toml
from tamsk_hw.system.reading import read_file

#: Version of the file's layout; a file with a larger one is not used.
VERSION: Final = 1

#: Seconds for which followed rests count: after a night a board has warmed up or cooled down again. They count as
#: long before, too: a Raspberry Pi that has no network yet starts with a time of the past.
COUNT_FOR: Final = 86_400.0

#: More is no file of rests: bytes.
MOST_BYTES: Final = 1 << 14

_HEAD = """\
# The rest of each Hall sensor as it was followed by tamsk-hw run, in steps of 8 bits. It counts for a
# day, with this calibration of the fields and this wiring map. The file may be deleted.
"""


@dataclass(frozen=True, slots=True)
class RestsOf:
    """Identity of the board that rests belong to: the calibration of its fields, and its wiring map."""

    calibration: str
    wiring: str

    @classmethod
    def board(cls, calibration: Calibration, wiring: Wiring) -> RestsOf:
        """The identity of a board with this calibration and this map."""
        fields = json.dumps(calibration.to_dict()["fields"], sort_keys=True)
        return cls(sha256(fields.encode()).hexdigest()[:16], f"{wiring.hash:08x}")


@dataclass(frozen=True, slots=True)
class KnownRests:
    """The outcome of reading the file.

    ``rests``: as `Sensing.begin_at` takes them; None where there are none for this board. ``saved``: seconds since
    1970 at which they were written. ``problem``: why the file cannot be used, None when it can or does not exist.
    """

    rests: tuple[float, ...] | None = None
    saved: float | None = None
    problem: str | None = None


def rests_text(board: RestsOf, rests: Sequence[float], saved: float) -> str:
    """The file's text; ``saved`` in seconds since 1970."""
    when = datetime.fromtimestamp(saved, UTC).replace(microsecond=0).isoformat()
    identity = f'calibration = "{board.calibration}"\nwiring = "{board.wiring}"\n'
    lines = [f"{name} = {float(rest)!r}" for name, rest in zip(FIELD_NAMES, rests, strict=True)]
    return f"{_HEAD}version = {VERSION}\nsaved = {when}\n{identity}\n[rests]\n" + "\n".join([*lines, ""])


def read_rests(path: Path, board: RestsOf, now: float) -> KnownRests:
    """Read the rests of ``board`` at the time ``now`` (seconds since 1970). Never raises for what stands there."""
    try:
        return _known(parse_toml(read_file(path, MOST_BYTES).decode("utf-8")), board, now)
    except FileNotFoundError:
        return KnownRests()
    except OSError as error:
        return KnownRests(problem=f"cannot be read: {(error.strerror or str(error)).lower()}")
    except InputError as error:
        return KnownRests(problem=f"is {error}")
    except (TomlError, UnicodeDecodeError) as error:
        return KnownRests(problem=printable(f"is no TOML: {error}"))
    except (KeyError, TypeError, ValueError, OverflowError):
        return KnownRests(problem="has not the values that tamsk-hw run writes")


def _known(table: Mapping[str, Any], board: RestsOf, now: float) -> KnownRests:
    """The file's rests, if they count. Raises `KeyError`, `TypeError` or `ValueError` where it is damaged."""
    if table["version"] != VERSION:
        raise ValueError
    saved = table["saved"].timestamp() if isinstance(table["saved"], datetime) else None
    rests = table["rests"]
    values = tuple(rests[name] for name in FIELD_NAMES)
    numbers = all(type(value) in (int, float) and 0 <= value <= 255 for value in values)
    if saved is None or len(rests) != len(values) or not numbers:
        raise ValueError
    if RestsOf(table["calibration"], table["wiring"]) != board or abs(now - saved) > COUNT_FOR:
        return KnownRests()
    return KnownRests(tuple(map(float, values)), saved)
