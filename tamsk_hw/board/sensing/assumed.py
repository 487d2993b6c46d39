"""The last report of the board by an earlier run of the program, so that a new one reports only what differs.

`assumed_from` reads it from the recorded events; `Sensing.assume` begins with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import Event, Fault, Holder, Lift, Rings, Seat, Tilt, TimerLifted, TimerSeated
from tamsk_hw.referee.sensor_id import SensorId


@dataclass(frozen=True, slots=True)
class AssumedGlass:
    """Something that stands in a tube with ``end`` down, or leans there.

    Of what leans ``end`` is the end that was down when it last stood, None when it came leaning.
    """

    end: End | None
    leaning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """The last report; what is missing was reported as nothing, or never."""

    glasses: Mapping[Tube, AssumedGlass] = field(default_factory=dict)
    timer: End | None = None
    """The end of the timer that is down; None when it is not in its cradle."""
    rings: Mapping[Tube, int] = field(default_factory=dict)
    """Ring counts of 1 and more."""
    holders: Mapping[Player, int] = field(default_factory=dict)
    """Rings in the holders that were reported."""
    faults: frozenset[SensorId] = frozenset()
    """The sensors whose faults were reported and not cleared."""


def assumed_from(events: Iterable[Event]) -> Assumed:
    """The last word of ``events``, a stream in its order, on each sensor; other events are passed over."""
    glasses: dict[Tube, AssumedGlass] = {}
    timer: End | None = None
    rings: dict[Tube, int] = {}
    holders: dict[Player, int] = {}
    faults: set[SensorId] = set()
    for event in events:
        match event:
            case Seat(_, tube, end):
                glasses[tube] = AssumedGlass(end)
            case Lift(_, tube):
                glasses.pop(tube, None)
            case Tilt(_, tube):
                stood = glasses.get(tube)
                glasses[tube] = AssumedGlass(None if stood is None else stood.end, leaning=True)
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
    return Assumed(
        glasses=glasses,
        timer=timer,
        rings={tube: count for tube, count in rings.items() if count},
        holders=holders,
        faults=frozenset(faults),
    )
