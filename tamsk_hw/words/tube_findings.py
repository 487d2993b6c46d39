"""The findings on a finished tube in words: the reading, what is expected, and one line of what to do."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.protocol import SELF_TEST_LIGHT_TIMES
from tamsk_hw.board.wiring_map import Band
from tamsk_hw.facts.tube_findings import (
    FieldTested,
    FiguresCalculated,
    HallVerdict,
    LevelTested,
    NeighbourTested,
    RestTested,
    RingVerdict,
    TubeFinding,
)
from tamsk_hw.words.hardware import place_words
from tamsk_hw.words.translating import Wording


def tube_words(finding: TubeFinding) -> Wording:
    """A finding on a finished tube in words."""
    match finding:
        case FiguresCalculated(tube):
            times = ", ".join(map(str, SELF_TEST_LIGHT_TIMES))
            cause = (
                "what is expected is calculated (make wiring, electrics.md) and measured by nobody yet; of "
                f"{times} µs of light the first that is enough is read"
            )
            return Wording(f"tube {tube}", cause)
        case LevelTested():
            return Wording(place_words(finding.sensor), _level_cause(finding), _level_advice(finding))
        case FieldTested():
            return Wording(f"glass {finding.tube}", _field_cause(finding), _field_advice(finding))
        case RestTested(tube, rest, lowest, highest):
            cause = f"the empty tube reads {rest:.0f}; expected {lowest} to {highest}"
            return Wording(
                f"glass {tube}", cause, "take magnets and steel away; check the Hall sensor's three wires"
            )
        case NeighbourTested(tube, neighbour, steps, expected):
            cause = f"a glass in {neighbour} moves it by {steps:.1f} steps; expected at most {expected}"
            advice = ""
            if finding.severity is not finding.severity.OK:
                advice = (
                    f"measure the distance from {tube} to {neighbour}, and look for steel between them; or the "
                    f"glass still stood in {tube}"
                )
            return Wording(f"glass {tube}", cause, advice)
        case _:
            assert_never(finding)


def _light(time: int) -> str:
    return f"seen with {time} µs" if time else "not seen"


def _band(band: Band) -> str:
    return f"{band.least} to {band.most}"


def _level_cause(found: LevelTested) -> str:
    """The readings with what is expected."""
    readings = (
        f"ring near: {_light(found.near)} (expected {_band(found.expected_near)}, typically "
        f"{found.expected_near.typical}); far: {_light(found.far)} (expected {_band(found.expected_far)}, "
        f"typically {found.expected_far.typical})"
    )
    match found.verdict:
        case RingVerdict.SOUND:
            return readings
        case RingVerdict.DAZZLED:
            return "light while its own is dark"
        case RingVerdict.REFLECTING:
            return f"sees its own light on the empty tube, with {found.phantom} µs; {readings}"
        case RingVerdict.BELOW_SEEN:
            return f"takes the ring below for its own, with {found.phantom} µs; {readings}"
        case RingVerdict.BLIND:
            return "sees its ring neither near nor far, with all the light there is"
        case RingVerdict.SHALLOW:
            return f"recess too shallow, a near ring needs more light than a far one; {readings}"
        case RingVerdict.DEEP:
            return f"recess too deep, or little light on all levels; {readings}"
        case RingVerdict.NEEDY:
            return f"needs more light than the weakest sensor should; {readings}"
        case _:
            assert_never(found.verdict)


def _level_advice(found: LevelTested) -> str:
    recess = f"{found.recess:g} mm"
    match found.verdict:
        case RingVerdict.SOUND:
            return ""
        case RingVerdict.DAZZLED:
            return "switch lamps off, keep the sun out, and test again"
        case RingVerdict.REFLECTING:
            return "blacken the walls of its slot and whatever faces it, or sink the sensor"
        case RingVerdict.BELOW_SEEN:
            return f"raise the sensor to its height as drawn, sink it to {recess}, blacken the slot around it"
        case RingVerdict.BLIND:
            return f"check its wires, RE, RP and its recess ({recess}), then swap the sensor"
        case RingVerdict.SHALLOW:
            return f"measure from tube to face and sink the sensor, or file its seat, until it is {recess}"
        case RingVerdict.DEEP:
            return f"measure from tube to face; deeper than {recess}: bring it forward; else check RE and 5V_IR"
        case RingVerdict.NEEDY:
            return f"measure from tube to face; deeper than {recess}: bring the sensor forward; else swap it"
        case _:
            assert_never(found.verdict)


def _field_cause(found: FieldTested) -> str:
    readings = (
        f"rest {found.rest:.0f}, end A {found.end_a:+.0f}, end B {found.end_b:+.0f} steps (expected "
        f"{_band(found.expected)} with N35 to N45 and a DRV5055A3, {_band(found.other)} with an SS49E)"
    )
    match found.verdict:
        case HallVerdict.SOUND:
            return readings
        case HallVerdict.AS_SS49E:
            return f"right for an SS49E only: magnet or sensor too deep for a DRV5055A3; {readings}"
        case HallVerdict.WEAK:
            return f"field too weak: magnet or sensor too deep; {readings}"
        case HallVerdict.STRONG:
            return f"field too strong: magnet or sensor too near; {readings}"
        case HallVerdict.UNFELT:
            return f"the glass is not felt; {readings}"
        case HallVerdict.SAME_WAY:
            return f"both ends move it the same way; {readings}"
        case HallVerdict.ENDS_DIFFER:
            weaker = "A" if abs(found.end_a) < abs(found.end_b) else "B"
            return f"end {weaker} is {found.apart:.0f} % weaker, expected at most {found.allowed} %; {readings}"
        case _:
            assert_never(found.verdict)


def _field_advice(found: FieldTested) -> str:
    match found.verdict:
        case HallVerdict.SOUND:
            return ""
        case HallVerdict.AS_SS49E:
            return "with an SS49E nothing; else try another glass, then measure the floor over the Hall sensor"
        case HallVerdict.WEAK:
            return "try another glass: as weak, measure the floor over the Hall sensor; else that glass's magnets"
        case HallVerdict.STRONG:
            return (
                "try another glass: as strong, measure the floor over the Hall sensor; else that glass's magnets"
            )
        case HallVerdict.UNFELT:
            return "check the Hall sensor's wires, and that the glass has a magnet in each cap"
        case HallVerdict.SAME_WAY:
            return "turn one cap's magnet over: the ends must show opposite poles; or the glass was not turned"
        case HallVerdict.ENDS_DIFFER:
            return "glue this glass's magnets again in the jig, both equally deep"
        case _:
            assert_never(found.verdict)
