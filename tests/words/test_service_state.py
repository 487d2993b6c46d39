"""The state of the service in one line."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.trouble import TroubleKind
from tamsk_hw.referee.rulings import GameOver, Reason
from tamsk_hw.referee.view import Phase
from tamsk_hw.words.table import service_state_words
from tests.panel.boards import view

PORT = Path("/dev/tamsk-board")
AWAY = datetime(2026, 1, 2, 14, 5)


def over(winner: Player | None) -> GameOver:
    return GameOver(9.0, "R5.2", winner, Reason.FEWEST_RINGS, rings_left={Player.RED: 1, Player.BLACK: 0})


@pytest.mark.parametrize(
    ("seen", "changes", "words"),
    [
        ({"phase": Phase.SETUP, "link_lost": True}, {}, "waiting for the board at /dev/tamsk-board"),
        ({"phase": Phase.SETUP}, {}, "level 3, setting up the board"),
        ({"turn": Player.BLACK, "number": 12}, {}, "level 3, turn 12, black to move"),
        ({"turn": None, "number": 40}, {}, "level 3, turn 40, no legal move"),
        ({"turn": None, "number": 40, "phase": Phase.SAND}, {}, "level 3, turn 40, the sand decides"),
        ({"phase": Phase.OVER, "over": over(Player.RED)}, {}, "level 3, game over after turn 5, red wins"),
        ({"phase": Phase.OVER, "over": over(None)}, {}, "level 3, game over after turn 5, no winner"),
        ({"link_lost": True}, {"lost_since": AWAY}, "board unplugged since 14:05; level 3, turn 5, red to move"),
        ({}, {"is_offered": True}, "an unfinished game waits to be resumed"),
        ({}, {"trouble": TroubleKind.FULL}, "level 3, turn 5, red to move; not saved: the disk is full"),
    ],
)
def test_one_line(seen: dict[str, Any], changes: dict[str, Any], words: str) -> None:
    state = {"port": PORT, "is_offered": False, "lost_since": None, "trouble": None, **changes}
    assert service_state_words(view(**seen), **state) == words
