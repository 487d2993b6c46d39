"""The findings of ``tamsk-hw selftest --tube``: one finished tube against what the calculations expect of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tamsk_hw.board.wiring_map import Band
from tamsk_hw.facts.severity import Severity
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import SensorId


@dataclass(frozen=True, slots=True)
class FiguresCalculated:
    """The bands of this test are calculated; nobody has measured them yet."""

    tube: Tube
    severity: Severity = Severity.OK


class RingVerdict(Enum):
    """The judgements on one level's ring sensor."""

    SOUND = "sound"
    DAZZLED = "dazzled"
    """Light while its own is dark."""
    REFLECTING = "reflecting"
    """It sees its own light on the empty tube."""
    BELOW_SEEN = "below_seen"
    """It takes the ring below for its own."""
    BLIND = "blind"
    """It sees its ring on neither side."""
    SHALLOW = "shallow"
    """It needs more light near than far: the ring is in the dead zone before its face."""
    DEEP = "deep"
    """All levels need more light than the worst expected."""
    NEEDY = "needy"
    """It alone needs more light than the worst expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTested:
    """A level: the light (µs) with which it saw its ring ``near`` and ``far``, 0 for never, and what is expected.

    ``phantom``: the light with which it saw what is no ring of its own. ``recess``: the depth drawn, in mm.
    """

    sensor: SensorId
    verdict: RingVerdict
    severity: Severity
    near: int
    far: int
    expected_near: Band
    expected_far: Band
    recess: float
    phantom: int = 0


class HallVerdict(Enum):
    """The judgements on the tube's Hall sensor."""

    SOUND = "sound"
    AS_SS49E = "as_ss49e"
    """Too weak for a DRV5055A3, right for an SS49E."""
    WEAK = "weak"
    STRONG = "strong"
    UNFELT = "unfelt"
    SAME_WAY = "same_way"
    """Both ends of the glass move it the same way."""
    ENDS_DIFFER = "ends_differ"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTested:
    """The Hall sensor: ``rest``, and the steps by which either end of a glass moves it (A upwards).

    ``expected`` of the DRV5055A3, ``other`` of the SS49E. ``apart``: percent between the ends, ``allowed`` at
    most.
    """

    tube: Tube
    verdict: HallVerdict
    severity: Severity
    rest: float
    end_a: float
    end_b: float
    expected: Band
    other: Band
    apart: float
    allowed: int


@dataclass(frozen=True, slots=True)
class RestTested:
    """The rest of the empty tube is outside what a sensor may have."""

    tube: Tube
    rest: float
    lowest: int
    highest: int
    severity: Severity = Severity.PROBLEM


@dataclass(frozen=True, slots=True)
class NeighbourTested:
    """A glass in the tube ``neighbour`` moved this tube's sensor by ``steps``, at best ``expected`` or less."""

    tube: Tube
    neighbour: Tube
    steps: float
    expected: int
    severity: Severity


TubeFinding = FiguresCalculated | LevelTested | FieldTested | RestTested | NeighbourTested
