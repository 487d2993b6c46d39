"""Programs of the firmware's own sources with something else beside them, built by its own Makefile."""

import os
from pathlib import Path

from tests.firmware.core_program import FIRMWARE, run_make
from tests.firmware.emulator.emulated import PROGRAMS


def build_firmware_with(folder: Path, name: str, *, of_avr: str = "*") -> Path:
    """The firmware's core and its ``avr/OF_AVR.c``, with ``programs/NAME.c``: an ELF file in ``folder``."""
    sources = [*sorted((FIRMWARE / "avr").glob(f"{of_avr}.c")), PROGRAMS / f"{name}.c"]
    names = " ".join(os.path.relpath(source, FIRMWARE) for source in sources)  # make takes none with blanks
    run_make(str(folder / "tamsk.elf"), f"BUILD={folder}", f"AVR={names}")
    return folder / "tamsk.elf"
