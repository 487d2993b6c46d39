"""Whole games of programs, short ones."""

from pathlib import Path

import pytest

from tests.boards import SEVEN_CONFIG


@pytest.fixture
def short_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that the test starts play on seven tubes."""
    file = tmp_path / "seven.toml"
    file.write_text(SEVEN_CONFIG, encoding="utf-8")
    monkeypatch.setenv("TAMSK_HW_CONFIG", str(file))
