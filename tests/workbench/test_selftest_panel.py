"""The self-test's core without a board: lights, buzzer and buttons, and a person who answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import ButtonSettings, BuzzerSettings, LightSettings
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.panel.hardware import (
    LIGHTS,
    PINS,
    DriverTrouble,
    DriverTroubleKind,
    Failure,
    PanelFailed,
    PanelPart,
    PanelUnit,
)
from tamsk_hw.panel.lights import milliamps
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.panel.sounds import TUNES, Sound
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.workbench.panel_steps import COLOUR_SECONDS, MOST_WRONG, PRESS_WITHIN
from tamsk_hw.workbench.parts import PATIENCE, Bench, Part
from tamsk_hw.workbench.selftest import SelfTestWalk
from tamsk_hw.workbench.walk import Answer
from tests.workbench.boards import WIRING, wrong_among

START, RED, BLACK = ButtonName.START, ButtonName.RED, ButtonName.BLACK
YES, NO = Answer.YES, Answer.NO

#: The places of the lights in the order of the board, and their pixels as the wiring map has them.
PLACES = [*(tube.name for tube in TUBES), "timer", "red 1", "red 2", "black 1", "black 2"]
PIXELS = [
    *WIRING.tube_pixels,
    WIRING.timer_pixel,
    *(pixel for pixels in WIRING.player_pixels.values() for pixel in pixels),
]


class Trial:
    """One part's test; time passes when the test says so."""

    def __init__(self, part: Part, configuration: Configuration | None = None) -> None:
        self.now = 100.0
        self.bench = Bench(configuration=configuration or Configuration(), wiring=WIRING, known=KnownCalibration())
        self.test = SelfTestWalk(self.bench, [part], "", self.now)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.now += 0.1
            self.test.advance(self.now)

    def answer(self, *answers: Answer) -> None:
        for answer in answers:
            self.now += 0.2
            self.test.answer(answer, self.now)

    def press(self, name: ButtonName, press: Press = Press.SHORT) -> None:
        self.now += 0.2
        self.test.on_press(Button(self.now, name, press), self.now)

    def lit(self) -> dict[int, tuple[int, ...]]:
        """The pixels that are lit, and their colours."""
        picture = self.test.lights(self.now)
        return {
            place // 3: tuple(picture[place : place + 3])
            for place in range(0, len(picture), 3)
            if any(picture[place : place + 3])
        }

    def wrong(self) -> list[Finding]:
        return wrong_among(self.test.findings())

    def only_problem(self) -> Finding:
        (finding,) = self.wrong()
        assert finding.severity is Severity.PROBLEM
        return finding


# ---- lights


def test_each_pixel_goes_red_green_and_blue_with_its_name_and_no_other_is_lit() -> None:
    trial = Trial(Part.LIGHTS)
    for name, pixel in zip(PLACES, PIXELS, strict=True):
        assert name in trial.test.prompt.title
        trial.now += 0.1
        for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 0, 0)):
            assert trial.lit() == {pixel: colour}
            trial.now += COLOUR_SECONDS
        trial.test.answer(YES, trial.now)
    assert trial.test.over
    assert trial.wrong() == []


def test_the_current_limit_is_kept() -> None:
    low = Configuration(lights=LightSettings(milliamps=50))
    trial = Trial(Part.LIGHTS, low)
    assert 0 < milliamps(trial.test.lights(trial.now)) <= 50


def test_a_dead_pixel_is_named() -> None:
    trial = Trial(Part.LIGHTS)
    trial.answer(*(NO if name == "C3" else YES for name in PLACES))
    finding = trial.only_problem()
    assert finding.cause == f"wrong: C3 (pixel {PIXELS[PLACES.index('C3')]})"


def test_a_mistaken_answer_can_be_taken_back() -> None:
    trial = Trial(Part.LIGHTS)
    trial.answer(NO, Answer.BACK)
    trial.answer(*[YES] * len(PLACES))
    assert trial.wrong() == []


def test_the_start_button_answers_short_yes_long_no() -> None:
    trial = Trial(Part.LIGHTS)
    trial.press(START)
    trial.press(START, Press.LONG)
    trial.press(RED)
    assert "A3" in trial.test.prompt.title
    trial.answer(*[YES] * (len(PLACES) - 2))
    assert "A2 (pixel" in trial.only_problem().cause


