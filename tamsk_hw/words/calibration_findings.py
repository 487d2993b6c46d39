"""The findings of a calibration in words: subject, cause and advice."""

from __future__ import annotations

from typing import Final, assert_never

from tamsk_hw.facts.calibration_findings import (
    CalibrationFinding,
    FieldFault,
    FieldFinding,
    FieldTrouble,
    GlassMarkedWrongly,
    HolderFault,
    HolderFinding,
    HolderTrouble,
    LevelFault,
    LevelsFinding,
    LevelTrouble,
    Suspect,
)
from tamsk_hw.referee.events import SensorId, SensorKind
from tamsk_hw.words.hardware import place_words
from tamsk_hw.words.translating import Wording

_LOOSE: Final = "look for a loose wire, and at the 5 V supply"


def calibration_words(finding: CalibrationFinding) -> Wording:
    """A finding of the calibration in words."""
    match finding:
        case FieldFinding(sensor, _, trouble):
            return Wording(f"field of {field_words(sensor)}", *_field(trouble))
        case LevelsFinding((sensor,), _, trouble):
            return Wording(f"ring sensor of {_level_words(sensor)}", *_level(trouble))
        case LevelsFinding(sensors, _, trouble):
            places = " ".join(map(place_words, sensors))
            return Wording(f"ring sensors {places} (tube.level, 1 is the lowest)", *_level(trouble))
        case HolderFinding(holder, _, trouble):
            return Wording(f"{holder}'s ring holder", *_holder(trouble))
        case GlassMarkedWrongly():
            cause = "nearly all sensors feel the other end than was said: what was taken for end A is end B"
            return Wording("glass", cause, "nothing is lost; mark the glass again")
        case _:
            assert_never(finding)


def field_words(sensor: SensorId) -> str:
    """The place of a Hall sensor: ``"D4"``, ``"the timer's cradle"``."""
    return "the timer's cradle" if sensor.kind is SensorKind.TIMER else place_words(sensor)


def _level_words(sensor: SensorId) -> str:
    return f"{sensor.tube}, level {sensor.level}{' (the lowest)' if sensor.level == 1 else ''}"


def _field(trouble: FieldTrouble) -> tuple[str, str]:
    """Cause and advice."""
    figure = trouble.figures[0] if trouble.figures else 0.0
    match trouble.fault:
        case FieldFault.JUMPS_EMPTY:
            return f"jumps by {figure:.0f} steps with nothing on it", _LOOSE
        case FieldFault.JUMPS_LOADED:
            return f"jumps by {figure:.0f} steps with a glass on it", _LOOSE
        case FieldFault.END_OF_SCALE:
            return f"reads {figure:.0f}, an end of the scale", "look for a broken or shorted wire at its sensor"
        case FieldFault.OFF_REST:
            cause = f"reads {figure:.0f} with nothing on it, where about 128 is due"
            return cause, _suspect(Suspect.WIRES)
        case FieldFault.SWAPPED:
            other = "another tube" if trouble.other is None else field_words(trouble.other)
            return f"its glass is felt at {other}", "the two sensors' wires, or the wiring map, are swapped"
        case FieldFault.FEELS_NOTHING:
            return "feels nothing of the glass on it", "look at its sensor, the sensor's wires and the magnet"
        case FieldFault.SAME_ENDS:
            return "reads the same with either end down", "look at the magnets in both caps of the glass"
        case FieldFault.IMPOSSIBLE:
            return trouble.problem, _suspect(trouble.suspect)
        case FieldFault.REVERSED:
            cause = "feels the other end than its neighbours"
            return cause, (
                "its sensor lies the wrong way round, or a wrong end was set; turn the sensor, or measure it again"
            )
        case FieldFault.FAINT:
            return f"the glass moves it by {figure:.0f} steps only", _suspect(trouble.suspect)
        case FieldFault.UNLIKE_ENDS:
            end_a, end_b = trouble.figures
            cause = f"end A moves it by {end_a:.0f} steps, end B by {end_b:.0f}"
            return cause, "did the glass stand firm both times? Measure it again"
        case FieldFault.BELOW_OTHERS:
            return f"feels only {figure:.0%} of what the other tubes do", (
                "its sensor lies too deep, or the glass did not stand firm; measure it again"
            )
        case _:
            assert_never(trouble.fault)


def _suspect(suspect: Suspect | None) -> str:
    match suspect:
        case Suspect.WIRES:
            return "look at the sensor's wires, and for iron or a magnet near it"
        case Suspect.DEPTH:
            return "the sensor lies too deep, or the magnet in the cap is too weak"
        case Suspect.CONTACT:
            return _LOOSE
        case Suspect.NEARNESS:
            return "the sensor lies too near to the magnet: its reading ends at the scale's end"
        case None:
            return ""
        case _:
            assert_never(suspect)


def _level(trouble: LevelTrouble) -> tuple[str, str]:
    """Cause and advice."""
    foreign, light = "sees light that is not its own", f"{trouble.light} µs"
    match trouble.fault:
        case LevelFault.DAZZLED_OR_SHORTED:
            return foreign, "shade the board, or look for a short circuit"
        case LevelFault.DAZZLED:
            return foreign, "shade the board"
        case LevelFault.DAZZLED_WITH_RING:
            return foreign, "shade the board and measure its rings again"
        case LevelFault.PHANTOM:
            return "sees a ring where there is none", "look for dirt or a short circuit at the sensor"
        case LevelFault.PHANTOM_LIT:
            return f"sees a ring where there is none after {light} of light", "look for dirt before it"
        case LevelFault.UNSEEING:
            return "does not see its ring", (
                "is the ring there, and level? Else clean the sensor's window, and look at its solder joints"
            )
        case LevelFault.NEEDS_MORE:
            cause = f"needs {light} of light to see its ring, more than the usual {trouble.given}"
            return cause, "the games give all sensors so much; better clean its window, or change the sensor"
        case LevelFault.REFLECTING:
            return f"sees something after {light} of light without a ring", "clean its window"
        case LevelFault.SLOW:
            cause = f"sees its ring only after {light} of light, all that the board usually gives"
            return cause, "clean its window"
        case _:
            assert_never(trouble.fault)


def _holder(trouble: HolderTrouble) -> tuple[str, str]:
    """Cause and advice."""
    cell = "nothing may touch it; look at the cell's wires"
    match trouble.fault:
        case HolderFault.SILENT:
            return "its converter (HX711) does not answer", "look at its wires and its supply"
        case HolderFault.JUMPS_EMPTY:
            return f"jumps by {trouble.counts:.0f} counts when empty", cell
        case HolderFault.JUMPS_LOADED:
            return f"jumps by {trouble.counts:.0f} counts", cell
        case HolderFault.IMPOSSIBLE:
            return trouble.problem, (
                f"were {trouble.rings} rings in it and nothing else? Else check that the holder rests on its "
                "cell alone, and the cell's wires"
            )
        case _:
            assert_never(trouble.fault)
