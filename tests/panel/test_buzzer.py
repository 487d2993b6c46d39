"""The passive buzzer: frequencies in, what the pin's driver is asked for out."""

from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.panel.hardware import PinFactory, Pins
from tamsk_hw.panel.outputs import Buzzer
from tests.panel.pi import Time, pi_pins
from tests.said import Said

PIN = load_wiring().buzzer_pin


class Bench:
    """A buzzer on a factory, and what was said."""

    def __init__(self, factory: PinFactory) -> None:
        self.time = Time()
        self.said = Said()
        if factory is PinFactory.MOCK:
            self.pins = Pins(factory, self.said, clock=self.time)
        else:
            self.pins = pi_pins(factory, self.said, self.time)
        self.buzzer = Buzzer(PIN, self.pins, self.said)


def test_a_tone_is_half_on_half_off_at_its_frequency() -> None:
    bench = Bench(PinFactory.MOCK)
    pin = bench.pins.factory().pin(PIN)
    assert (pin.frequency, pin.state) == (None, 0.0)
    bench.buzzer.play(880.0)
    assert (pin.frequency, pin.state) == (880.0, 0.5)
    bench.buzzer.play(1047.0)
    assert (pin.frequency, pin.state) == (1047.0, 0.5)
    bench.buzzer.play(None)
    assert (pin.frequency, pin.state) == (None, 0.0)
    bench.buzzer.close()
    assert bench.said == []


def test_the_same_tone_is_asked_for_once(lgpio: Any) -> None:
    bench = Bench(PinFactory.LGPIO)
    bench.buzzer.play(880.0)
    asked = len(lgpio.lines[PIN].pwm)
    for _ in range(1000):
        bench.buzzer.play(880.0)
    assert len(lgpio.lines[PIN].pwm) == asked


def test_on_lgpio_the_silent_pin_is_low_and_costs_nothing(lgpio: Any) -> None:
    """lgpio leaves the pin at the level of the moment, here always the high one: the coil would warm up."""
    bench = Bench(PinFactory.LGPIO)
    line = lgpio.lines[PIN]
    assert (line.level, line.pwm_runs) == (0, False)
    for frequency in (880.0, 440.0, 2637.0):
        bench.buzzer.play(frequency)
        assert (line.pwm[-1], line.pwm_runs) == ((frequency, 50), True)
        bench.buzzer.play(None)
        assert (line.level, line.pwm_runs) == (0, False)
    bench.buzzer.play(880.0)
    bench.buzzer.close()
    assert not line.pwm_runs
    bench.pins.close()
    assert (bench.said, lgpio.is_open) == ([], [])


def test_on_rpi_gpio_too(rpi_gpio: Any) -> None:
    bench = Bench(PinFactory.RPIGPIO)
    for frequency in (880.0, 440.0):
        bench.buzzer.play(frequency)
        assert rpi_gpio.pwms[PIN][-1] == ("duty", 50.0)
        assert ("frequency", frequency) in rpi_gpio.pwms[PIN]
        bench.buzzer.play(None)
        assert (rpi_gpio.levels[PIN], rpi_gpio.pwms[PIN][-1]) == (0, ("frequency", 0))
    bench.buzzer.close()
    bench.pins.close()
    assert bench.said == []


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_buzzer_that_fails_in_mid_game_is_said_once_and_left_alone(lgpio: Any) -> None:
    bench = Bench(PinFactory.LGPIO)
    bench.buzzer.play(880.0)
    lgpio.failing.append("unknown handle")
    for _ in range(100):
        bench.time.now += 100
        bench.buzzer.play(None)
        bench.buzzer.play(440.0)
    assert bench.said == ["The buzzer (GPIO24) cannot be used: unknown handle. The game goes on without it."]
    bench.buzzer.close()


def test_buttons_and_buzzer_without_pins_share_one_line(lgpio: Any) -> None:
    from tamsk_hw.panel.buttons import Buttons

    lgpio.failing.append("can not open gpiochip")
    bench = Bench(PinFactory.LGPIO)
    buttons = Buttons(load_wiring().buttons, bench.pins, bench.said)
    for _ in range(100):
        bench.time.now += 10
        bench.buzzer.play(440.0)
        assert buttons.take_events(bench.time.now) == []
    assert len(bench.said) == 1
    lgpio.failing.clear()
    bench.time.now += 300
    bench.buzzer.play(880.0)
    assert lgpio.lines[PIN].pwm[-1] == (880.0, 50)
    assert bench.said[1:] == ["Buttons and buzzer: the Pi's pins can be used now."]


def test_a_closed_buzzer_stays_closed() -> None:
    bench = Bench(PinFactory.MOCK)
    pin = bench.pins.factory().pin(PIN)
    bench.buzzer.close()
    bench.buzzer.close()
    bench.buzzer.play(880.0)
    assert pin.frequency is None


def test_no_buzzer_takes_everything() -> None:
    said = Said()
    buzzer = Buzzer(None, Pins(PinFactory.LGPIO, said), said)
    buzzer.play(880.0)
    buzzer.close()
    assert said == []
