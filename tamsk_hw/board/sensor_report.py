"""The reports of sensing, the state from which it starts, and its settings.

A report is an event for the referee, or a sensor's fault as a fact: `tamsk_hw.words.simulated` makes the `Fault`
event of a stream from it, with its detail in words. `initial_state` reads the last report of an earlier run from
the recorded events; `Sensing.restore` begins with it, so that only differences are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise

from tamsk_hw.errors import SettingError
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.referee.events import (
    Event,
    Fault,
    Holder,
    Lift,
    Rings,
    Seat,
    SensorId,
    Tilt,
    TimerLifted,
    TimerSeated,
)


@dataclass(frozen=True, slots=True)
class InitialGlass:
    """Something that stands in a tube with ``end`` down, or leans there.

    Of what leans ``end`` is the end that was down when it last stood, None when it came leaning.
    """

    end: End | None
    leaning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialState:
    """The last report; what is missing was reported as nothing, or never."""

    glasses: Mapping[Tube, InitialGlass] = field(default_factory=dict)
    timer: End | None = None
    """The end of the timer that is down; None when it is not in its cradle."""
    rings: Mapping[Tube, int] = field(default_factory=dict)
    """Ring counts of 1 and more."""
    holders: Mapping[Player, int] = field(default_factory=dict)
    """Rings in the holders that were reported."""
    faults: frozenset[SensorId] = frozenset()
    """The sensors whose faults were reported and not cleared."""


def initial_state(events: Iterable[Event]) -> InitialState:
    """The last word of ``events``, a stream in its order, on each sensor; other events are passed over."""
    glasses: dict[Tube, InitialGlass] = {}
    timer: End | None = None
    rings: dict[Tube, int] = {}
    holders: dict[Player, int] = {}
    faults: set[SensorId] = set()
    for event in events:
        match event:
            case Seat(_, tube, end):
                glasses[tube] = InitialGlass(end)
            case Lift(_, tube):
                glasses.pop(tube, None)
            case Tilt(_, tube):
                stood = glasses.get(tube)
                glasses[tube] = InitialGlass(None if stood is None else stood.end, leaning=True)
            case Rings(_, tube, count):
                rings[tube] = count
            case Holder(_, player, count):
                holders[player] = count
            case TimerSeated(_, end):
                timer = end
            case TimerLifted():
                timer = None
            case Fault(_, sensor, _, cleared):
                (faults.discard if cleared else faults.add)(sensor)
            case _:
                pass
    return InitialState(
        glasses=glasses,
        timer=timer,
        rings={tube: count for tube, count in rings.items() if count},
        holders=holders,
        faults=frozenset(faults),
    )


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
class BaselineDrifted:
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
    | BaselineDrifted
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


SensorReport = Event | SensorFault | SensorCleared


@dataclass(frozen=True, slots=True, kw_only=True)
class SensingSettings:
    """Dwell times in seconds and thresholds as shares of a seated glass's calibrated deflection.

    Raises `SettingError` for a time that is not above 0 or not below 60 s, or shares that are not in order.
    """

    glass_dwell: float = 0.030
    """A glass seated or gone; the timer's glass too."""
    lean_dwell: float = 0.250
    """Something leaning: longer, because a glass on its way in or out passes here, and wobbles here as it
    settles."""
    weak_dwell: float = 0.300
    """A glass that is seated if it is a weak one: longer than it takes to put a strong one down."""
    hover_dwell: float = 0.500
    """A glass held above its tube (`away` … `gone`): it has left, though its field is still felt."""
    ring_dwell: float = 0.060
    """A tube's ring count; more rings only where a right to a ring is open."""
    ring_dwell_undue: float = 0.450
    """More rings where no right is open: a finger at the tube while a glass is put in or taken out, which takes
    0.1 to 0.3 s, must not count; nobody waits for such a ring."""
    light_dwell: float = 0.200
    """A ring count just after light was seen while dark: a lamp's flicker must not count."""
    flicker_dwell: float = 1.0
    """The same when light comes again and again: so long in all, if nothing else is seen between."""
    holder_dwell: float = 0.250
    """A ring holder's weight; 8 readings must agree besides."""
    gap_dwell: float = 1.0
    """A gap in a tube's ring code before it is a fault: a ring lowered by hand shows one for a moment."""
    glare_dwell: float = 5.0
    """Light seen while dark before it is a fault."""
    glare_clear_dwell: float = 2.0
    """The absence of such light before its fault is cleared: it may flicker."""
    fault_dwell: float = 0.500
    """Any other fault before it is reported, and its absence before it is cleared."""
    glass_first: float = 0.300
    """Longest wait of a ring count for the glass of its tube to settle, so that the seat comes
    first."""
    holder_first: float = 0.600
    """Longest wait of a ring count for the holder that the ring may have come from, from the ring's beginning: 8
    readings take 0.4 s at 20 a second."""
    silence: float = 0.120
    """Time after a snapshot for which its states still count as held; snapshots come every 0.05 s at least."""
    gap_credit: float = 0.010
    """The most that counts as held, of the time between two snapshots of which those between were lost."""

    resume_within: float = 0.25
    """The longest time in which a sensor is not trusted after which a state that had begun goes on."""
    stray_within: float = 0.006
    """The longest time for which a glass that is gone may be felt and still be gone: two readings of noise."""

    seated: float = 0.80
    seated_until: float = 0.70
    weak: float = 0.68
    """From here a glass whose strength nobody knows may be seated; a usual one that leans by 7° reads 0.61."""
    weak_hysteresis: float = 0.02
    leaning: float = 0.30
    leaning_until: float = 0.25
    away: float = 0.15
    away_until: float = 0.20
    gone: float = 0.05

    rail: int = 2
    """A reading this near to 0 or 255 is a broken or shorted sensor."""
    reference_margin: int = 6
    """Allowed deviation of the references from 1/4, 1/2, 3/4 of the supply, in steps."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            is_time = "dwell" in each.name or each.name in (
                "glass_first",
                "holder_first",
                "silence",
                "gap_credit",
                "resume_within",
                "stray_within",
            )
            if is_time and not 0 < value < 60:
                raise SettingError("sensing", each.name, value, "more than 0, below 60 s")
        shares = ("gone", "away", "away_until", "leaning_until", "leaning", "weak", "seated_until", "seated")
        for lower, upper in pairwise(shares):
            if not 0 < getattr(self, lower) < getattr(self, upper) < 1:
                allowed = f"more than {lower}, {getattr(self, lower)!r}, and less than 1"
                raise SettingError("sensing", upper, getattr(self, upper), allowed, against=(lower,))
        if not 0 <= self.rail <= 10:
            raise SettingError("sensing", "rail", self.rail, "0 to 10 steps")
        if not 1 <= self.reference_margin <= 30:
            raise SettingError("sensing", "reference_margin", self.reference_margin, "1 to 30 steps")
