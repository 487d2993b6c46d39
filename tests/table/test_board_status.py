"""Status of the game at a board that systemd hears, as the loop looks at it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal import Journal
from tamsk_hw.journal.trouble import Trouble, TroubleKind
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.view import Phase
from tamsk_hw.system.service import ServiceManager
from tamsk_hw.table import run as board_run
from tamsk_hw.table.run import BaselineKeeper
from tamsk_hw.table.table import BoardTable, TablePhase


def test_the_status_follows_board_game_and_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    manager = ServiceManager({})
    monkeypatch.setattr(manager, "status", lambda text: said.append(text) if said[-1:] != [text] else None)
    away = replace(Referee(Header()).view(), link_lost=True)
    table = SimpleNamespace(phase=TablePhase.GAME, advance=None, view=lambda: table.seen, seen=away)
    journal = SimpleNamespace(queue=SimpleNamespace(trouble=None))
    source = board_run._BoardSource(
        cast(BoardTable, table),
        cast(SerialLink, SimpleNamespace(fileno=None, listen=None)),
        Path("/dev/tamsk-board"),
        cast(Journal, journal),
        manager,
        cast(BaselineKeeper, None),
    )
    there = replace(away, link_lost=False)
    playing = replace(there, phase=Phase.PLAY, number=3, turn=Player.RED)
    for seen in (away, there, playing, replace(playing, link_lost=True), playing):
        table.seen = seen
        assert source.view() is seen
        source.view()
    journal.queue.trouble = Trouble(TroubleKind.FULL, 2)
    source.view()
    turn = "level 3, turn 3, red to move"
    waiting, setting_up, first, unplugged, again, full = said
    assert waiting == "waiting for the board at /dev/tamsk-board"
    assert setting_up == "level 3, setting up the board"
    assert (first, again) == (turn, turn)
    assert unplugged.startswith("board unplugged since ")
    assert unplugged.endswith(f"; {turn}")
    assert full == f"{turn}; not saved: the disk is full"
