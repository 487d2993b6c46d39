"""A game's lines, kept and published.

The newest simulated games, kept in a journal of their own: outside all players' results, to be looked at.

Writing a game's event stream to a file, so that ``tamsk-hw replay`` rules on it again.

See docs/formats.md, Header.

The live stream of a running service: where it is, and what becomes of a service that cannot have one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final, Self, TextIO

from tamsk_hw import __version__
from tamsk_hw.errors import ConfigError, JournalError, SocketError
from tamsk_hw.facts.notices import LiveUnpublished, Notice, RecordStopped
from tamsk_hw.forms import to_json
from tamsk_hw.journal import Entry, Journal, Sitting, boot_id
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import Answer, Change, Intake, change_here
from tamsk_hw.live.client import serving_place
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ChangeGames, ImportStream
from tamsk_hw.live.server import LiveServer
from tamsk_hw.live.stream import Greeting, LiveStream, Names
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import json_line
from tamsk_hw.system.line_server import TakenError
from tamsk_hw.system.service import Waker
from tamsk_hw.terminal.screen import Screen

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
        return self._journal.queue.newest_durable

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


class Recorder:
    """An event stream in a file; every event is handed over as it comes, so that a killed program loses none.

    A disk that takes no more is reported once, to ``notice``, and the game goes on without its record.

    Raises:
        ConfigError: the file cannot be opened.
    """

    def __init__(self, path: Path, notice: Callable[[RecordStopped], None]) -> None:
        self._path = path
        self._notice = notice
        self._file: TextIO | None
        try:
            self._file = path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise ConfigError(f"--record {path}: {error.strerror}; allowed: a file that can be written") from None

    def begin(self, header: Header) -> None:
        """Write the header."""
        self._line(json_line(header.as_dict()))

    def record(self, event: Event) -> None:
        """Write one event."""
        self._line(json_line(to_json(event)))

    def end(self, t: float) -> None:
        """Write that time has passed to ``t`` (seconds), so that what fell due last is ruled on again; close."""
        self.record(Tick(t))
        self._close()

    def _line(self, text: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(text + "\n")
        except OSError as error:
            self._notice(RecordStopped(self._path, error.strerror or str(error)))
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()


@contextmanager
def published(
    asked: Path | None,
    state_folder: Path,
    waker: Waker,
    notice: Callable[[LiveUnpublished], None],
    *,
    simulated: bool = False,
    speed: float = 1.0,
) -> Iterator[Publisher]:
    """The publisher of a service, at the place that was ``asked`` for, else at the default one.

    A service that finds another one there, or cannot have the default place, goes on without; ``notice`` is told.

    Raises:
        ConfigError: the socket cannot be made at the place that was asked for.
    """
    path = asked or serving_place(os.environ, state_folder)
    greeting = Greeting(
        life=os.urandom(8).hex(), program=__version__, board=None, simulated=simulated, speed=speed
    )
    stream = LiveStream(greeting)
    server = None
    try:
        server = LiveServer(path, stream, waker.wake)
    except SocketError as error:
        if asked is not None and not isinstance(error, TakenError):
            raise ConfigError(f"--live {error.cause}", error.advice) from None
        notice(LiveUnpublished(str(error)))
    publisher = Publisher(stream, server)
    try:
        yield publisher
    finally:
        publisher.close()


def notices_to(screen: Screen, publisher: Publisher) -> Callable[[Notice], None]:
    """Shows people a notice, and publishes it."""

    def notice(each: Notice) -> None:
        screen.notice(each)
        publisher.notice(each)

    return notice
