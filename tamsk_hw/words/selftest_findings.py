"""The self-test's findings in words: subject, cause and advice."""

from __future__ import annotations

from typing import Final, assert_never

from tamsk_hw.facts.selftest_findings import (
    ButtonFault,
    ButtonFinding,
    ButtonsSound,
    BuzzerFinding,
    BuzzerResult,
    ChipsCut,
    DeadMultiplexer,
    FieldMissed,
    FieldReading,
    FieldsFault,
    FieldsFinding,
    FieldsMissed,
    FieldsSound,
    HolderResult,
    HolderTested,
    Left,
    LeftBecause,
    LightsFinding,
    LightsResult,
    LinkWasLost,
    PanelBroken,
    Part,
    PartUnfinished,
    PartUntested,
    PartUnused,
    Pixel,
    RingFault,
    RingSensorsFinding,
    RingSensorsMissed,
    RingSensorsSound,
    SelfTestFinding,
    SharedBy,
    SweepUnanswered,
)
from tamsk_hw.panel.hardware import ButtonStuck, PanelFailed
from tamsk_hw.panel.sounds import Sound
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.words.hardware import driver_advice, driver_cause, failure_words, link_words, place_words
from tamsk_hw.words.translating import Wording, some_of

_WIRES_SWAPPED: Final = "check whether their wires are swapped"

_RINGS, _GLASSES = Part.RINGS.value, Part.GLASSES.value


def selftest_words(finding: SelfTestFinding) -> Wording:
    """A finding of the self-test in words."""
    match finding:
        case PartUnfinished(part, left):
            return Wording(part.value, f"not tested to the end: {_left_words(left)}", "run this part again")
        case PartUntested(part):
            return Wording(part.value, "not tested: the board is not connected", "mend the link first")
        case PartUnused(part):
            return Wording(part.value, _unused_words(part))
        case PanelBroken():
            return _panel(finding)
        case LinkWasLost(times, reason):
            often = "once" if times == 1 else f"{times} times"
            cause = f"was lost {often} during the test: {link_words(reason)}"
            return Wording("link", cause, "use a shorter or better cable, and no hub; check the supply")
        case DeadMultiplexer():
            return _multiplexer(finding)
        case LightsFinding():
            return _lights(finding)
        case BuzzerFinding():
            return _buzzer(finding)
        case ButtonFinding():
            return _button(finding)
        case ButtonsSound(buttons):
            return Wording(Part.BUTTONS.value, f"seen short and long: {some_of(each.value for each in buttons)}")
        case RingSensorsFinding():
            return _ring_sensors(finding)
        case RingSensorsMissed():
            return _ring_sensors_missed(finding)
        case ChipsCut(first, last):
            which = f"74HC165 {first}" if first == last else f"74HC165s {first} to {last}"
            advice = (
                f"check the wire from chip {first} towards the controller, and that no chip of the chain is "
                "missing (chip 0 is the nearest)"
            )
            return Wording(_RINGS, f"{which}: all inputs read ones, in the dark as well", advice)
        case SweepUnanswered():
            return Wording(
                _RINGS, "the board does not answer to SELF_TEST", "flash the board again (tamsk-hw flash)"
            )
        case RingSensorsSound(fitted, rings):
            how = f"{rings} see a ring with margin, {fitted - (rings or 0)} none"
            if rings is None:
                how = "dark on the empty board, and each saw a ring"
            return Wording(_RINGS, f"{fitted} sensors: {how}")
        case FieldsFinding():
            return _fields(finding)
        case FieldsMissed():
            return _fields_missed(finding)
        case FieldsSound(fitted, empty):
            how = f"all quiet, {empty} without a glass"
            if empty is None:
                how = "quiet at rest, and each felt both ends of a glass"
            return Wording(_GLASSES, f"{fitted} sensors: {how}")
        case HolderTested():
            return _holder(finding)
        case _:
            assert_never(finding)


def sound_words(sound: Sound) -> str:
    """The name of a sound."""
    match sound:
        case Sound.GAME_OVER:
            return "end of the game"
        case Sound.VIOLATION:
            return "violation"
        case Sound.GLASS_LOST:
            return "glass lost"
        case Sound.LAST_SECONDS:
            return "last seconds"
        case _:
            assert_never(sound)


