"""The output of sensing: the referee's events, and faults of sensors as facts.

`tamsk_hw.words.faults` makes the `Fault` event of a stream from a `SensorFault`, with its detail in words.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.sensor_id import SensorId


@dataclass(frozen=True, slots=True)
class FieldAtRail:
    """A Hall sensor reads an end of the scale (0 or 255); allowed are ``lowest`` to ``highest``."""

    reading: int
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class FieldJumps:
    """A Hall sensor jumps by up to ``steps`` between two snapshots; ``allowed`` are fewer."""

    steps: int
    allowed: float


@dataclass(frozen=True, slots=True)
class RestDrifted:
    """A Hall sensor without a glass reads ``steps`` above its calibrated rest; it is followed up to ``most``."""

    steps: int
    most: int


@dataclass(frozen=True, slots=True)
class ReferenceOff:
    """A reference voltage reads ``reading`` instead of ``expected``; ``quarters`` of the supply it is."""

    quarters: int
    reading: int
    expected: int


@dataclass(frozen=True, slots=True)
class ReferencesOff:
    """References are off by more than ``margin`` steps; ``mux`` where one multiplexer has all of these."""

    references: tuple[ReferenceOff, ...]
    margin: int
    mux: int | None


@dataclass(frozen=True, slots=True)
class SupplyLow:
    """The controller reports that its supply is below about 4.5 V."""


@dataclass(frozen=True, slots=True)
class HolderSilent:
    """A load cell's converter does not answer."""


@dataclass(frozen=True, slots=True)
class HolderAtRail:
    """A load cell's converter reads an end of its scale."""

    reading: int


@dataclass(frozen=True, slots=True)
class WeightNotRings:
    """A holder's weight changed by ``steps`` rings, not a whole number; ``held`` is the count that stays."""

    steps: float
    held: int


@dataclass(frozen=True, slots=True)
class WeightImpossible:
    """A holder weighs as much as ``rings`` rings; allowed are 0 to ``most``."""

    rings: int
    most: int


@dataclass(frozen=True, slots=True)
class WeightUnsteady:
    """A holder's weight has not come to rest for ``seconds``; ``held`` is the count that stays, if any."""

    seconds: float
    held: int | None


@dataclass(frozen=True, slots=True)
class RingGap:
    """A ring sensor sees no ring below one that is seen; ``held`` is the tube's count that stays."""

    held: int


@dataclass(frozen=True, slots=True)
class ChainBroken:
    """The chain's shift registers from number ``first`` on (0 is nearest the controller) give only ones."""

    first: int


@dataclass(frozen=True, slots=True)
class LightOnRings:
    """Light from outside falls on these ring sensors, each a tube and a level from 1 at the bottom."""

    levels: tuple[tuple[Tube, int], ...]


FaultDetail = (
    FieldAtRail
    | FieldJumps
    | RestDrifted
    | ReferencesOff
    | SupplyLow
    | HolderSilent
    | HolderAtRail
    | WeightNotRings
    | WeightImpossible
    | WeightUnsteady
    | RingGap
    | ChainBroken
    | LightOnRings
)


@dataclass(frozen=True, slots=True)
class SensorFault:
    """Since ``t`` a sensor cannot be trusted."""

    t: float
    sensor: SensorId
    detail: FaultDetail


@dataclass(frozen=True, slots=True)
class SensorCleared:
    """Since ``t`` a sensor that was at fault can be trusted again."""

    t: float
    sensor: SensorId


Sensed = Event | SensorFault | SensorCleared
