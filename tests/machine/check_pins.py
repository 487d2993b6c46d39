"""Buttons, buzzer and lights by a Raspberry Pi's drivers: gpiozero with lgpio on a gpiochip, pixels by spidev."""

import statistics
from collections.abc import Callable
from typing import Any, Final

import pytest

from tamsk_hw.referee.events import ButtonName
from tests.machine.architecture import chosen
from tests.machine.pins import WIRING, use_pins
from tests.machine.record import notices
from tests.machine.table import Table
from tests.machine.virtual import until

pytestmark = pytest.mark.skipif(
    not chosen().says_raspberry_pi,
    reason="only a machine with a device tree can say that it is a Raspberry Pi: make vm-test ARCH=arm64",
)

BUTTON: Final = WIRING.buttons

#: The games whose beginning is timed.
GAMES: Final = 10

Lights = dict[str, str]


def pictures(table: Table, press_start: Callable[[], Any], lights: Callable[[], Lights]) -> list[Lights]:
    """Begin a game; give the lights' colours before it, at its start, and after a first glass and ring."""
    assert table.board is not None
    shown = []
    table.comes_to("setup")
    shown.append(lights())
    press_start()
    table.comes_to("play")
    shown.append(lights())
    table.board.do("place", "red", "C4")
    table.board.do("drop", "red", "C4")
    until(lambda: table.state()["rings"].get("C4") == 1, "the ring counts")
    shown.append(lights())
    return shown


def test_the_lights_show_by_spi_what_they_show_on_the_simulated_board(table: Table) -> None:
    board = table.bring(seed=3, players="none")
    table.plug()
    until(lambda: board.look()["lights"], "the simulated board is lit")

    def simulated() -> Lights:
        def steady() -> Lights | None:
            first = board.look()["lights"]
            table.machine.run("sleep 1.2")
            again: Lights = board.look()["lights"]
            return again if again == first else None

        found: Lights = until(steady, "the lights of the simulated board are steady")
        return found

    asked = pictures(table, lambda: board.do("press", "start"), simulated)
    assert len({str(each) for each in asked}) == len(asked), "the pictures differ"
    table.end()

    table.begin()
    pins = use_pins(table)
    table.bring(seed=3, players="none")
    table.plug()
    shown = pictures(table, lambda: pins.press(BUTTON[ButtonName.START]), pins.lights)
    assert shown == asked
    sent = pins.work(2.2).transfers
    assert {(each.bits, each.mode) for each in sent} == {(8, 0)}
    assert [each.number for each in sent] == list(range(sent[0].number, sent[0].number + len(sent)))
    print(f"SPI clock {sent[0].hertz / 1e6:.2f} MHz, {len(sent[0].data)} bytes a picture, in one transfer")
    assert WIRING.buzzer_pin in pins.outputs()


def test_a_contact_that_bounces_is_one_press(table: Table) -> None:
    pins = use_pins(table)
    table.bring(seed=3, players="none")
    table.start_record()
    table.plug()
    table.comes_to("setup")
    pins.press(BUTTON[ButtonName.START], bounce=5000)
    table.comes_to("play")
    pins.press(BUTTON[ButtonName.RED], held=0.1, bounce=10000)
    pins.press(BUTTON[ButtonName.BLACK], held=2.5, bounce=10000, seconds=4.0)
    table.comes_to("over")
    assert table.state()["over"]["reason"] == "resigned"
    pressed = [event for event in table.record.said().events if event["event"] == "button"]
    assert [(event["button"], event["press"]) for event in pressed] == [
        ("start", "short"),
        ("red", "short"),
        ("black", "long"),
    ]


def test_the_buzzer_sounds_at_the_end_of_the_game_and_leaves_its_pin_low(table: Table) -> None:
    pins = use_pins(table)
    table.bring(seed=3, players="none")
    table.plug()
    table.comes_to("setup")
    assert {level for level, _ in pins.press(BUTTON[ButtonName.START]).buzzer} == {0}
    table.comes_to("play")
    happened = pins.press(BUTTON[ButtonName.RED], held=2.5, seconds=8.0)
    table.comes_to("over")
    levels = [level for level, _ in happened.buzzer]
    changes = [seconds for _, seconds in happened.buzzer[1:]]
    print(f"the buzzer's pin: {len(changes)} changes seen within {max(changes) - min(changes):.2f} s")
    assert set(levels) == {0, 1}
    assert levels[-1] == 0


def test_a_pin_that_another_program_has_is_said_and_taken_when_it_is_free(table: Table) -> None:
    hold = f"import lgpio, time; lgpio.gpio_claim_input(lgpio.gpiochip_open(0), {BUTTON[ButtonName.RED]})"
    table.machine.run(
        f"(cd /run && exec /opt/tamsk-hw/venv/bin/python -c '{hold}; time.sleep(100000)' & echo $! >/run/holder)"
    )
    until(lambda: "lg" in table.machine.run("cat /sys/kernel/debug/gpio"), "the pin is held")
    pins = use_pins(table)
    table.bring(seed=3, players="none")
    table.start_record()
    table.plug()
    table.comes_to("setup")
    until(lambda: "panel_failed" in notices(table.record.lines()), "the busy pin is said")
    told = [line["notice"] for line in table.record.lines() if "notice" in line]
    (failed,) = (notice for notice in told if notice["code"] == "panel_failed")
    assert failed["part"] == {"unit": "button", "button": "red", "pin": BUTTON[ButtonName.RED]}
    assert failed["trouble"]["kind"] == "pin_busy"
    pins.press(BUTTON[ButtonName.START])
    table.comes_to("play")
    table.machine.run("kill $(cat /run/holder)")
    until(lambda: "panel_works" in notices(table.record.lines()), "the pin is taken when it is free")
    pins.press(BUTTON[ButtonName.RED], held=2.5, seconds=4.0)
    table.comes_to("over")


def test_the_time_from_a_button_to_the_lights(table: Table) -> None:
    pins = use_pins(table)
    table.bring(seed=3, players="none")
    table.plug()
    taken = []
    for _ in range(GAMES):
        table.comes_to("setup")
        before = pins.lights()
        happened = pins.press(BUTTON[ButtonName.START], bounce=0)
        table.comes_to("play")
        (released,) = (t for _, level, t in happened.moved if level == 1)
        shown = [each.seconds for each in happened.transfers if each.lights != before]
        taken.append(shown[0] - released)
        table.stream.do(do={"event": "arbiter", "action": "abandon"})
        table.comes_to("over")
        table.stream.do(do={"game": "next"})
    assert min(taken) > 0.0
    print(
        f"button let go to lights, of which 30 ms are until its contact counts as settled, {GAMES} games:"
        f" median {1e3 * statistics.median(taken):.0f} ms, most {1e3 * max(taken):.0f}"
    )
