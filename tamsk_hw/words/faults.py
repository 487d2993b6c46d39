"""Sensors' faults in words, and the events that streams keep of them."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.sensing.sensed import (
    ChainBroken,
    FaultDetail,
    FieldAtRail,
    FieldJumps,
    HolderAtRail,
    HolderSilent,
    LightOnRings,
    ReferencesOff,
    RestDrifted,
    RingGap,
    Sensed,
    SensorCleared,
    SensorFault,
    SupplyLow,
    WeightImpossible,
    WeightNotRings,
    WeightUnsteady,
)
from tamsk_hw.referee.events import BaseEvent, Event, Fault

#: Ring sensors that are named when light falls on many.
_NAMED = 4


def as_event(sensed: Sensed) -> Event:
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
        case RestDrifted(steps, most):
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
