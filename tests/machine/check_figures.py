"""Memory and processor time of the service and of the page's process, while nobody moves at the board."""

from typing import Final

import pytest

from tests.bench.service import MEMORY_MOST, resident
from tests.machine.architecture import chosen
from tests.machine.pins import use_pins
from tests.machine.table import Table

#: Seconds of the machine's clock over which the processor's time is taken.
WATCHED: Final = 30.0

#: The unit of the service, and that of the page.
UNITS: Final = ("tamsk-hw", "tamsk-hw-web")


def memory(table: Table, unit: str) -> float:
    """The resident set of a unit's process, in MB."""
    return resident(table.machine.run(f"cat /proc/$(systemctl show -P MainPID {unit})/status"))


def load(table: Table) -> dict[str, float]:
    """Watch both units' processes for `WATCHED` seconds; give the share of one core that each takes.

    The seconds are the machine's, as is the processor time.
    """
    places = " ".join(f"/proc/$(systemctl show -P MainPID {unit})/stat" for unit in UNITS)
    look = f"cat /proc/uptime {places}"
    said = table.machine.run(f"{look}; sleep {WATCHED}; {look}").splitlines()
    ticks = int(table.machine.run("getconf CLK_TCK"))

    def at(lines: list[str]) -> tuple[float, list[float]]:
        fields = [line.rpartition(")")[2].split() for line in lines[1:]]
        return float(lines[0].split()[0]), [(int(each[11]) + int(each[12])) / ticks for each in fields]

    (began, before), (ended, behind) = at(said[: len(said) // 2]), at(said[len(said) // 2 :])
    return {
        unit: (last - first) / (ended - began) for unit, first, last in zip(UNITS, before, behind, strict=True)
    }


def show(table: Table, when: str) -> None:
    """Print what both processes take, and hold their memory against the budget."""
    share = load(table)
    for unit in UNITS:
        megabytes = memory(table, unit)
        print(f"{when}: {unit}: {megabytes:.0f} MB, {100 * share[unit]:.0f} % of a core")
        assert megabytes <= MEMORY_MOST


def test_what_the_service_takes_with_the_simulated_panel(table: Table) -> None:
    show(table, "no board")
    board = table.bring(seed=3, players="none")
    table.plug()
    show(table, "a board, no game")
    board.do("press", "start")
    table.comes_to("play")
    show(table, "a game in which nobody moves")


@pytest.mark.skipif(not chosen().says_raspberry_pi, reason="pins are arm64's: make vm-test ARCH=arm64")
def test_what_the_service_takes_with_pins_and_lights_by_spi(table: Table) -> None:
    use_pins(table)
    show(table, "pins, no board")
    table.bring(seed=3, players="none")
    table.plug()
    show(table, "pins, a board, no game")
