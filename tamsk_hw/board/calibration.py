"""Values measured and set on one board: fields, load cells, sand (docs/design.md, Glasses).

Pure values; reading and writing a file is the service's. `Calibration.nominal` is what the reference build
would give without any measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamsk_hw.board.protocol.messages import FIELDS, TIMER_FIELD
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.players import PLAYERS, START_TUBES, Player
from tamsk_hw.game.tubes import TUBE_OF_NAME, TUBES, Tube

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


_NAME_OF_FIELD = (*(tube.name for tube in TUBES), "timer")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCalibration:
    """One Hall sensor, in steps of 8 bits.

    ``rest`` is the reading with no glass (about 128); a seated glass with end A down reads ``rest + end_a``,
    with end B down ``rest - end_b``. ``noise`` is how far a quiet reading strays from its mean, neighbours'
    magnets included.
    """

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SandCalibration:
    """Running times of the glasses from full, in seconds, each ``(end A down, end B down)`` (R6.1).

    ``glasses`` gives the glass that starts on a tube (R1.3) its own pair, others have ``glass``.
    ``tolerance`` is the relative error of all these durations (R6.4), 0 … below 1; not measured, a glass may
    well be 5 % off.
    """

    glass: tuple[float, float] = (180.0, 180.0)
    glasses: tuple[tuple[Tube, tuple[float, float]], ...] = ()
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

    fields: tuple[FieldCalibration, ...] = (FieldCalibration(),) * FIELDS
    holders: tuple[HolderCalibration, HolderCalibration] = (HolderCalibration(), HolderCalibration())
    sand: SandCalibration = SandCalibration()

    def __post_init__(self) -> None:
        if len(self.fields) != FIELDS:
            raise CalibrationError(f"{len(self.fields)} fields; allowed is {FIELDS}")
        parts: list[tuple[str, FieldCalibration | HolderCalibration | SandCalibration]] = []
        parts += [(f"fields.{name}", field) for name, field in zip(_NAME_OF_FIELD, self.fields, strict=True)]
        parts += [(f"holders.{player}", holder) for player, holder in zip(PLAYERS, self.holders, strict=True)]
        parts += [("sand", self.sand)]
        for place, part in parts:
            problem = part.problem()
            if problem is not None:
                raise CalibrationError(f"{place}.{problem}")

    @classmethod
    def nominal(cls) -> Calibration:
        """The reference build, not calibrated: 8 × 2 mm magnet 5 mm above a DRV5055A3, 67 steps each way."""
        return cls()

    def field_of(self, tube: Tube) -> FieldCalibration:
        """The Hall sensor under a tube."""
        return self.fields[tube]

    @property
    def timer(self) -> FieldCalibration:
        """The Hall sensor of the timer's cradle."""
        return self.fields[TIMER_FIELD]

    def holder_of(self, player: Player) -> HolderCalibration:
        """The load cell under a player's ring holder."""
        return self.holders[PLAYERS.index(player)]

    def to_dict(self) -> dict[str, Any]:
        """This calibration as plain dicts, lists and numbers; `from_dict` reads it back."""
        return {
            "fields": {
                name: {"rest": field.rest, "end_a": field.end_a, "end_b": field.end_b, "noise": field.noise}
                for name, field in zip(_NAME_OF_FIELD, self.fields, strict=True)
            },
            "holders": {
                player.value: {"zero": holder.zero, "per_ring": holder.per_ring, "margin": holder.margin}
                for player, holder in zip(PLAYERS, self.holders, strict=True)
            },
            "sand": {
                "glass": list(self.sand.glass),
                "glasses": {tube.name: list(pair) for tube, pair in self.sand.glasses},
                "timer": list(self.sand.timer),
                "tolerance": self.sand.tolerance,
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Calibration:
        """A calibration from plain dicts; what is missing is nominal.

        Raises `CalibrationError` naming the key, its value and what is allowed.
        """
        top = _table(data, "", ("fields", "holders", "sand"))
        fields = list(cls.nominal().fields)
        for name, entry in _table(top.get("fields", {}), "fields", _NAME_OF_FIELD).items():
            values = _numbers(entry, f"fields.{name}", ("rest", "end_a", "end_b", "noise"))
            fields[_NAME_OF_FIELD.index(name)] = FieldCalibration(**values)
        holders = list(cls.nominal().holders)
        players = [player.value for player in PLAYERS]
        for name, entry in _table(top.get("holders", {}), "holders", players).items():
            values = _numbers(entry, f"holders.{name}", ("zero", "per_ring", "margin"))
            if "per_ring" in values and "margin" not in values:
                values["margin"] = abs(values["per_ring"]) * 0.2
            holders[players.index(name)] = HolderCalibration(**values)
        return cls(fields=tuple(fields), holders=(holders[0], holders[1]), sand=_sand_of(top.get("sand", {})))


def _sand_of(data: object) -> SandCalibration:
    """The sand's part of a calibration."""
    nominal = SandCalibration()
    table = _table(data, "sand", ("glass", "glasses", "timer", "tolerance"))
    starts = [tube.name for player in PLAYERS for tube in START_TUBES[player]]
    glasses = _table(table.get("glasses", {}), "sand.glasses", starts)
    return SandCalibration(
        glass=_pair(table["glass"], "sand.glass") if "glass" in table else nominal.glass,
        glasses=tuple((TUBE_OF_NAME[name], _pair(pair, f"sand.glasses.{name}")) for name, pair in glasses.items()),
        timer=_pair(table["timer"], "sand.timer") if "timer" in table else nominal.timer,
        tolerance=_number(table.get("tolerance", nominal.tolerance), "sand.tolerance"),
    )


def _table(data: object, place: str, allowed: tuple[str, ...] | list[str]) -> Mapping[str, Any]:
    """``data`` if it is a table with no keys but the allowed ones."""
    if not isinstance(data, Mapping):
        raise CalibrationError(f"{place or 'the whole'}: {data!r}; allowed is a table")
    for key in data:
        if key not in allowed:
            where = f"{place}.{key}" if place else str(key)
            raise CalibrationError(f"{where}: unknown key; allowed are {', '.join(allowed)}")
    return data


def _numbers(data: object, place: str, allowed: tuple[str, ...]) -> dict[str, float]:
    """A table of numbers."""
    table = _table(data, place, allowed)
    return {key: _number(value, f"{place}.{key}") for key, value in table.items()}


def _number(value: object, place: str) -> float:
    """A number, as a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CalibrationError(f"{place}: {value!r}; allowed is a number")
    try:
        return float(value)
    except OverflowError:
        raise CalibrationError(f"{place}: a number of {len(str(value))} digits; too large") from None


def _pair(value: object, place: str) -> tuple[float, float]:
    """Seconds with end A down and with end B down: a pair, or one number for both."""
    if isinstance(value, list | tuple):
        if len(value) != 2:
            raise CalibrationError(f"{place}: {value!r}; allowed is [end A down, end B down] or a number")
        return _number(value[0], place), _number(value[1], place)
    seconds = _number(value, place)
    return seconds, seconds
