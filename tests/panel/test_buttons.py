"""The buttons on gpiozero's real factories and stubs of their drivers: pins in, the referee's events out."""

from collections.abc import Iterator
from time import monotonic
from types import ModuleType
from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.panel.buttons import LONG_SECONDS, STUCK_SECONDS, Buttons
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.referee.events import Button, ButtonName, Press
from tests.panel.pi import Time, pi_pins
from tests.said import Said

START, RED, BLACK = ButtonName.START, ButtonName.RED, ButtonName.BLACK
WIRES = load_wiring().buttons

#: Seconds between two calls of the service's loop.
LOOP = 0.005


class OnPi:
    """Buttons on a Pi 4, fingers, and a service whose own clock began 90 seconds after the pins' clock, at 10."""

    def __init__(self, driver: ModuleType, factory: PinFactory = PinFactory.LGPIO) -> None:
        self.time = Time()
        self.said = Said()
        self.woken = 0
        self.driver: Any = driver
        self.pins = pi_pins(factory, self.said, self.time)
        self.start()

    def start(self, **times: float) -> None:
        """The program starts."""
        self.buttons = Buttons(WIRES, self.pins, self.said, wake=self._wake, **times)

    def close(self) -> None:
        self.buttons.close()
        self.pins.close()

    def _wake(self) -> None:
        self.woken += 1

    def press(self, name: ButtonName, **how: Any) -> None:
        self.driver.drive(WIRES[name], 0, **how)

    def let_go(self, name: ButtonName, **how: Any) -> None:
        self.driver.drive(WIRES[name], 1, **how)

    def run(self, seconds: float, step: float = LOOP) -> list[Button]:
        """The service's loop for so long."""
        events = []
        for _ in range(round(seconds / step)):
            self.time.now = round(self.time.now + step, 6)
            events += self.buttons.take_events(self.time.now - 90)
        return events

    def tap(self, name: ButtonName) -> list[ButtonName]:
        """The buttons that are pressed by a short press of one."""
        self.press(name)
        events = self.run(0.1)
        self.let_go(name)
        return [event.button for event in events + self.run(0.1)]


@pytest.fixture
def board(lgpio: Any) -> Iterator[OnPi]:
    """Buttons at rest."""
    board = OnPi(lgpio)
    yield board
    board.close()


def plain(events: list[Button]) -> list[tuple[float, ButtonName, Press]]:
    return [(round(event.t, 6), event.button, event.press) for event in events]


def test_presses_short_and_long_until_the_buttons_are_closed(board: OnPi) -> None:
    assert all(board.driver.lines[pin].mode & board.driver.SET_PULL_UP for pin in WIRES.values())
    assert board.tap(RED) + board.tap(START) == [RED, START]
    board.press(BLACK)
    assert [event.press for event in board.run(2.0)] == [Press.LONG]
    board.buttons.close()
    board.buttons.close()
    assert (board.buttons.working, board.tap(RED)) == (set(), [])
    board.start()
    assert board.buttons.working == {START, RED, BLACK}, "the pins were let go"
    board.close()
    assert (board.said, board.driver.is_open) == ([], [])


def test_an_edge_wakes_the_loop_which_then_knows_when_to_look_again(board: OnPi) -> None:
    board.run(0.1)
    assert board.woken == 0
    now = board.time.now - 90
    assert board.buttons.next_wakeup(now) == float("inf")
    board.press(RED)
    assert board.woken == 1
    assert board.buttons.take_events(now) == []
    assert board.buttons.next_wakeup(now) == pytest.approx(now + 0.03)
    board.run(0.1)
    assert board.buttons.next_wakeup(now + 0.1) == pytest.approx(now + LONG_SECONDS)
    board.let_go(RED)
    assert board.woken == 2


def test_a_press_keeps_its_time_when_the_program_stands_still_after_its_look_at_the_clock(board: OnPi) -> None:
    board.run(1.0)
    board.press(RED)
    board.run(0.2)
    board.let_go(RED)
    assert board.buttons.take_events(11.2) == []
    board.time.now += 5.0
    assert plain(board.buttons.take_events(11.2)) == [(11.2, RED, Press.SHORT)]


def test_two_buttons_at_once_are_told_in_order(board: OnPi) -> None:
    board.run(0.1)
    board.press(START)
    board.press(RED)
    board.time.now += 0.1
    board.let_go(RED)
    board.time.now += 0.1
    board.let_go(START)
    board.time.now += 0.1  # a loop that is late tells both at once
    assert plain(board.run(LOOP)) == [(10.2, RED, Press.SHORT), (10.3, START, Press.SHORT)]


