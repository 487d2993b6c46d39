"""The state of the service in one line, for ``systemctl status``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import assert_never

from tamsk_hw.journal.trouble import TroubleKind
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.output import Language
from tamsk_hw.words.translating import speaking, worded


def service_state_words(
    view: View, *, port: Path, is_offered: bool, lost_since: datetime | None, trouble: TroubleKind | None
) -> str:
    """Board, game and disk in one line, in English as all that systemd shows.

    ``port`` is the board's; ``is_offered``: an unfinished game is offered to be resumed; ``lost_since``: the time
    at which a board that was there went away; ``trouble``: the reason for which the journal does not save.
    """
    parts = []
    if lost_since is not None:
        parts.append(f"board unplugged since {lost_since:%H:%M}")
    elif view.link_lost:
        parts.append(f"waiting for the board at {port}")
    if is_offered:
        parts.append("an unfinished game waits to be resumed")
    elif not view.link_lost or view.phase is not Phase.SETUP:
        parts.append(_game(view))
    if trouble is not None:
        with speaking(Language.ENGLISH):
            reason = worded(trouble.sentence)
        parts.append(f"not saved: {reason[:1].lower()}{reason[1:]}")
    return "; ".join(parts)


def _game(view: View) -> str:
    level = f"level {view.level}"
    match view.phase:
        case Phase.SETUP:
            return f"{level}, setting up the board"
        case Phase.PLAY:
            turn = "no legal move" if view.turn is None else f"{view.turn.value} to move"
            return f"{level}, turn {view.number}, {turn}"
        case Phase.SAND:
            return f"{level}, turn {view.number}, the sand decides"
        case Phase.OVER:
            winner = None if view.over is None else view.over.winner
            return f"{level}, game over after turn {view.number}, " + (
                "no winner" if winner is None else f"{winner.value} wins"
            )
        case _:
            assert_never(view.phase)