def missed_words(missed: FieldMissed) -> str:
    """A Hall sensor with the end that it has not felt: ``"D4:B"``; ``"D4"`` for both."""
    place = place_words(missed.sensor)
    return place if len(missed.ends) == 2 else f"{place}:{missed.ends[0]}"


def _left_words(left: Left) -> str:
    match left.because:
        case LeftBecause.ENDED:
            return "the test was ended"
        case LeftBecause.SKIPPED:
            return "it was left out"
        case LeftBecause.NOBODY_CAN_ANSWER:
            return "there are neither keys nor buttons to answer with"
        case LeftBecause.NOBODY_ANSWERED:
            return f"nobody answered for {left.seconds:g} s"
        case LeftBecause.NOT_EMPTIED:
            return "the board was not emptied"
        case LeftBecause.NOTHING_TRIED:
            return "no sensor was tried"
        case LeftBecause.NOTHING_NEW:
            return f"nothing new was seen for {left.seconds:g} s"
        case LeftBecause.FEW_SNAPSHOTS:
            return f"{left.snapshots} snapshots came within {left.seconds:g} s"
        case _:
            assert_never(left.because)


def _unused_words(part: Part) -> str:
    match part:
        case Part.LIGHTS:
            return 'not used: lights.route is "none"'
        case Part.BUZZER:
            return "not used: it is switched off"
        case Part.BUTTONS:
            return "not used: they are switched off"
        case Part.HOLDERS:
            return "none are fitted"
        case Part.BOARD | Part.RINGS | Part.GLASSES | Part.TUBE:
            return "not used"
        case _:
            assert_never(part)


def _panel(finding: PanelBroken) -> Wording:
    what, trouble = finding.what, finding.trouble
    subject = f"{what.value} button" if isinstance(what, ButtonName) else what.value
    match trouble:
        case PanelFailed():
            cause = f"{failure_words(trouble)}: {driver_cause(trouble.trouble)}"
            return Wording(subject, cause, driver_advice(trouble.trouble) or "tamsk-hw doctor says more")
        case ButtonStuck():
            return Wording(subject, "stays pressed", "check whether it is stuck or its wires touch")
        case _:
            assert_never(trouble)


def _multiplexer(finding: DeadMultiplexer) -> Wording:
    advice = f"check its supply, its enable pin and its wire to {finding.pin}"
    subject = f"multiplexer {finding.multiplexer}"
    if finding.fields is None:
        return Wording(subject, f"everything on it reads {finding.reading}, its reference, too", advice)
    return Wording(_GLASSES, f"{subject}: all {finding.fields} fields on it read {finding.reading}", advice)


def _lights(finding: LightsFinding) -> Wording:
    name = Part.LIGHTS.value
    pixels = finding.pixels
    match finding.result:
        case LightsResult.SOUND:
            return Wording(name, f"{finding.count} pixels, each red, green and blue at its place")
        case LightsResult.ALL_WRONG:
            names = some_of(pixel.name for pixel in pixels)
            cause = f"none of the {len(pixels)} pixels looked at lights as it should: {names}"
            advice = (
                f"check the pixels' 5 V and ground, the level shifter, and the data wire from GPIO{finding.gpio}"
            )
        case LightsResult.BROKEN_FROM:
            first = min(pixels, key=lambda pixel: pixel.number)
            names = some_of(pixel.name for pixel in pixels)
            cause = f"wrong from {_pixel(first)} to the chain's end: {names}"
            before = "the level shifter" if finding.before is None else _pixel(finding.before)
            advice = (
                f"check data wire and supply between {before} and pixel {first.number}, then replace either pixel"
            )
        case LightsResult.SOME_WRONG:
            cause = f"wrong: {some_of(f'{pixel.name} (pixel {pixel.number})' for pixel in pixels)}"
            advice = (
                "replace a pixel that stays dark or lacks a colour; where another one lit, correct the pixel "
                "numbers in the wiring map"
            )
        case LightsResult.UNSEEN:
            cause = f"{finding.count} pixels were not looked at after {finding.wrong} wrong ones in a row"
            advice = "mend these first, then run tamsk-hw selftest lights"
        case _:
            assert_never(finding.result)
    return Wording(name, cause, advice)


def _pixel(pixel: Pixel) -> str:
    return f"pixel {pixel.number} ({pixel.name})"