def test_a_button_held_as_the_program_starts_is_no_press(board: OnPi) -> None:
    board.buttons.close()
    board.driver.grounded.add(WIRES[RED])
    board.start()
    assert board.run(LONG_SECONDS + 1) == []
    board.let_go(RED)
    assert board.run(0.5) == []
    assert board.tap(RED) == [RED]


def test_the_times_of_a_press_are_the_owners_to_choose(board: OnPi) -> None:
    board.buttons.close()
    board.start(settle=0.2, long=3.0)
    board.press(RED)
    assert board.run(2.9) == []
    assert [event.press for event in board.run(0.2)] == [Press.LONG]
    board.let_go(RED)
    board.run(1.0)
    assert board.tap(RED) == [], "half as long as a level must hold"


def test_a_stuck_button_is_said_once_and_the_others_work(board: OnPi) -> None:
    for _ in range(2):
        board.press(RED)
        board.run(STUCK_SECONDS + 1, step=0.1)
        assert board.said == [
            "The red button (GPIO27) stays pressed: look whether it is stuck or its wires touch."
        ]
        assert board.tap(START) == [START]
        board.let_go(RED)
        board.run(1.0)


def test_a_driver_that_tells_no_edges_is_read_instead(rpi_gpio: Any) -> None:
    """RPi.GPIO under kernels from 6.6 on."""
    board = OnPi(rpi_gpio, PinFactory.RPIGPIO)
    presses = [button for name in (BLACK, RED, START) * 4 for button in board.tap(name)]
    assert presses == [BLACK, RED, START] * 4
    assert board.said == []
    board.close()


def test_a_press_and_a_release_that_the_driver_loses_are_seen(board: OnPi) -> None:
    board.press(RED)
    board.run(0.4)
    board.let_go(RED, told=False)
    (event,) = board.run(5.0)
    assert (event.press, event.t) == (Press.SHORT, pytest.approx(10.4, abs=LOOP))
    board.press(RED, told=False)
    board.run(0.5)
    board.let_go(RED, told=False)
    assert [event.press for event in board.run(0.5)] == [Press.SHORT]


def test_nobody_resigns_because_a_release_was_lost_while_the_loop_stood_still(board: OnPi) -> None:
    board.press(RED)
    board.run(0.2)
    board.let_go(RED, told=False)
    assert [event.press for event in board.run(9.0, step=3.0)] == [Press.SHORT]


def test_a_press_while_the_program_stood_still_is_read_as_it_was(board: OnPi) -> None:
    """Pressed 2 s before the program runs again, let go 0.2 s later; the driver's thread runs a round later."""
    board.run(1.0)
    board.time.now += 3.0
    assert board.buttons.take_events(board.time.now - 90) == []
    now = monotonic()
    board.press(BLACK, at=now - 2.0)
    board.let_go(BLACK, at=now - 1.8)
    (event,) = board.run(0.1)
    assert (event.button, event.press) == (BLACK, Press.SHORT)
    assert event.t == pytest.approx(14.0 - 1.8, abs=0.5)


def test_a_busy_pin_is_said_once_the_others_work_and_it_comes_back(lgpio: Any) -> None:
    lgpio.busy.add(WIRES[RED])
    board = OnPi(lgpio)
    said = [
        "The red button (GPIO27) cannot be used: another program holds GPIO27 (gpioinfo tells which one): end it. "
        "The game goes on without it."
    ]
    board.run(60.0, step=0.1)
    assert board.said == said
    assert board.tap(START) == [START]
    lgpio.busy.clear()
    board.run(300.0, step=0.5)
    assert board.said == [*said, "The red button (GPIO27) can be used now."]
    assert board.tap(RED) == [RED]
    board.close()


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_button_that_fails_in_mid_game_is_said_once_and_left_alone(board: OnPi) -> None:
    board.driver.failing.append("bad GPIO read")
    assert board.run(600.0, step=0.5) == []
    assert board.said == [
        f"The {name.value} button (GPIO{WIRES[name]}) cannot be used: bad GPIO read. The game goes on without it."
        for name in (START, RED, BLACK)
    ]
    board.driver.failing.clear()
    assert board.tap(BLACK) == []
    assert board.run(600.0, step=0.5) == []
