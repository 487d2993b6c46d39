"""Programs that tests start."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.table.board_program import Program

#: Starts the program at a simulated board on a serial port; takes more environment, and the board's map.
Start = Callable[..., Program]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    programs: list[Program] = []

    def started(environment: dict[str, str] | None = None, *wiring: Path) -> Program:
        programs.append(Program(tmp_path, environment, *wiring))
        return programs[-1]

    yield started
    for program in programs:
        if program.process.poll() is None:
            program.process.kill()
        program.process.wait()
