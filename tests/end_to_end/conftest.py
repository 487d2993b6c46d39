"""The emulated controller for whole games."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tests.boards import WHOLE, PlayedBoard
from tests.emulated.process import Emulator, running
from tests.web.conftest import browser as browser

#: For a board (the whole one without any) an emulated controller that has its firmware.
Switch = Callable[..., Emulator]


@pytest.fixture
def switch_on(request: pytest.FixtureRequest, emulator_binary: Path, tmp_path: Path) -> Iterator[Switch]:
    """Switch on an emulated controller with the firmware of a board; it ends with the test."""
    with ExitStack() as stack:
        numbers = count()

        def switch(board: PlayedBoard = WHOLE) -> Emulator:
            program: Path = request.getfixturevalue(board.firmware)
            folder = tmp_path / f"emulator-{next(numbers)}"
            folder.mkdir()
            return stack.enter_context(running(emulator_binary, program, folder))

        yield switch
