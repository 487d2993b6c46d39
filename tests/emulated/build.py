"""The emulator and the firmware's program, built in a checkout by its own Makefiles.

Both serve tests and games on the real firmware without a board.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.emulated.process import EmulatorError

#: The checkout's firmware folder, where there is a checkout.
FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"


@dataclass(frozen=True, slots=True)
class Binaries:
    """The emulator for this machine and the firmware's program (ELF) for the controller."""

    emulator: Path
    program: Path


def build(folder: Path | None = None, wiring: Path | None = None) -> Binaries:
    """Build both where they are not up to date.

    ``folder``: where to build, by default the checkout's build folders. ``wiring``: the map of the board, by
    default the reference board's. Raises `EmulatorError` if there is no checkout, a tool is missing or the build
    fails.
    """
    if not (FIRMWARE / "emulator" / "Makefile").exists():
        raise EmulatorError("the emulated board needs a checkout of tamsk-hw with its folder firmware/")
    program = folder / "firmware" if folder else FIRMWARE / "build"
    of_map: list[str] = []
    if wiring is not None:
        wiring = wiring.resolve()
        map_file = os.path.relpath(wiring, FIRMWARE.parent)
        if not re.fullmatch(r"[\w./+,@-]+", map_file):
            raise EmulatorError(f"{wiring}: the name has a blank or a sign that make cannot take; move the map")
        program /= wiring.parent.name
        of_map = [f"MAP={map_file}", f"PYTHON={sys.executable}"]
    emulator = folder / "emulator" if folder else FIRMWARE / "emulator" / "build"
    _make(FIRMWARE, program, *of_map)
    _make(FIRMWARE / "emulator", emulator)
    return Binaries(emulator=emulator / "emulator", program=program / "tamsk.elf")


def _make(sources: Path, build_folder: Path, *settings: str) -> None:
    """Run make; its output is shown only in the error of a failure."""
    # Relative, since make takes no names with blanks, which the checkout's own path may have.
    folder = os.path.relpath(build_folder, sources)
    command = ["make", "--silent", "-C", str(sources), f"BUILD={folder}", *settings]
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError as error:
        raise EmulatorError(f"make: {error.strerror}; run `make toolchain` in the checkout") from error
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line.strip()]
        first = said[0] if said else "it said nothing"
        raise EmulatorError(f"{sources.name} cannot be built: {first}; `make toolchain` installs what is missing")
