"""The journal as the running program sees it: nothing here waits for the disk, but opening and closing it.

`time_away` is the time for which a resumed game stood still, as far as clocks can tell.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from tamsk_hw import __version__
from tamsk_hw.errors import JournalError, MisuseError
from tamsk_hw.journal import records, trouble
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import Answer, Change, Intake, change_games
from tamsk_hw.journal.database import Connect, Folder, connect_database
from tamsk_hw.journal.writer import Watched, WriteQueue, Writer, read_watched
from tamsk_hw.referee.rulings import GameOver, Started
from tamsk_hw.referee.stream import Header, parse_event

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Away:
    """The time for which nobody watched a game, in seconds.

    It is certain when the machine kept running. Otherwise it is the time of day less that of the last stored
    event, which a clock without a battery may have wrong; None where that is negative or was not noted.
    """

    seconds: float | None
    certain: bool


def boot_id() -> str | None:
    """The name of this start of the machine, for `Sitting.boot`; None where there is none."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def last_time(game: records.StoredGame) -> float:
    """The stream's time of the last stored event (seconds); 0 where there is none."""
    return parse_event(json.loads(game.entries[-1].line)).t if game.entries else 0.0


def time_away(game: records.StoredGame, *, since: float, monotonic: float, wall: float, boot: str | None) -> Away:
    """The time for which nobody has watched the game.

    Args:
        game: the game as it is stored; its stream's time must have gone as fast as real time.
        since: the stream's time up to which it was watched (seconds), not before its last event.
        monotonic: the machine's monotonic clock now (seconds).
        wall: the time of day now (seconds since 1970).
        boot: this start of the machine.
    """
    sitting: records.Sitting | None = game.sittings[-1] if game.sittings else None
    if sitting is not None and boot is not None and sitting.boot == boot:
        return Away(max(0.0, monotonic - sitting.monotonic_zero - since), True)
    last = game.entries[-1].wall if game.entries else None
    if last is None or wall < last:
        return Away(None, False)
    return Away(wall - last, False)


_BROKEN_OFF = "the record breaks off after event {number}: the disk took no more"


