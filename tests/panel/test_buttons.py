"""The buttons: gpiozero's pins in, the referee's events out."""

from collections.abc import Iterator
from time import monotonic
from types import ModuleType
from typing import Any

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.panel.buttons import LONG_SECONDS, STUCK_SECONDS, Buttons
from tamsk_hw.panel.hardware import PinFactory, Pins
from tamsk_hw.referee.events import Button, ButtonName, Press
from tests.panel.pi import Time, pi_pins
from tests.said import Said

START, RED, BLACK = ButtonName.START, ButtonName.RED, ButtonName.BLACK
WIRES = load_wiring().buttons

#: Seconds between two calls of the service's loop.
LOOP = 0.005


class Bench:
    """Buttons on mock pins, fingers, and a service whose own clock began 90 seconds after the pins' clock."""

    def __init__(self) -> None:
        self.time = Time()
        self.said = Said()
        self.pins = Pins(PinFactory.MOCK, self.said, clock=self.time)
        self.mock: Any = self.pins.factory()
        self.buttons: Buttons | None = None

    def open(self) -> None:
        self.woken = 0
        self.buttons = Buttons(WIRES, self.pins, self.said, wake=self._wake)

    def _wake(self) -> None:
        self.woken += 1

    def press(self, name: ButtonName) -> None:
        self.mock.pin(WIRES[name]).drive_low()

    def let_go(self, name: ButtonName) -> None:
        self.mock.pin(WIRES[name]).drive_high()

    def run(self, seconds: float) -> list[Button]:
        """The service's loop for so long."""
        assert self.buttons is not None
        events = []
        for _ in range(round(seconds / LOOP)):
            self.time.now = round(self.time.now + LOOP, 6)
            events += self.buttons.take_events(self.time.now - 90)
        return events


@pytest.fixture
def bench() -> Iterator[Bench]:
    """Buttons at rest."""
    bench = Bench()
    bench.open()
    yield bench
    assert bench.buttons is not None
    bench.buttons.close()
    bench.pins.close()


def plain(events: list[Button]) -> list[tuple[float, ButtonName, Press]]:
    return [(round(event.t, 6), event.button, event.press) for event in events]


def test_an_edge_wakes_the_loop_which_then_knows_when_to_look_again(bench: Bench) -> None:
    assert bench.buttons is not None
    bench.run(0.1)
    assert bench.woken == 0
    now = bench.time.now - 90
    assert bench.buttons.next_wakeup(now) == float("inf")
    bench.press(RED)
    assert bench.woken == 1
    assert bench.buttons.take_events(now) == []
    assert bench.buttons.next_wakeup(now) == pytest.approx(now + 0.03)
    bench.run(0.1)
    assert bench.buttons.next_wakeup(now + 0.1) == pytest.approx(now + LONG_SECONDS)
    bench.let_go(RED)
    assert bench.woken == 2


def test_a_press_keeps_its_time_when_the_program_stands_still_after_its_look_at_the_clock(bench: Bench) -> None:
    assert bench.buttons is not None
    bench.run(1.0)
    bench.press(RED)
    bench.run(0.2)
    bench.let_go(RED)
    assert bench.buttons.take_events(11.2) == []
    bench.time.now += 5.0
    assert plain(bench.buttons.take_events(11.2)) == [(11.2, RED, Press.SHORT)]


def test_two_buttons_at_once_are_told_in_order(bench: Bench) -> None:
    bench.press(BLACK)
    bench.run(0.1)
    bench.press(START)
    bench.run(0.1)
    bench.let_go(START)
    bench.let_go(BLACK)
    bench.time.now += 0.1  # a loop that is late tells both at once
    assert {event.button for event in bench.run(LOOP)} == {START, BLACK}
    bench.press(START)
    bench.press(RED)
    bench.time.now += 0.1
    bench.let_go(RED)
    bench.time.now += 0.1
    bench.let_go(START)
    bench.time.now += 0.1
    assert plain(bench.run(LOOP)) == [(10.405, RED, Press.SHORT), (10.505, START, Press.SHORT)]