def _buzzer(finding: BuzzerFinding) -> Wording:
    name = Part.BUZZER.value
    sounds = ", ".join(map(sound_words, finding.sounds))
    match finding.result:
        case BuzzerResult.SOUND:
            return Wording(name, f"{len(finding.sounds)} sounds")
        case BuzzerResult.SILENT:
            advice = f"check the buzzer, its transistor and the wire from GPIO{finding.gpio}"
            return Wording(name, f"no sound is heard ({sounds})", advice)
        case BuzzerResult.SOME_SILENT:
            advice = "use a passive buzzer: an active one has a single tone of its own"
            return Wording(name, f"not heard as it should be: {sounds}", advice)
        case _:
            assert_never(finding.result)


def _button(finding: ButtonFinding) -> Wording:
    name, pin = finding.button.value, finding.pin
    match finding.fault:
        case ButtonFault.STUCK:
            cause = "stays pressed"
            advice = f"check whether it is stuck, or its wires (GPIO{pin} and ground) touch"
        case ButtonFault.SWAPPED:
            other = "another" if finding.other is None else finding.other.value
            cause = f"when it was pressed, {other} was seen"
            advice = f"{_WIRES_SWAPPED} (GPIO{pin} is {name}'s)"
        case ButtonFault.DEAD:
            cause, advice = "no press was seen", f"check its wires to GPIO{pin} and to ground"
        case ButtonFault.WORN:
            missed = "" if finding.missed is None else f"{finding.missed.value} "
            cause = f"no {missed}press was seen"
            advice = "try it again; if it stays so, its contact is worn: replace it"
        case _:
            assert_never(finding.fault)
    return Wording(f"{name} button", cause, advice)


def _ring_sensors(finding: RingSensorsFinding) -> Wording:
    names = some_of(map(place_words, finding.sensors))
    light = f"{finding.light} µs"
    match finding.fault:
        case RingFault.DAZZLED:
            cause = f"light while dark: {names}"
            advice = "keep sun and lamps off the board; a sensor that stays so in the dark is shorted"
        case RingFault.BLIND:
            cause = f"need more light to see their ring than the {light} that the board gives: {names}"
            advice = "clean their windows; else `tamsk-hw calibrate sensors` has the board give more, up to 250 µs"
        case RingFault.WEAK:
            cause = f"see their ring only after {light} of light, all that the board gives: {names}"
            advice = "clean their windows; watch them"
        case RingFault.STUCK:
            cause = f"see a ring on the empty board: {names}"
            advice = "if no ring is there: look for dirt, a wrong emitter resistor, or a short to 5 V"
        case RingFault.UNSTEADY_EMPTY:
            cause = f"come and go on the empty board: {names}"
            advice = "keep hands away; else check the sensor's wires and its pull-down"
        case RingFault.UNSTEADY:
            cause = f"come and go: {names}"
            advice = "keep hands away; else clean the sensor and check its wires"
        case RingFault.REFLECTING:
            cause = f"see a ring on the empty board once they are lit for longer than {light}: {names}"
            advice = "something reflects, or light leaks from emitter to sensor: clean and shield it"
        case RingFault.GAP:
            cause = f"see no ring below one that is seen: {names}"
            advice = "clean or replace these sensors; or one above sees a ring that is not there"
        case RingFault.SWAPPED:
            cause = f"came when another one was tried: {names}"
            advice = "check whether sensors or chips are swapped, or correct the wiring map"
        case _:
            assert_never(finding.fault)
    return Wording(_RINGS, cause, advice)


def _ring_sensors_missed(finding: RingSensorsMissed) -> Wording:
    names = some_of(map(place_words, finding.sensors))
    cause = f"{finding.seen} of {finding.fitted} saw something; not: {names}"
    match finding.shared:
        case None:
            advice = "try these, too: tamsk-hw selftest rings"
        case SharedBy.ALL:
            advice = "check the emitters' supply and the enable pin of the TPIC6B595"
        case SharedBy.BANK:
            advice = f"they are bank {finding.number}: check that output of the TPIC6B595 and its resistors"
        case SharedBy.CHIP:
            advice = f"they are all of 74HC165 {finding.number}: check its supply and its latch pin"
        case SharedBy.NOTHING:
            advice = "check their emitters, photo-transistors and solder joints"
        case _:
            assert_never(finding.shared)
    return Wording(_RINGS, cause, advice)


