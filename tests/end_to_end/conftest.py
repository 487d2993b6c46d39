"""The emulated controller for whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tamsk_hw.simulator.emulated.process import Emulator, running

Switch = Callable[[], Emulator]


@pytest.fixture
def switch_on(emulator_binary: Path, firmware: Path, tmp_path: Path) -> Iterator[Switch]:
    """Switch on an emulated controller with the firmware; it ends with the test."""
    with ExitStack() as stack:
        numbers = count()

        def switch() -> Emulator:
            folder = tmp_path / f"emulator-{next(numbers)}"
            folder.mkdir()
            return stack.enter_context(running(emulator_binary, firmware, folder))

        yield switch
