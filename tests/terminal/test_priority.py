"""The service's notices in systemd's journal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tamsk_hw.board.link_events import BoardSilent
from tamsk_hw.facts.notices import BoardConnected, BoardLost
from tamsk_hw.terminal.screen import PlainScreen


def test_notices_stand_out_from_rulings_and_warnings_from_notices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "stderr"
    with file.open("w") as stream:
        status = file.stat()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
        screen = PlainScreen()
        screen.notice(BoardConnected((1, 0, 0)))
        screen.notice(BoardLost(BoardSilent(0.5)))
    connected, lost = file.read_text().splitlines()
    assert connected.startswith("<5>The board is connected")
    assert lost.startswith("<4>The board is out of reach")