def test_a_break_of_the_chain_shows_between_its_two_pixels() -> None:
    trial = Trial(Part.LIGHTS)
    last = max(PIXELS)
    while not trial.test.over:
        number = PIXELS[
            len([each for each in trial.test.prompt.marks.values() if each[0].value in ("good", "bad")])
        ]
        trial.answer(NO if number >= last - 2 else YES)
    finding = trial.only_problem()
    names = {pixel: name for name, pixel in zip(PLACES, PIXELS, strict=True)}
    assert f"from pixel {last - 2} ({names[last - 2]}) to the chain's end" in finding.cause
    assert f"between pixel {last - 3} ({names[last - 3]}) and pixel {last - 2}" in finding.advice


def test_when_none_lights_nobody_is_asked_forty_two_times() -> None:
    trial = Trial(Part.LIGHTS)
    trial.answer(*[NO] * MOST_WRONG)
    assert trial.test.over
    problem, rest = trial.wrong()
    assert f"none of the {MOST_WRONG} pixels" in problem.cause
    assert f"GPIO{WIRING.lights_pin}" in problem.advice
    assert f"{len(PLACES) - MOST_WRONG} pixels were not looked at" in rest.cause


def test_lights_that_cannot_be_opened() -> None:
    trial = Trial(Part.LIGHTS)
    off = DriverTrouble(DriverTroubleKind.SPI_OFF)
    trial.test.on_panel_notice(PanelFailed(LIGHTS, Failure.OPENING, off))
    trial.wait(0.1)
    assert trial.test.over
    assert (trial.only_problem().cause, trial.only_problem().advice) == (
        "cannot be opened: SPI is off",
        "switch it on (sudo raspi-config nonint do_spi 0) and restart the Pi",
    )


@pytest.mark.parametrize(
    ("part", "configuration"),
    [
        (Part.LIGHTS, Configuration(lights=LightSettings(route=LightRoute.NONE))),
        (Part.BUZZER, Configuration(buzzer=BuzzerSettings(enabled=False))),
        (Part.BUTTONS, Configuration(buttons=ButtonSettings(enabled=False))),
    ],
)
def test_what_is_switched_off_is_not_asked_for(part: Part, configuration: Configuration) -> None:
    trial = Trial(part, configuration)
    assert trial.test.over
    (finding,) = trial.test.findings()
    assert (finding.severity, finding.cause[:8]) == (Severity.OK, "not used")


@pytest.mark.parametrize("part", [Part.LIGHTS, Part.BUZZER])
def test_a_question_that_nobody_answers_is_given_up(part: Part) -> None:
    trial = Trial(part)
    trial.wait(PATIENCE - 1)
    assert not trial.test.over
    trial.wait(2)
    assert trial.test.over
    assert [finding.severity for finding in trial.wrong()] == [Severity.WARNING]


def test_a_part_that_is_left_out_is_told() -> None:
    trial = Trial(Part.LIGHTS)
    trial.answer(YES, NO, Answer.SKIP)
    left, wrong = trial.wrong()
    assert "left out" in left.cause
    assert "A2" in wrong.cause


# ---- buzzer


def heard(trial: Trial, seconds: float) -> list[float | None]:
    """The tones within so many seconds, each as often as it begins."""
    found: list[float | None] = []
    for step in range(round(seconds / 0.005)):
        tone = trial.test.tone(trial.now + step * 0.005 + 0.001)
        if not found or found[-1] != tone:
            found.append(tone)
    return found


def test_each_sound_is_played_again_and_again() -> None:
    trial = Trial(Part.BUZZER, Configuration(buzzer=BuzzerSettings(violation=False)))
    for sound in Sound:
        tune = [tone.frequency for tone in TUNES[sound]]
        assert heard(trial, 6.0)[: 2 * (len(tune) + 1)] == [*tune, None, *tune, None]
        trial.test.answer(YES, trial.now)
    assert trial.test.tone(trial.now) is None
    assert trial.wrong() == []


def test_a_buzzer_that_is_not_heard() -> None:
    trial = Trial(Part.BUZZER)
    trial.answer(NO, NO, NO, NO)
    assert f"GPIO{WIRING.buzzer_pin}" in trial.only_problem().advice


