"""A board to write to, and what is written."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workbench.flashing.flash_bench import Bench, hex_lines, program, write_hex


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A board with firmware 1.0.0, switched off; an avrdude that writes. Nothing else is on the path."""
    made = Bench(tmp_path)
    monkeypatch.setenv("PATH", str(made.path))
    yield made
    made.board.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Firmware 1.1.0 for the reference board."""
    return write_hex(tmp_path / "tamsk.hex", hex_lines(program()))