def _fields(finding: FieldsFinding) -> Wording:
    names = some_of(map(_reading, finding.fields))
    match finding.fault:
        case FieldsFault.RAIL:
            cause = f"at an end of the scale: {names}"
            advice = "as if shorted or not connected: check these Hall sensors, their 5 V and their wires"
        case FieldsFault.REST:
            cause = f"rest outside {finding.lowest} to {finding.highest} on an empty tube: {names}"
            advice = "look for a magnet nearby; else the sensor is of another kind, or its supply is wrong"
        case FieldsFault.UNCLEAR:
            cause = f"neither empty nor a seated glass: {names}"
            advice = "a glass may lean there, or the board is not calibrated; try it: tamsk-hw selftest glasses"
        case FieldsFault.MOVED:
            moved = (
                f"{place_words(each.sensor)} {each.reading:.0f}, was {each.due:.0f}" for each in finding.fields
            )
            cause = f"rest not as calibrated: {', '.join(moved)}"
            advice = "look for a magnet nearby, then tamsk-hw calibrate sensors"
        case FieldsFault.NOISY:
            noisy = (
                f"{place_words(each.sensor)} over {each.reading:.0f} steps (at most {each.due:.0f})"
                for each in finding.fields
            )
            cause = f"stray: {', '.join(noisy)}"
            advice = "check ground, the 1 nF at the sensor and its wires; keep hands off meanwhile"
        case FieldsFault.SWAPPED:
            cause = (
                f"came when another one was tried: {some_of(place_words(each.sensor) for each in finding.fields)}"
            )
            advice = f"{_WIRES_SWAPPED}, or correct the wiring map"
        case _:
            assert_never(finding.fault)
    return Wording(_GLASSES, cause, advice)


def _reading(field: FieldReading) -> str:
    return f"{place_words(field.sensor)} ({field.reading:.0f})"


def _fields_missed(finding: FieldsMissed) -> Wording:
    names = some_of(map(missed_words, finding.fields))
    cause = f"{finding.both} of {finding.fitted} felt both ends; not: {names}"
    faint = [
        f"{place_words(each.sensor)} {100 * each.share:.0f} %" for each in finding.fields if each.share is not None
    ]
    if faint:
        cause += f" (felt, at most: {', '.join(faint)} of a seated glass)"
    if not finding.tried:
        advice = "try these, too: tamsk-hw selftest glasses"
    elif finding.nowhere is not None:
        advice = (
            f"end {finding.nowhere} was felt nowhere: check whether that cap has its magnet, and which way round"
        )
    elif faint:
        advice = "calibrate them (tamsk-hw calibrate sensors); else the sensor sits too deep, or askew"
    else:
        advice = "check these Hall sensors, their wires and solder joints"
    return Wording(_GLASSES, cause, advice)


def _holder(finding: HolderTested) -> Wording:
    player, figure = finding.holder, finding.figure
    match finding.result:
        case HolderResult.SILENT:
            cause = "does not answer"
            advice = (
                f"check its HX711, its supply and its wires to {finding.clock} (clock) and {finding.data} (data)"
            )
        case HolderResult.RAIL:
            cause, advice = f"reads {figure:.0f}, its end of scale", "check the load cell's four wires"
        case HolderResult.UNSTEADY:
            cause = f"strays over {figure:.0f} counts at rest; at most {finding.allowed:.0f}"
            advice = "keep hands off; else fix the cell, and check its wires"
        case HolderResult.SWAPPED:
            cause, advice = f"{player.opponent}'s moved when {player}'s was asked for", _WIRES_SWAPPED
        case HolderResult.STILL:
            cause = "does not move by a ring"
            advice = "check the load cell's wires, and that it can bend freely"
        case HolderResult.MISMATCH:
            cause = f"moved by {figure:.1f} rings for one"
            advice = "see that nothing rubs, then tamsk-hw calibrate sensors"
        case HolderResult.MOVED:
            cause, advice = f"quiet at rest, moved by {figure:.0f} counts", ""
        case HolderResult.STEADY:
            cause, advice = f"answers, and strays over {figure:.0f} counts", ""
        case _:
            assert_never(finding.result)
    return Wording(f"{player} holder", cause, advice)
