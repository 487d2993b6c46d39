"""Where a table's games go: its journal, a file that ``tamsk-hw replay`` rules on again, and the live stream.

Simulated games have a journal of their own, outside all players' results: the newest are kept, to be looked at.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final, TextIO

from tamsk_hw import __version__
from tamsk_hw.errors import ConfigError, JournalError, SocketError
from tamsk_hw.facts.notices import EventsUnsaved, LiveUnpublished, Notice, RecordStopped
from tamsk_hw.forms import to_json
from tamsk_hw.journal.changes import Answer, Change, Intake, change_here
from tamsk_hw.journal.journal import Journal
from tamsk_hw.live.client import SERVICE
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ChangeGames, ImportStream
from tamsk_hw.live.server import LiveServer
from tamsk_hw.live.stream import Greeting, LiveStream
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.stream import json_line
from tamsk_hw.system.line_server import TakenError
from tamsk_hw.system.service import Waker
from tamsk_hw.terminal.screen import Screen

#: The number of games that are kept.
MOST_KEPT: Final = 20

#: The end of a game that the program left.
STOPPED: Final = "the program was stopped before the end of the game"


@contextmanager
def journal_in(
    folder: Path, waker: Waker, asked_at: Path | None, *, simulated: bool, unsaved: Callable[[EventsUnsaved], None]
) -> Iterator[Journal]:
    """The journal in ``folder``, which wakes the loop; at the end the number of events not saved is reported.

    ``asked_at``: the socket at which others may ask for changes of it. ``simulated``: it has the newest simulated
    games, of which none is resumed.

    Raises:
        JournalError: another program keeps it.
    """
    journal = Journal(folder, wake=waker.wake, asked_at=asked_at, simulated=simulated)
    if simulated and journal.unfinished is not None:
        journal.set_aside(STOPPED)
    try:
        yield journal
    finally:
        if simulated and journal.game is not None:
            journal.set_aside(STOPPED)  # of no effect where the game is over
            journal.keep_newest(MOST_KEPT)
        count = journal.close()
        if count:
            unsaved(EventsUnsaved(count, folder))


def journal_changer(folder: Path) -> Callable[[ChangeGames | ImportStream, float, Answer], None]:
    """Make requested changes to the journal in ``folder`` in a thread; refused while another program writes it."""

    def change_now(change: Change, wall: float, answer: Answer) -> None:
        try:
            answer(change_here(folder, change, wall))
        except JournalError as error:
            answer(error)

    intake = Intake(change_now)

    def change(deed: ChangeGames | ImportStream, wall: float, answer: Answer) -> None:
        if isinstance(deed, ImportStream):
            intake.take(deed.stream.splitlines(keepends=True), deed.red, deed.black, wall, answer)
        else:
            Thread(target=change_now, args=(deed.change, wall, answer), name="change", daemon=True).start()

    return change


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
    path = asked or SERVICE.serving_place(os.environ, state_folder)
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
