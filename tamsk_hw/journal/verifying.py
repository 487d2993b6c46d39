"""Ruling again on a stored game: the referee gives the same rulings for the same events, or is another one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar

from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.journal.entries import StoredGame, ruling_line
from tamsk_hw.referee import Referee


@dataclass(frozen=True, slots=True)
class Mismatch:
    """This version of the program rules otherwise on a game.

    ``event`` is the number of the first entry for which it does; ``stored`` and ``given`` are the rulings that
    differ, as JSON, None where there is none. Where it refuses the header or an event, ``event`` is 0 and
    ``refused`` says why.
    """

    game: int
    event: int
    stored: str | None
    given: str | None
    refused: str = ""
    code: ClassVar[str] = "ruled_otherwise"


def verify(game: StoredGame) -> Mismatch | None:
    """Replay the stored events; None when they give the stored rulings, to the letter."""
    try:
        header, events = game.header_and_events()
        referee = Referee(header)
        for entry, event in zip(game.entries, events, strict=True):
            given = [ruling_line(ruling) for ruling in referee.handle(event)]
            for stored, now in zip_longest(entry.rulings, given):
                if stored != now:
                    return Mismatch(game.number, entry.number, stored, now)
    except (JournalError, TamskError) as error:
        return Mismatch(game.number, 0, None, None, str(error))
    return None