def test_a_button_held_as_the_program_starts_is_no_press() -> None:
    bench = Bench()
    bench.mock.pin(WIRES[RED])._set_pull("up")
    bench.press(RED)
    # gpiozero's mock pin goes up with the pull-up; a finger holds it down.
    pin = bench.mock.pin(WIRES[RED])
    pin._set_pull = lambda value: pin.drive_low()
    bench.open()
    assert bench.run(LONG_SECONDS + 1) == []
    bench.let_go(RED)
    assert bench.run(0.5) == []
    bench.press(RED)
    bench.run(0.1)
    bench.let_go(RED)
    assert [event.button for event in bench.run(0.5)] == [RED]


def test_a_stuck_button_is_said_once_and_the_others_work(bench: Bench) -> None:
    bench.press(RED)
    bench.run(STUCK_SECONDS + 1)
    said = ["The red button (GPIO27) stays pressed: look whether it is stuck or its wires touch."]
    assert bench.said == said
    bench.let_go(RED)
    bench.run(1.0)
    bench.press(RED)
    bench.run(STUCK_SECONDS + 1)
    assert bench.said == said
    bench.press(START)
    bench.run(0.1)
    bench.let_go(START)
    assert [event.button for event in bench.run(0.5)] == [START]


def test_no_buttons_say_nothing(bench: Bench) -> None:
    buttons = Buttons({}, bench.pins, bench.said)
    assert (buttons.take_events(1.0), buttons.held, buttons.working) == ([], frozenset(), frozenset())
    assert (buttons.next_wakeup(1.0), buttons.are_wired) == (float("inf"), False)
    buttons.close()


def test_closed_buttons_say_nothing_and_let_their_pins_go(bench: Bench) -> None:
    from gpiozero import LED

    assert bench.buttons is not None
    assert bench.buttons.working == {START, RED, BLACK}
    bench.buttons.close()
    bench.buttons.close()
    assert bench.buttons.working == set()
    assert bench.run(0.1) == []
    LED(WIRES[RED], pin_factory=bench.mock).close()


# On the real factories, with stubs of their drivers.


class OnPi:
    """Buttons on a Pi 4 with one of the real factories."""

    def __init__(self, factory: PinFactory, driver: ModuleType) -> None:
        self.time = Time()
        self.said = Said()
        self.driver: Any = driver
        self.pins = pi_pins(factory, self.said, self.time)
        self.buttons = Buttons(WIRES, self.pins, self.said)

    def run(self, seconds: float, step: float = LOOP) -> list[Button]:
        events = []
        for _ in range(round(seconds / step)):
            self.time.now = round(self.time.now + step, 6)
            events += self.buttons.take_events(self.time.now)
        return events

    def tap(self, name: ButtonName) -> list[Button]:
        """A short press."""
        self.driver.drive(WIRES[name], 0)
        events = self.run(0.1)
        self.driver.drive(WIRES[name], 1)
        return events + self.run(0.1)


def test_on_lgpio_edges_come_in_the_drivers_thread(lgpio: Any) -> None:
    board = OnPi(PinFactory.LGPIO, lgpio)
    assert {lgpio.lines[pin].mode & lgpio.SET_PULL_UP for pin in WIRES.values()} == {lgpio.SET_PULL_UP}
    assert [event.button for event in board.tap(RED) + board.tap(START)] == [RED, START]
    lgpio.drive(WIRES[BLACK], 0)
    assert [event.press for event in board.run(2.0)] == [Press.LONG]
    board.buttons.close()
    board.pins.close()
    assert (board.said, lgpio.is_open) == ([], [])


