"""The self-test of lights, buzzer and buttons, without a board: a person answers."""

from collections.abc import Callable

import pytest

from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import BuzzerSettings, LightSettings
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.panel.hardware import (
    LIGHTS,
    PINS,
    ButtonStuck,
    DriverTrouble,
    DriverTroubleKind,
    Failure,
    PanelFailed,
    PanelPart,
    PanelUnit,
)
from tamsk_hw.panel.lights import milliamps
from tamsk_hw.panel.sounds import TUNES, Sound
from tamsk_hw.referee.events import ButtonName, Press
from tamsk_hw.workbench.parts import COLOUR_SECONDS, MOST_WRONG, PATIENCE, PRESS_WITHIN, Part
from tamsk_hw.workbench.walk import Answer
from tests.workbench.boards import WIRING
from tests.workbench.selftest_bench import PanelTrial

START, RED, BLACK = ButtonName.START, ButtonName.RED, ButtonName.BLACK
YES, NO, BACK = Answer.YES, Answer.NO, Answer.BACK

#: The places of the lights in the order of the board, and their pixels as the wiring map has them.
PLACES = [*(tube.name for tube in TUBES), "timer", "red 1", "red 2", "black 1", "black 2"]
PIXELS = [
    *WIRING.tube_pixels,
    WIRING.timer_pixel,
    *(pixel for pixels in WIRING.player_pixels.values() for pixel in pixels),
]
OF_PIXEL = dict(zip(PIXELS, PLACES, strict=True))
LAST = max(PIXELS)


def lit(trial: PanelTrial) -> dict[int, tuple[int, ...]]:
    """The pixels that are lit, and their colours."""
    picture = trial.test.lights(trial.now)
    colours = {place // 3: tuple(picture[place : place + 3]) for place in range(0, len(picture), 3)}
    return {pixel: colour for pixel, colour in colours.items() if any(colour)}


def test_each_pixel_goes_red_green_and_blue_with_its_name_and_no_other_is_lit() -> None:
    trial = PanelTrial(Part.LIGHTS)
    for name, pixel in zip(PLACES, PIXELS, strict=True):
        assert name in trial.test.prompt.title
        trial.now += 0.1
        for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 0, 0)):
            assert lit(trial) == {pixel: colour}
            trial.now += COLOUR_SECONDS
        trial.answer(YES)
    assert trial.test.over
    trial.expect()


def test_the_current_limit_is_kept() -> None:
    trial = PanelTrial(Part.LIGHTS, configuration=Configuration(lights=LightSettings(milliamps=50)))
    assert 0 < milliamps(trial.test.lights(trial.now)) <= 50


@pytest.mark.parametrize(
    ("answers", "lines"),
    [
        ([NO if name == "C3" else YES for name in PLACES], [f"problem lights: wrong: C3 (pixel {PIXELS[11]})"]),
        ([NO, BACK, *[YES] * len(PLACES)], []),
        (
            [NO if pixel >= LAST - 2 else YES for pixel in PIXELS],
            [
                f"problem lights: wrong from pixel {LAST - 2} ({OF_PIXEL[LAST - 2]}) to the chain's end … → check "
                f"data wire and supply between pixel {LAST - 3} ({OF_PIXEL[LAST - 3]}) and pixel {LAST - 2}"
            ],
        ),
        (
            [NO] * MOST_WRONG,
            [
                f"problem lights: none of the {MOST_WRONG} pixels … GPIO{WIRING.lights_pin}",
                f"warning lights: {len(PLACES) - MOST_WRONG} pixels were not looked at",
            ],
        ),
        (
            [YES, NO, Answer.SKIP],
            ["warning lights: not tested to the end: it was left out", "problem lights: wrong: A2 (pixel"],
        ),
    ],
)
def test_wrong_pixels(answers: list[Answer], lines: list[str]) -> None:
    trial = PanelTrial(Part.LIGHTS)
    trial.answer(*answers)
    assert trial.test.over
    trial.expect(*lines)


def test_the_start_button_answers_short_yes_long_no() -> None:
    trial = PanelTrial(Part.LIGHTS)
    trial.press(START)
    trial.press(START, Press.LONG)
    trial.press(RED)
    assert "A3" in trial.test.prompt.title
    trial.answer(*[YES] * (len(PLACES) - 2))
    trial.expect("problem lights: wrong: A2 (pixel")


def test_a_question_that_nobody_answers_is_given_up() -> None:
    trial = PanelTrial(Part.LIGHTS)
    trial.run(PATIENCE - 1)
    assert not trial.test.over
    trial.run(2)
    trial.expect("warning lights: not tested to the end: nobody answered")


