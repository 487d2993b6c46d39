"""The passive buzzer: frequencies in, what the pin's driver is asked for out."""

from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.panel.buttons import Buttons
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.outputs import Buzzer
from tests.panel.pi import Time, pi_pins
from tests.said import Said

PIN = load_wiring().buzzer_pin


class OnPi:
    """A buzzer on the pins of a Pi 4, and the notices about it."""

    def __init__(self, factory: PinFactory = PinFactory.LGPIO) -> None:
        self.time = Time()
        self.said = Said()
        self.pins = pi_pins(factory, self.said, self.time)
        self.buzzer = Buzzer(PIN, self.pins, self.said)


def test_a_tone_is_half_on_half_off_and_the_silent_pin_is_low_and_costs_nothing(lgpio: Any) -> None:
    """lgpio leaves the pin at the level of the moment, here always the high one: the coil would warm up."""
    board = OnPi()
    line = lgpio.lines[PIN]
    assert (line.level, line.pwm_runs) == (0, False)
    for frequency in (880.0, 440.0, 2637.0):
        board.buzzer.play(frequency)
        assert (line.pwm[-1], line.pwm_runs) == ((frequency, 50), True)
        asked = len(line.pwm)
        board.buzzer.play(frequency)
        assert len(line.pwm) == asked, "the same tone is asked for once"
        board.buzzer.play(None)
        assert (line.level, line.pwm_runs) == (0, False)
    board.buzzer.play(880.0)
    for _ in range(2):
        board.buzzer.close()
        board.buzzer.play(440.0)
        assert not line.pwm_runs
    board.pins.close()
    assert (board.said, lgpio.is_open) == ([], [])


def test_on_rpi_gpio_too(rpi_gpio: Any) -> None:
    board = OnPi(PinFactory.RPIGPIO)
    for frequency in (880.0, 440.0):
        board.buzzer.play(frequency)
        assert rpi_gpio.pwms[PIN][-1] == ("duty", 50.0)
        assert ("frequency", frequency) in rpi_gpio.pwms[PIN]
        board.buzzer.play(None)
        assert (rpi_gpio.levels[PIN], rpi_gpio.pwms[PIN][-1]) == (0, ("frequency", 0))
    board.buzzer.close()
    board.pins.close()
    assert board.said == []


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_buzzer_that_fails_in_mid_game_is_said_once_and_left_alone(lgpio: Any) -> None:
    board = OnPi()
    board.buzzer.play(880.0)
    lgpio.failing.append("unknown handle")
    for _ in range(100):
        board.time.now += 100
        board.buzzer.play(None)
        board.buzzer.play(440.0)
    assert board.said == ["The buzzer (GPIO24) cannot be used: unknown handle. The game goes on without it."]
    board.buzzer.close()


def test_buttons_and_buzzer_without_pins_share_one_line(lgpio: Any) -> None:
    lgpio.failing.append("can not open gpiochip")
    board = OnPi()
    buttons = Buttons(load_wiring().buttons, board.pins, board.said)
    for _ in range(100):
        board.time.now += 10
        board.buzzer.play(440.0)
        assert buttons.take_events(board.time.now) == []
    assert len(board.said) == 1
    lgpio.failing.clear()
    board.time.now += 300
    board.buzzer.play(880.0)
    assert lgpio.lines[PIN].pwm[-1] == (880.0, 50)
    assert board.said[1:] == ["Buttons and buzzer: the Pi's pins can be used now."]


def test_no_buzzer_takes_everything() -> None:
    said = Said()
    buzzer = Buzzer(None, pi_pins(PinFactory.LGPIO, said, Time()), said)
    buzzer.play(880.0)
    buzzer.close()
    assert said == []
