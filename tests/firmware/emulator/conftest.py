from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.firmware.emulator.emulated import Emulator, build_program, running
from tests.firmware.toolchain import need

Start = Callable[..., Emulator]


@pytest.fixture
def start(emulator_binary: Path, tmp_path: Path) -> Iterator[Start]:
    """Start the emulator with a program of tests/firmware/emulator/programs, built with the values given."""
    need("avr-gcc")
    with ExitStack() as stack:
        count = 0

        def start_program(name: str, **values: int) -> Emulator:
            nonlocal count
            count += 1
            folder = tmp_path / str(count)
            folder.mkdir()
            elf = build_program(folder, name, **values)
            return stack.enter_context(running(emulator_binary, elf, folder))

        yield start_program