@pytest.mark.parametrize(
    ("factory", "driver", "silent"),
    [(PinFactory.RPIGPIO, "rpi_gpio", "no_edges"), (PinFactory.LGPIO, "lgpio", "no_alerts")],
)
def test_a_driver_that_tells_no_edges_is_read_instead(
    factory: PinFactory, driver: str, silent: str, request: pytest.FixtureRequest
) -> None:
    """RPi.GPIO under kernels from 6.6 on."""
    stub = request.getfixturevalue(driver)
    getattr(stub, silent).append(True)
    board = OnPi(factory, stub)
    presses = [event.button for name in (BLACK, RED, START) * 4 for event in board.tap(name)]
    assert presses == [BLACK, RED, START] * 4
    assert board.said == []


def test_a_release_that_the_driver_loses_is_seen(lgpio: Any) -> None:
    board = OnPi(PinFactory.LGPIO, lgpio)
    lgpio.drive(WIRES[RED], 0)
    board.run(0.4)
    lgpio.drive(WIRES[RED], 1, told=False)
    (event,) = board.run(5.0)
    assert (event.press, event.t) == (Press.SHORT, pytest.approx(100.4, abs=LOOP))


def test_a_press_that_the_driver_loses_is_seen(lgpio: Any) -> None:
    board = OnPi(PinFactory.LGPIO, lgpio)
    lgpio.drive(WIRES[RED], 0, told=False)
    board.run(0.5)
    lgpio.drive(WIRES[RED], 1, told=False)
    assert [event.press for event in board.run(0.5)] == [Press.SHORT]


def test_nobody_resigns_because_a_release_was_lost_while_the_loop_stood_still(lgpio: Any) -> None:
    board = OnPi(PinFactory.LGPIO, lgpio)
    lgpio.drive(WIRES[RED], 0)
    board.run(0.2)
    lgpio.drive(WIRES[RED], 1, told=False)
    assert [event.press for event in board.run(9.0, step=3.0)] == [Press.SHORT]


def test_a_press_while_the_program_stood_still_is_read_as_it_was(lgpio: Any) -> None:
    """Pressed 2 s before the program runs again, let go 0.2 s later; the driver's thread runs a round later."""
    board = OnPi(PinFactory.LGPIO, lgpio)
    board.run(1.0)
    board.time.now += 3.0
    assert board.buttons.take_events(board.time.now) == []
    now = monotonic()
    lgpio.drive(WIRES[BLACK], 0, at=now - 2.0)
    lgpio.drive(WIRES[BLACK], 1, at=now - 1.8)
    (event,) = board.run(0.1)
    assert (event.button, event.press) == (BLACK, Press.SHORT)
    assert event.t == pytest.approx(104.0 - 1.8, abs=0.5)


def test_a_busy_pin_is_said_once_the_others_work_and_it_comes_back(lgpio: Any) -> None:
    lgpio.busy.add(WIRES[RED])
    board = OnPi(PinFactory.LGPIO, lgpio)
    said = [
        "The red button (GPIO27) cannot be used: another program holds GPIO27 (gpioinfo tells which one): end it. "
        "The game goes on without it."
    ]
    board.run(60.0, step=0.1)
    assert board.said == said
    assert [event.button for event in board.tap(START)] == [START]
    lgpio.busy.clear()
    board.run(300.0, step=0.5)
    assert board.said == [*said, "The red button (GPIO27) can be used now."]
    assert [event.button for event in board.tap(RED)] == [RED]


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_button_that_fails_in_mid_game_is_said_once_and_left_alone(lgpio: Any) -> None:
    board = OnPi(PinFactory.LGPIO, lgpio)
    lgpio.failing.append("bad GPIO read")
    assert board.run(600.0, step=0.5) == []
    assert board.said == [
        f"The {name} button (GPIO{WIRES[button]}) cannot be used: bad GPIO read. The game goes on without it."
        for name, button in (("start", START), ("red", RED), ("black", BLACK))
    ]
    lgpio.failing.clear()
    assert board.tap(BLACK) + board.run(600.0, step=0.5) == []
    board.buttons.close()
    board.pins.close()
