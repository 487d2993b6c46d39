"""Build the emulator and small AVR programs."""

import shutil
import subprocess
from pathlib import Path

from tests.emulated.process import CYCLES_PER_SECOND as SECOND
from tests.emulated.process import Check, Emulator, running
from tests.emulated.process import EmulatorError as Refused

__all__ = [
    "ROOT",
    "SECOND",
    "Check",
    "Emulator",
    "Refused",
    "build_emulator",
    "build_program",
    "missing_tools",
    "running",
]

ROOT = Path(__file__).parents[3]
PROGRAMS = Path(__file__).parent / "programs"

missing_tools = [tool for tool in ("avr-gcc", "cc", "make") if shutil.which(tool) is None]
if not Path("/usr/include/simavr/sim_avr.h").exists():
    missing_tools.append("libsimavr-dev")


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
