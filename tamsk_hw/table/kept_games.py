"""The newest simulated games, kept in a journal of their own: outside all players' results, to be looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Final, Self

from tamsk_hw.errors import JournalError
from tamsk_hw.journal import Entry, Journal, Sitting, boot_id
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import Answer, Change
from tamsk_hw.journal.intake import Intake
from tamsk_hw.journal.owning import change_here
from tamsk_hw.live.journal_requests import ChangeGames, ImportStream
from tamsk_hw.live.lines import Names
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling

#: The number of games that are kept.
MOST_KEPT: Final = 20

#: The end of a game that the program left.
STOPPED: Final = "the program was stopped before the end of the game"


class KeptGames:
    """Writes down one simulated game after the other. Nothing here waits for the disk but opening and closing."""

    def __init__(self, journal: Journal, folder: Path) -> None:
        """See `open`."""
        self._journal = journal
        self._folder = folder
        self._is_open = False
        self._intake = Intake(self._change_here)

    @classmethod
    def open(
        cls, folder: Path, wake: Callable[[], None] = lambda: None, *, asked_at: Path | None = None
    ) -> Self | None:
        """The journal of simulated games that belongs to the players' journal in ``folder``.

        ``asked_at``: the socket at which others may ask for changes of either. None while another program keeps
        its simulated games there; this one then keeps none.
        """
        try:
            journal = Journal.open(simulated_folder(folder), wake=wake, asked_at=asked_at, simulated=True)
        except JournalError:
            return None
        if journal.unfinished() is not None:
            journal.set_aside(STOPPED)
        return cls(journal, folder)

    @property
    def newest_durable(self) -> int:
        """As of `Journal`."""
        return self._journal.newest_durable

    @property
    def number(self) -> int | None:
        """The number of the current game, once it is on the disk."""
        return None if self._journal.game is None else self._journal.game.number

    def begin(self, header: Header, names: Names) -> str:
        """Another game begins; give its key."""
        self.end()
        sitting = Sitting(wall=time.time(), monotonic_zero=time.monotonic(), boot=boot_id())
        self._is_open = True
        return self._journal.begin_game(header, sitting, red=names.red, black=names.black).key

    def took(self, event: Event, rulings: Sequence[Ruling]) -> int | None:
        """The referee took an event; give the ticket with which it is on the disk."""
        return self._journal.append(Entry(event, rulings, time.time())) if self._is_open else None

    def place_at(self, board: str) -> None:
        """The board's id is known."""
        self._journal.place_at(board)

    def name_players(self, names: Names) -> None:
        """The players of the current game have other names."""
        if self._is_open:
            self._journal.name_players(red=names.red, black=names.black)

    def change(self, change: Change, wall: float, answer: Answer) -> None:
        """Change the simulated games; as of `Journal`."""
        self._journal.change(change, wall, answer)

    def change_players_games(self, deed: ChangeGames | ImportStream, wall: float, answer: Answer) -> None:
        """Change the players' journal, in a thread; refused while another program writes it."""
        if isinstance(deed, ImportStream):
            self._intake.take(deed.stream.splitlines(keepends=True), deed.red, deed.black, wall, answer)
        else:
            Thread(target=self._change_here, args=(deed.change, wall, answer), name="change", daemon=True).start()

    def _change_here(self, change: Change, wall: float, answer: Answer) -> None:
        try:
            answer(change_here(self._folder, change, wall))
        except JournalError as error:
            answer(error)

    def end(self) -> None:
        """The current game goes on no more."""
        if self._is_open:
            self._is_open = False
            self._journal.set_aside(STOPPED)  # of no effect where the game is over
            self._journal.keep_newest(MOST_KEPT)

    def close(self) -> None:
        """Write what waits, and let another program keep its games."""
        self.end()
        self._journal.close()
