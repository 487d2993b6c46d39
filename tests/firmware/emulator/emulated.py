"""Build the emulator and small AVR programs, and what all tests on the emulated controller do at its board."""

import subprocess
from pathlib import Path

from tamsk_hw.board.protocol import Decoder, Hello, Message
from tamsk_hw.board.wiring import load_wiring
from tests.emulated.process import CYCLES_PER_SECOND as SECOND
from tests.emulated.process import Check, Emulator, running

__all__ = [
    "MILLISECOND",
    "PROGRAMS",
    "ROOT",
    "SECOND",
    "WIRING",
    "Check",
    "Emulator",
    "at_rest",
    "boot",
    "build_emulator",
    "build_program",
    "heard",
    "hellos",
    "running",
]

ROOT = Path(__file__).parents[3]
PROGRAMS = Path(__file__).parent / "programs"
WIRING = load_wiring()
MILLISECOND = SECOND // 1000


def build_emulator(folder: Path) -> Path:
    """Build the emulator into a folder."""
    command = ["make", "--silent", "-C", str(ROOT / "firmware/emulator"), f"BUILD={folder}"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder / "emulator"


def build_program(folder: Path, name: str, **values: int) -> Path:
    """Build programs/NAME.c for the ATmega328P, with preprocessor values."""
    elf = folder / ("_".join([name, *(f"{key}{value}" for key, value in values.items())]) + ".elf")
    options = ["-mmcu=atmega328p", "-DF_CPU=16000000UL", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
    defines = [f"-D{key}={value}" for key, value in values.items()]
    command = ["avr-gcc", *options, *defines, "-o", str(elf), str(PROGRAMS / f"{name}.c")]
    subprocess.run(command, check=True)
    return elf


def at_rest(board: Emulator, *, holders: bool = True) -> None:
    """No ring, all fields at half of 5 V, the references at its quarters.

    10 mV more, the middle of a step: what settles to its edge from below reads as the step before. Without
    ``holders`` these are silent: a reset in the midst of a reading would be told as a fault of the program.
    """
    board.ask("reflect all 9")
    for channel in WIRING.channels:
        board.ask(f"field {channel.mux} {channel.address} 2510")
    for quarter, channel in enumerate(WIRING.references, start=1):
        board.ask(f"field {channel.mux} {channel.address} {1250 * quarter + 10}")
    for holder in () if holders else (0, 1):
        board.ask(f"holder {holder} silent")


def heard(board: Emulator) -> list[Message]:
    """The frames since the last call: to be called between two of them, or after a reset."""
    return Decoder().feed(b"\0" + bytes(byte for _, byte in board.sent()))


def hellos(board: Emulator, cycles: int) -> list[Hello]:
    """Run the emulator for ``cycles`` cycles; return each HELLO that came since the last call."""
    board.run(cycles)
    return [message for message in heard(board) if isinstance(message, Hello)]


def boot(board: Emulator, how: str | None = None) -> Hello:
    """Start the controller, by the command ``how`` if that is given; return its HELLO."""
    if how is not None:
        board.sent()
        board.ask(how)
    (hello,) = hellos(board, 100 * MILLISECOND)
    return hello
