"""Pins and SPI lights of the machine that says it is a Raspberry Pi (tests/machine/module), from outside."""

import base64
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.panel.lights import pixel_names
from tests.machine.outside import MAP
from tests.machine.table import Table
from tests.machine.virtual import Machine
from tests.panel.ws2812 import colours

#: Each transfer as vm_spi.c keeps it: time, number, clock, bits, mode, bytes, and what fills it up to 32 bytes.
RECORD: Final = struct.Struct("<QIIIII4x")

SCRIPT: Final = Path(__file__).parent / "within" / "pins.py"

#: Where the script is in the machine.
PLACE: Final = "/run/pins.py"

WIRING: Final = load_wiring(MAP)


@dataclass(frozen=True)
class Transfer:
    """One transfer of SPI 0: its bytes, and how they were sent."""

    seconds: float
    """The time at which it began, in seconds of the machine's clock."""

    number: int
    """Counts all transfers since the machine was started."""

    hertz: int
    """The clock's frequency, after the controller has divided its own."""

    bits: int
    """Bits in a word."""

    mode: int
    """Linux's flags of an SPI device, as clock polarity and bit order; pixels need 0."""

    data: bytes

    @property
    def lights(self) -> dict[str, str]:
        """The colour that each light of the board shows by it, as six hexadecimal digits, by its place.

        Raises:
            AssertionError: pixels could read it otherwise, or there are not as many as on the board.
        """
        read = colours(self.data, self.hertz)
        names = pixel_names(WIRING)
        assert len(read) == WIRING.pixel_count
        return {place: read[pixel].hex() for place, pixel in names.items()}


@dataclass(frozen=True)
class Happened:
    """A record of some seconds: pins that were moved, the buzzer, and transfers to the lights."""

    moved: Sequence[tuple[int, int, float]]
    """Each move of a pin: the pin, its level, the time of the machine's clock in seconds."""

    buzzer: Sequence[tuple[int, float]]
    """The level of the buzzer's pin, at first and at each change, with its time."""

    transfers: Sequence[Transfer]


def transfers_in(kept: bytes) -> list[Transfer]:
    """Parse bytes read from /dev/vm_spi.

    Raises:
        ValueError: they end within a transfer.
    """
    found, at = list[Transfer](), 0
    while at < len(kept):
        if at + RECORD.size > len(kept):
            raise ValueError(f"{len(kept) - at} bytes are no transfer's beginning")
        nanoseconds, number, hertz, bits, mode, size = RECORD.unpack_from(kept, at)
        at += RECORD.size
        if at + size > len(kept):
            raise ValueError(f"transfer {number} should have {size} bytes")
        found.append(Transfer(nanoseconds / 1e9, number, hertz, bits, mode, kept[at : at + size]))
        at += size
    return found


class Pins:
    """Hands and eyes at the machine's pins."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        machine.write(PLACE, SCRIPT.read_text(encoding="utf-8"))

    def work(
        self, seconds: float, *moves: tuple[int, int, float, int], watched: int = WIRING.buzzer_pin
    ) -> Happened:
        """Move pins at given times, and record for ``seconds`` what happens.

        Args:
            seconds: of the machine's clock.
            moves: pin, level, seconds after the beginning, microseconds for which the contact bounces.
        """
        told = " ".join(f"{pin}:{level}:{after}:{bounce}" for pin, level, after, bounce in moves)
        said = self._machine.read(f"python3 {PLACE} {seconds} {WIRING.buzzer_pin} {told}")
        lines: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
        return Happened(
            [(line["moved"], line["level"], line["ns"] / 1e9) for line in lines if "moved" in line],
            [(line["watched"], line["ns"] / 1e9) for line in lines if "watched" in line],
            transfers_in(b"".join(base64.b64decode(line["sent"]) for line in lines if "sent" in line)),
        )

    def press(self, pin: int, held: float = 0.2, bounce: int = 3000, seconds: float = 3.0) -> Happened:
        """Press a button for ``held`` seconds; its contact bounces for ``bounce`` microseconds both times."""
        return self.work(seconds, (pin, 0, 0.1, bounce), (pin, 1, 0.1 + held, bounce))

    def lights(self) -> dict[str, str]:
        """Watch the lights for two seconds; give their colours by place.

        Raises:
            AssertionError: they change, or are not written again within the time.
        """
        shown = [transfer.lights for transfer in self.work(2.2).transfers]
        assert shown, "the lights are written anew at least once a second"
        assert all(each == shown[-1] for each in shown), f"the lights change: {shown}"
        return shown[-1]

    def outputs(self) -> set[int]:
        """The pins that a program drives."""
        text = self._machine.run("cat /sys/devices/platform/vm_pins/outputs")
        return {pin for pin, driven in enumerate(text) if driven == "1"}


def use_pins(table: Table) -> Pins:
    """Start the service with the drivers that a Raspberry Pi has instead of the simulated panel."""
    life = table.property("InvocationID")
    table.machine.run("sed -i 's/^factory = .*/factory = \"lgpio\"/; /^hands = /d' /etc/tamsk-hw/config.toml")
    table.machine.run("systemctl restart --no-block tamsk-hw")
    table.is_started_anew(life)
    return Pins(table.machine)