class Journal:
    """Writes down one game after the other, while they are played.

    Each operation gets a ticket, and is on the disk when `WriteQueue.newest_durable` has reached it. While the
    disk takes nothing, all of it is kept in memory, and `WriteQueue.trouble` says so.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wake: Callable[[], None] = lambda: None,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = datetime.now,
        connect: Connect = connect_database,
        threaded: bool = True,
        asked_at: Path | None = None,
        simulated: bool = False,
    ) -> None:
        """Open the journal in a folder, which is made where it is missing.

        A journal that cannot be used is set aside, see `take_notices`; a folder that cannot be written makes
        `trouble`. Both are no reason not to play.

        Args:
            folder: where the database is.
            wake: called in the writer's thread when there is news in `queue`.
            monotonic: a clock in seconds that never goes back, to tell a slow disk.
            now: the time of day, for the names of what is set aside.
            connect: opens the database; for tests.
            threaded: without, nothing is written but by ``writer.attempt``; for tests.
            asked_at: the socket at which other programs may ask for changes.
            simulated: its games are simulated ones, which requests for changes name as such.

        Raises:
            JournalError: another program writes this journal.
        """
        self._notices: deque[trouble.JournalNotice] = deque()
        self.queue = WriteQueue(monotonic)
        """Tickets, and the trouble that keeps the newest events from the disk."""
        place = Folder(
            folder, connect=connect, now=now, notice=self._notices.append, asked_at=asked_at, simulated=simulated
        )
        self.writer = Writer(place, self.queue, wake=wake)
        self.archive = Archive(folder)
        """The games that are on the disk. Reading them waits for the disk, so the loop must not."""
        self.game: records.GameRecord | None = None
        """The game that is being written down."""
        self.unfinished: records.StoredGame | None = None
        """The game that was running when the program ended, to be resumed or abandoned; one that was only set up
        is forgotten.
        """
        self._sitting: records.Operation | None = None
        self._closed = False
        self._intake = Intake(self.change, threaded=threaded)
        try:
            self.writer.open()
        except trouble.HeldError:
            raise
        except Exception as error:  # as in Writer.attempt
            self.queue.failed(*trouble.trouble_of(error))
        self._find_unfinished()
        if threaded:
            self.writer.start()

    def _find_unfinished(self) -> None:
        """Look for an unfinished game; one that cannot be read is set aside."""
        try:
            number = self.archive.running()
            if number is None:
                return
            try:
                game = self.archive.load(number)
                game.header_and_events()
                self.unfinished = game
            except records.UnreadableError as error:
                self._notices.append(trouble.GameUnreadable(number, str(error)))
                unreadable = records.GameRecord("", "", None, None, None, "", number=number)
                self.queue.put(records.close_game(unreadable, records.GameState.SET_ASIDE, str(error)))
        except JournalError as error:
            if self.queue.trouble is None:
                self._notices.append(trouble.UnfinishedUnknown(str(error)))

    def take_notices(self) -> list[trouble.JournalNotice]:
        """The notices of the database since the last call."""
        return [self._notices.popleft() for _ in range(len(self._notices))]

    def begin_game(
        self,
        header: Header,
        sitting: records.Sitting,
        *,
        red: str | None = None,
        black: str | None = None,
        board: str | None = None,
        program: str = __version__,
    ) -> records.GameRecord:
        """Begin to write down a game, to which `append` adds from now on. The game before must be over.

        Args:
            header: what was agreed, as the referee has it.
            sitting: when that is.
            red: the red player's name.
            black: the black player's name.
            board: the board's id.
            program: the version of the program.

        Raises:
            JournalError: a name cannot be kept.
            MisuseError: another game is still running, or waits to be resumed or abandoned.
        """
        if self._closed:
            raise MisuseError("the journal is closed; allowed: begin_game before close")
        if self.unfinished is not None:
            number = self.unfinished.number
            raise MisuseError(f"game {number} is unfinished; allowed: resume or abandon it before begin_game")
        if self.game is not None and self.game.started and not self.game.over:
            raise MisuseError("a game is running; allowed: finish or abandon it before begin_game")
        record = records.GameRecord(
            key=os.urandom(16).hex(),
            header_line=records.header_line(header),
            red=records.checked_name(red),
            black=records.checked_name(black),
            board=None if board is None else records.storable(board),
            program=program,
        )
        return self._take_up(record, records.begin_game(record), sitting)

    def resume(self, game: records.StoredGame, sitting: records.Sitting) -> records.GameRecord:
        """Go on writing down an unfinished game; `append` continues after its last event.

        Raises:
            MisuseError: it is not the `unfinished` game.
        """
        if self.unfinished is None or game.key != self.unfinished.key:
            raise MisuseError(f"game {game.number} is not unfinished; allowed: the unfinished one")
        self.unfinished = None
        record = _record_of(game)
        past = [records.add_sitting(record, number, each) for number, each in enumerate(game.sittings, start=1)]
        past += [records.append_entry(record, entry) for entry in game.entries]
        return self._take_up(record, records.begin_game(record, past), sitting)

    def append(self, entry: records.Entry) -> int:
        """Write down an event of the game and its rulings; give the ticket.

        A `game_over` among the rulings also ends the record. When more events wait than memory should hold, the
        record of this game breaks off, so that it has no gap; the ticket is then never durable.

        Raises:
            MisuseError: no game was begun, or it was finished or abandoned.
        """
        game = self.game
        if game is None or self._closed:
            raise MisuseError("there is no game to write down; allowed: begin_game or resume before append")
        for ruling in entry.rulings:
            if isinstance(ruling, GameOver):
                game.over = True
            elif isinstance(ruling, Started):
                game.started = True
        if self.queue.is_full or game.broken_off:
            if not game.broken_off:
                game.broken_off = True
                note = _BROKEN_OFF.format(number=game.entries)
                self.queue.put(records.close_game(game, records.GameState.SET_ASIDE, note))
            return self.queue.drop()
        sitting, self._sitting = self._sitting, None
        return self.queue.put(records.append_entry(game, game.stored(entry), sitting))

    def watch(self, t: float) -> None:
        """The game has been watched up to ``t`` (seconds of its stream): nothing older will be appended.

        For `watched_to` after a kill; noted within a moment, once all that was appended is on the disk.
        """
        game = self.game
        if game is None or not game.started or game.over or self._closed:
            return
        if not self.queue.unsaved:
            self.queue.watch(Watched(game.key, game.entries, t))

    def watched_to(self, game: records.StoredGame) -> float:
        """Up to when an unfinished game is known to have been watched (seconds of its stream)."""
        last = last_time(game)
        noted = read_watched(self.archive.folder)
        if noted is None or noted.key != game.key or noted.entries > len(game.entries):
            return last
        return max(last, noted.t)

    def finish(self) -> int:
        """End the record of the current game, which counts as finished; return the ticket.

        Raises:
            MisuseError: there is no game.
        """
        return self._end(records.GameState.FINISHED)

    def abandon(self) -> int:
        """Abandon the current game, or where there is none the unfinished one; give the ticket.

        A game that was only set up is forgotten.

        Raises:
            MisuseError: there is neither.
        """
        return self._end(records.GameState.ABANDONED)

    def set_aside(self, why: str) -> int:
        """Keep the current game, or where there is none the unfinished one, to be looked at; give the ticket.

        Raises:
            MisuseError: there is neither.
        """
        return self._end(records.GameState.SET_ASIDE, why)

    def name_players(self, *, red: str | None, black: str | None) -> int:
        """Say who plays the current game; give the ticket.

        Raises:
            JournalError: a name cannot be kept.
            MisuseError: there is no current game.
        """
        game = self.game
        if game is None:
            raise MisuseError("there is no game to write down; allowed: begin_game or resume before name_players")
        game.red, game.black = records.checked_name(red), records.checked_name(black)
        return self.queue.put(records.update_game(game, red=game.red, black=game.black))

    def change(self, change: Change, wall: float, answer: Answer) -> None:
        """Make a change that is asked for; ``answer`` hears when it is on the disk, perhaps in another thread.

        ``wall`` is the time of day (seconds since 1970).
        """
        present = self.queue.trouble
        if self._closed or (present is not None and present.kind is not trouble.TroubleKind.SLOW):
            answer(JournalError("the journal saves nothing just now", "see tamsk-hw doctor, and ask again"))
        else:
            self.queue.put(change_games(change, wall, answer))

    def keep_newest(self, count: int) -> None:
        """Delete all but the newest ``count`` games: for games that nobody played."""
        self.queue.put(records.keep_newest(count))

    def take_in(self, stream: bytes, red: str | None, black: str | None, wall: float, answer: Answer) -> None:
        """Import a recorded stream; else as `change`."""
        self._intake.take(stream.splitlines(keepends=True), red, black, wall, answer)

    def place_at(self, board: str) -> None:
        """Note the id of the board at which the current game is played, where the game began without it."""
        game = self.game
        if game is not None and not game.over and game.board != board and not self._closed:
            game.board = board
            self.queue.put(records.update_game(game, board=records.storable(board)))

    def close(self, seconds: float = 5.0) -> int:
        """Write what waits, for at most ``seconds``, and let the folder go; return how many events are unsaved."""
        if not self._closed:
            self._closed = True
            self.queue.close()
            self.writer.join(seconds)
        return self.queue.unsaved

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take_up(
        self, record: records.GameRecord, begin: records.Operation, sitting: records.Sitting
    ) -> records.GameRecord:
        self.game = record
        self.queue.new_game()
        self.queue.put(begin)
        record.sittings += 1
        self._sitting = records.add_sitting(record, record.sittings, sitting)
        return record

    def _end(self, state: records.GameState, note: str | None = None) -> int:
        record, self.game = self.game, None
        if record is None and self.unfinished is not None:
            record, self.unfinished = _record_of(self.unfinished), None
        if record is None:
            raise MisuseError("there is no game to end; allowed: begin_game or resume before it")
        return self.queue.put(records.close_game(record, state, note))


def _record_of(game: records.StoredGame) -> records.GameRecord:
    """A stored game as one that is written."""
    record = records.GameRecord(
        key=game.key,
        header_line=game.header_line,
        red=game.red,
        black=game.black,
        board=game.board,
        program=game.program,
        number=game.number,
        entries=len(game.entries),
        sittings=len(game.sittings),
        started=True,
    )
    if game.entries:
        record.checksum = game.entries[-1].checksum
    return record
