"""A board that runs, and a configuration of the tests' own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.simulator.pty_board import RunningBoard


@pytest.fixture(autouse=True)
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a configuration without a board."""
    file = tmp_path / "config.toml"
    file.touch()
    monkeypatch.setenv("TAMSK_HW_CONFIG", str(file))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return file


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RunningBoard]:
    """A simulated board, set up for a game."""
    with RunningBoard(tmp_path / "board") as running:
        yield running
