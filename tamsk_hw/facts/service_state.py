"""The state of the service at a board, for one line of ``systemctl status``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tamsk_hw.journal.trouble import TroubleKind
from tamsk_hw.referee.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceState:
    """Board, game and disk. ``port``: where the board is to be."""

    port: Path
    view: View
    is_offered: bool
    """An unfinished game is offered to be resumed."""
    lost_since: datetime | None
    """When a board that was there went away; None while it is there, or was never."""
    trouble: TroubleKind | None
    """What keeps the journal from saving."""
