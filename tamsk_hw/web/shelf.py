"""The games of the journal as the page reads them, and how an address names them. Nothing here writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tamsk_hw.journal import Archive, GameSummary, StoredGame
from tamsk_hw.journal.archive import simulated_folder

#: Numbers as addresses have them: no zero before them, and no more digits than any journal has games.
_KEY: Final = re.compile(r"(s?)([1-9][0-9]{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameKey:
    """A game by its number in the journal, or in that of the simulated games: ``12`` or ``s3`` in an address."""

    number: int
    simulated: bool = False

    def __str__(self) -> str:
        return f"{'s' if self.simulated else ''}{self.number}"

    @classmethod
    def parse(cls, text: str) -> GameKey | None:
        """The key in an address; None for a text that is none."""
        found = _KEY.fullmatch(text)
        return None if found is None else cls(int(found[2]), simulated=bool(found[1]))


@dataclass(frozen=True, slots=True)
class ShelvedGame:
    """A game in a list. ``is_played``: it is being played at this moment."""

    key: GameKey
    summary: GameSummary
    is_played: bool


class Shelf:
    """The journal in a folder, and the simulated games that are kept beside it.

    Every method opens the database and closes it again; what takes long belongs in a thread. It needs the right to
    read alone: to the folder, the database and what SQLite keeps beside it. All raise `JournalError` when the
    journal cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._archives = {False: Archive(folder), True: Archive(simulated_folder(folder))}

    def games(self, *, simulated: bool = False) -> list[ShelvedGame]:
        """Every game of the journal, or every simulated one that is kept; the newest first."""
        archive = self._archives[simulated]
        played = archive.running() if archive.is_played() else None
        return [
            ShelvedGame(GameKey(each.number, simulated), each, each.number == played)
            for each in reversed(archive.games())
        ]

    def summary(self, key: GameKey) -> ShelvedGame:
        """A game's entry in the list.

        Raises:
            NoGameError: there is no such game.
        """
        archive = self._archives[key.simulated]
        played = archive.is_played() and archive.running() == key.number
        return ShelvedGame(key, archive.load_summary(key.number), played)

    def load(self, key: GameKey) -> StoredGame:
        """A whole game.

        Raises:
            NoGameError: there is no such game.
            UnreadableError: its record is damaged.
        """
        return self._archives[key.simulated].load(key.number)
