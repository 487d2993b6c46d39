"""The findings of ``tamsk-hw calibrate sensors``: bad sensors, and sensors with little to spare."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.facts.severity import Severity
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.events import SensorId


class FieldFault(Enum):
    """The faults of a Hall sensor. In brackets: the meaning of `FieldTrouble.figures`."""

    JUMPS_EMPTY = "jumps_empty"
    """It does not come to rest with nothing on it (steps)."""
    JUMPS_LOADED = "jumps_loaded"
    """It does not come to rest with a glass on it (steps)."""
    END_OF_SCALE = "end_of_scale"
    """(the reading)"""
    OFF_REST = "off_rest"
    """It reads something with nothing on it (the reading)."""
    SWAPPED = "swapped"
    """The glass is felt at `FieldTrouble.other`."""
    FEELS_NOTHING = "feels_nothing"
    SAME_ENDS = "same_ends"
    """It reads the same with either end down."""
    IMPOSSIBLE = "impossible"
    """Its values cannot be: `FieldTrouble.problem`."""
    REVERSED = "reversed"
    """It feels the other end than its neighbours."""
    FAINT = "faint"
    """The glass hardly moves it (steps)."""
    UNLIKE_ENDS = "unlike_ends"
    """The ends move it by different amounts (steps for end A, for end B)."""
    BELOW_OTHERS = "below_others"
    """It feels less than the other tubes do (the share)."""


class Suspect(Enum):
    """The most likely causes of impossible or weak values."""

    WIRES = "wires"
    """The sensor's wires, or iron or a magnet nearby."""
    DEPTH = "depth"
    """The sensor lies too deep, or the magnet is too weak."""
    CONTACT = "contact"
    """A loose wire, or the supply."""
    NEARNESS = "nearness"
    """The sensor lies too near to the magnet."""


@dataclass(frozen=True, slots=True)
class FieldTrouble:
    """A Hall sensor's fault; `FieldFault` says which of the values belong to it."""

    fault: FieldFault
    figures: tuple[float, ...] = ()
    other: SensorId | None = None
    problem: str = ""
    suspect: Suspect | None = None


class LevelFault(Enum):
    """The faults of a ring sensor. In brackets: the meaning of `LevelTrouble.light`."""

    DAZZLED_OR_SHORTED = "dazzled_or_shorted"
    """It saw light that is not its own, and the person went on."""
    DAZZLED = "dazzled"
    """It sees light that is not its own."""
    DAZZLED_WITH_RING = "dazzled_with_ring"
    """The same, with its ring on."""
    PHANTOM = "phantom"
    """It sees a ring where there is none."""
    PHANTOM_LIT = "phantom_lit"
    """The same, after some light (microseconds)."""
    UNSEEING = "unseeing"
    """It does not see its ring."""
    NEEDS_MORE = "needs_more"
    """It needs more light than the board gives by default (microseconds): all sensors then get so much."""
    REFLECTING = "reflecting"
    """It sees something without a ring, given more light (microseconds)."""
    SLOW = "slow"
    """It needs all the light that the board gives by default (microseconds)."""


@dataclass(frozen=True, slots=True)
class LevelTrouble:
    """A ring sensor's fault. ``given``: the light that the board gives, in microseconds."""

    fault: LevelFault
    light: int = 0
    given: int = 0


class HolderFault(Enum):
    """The faults of a ring holder's load cell. In brackets: the meaning of `HolderTrouble.counts`."""

    SILENT = "silent"
    JUMPS_EMPTY = "jumps_empty"
    """It does not come to rest when empty (counts)."""
    JUMPS_LOADED = "jumps_loaded"
    """It does not come to rest with rings in it (counts)."""
    IMPOSSIBLE = "impossible"
    """Its values, with `HolderTrouble.rings` rings, cannot be: `HolderTrouble.problem`."""


@dataclass(frozen=True, slots=True)
class HolderTrouble:
    """A load cell's fault; `HolderFault` says which of the values belong to it."""

    fault: HolderFault
    counts: float = 0.0
    problem: str = ""
    rings: int = 0


@dataclass(frozen=True, slots=True)
class FieldFinding:
    """A Hall sensor that is bad, or has little to spare."""

    sensor: SensorId
    severity: Severity
    trouble: FieldTrouble


@dataclass(frozen=True, slots=True)
class LevelsFinding:
    """Ring sensors with the same trouble."""

    sensors: tuple[SensorId, ...]
    severity: Severity
    trouble: LevelTrouble


@dataclass(frozen=True, slots=True)
class HolderFinding:
    """A ring holder that is bad."""

    holder: Player
    severity: Severity
    trouble: HolderTrouble


@dataclass(frozen=True, slots=True)
class GlassMarkedWrongly:
    """Nearly all sensors feel the other end of the glass than was said."""

    severity: Severity = Severity.WARNING


CalibrationFinding = FieldFinding | LevelsFinding | HolderFinding | GlassMarkedWrongly
