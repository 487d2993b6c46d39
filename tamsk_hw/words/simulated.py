"""Words of the simulated world.

Sensors' faults in words, and the events that streams keep of them.

A simulated board as eyes see it, in lines for whoever plays from a shell; in English, as tables are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from tamsk_hw.board.sensor_report import (
    BaselineDrifted,
    ChainBroken,
    FaultDetail,
    FieldAtRail,
    FieldJumps,
    HolderAtRail,
    HolderSilent,
    LightOnRings,
    ReferencesOff,
    RingGap,
    SensorCleared,
    SensorFault,
    SensorReport,
    SupplyLow,
    WeightImpossible,
    WeightNotRings,
    WeightUnsteady,
)
from tamsk_hw.referee.events import BaseEvent, Event, Fault

#: Ring sensors that are named when light falls on many.
_NAMED = 4


def as_event(sensed: SensorReport) -> Event:
    """The event as the referee takes it: a sensor's fault gets its detail in words."""
    match sensed:
        case SensorFault(t, sensor, detail):
            return Fault(t, sensor, fault_words(detail))
        case SensorCleared(t, sensor):
            return Fault(t, sensor, "reads well again", cleared=True)
        case BaseEvent():
            return sensed
        case _:
            assert_never(sensed)


def fault_words(detail: FaultDetail) -> str:
    """A sensor's fault and its consequence, in words that follow the sensor's name."""
    match detail:
        case FieldAtRail(reading, lowest, highest):
            return (
                f"reads {reading}, as if shorted or not connected; allowed {lowest} to {highest}; held as it stood"
            )
        case FieldJumps(steps, allowed):
            return f"jumps by up to {steps} steps; allowed {allowed:g}; held as it stood"
        case BaselineDrifted(steps, most):
            return f"has drifted by {steps:+} steps since it was calibrated; allowed {most}; calibrate it again"
        case ReferencesOff():
            return _references(detail)
        case SupplyLow():
            return "the board's 5 V are below about 4.5 V; glasses are held as they stood"
        case HolderSilent():
            return "does not answer; the count is held"
        case HolderAtRail(reading):
            return f"reads {reading}, its end of scale; the count is held"
        case WeightNotRings(steps, held):
            return f"changed by {steps:.1f} rings; the count is held at {held}"
        case WeightImpossible(rings, most):
            return f"weighs {rings} rings; allowed are 0 to {most}; calibrate it"
        case WeightUnsteady(seconds, held):
            count = "no ring is counted" if held is None else f"the count is held at {held}"
            return (
                f"has not come to rest for {seconds:g} s; {count}; keep hands and draughts away, check its wires"
            )
        case RingGap(held):
            return f"sees no ring below one that is seen; the count is held at {held}"
        case ChainBroken(0):
            return (
                "only ones come back from the 74HC165s, lit and dark alike: light over the whole board, or a wire "
                "broken before the first; no ring is read until the board is shaded or the wire mended"
            )
        case ChainBroken(first):
            return (
                f"the 74HC165s from number {first} on (0 is nearest the controller) give only ones: a broken "
                "wire, a missing chip or full light; no ring is read until it is mended"
            )
        case LightOnRings(levels):
            names = " ".join(f"{tube}.{level}" for tube, level in levels[:_NAMED])
            more = f" and {len(levels) - _NAMED} more" if len(levels) > _NAMED else ""
            return f"light falls on {names}{more}: rings are not seen there; shade the board"
        case _:
            assert_never(detail)


def _references(detail: ReferencesOff) -> str:
    readings = ", ".join(f"{each.quarters}/4 of 5 V reads {each.reading}" for each in detail.references)
    allowed = ", ".join(f"{each.expected} ± {detail.margin}" for each in detail.references)
    perhaps = "" if detail.mux is None else f" (or multiplexer {detail.mux})"
    return f"{readings}; allowed {allowed}{perhaps}; its glasses are held as they stood"


def world_words(look: Mapping[str, Any]) -> list[str]:
    """The lines for the JSON object of a ``look`` line (docs/simulate-reference.md)."""
    lines = [_glass(glass) for glass in look["glasses"]]
    timer = look["timer"]
    place = {"cradle": "in its cradle", "hand": "in a hand", "off": "off the board"}[timer["place"]]
    lines.append(f"timer: {place}, {_sand(timer)}")
    rings = " ".join(f"{tube}:{count}" for tube, count in look["rings"].items())
    lines.append(f"rings: {rings or 'none on the board'}")
    for player, side in look["players"].items():
        lines.append(
            f"{player}: {side['holder']} rings in the holder, {side['rings']} in hands, {side['aside']} aside; "
            f"{side['free_hands']} free hands"
        )
    lines.append(f"buttons down: {' '.join(look['buttons']) or 'none'}")
    if look["lights"] is None:
        lines.append("lights: no program drives them")
    else:
        lit = " ".join(f"{place}:{colour}" for place, colour in look["lights"].items() if colour != "000000")
        lines.append(f"lights: {lit or 'all dark'}")
    lines.append(f"faults: {'; '.join(look['faults']) or 'none'}")
    lines += ["a lamp shines on the board"] if look["lamp"] else []
    lines += [] if look["plugged"] else ["the cable is out"]
    return lines


def _glass(glass: Mapping[str, Any]) -> str:
    if glass["tube"] is not None:
        place = f"{'leans' if glass['leaning'] else 'stands'} in {glass['tube']}"
    else:
        place = "lies off the board" if glass["hand"] is None else f"in the hand of {glass['hand']}"
    return f"{glass['owner']} glass {glass['name']}: {place}, {_sand(glass)}"


def _sand(glass: Mapping[str, Any]) -> str:
    return f"end {glass['end']} down, {glass['above']:.0%} above{', running' if glass['runs'] else ''}"