# ---- the buzzer


def test_each_sound_is_played_again_and_again() -> None:
    trial = PanelTrial(Part.BUZZER, configuration=Configuration(buzzer=BuzzerSettings(violation=False)))
    for sound in Sound:
        heard: list[float | None] = []
        for _ in range(600):
            trial.now += 0.01
            if not heard or trial.test.tone(trial.now) != heard[-1]:
                heard.append(trial.test.tone(trial.now))
        tune = [frequency for frequency, _ in TUNES[sound]]
        assert heard[: 2 * (len(tune) + 1)] == [*tune, None, *tune, None]
        trial.answer(YES)
    assert trial.test.tone(trial.now) is None
    trial.expect()


@pytest.mark.parametrize(
    ("answers", "line"),
    [
        ([NO] * 4, f"problem buzzer: no sound is heard … GPIO{WIRING.buzzer_pin}"),
        ([NO, YES, NO, YES], "problem buzzer: not heard as it should be: end of the game, glass lost → … passive"),
    ],
)
def test_sounds_that_are_not_heard(answers: list[Answer], line: str) -> None:
    trial = PanelTrial(Part.BUZZER)
    trial.answer(*answers)
    trial.expect(line)


# ---- buttons


def failed(unit: PanelPart, kind: DriverTroubleKind) -> Callable[[PanelTrial], None]:
    return lambda trial: trial.test.on_panel_notice(PanelFailed(unit, Failure.USE, DriverTrouble(kind, pin=17)))


def test_each_button_short_and_long_and_pressing_another_one_by_mistake_is_no_fault() -> None:
    trial = PanelTrial(Part.BUTTONS)
    trial.press(BLACK)
    assert "black" in trial.test.prompt.notice
    for name in ButtonName:
        trial.press(name)
        trial.press(name, Press.LONG)
    assert trial.test.over
    assert [finding.cause for finding in trial.test.findings()] == ["seen short and long: start red black"]


@pytest.mark.parametrize(
    ("prepare", "pressed", "lines"),
    [
        (
            lambda trial: None,
            [START, BLACK],
            [f"problem red button: no press was seen → … GPIO{WIRING.buttons[RED]}"],
        ),
        (
            lambda trial: trial.test.on_panel_notice(ButtonStuck(PanelPart(PanelUnit.BUTTON, RED, 27))),
            [START, BLACK],
            ["problem red button: stays pressed → … stuck, or its wires (GPIO27 and ground) touch"],
        ),
        (
            failed(PanelPart(PanelUnit.BUTTON, START, 17), DriverTroubleKind.PIN_BUSY),
            [RED, BLACK],
            ["problem start button: … → end it"],
        ),
        (failed(PINS, DriverTroubleKind.NO_GPIOCHIP), [], ["problem buttons: … there is no /dev/gpiochip*"]),
    ],
)
def test_a_button_that_cannot_be_seen_is_given_up_and_the_others_are_asked_for(
    prepare: Callable[[PanelTrial], None], pressed: list[ButtonName], lines: list[str]
) -> None:
    trial = PanelTrial(Part.BUTTONS)
    prepare(trial)
    trial.run(0.2)
    while not trial.test.over:
        name, _, how = trial.test.prompt.title.removeprefix("Buttons: ").partition(", ")
        if ButtonName(name.lower()) in pressed:
            trial.press(ButtonName(name.lower()), Press.SHORT if how == "short" else Press.LONG)
        trial.run(0.5)
    trial.expect(*lines)


def test_buttons_in_each_others_place() -> None:
    trial = PanelTrial(Part.BUTTONS)
    trial.press(START)
    trial.press(START, Press.LONG)
    for other in (BLACK, RED):
        for press in (Press.SHORT, Press.LONG):
            trial.press(other, press)
            trial.run(PRESS_WITHIN + 1)
    trial.expect(
        "problem red button: when it was pressed, black was seen",
        "problem black button: when it was pressed, red was seen",
    )


def test_lights_that_cannot_be_opened() -> None:
    trial = PanelTrial(Part.LIGHTS)
    off = DriverTrouble(DriverTroubleKind.SPI_OFF)
    trial.test.on_panel_notice(PanelFailed(LIGHTS, Failure.OPENING, off))
    trial.run(0.1)
    assert trial.test.over
    trial.expect("problem lights: cannot be opened: SPI is off → switch it on (sudo raspi-config nonint do_spi 0)")
