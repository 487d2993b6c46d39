from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.firmware.built import BuildOnce
from tests.firmware.emulator.emulated import Emulator, build_program, running
from tests.firmware.toolchain import need

Start = Callable[..., Emulator]


@pytest.fixture
def start(emulator_binary: Path, build_once: BuildOnce, tmp_path: Path) -> Iterator[Start]:
    """Start the emulator with a program of tests/firmware/emulator/programs, built with the values given.

    What several tests start is built once for all of them.
    """
    need("avr-gcc")
    with ExitStack() as stack:
        count = 0

        def start_program(name: str, **values: int) -> Emulator:
            nonlocal count
            count += 1
            folder = tmp_path / str(count)
            folder.mkdir()
            built_with = "-".join([name, *(f"{key}{value}" for key, value in sorted(values.items()))])
            (elf,) = build_once(built_with, lambda folder: build_program(folder, name, **values)).iterdir()
            return stack.enter_context(running(emulator_binary, elf, folder))

        yield start_program