def test_a_buzzer_with_one_tone_of_its_own() -> None:
    trial = Trial(Part.BUZZER)
    trial.answer(NO, YES, NO, YES)
    assert trial.only_problem().cause == "not heard as it should be: end of the game, glass lost"
    assert "passive" in trial.only_problem().advice


# ---- buttons


def press_all(trial: Trial, *, but: tuple[ButtonName, ...] = ()) -> None:
    for name in ButtonName:
        for press in (Press.SHORT, Press.LONG):
            if name in but:
                trial.wait(PRESS_WITHIN + 1)
            else:
                trial.press(name, press)


def test_each_button_short_and_long() -> None:
    trial = Trial(Part.BUTTONS)
    press_all(trial)
    assert trial.test.over
    assert [finding.cause for finding in trial.test.findings()] == ["seen short and long: start red black"]


def test_a_button_that_is_never_seen_is_given_up_and_the_others_are_asked_for() -> None:
    trial = Trial(Part.BUTTONS)
    press_all(trial, but=(RED,))
    assert (trial.only_problem().subject, trial.only_problem().cause) == ("red button", "no press was seen")
    assert f"GPIO{WIRING.buttons[RED]}" in trial.only_problem().advice


def test_a_button_that_is_down_from_the_beginning_is_stuck() -> None:
    trial = Trial(Part.BUTTONS)
    trial.test.on_held(frozenset({RED}), trial.now)
    trial.press(START)
    trial.press(START, Press.LONG)
    trial.wait(4)
    assert "BLACK" in trial.test.prompt.title
    trial.press(BLACK)
    trial.press(BLACK, Press.LONG)
    assert (trial.only_problem().subject, trial.only_problem().cause) == ("red button", "stays pressed")


def test_a_button_that_gets_stuck_while_it_is_tried() -> None:
    trial = Trial(Part.BUTTONS)
    trial.press(START)
    trial.press(START, Press.LONG)
    trial.test.on_held(frozenset({RED}), trial.now + 1)
    trial.wait(PRESS_WITHIN + 1)
    assert "BLACK" in trial.test.prompt.title
    assert "stays pressed" in [finding.cause for finding in trial.wrong()]


def test_buttons_in_each_others_place() -> None:
    trial = Trial(Part.BUTTONS)
    trial.press(START)
    trial.press(START, Press.LONG)
    for other in (BLACK, RED):
        trial.press(other)
        trial.wait(PRESS_WITHIN + 1)
        trial.press(other, Press.LONG)
        trial.wait(PRESS_WITHIN + 1)
    assert [(finding.subject, finding.cause) for finding in trial.wrong()] == [
        ("red button", "when it was pressed, black was seen"),
        ("black button", "when it was pressed, red was seen"),
    ]


def test_pressing_another_one_by_mistake_is_no_fault() -> None:
    trial = Trial(Part.BUTTONS)
    trial.press(BLACK)
    assert "black" in trial.test.prompt.notice
    press_all(trial)
    assert trial.wrong() == []


def test_a_button_whose_driver_fails_is_passed_over() -> None:
    trial = Trial(Part.BUTTONS)
    part = PanelPart(PanelUnit.BUTTON, START, 17)
    trial.test.on_panel_notice(PanelFailed(part, Failure.USE, DriverTrouble(DriverTroubleKind.PIN_BUSY, pin=17)))
    trial.wait(0.1)
    for name in (RED, BLACK):
        trial.press(name)
        trial.press(name, Press.LONG)
    assert trial.only_problem().subject == "start button"
    assert trial.only_problem().advice == "end it"


def test_without_any_pins_the_buttons_are_not_asked_for() -> None:
    trial = Trial(Part.BUTTONS)
    gone = DriverTrouble(DriverTroubleKind.NO_GPIOCHIP)
    trial.test.on_panel_notice(PanelFailed(PINS, Failure.OPENING, gone))
    trial.wait(0.1)
    assert trial.test.over
    assert "there is no /dev/gpiochip*" in trial.only_problem().cause


def test_the_start_button_is_no_answer_when_it_is_switched_off() -> None:
    off = replace(Configuration(), buttons=ButtonSettings(enabled=False))
    assert Trial(Part.LIGHTS, off).test.prompt.keys_only
    assert not Trial(Part.LIGHTS).test.prompt.keys_only
