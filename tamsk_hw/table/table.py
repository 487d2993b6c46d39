"""The table: a board, its referee, panel and journal.

What was ruled is shown at once; the journal saves it when the disk takes it, and trouble of the disk is reported.
A game that was running when the program ended is offered: the start button resumes it, held long it abandons it.
After a game the start button sets up the next. Before one it draws lots (E 1.1) when it is held.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import inf
from typing import Any, assert_never

from tamsk_hw.board.link_events import Connected, LinkEvent, Lost, Refused, Unreachable
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.facts.notices import (
    BoardUnusable,
    GameAbandoned,
    GameOffered,
    GameSetAside,
    LotDrawn,
    NextGameWaits,
    Notice,
)
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.journal.changes import Answer, EraseName, NamePlayers
from tamsk_hw.journal.journal import Journal, time_away
from tamsk_hw.journal.records import Entry, Sitting, StoredGame, verify
from tamsk_hw.journal.trouble import TroubleWatch
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ChangeGames, ImportStream, SetUp
from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.panel.diagnosis import Lot
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.panel.lights import LOT_SECONDS
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import GameOver, Ruling
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.table.capture import Capture
from tamsk_hw.table.refereeing import RefereedGame, event_since, link_since

#: Seconds that a game may have been away where no clock can tell.
ANY_TIME = 3.15e7


#: Makes a requested change to a journal that the table does not write, at a time of day (seconds since 1970).
ChangeOthers = Callable[[ChangeGames | ImportStream, float, Answer], None]


def begins_game(asked: SetUp, phase: Phase, *, offered: bool, goes_on: bool = True) -> bool | Rejection:
    """True if a request at a game in ``phase`` sets up a game, False if it renames its players, or why neither.

    ``offered``: an unfinished game waits to be resumed; ``goes_on``: another game may follow this one.
    """
    if offered:
        return Rejection.OFFERED
    if asked.ruleset is None and phase is not Phase.OVER:
        return False
    match phase:
        case Phase.SETUP:
            return True
        case Phase.PLAY | Phase.SAND:
            return Rejection.RUNNING
        case Phase.OVER:
            return True if goes_on else Rejection.ENDED
        case _:
            assert_never(phase)


def ruleset_with(base: Ruleset, given: Mapping[str, Any]) -> Ruleset:
    """The ruleset with the given keys, as a header has them, in place of its own.

    Raises:
        StreamError: they are not understood, or do not go with the rest.
    """
    rules = Header(ruleset=base).as_dict()["ruleset"] | given
    return parse_header({"tamsk": 1, "ruleset": rules}, "setup").ruleset


class BoardTable:
    """The games at one board. Times are the machine's monotonic seconds."""

    def __init__(
        self,
        header: Header,
        wiring: Wiring,
        sensing: Callable[[], Sensing],
        line: SerialLink,
        journal: Journal,
        now: float,
        *,
        wall: Callable[[], float],
        boot: str | None,
        names: Names = NO_NAMES,
        notice: Callable[[Notice], None] = lambda notice: None,
        capture: Capture | None = None,
        publisher: Publisher | None = None,
        header_for: Callable[[Ruleset], Header] | None = None,
        rests: Sequence[float] | None = None,
        change_others: ChangeOthers | None = None,
        stops: bool = False,
        draw: Callable[[], Player] = lambda: secrets.choice(PLAYERS),
    ) -> None:
        """Offer the journal's unfinished game, or set up the first. ``sensing`` makes a new one for each game.

        ``wall`` gives the time of day (seconds since 1970), ``boot`` is this start of the machine.
        ``capture`` takes note of the games, and of what was decided. ``publisher`` is told of the games, not
        of the notices. ``header_for``: what is agreed for a game by other rules. ``rests``: those with which
        sensing begins (`Sensing.begin_at`), None for the calibrated ones; each further game begins with those of
        the game before. ``change_others``: the games are simulated ones, and this changes the players' own.
        ``stops``: a pause stops the board, as simulated ones can be, and with it the time of the game.
        ``draw`` draws a lot between two seats.
        """
        self._header = header
        self._wiring = wiring
        self._sensing = sensing
        self._line = line
        self._journal = journal
        self._wall = wall
        self._boot = boot
        self._names = names
        self._notice = notice
        self._capture = capture
        self._publisher = publisher or Publisher.unheard()
        self._header_for = header_for or (lambda ruleset: replace(header, ruleset=ruleset))
        self._change_others = change_others
        self.stops = stops
        self._stood = 0.0
        """The machine's seconds, of pauses that stopped the board, that the table's time does not count."""
        self.now = now
        """The table's time at the last `advance`."""
        self._held: list[LinkEvent] = []
        """What the board reported after a pause had begun, while it came to rest; taken when the game goes on."""
        self._draw = draw
        self._lot: Lot | None = None
        self._connected = False
        self.lost_since: datetime | None = None
        """The time of day at which the board was lost; None while it is there, and before it ever was."""
        self._board: str | None = None
        self._trouble_watch = TroubleWatch()
        self._ruled: list[Ruling] = []
        self._began = now
        self._offered: StoredGame | None = None
        self._other_tubes = False
        self._watched_to = 0.0
        self._rests = rests
        unfinished = journal.unfinished
        for each in journal.take_notices():
            notice(each)
        if unfinished is None or not self._offer(unfinished):
            self._set_up(now)
        elif self._capture is not None:
            self._capture.offered(now, header)

    @property
    def is_offered(self) -> bool:
        """An unfinished game is offered to be resumed."""
        return self._offered is not None

    @property
    def is_over(self) -> bool:
        """The last game is over; at a real board there is always another one."""
        return False

    def view(self) -> View:
        """The whole of what is going on.

        A board that was never there is out of reach, too, though no ruling says so.
        """
        view = self.refereeing.view()
        return view if self._connected else replace(view, link_lost=True)

    @property
    def rests(self) -> tuple[float, ...] | None:
        """The rests of the board's fields as they are followed; None while the board is out of reach."""
        return self.refereeing.rests if self._connected else None

    def lot(self, now: float) -> Lot | None:
        """The lot that is shown, if any."""
        return self._lot if self._lot is not None and now < self._lot[1] + LOT_SECONDS else None

    def next_wakeup(self, now: float) -> float:
        """The time by which the table has something to do though the board sends nothing; infinity for never."""
        due = None if self._offered is not None else self.refereeing.next_deadline
        line = self._line.next_wakeup(now - self._stood)
        return self._stood + (line if due is None else min(line, self._began + due))

    def fileno(self) -> int | None:
        """The file descriptor of the board's port, which wakes the loop; None without one."""
        return self._line.fileno()

    def listen(self) -> None:
        """Read what the board has sent. Called before the clock is looked at, so that no byte is newer than it."""
        self._line.listen()

    def advance(self, now: float, decided: Iterable[Event] = ()) -> list[Ruling]:
        """Time has passed to ``now``; give what was ruled since the last call.

        ``decided``: buttons and the arbiter's decisions since the last call, by the machine's clock, too.
        """
        if self.stands and not self._line.has_news:
            self._stood = now - self.now
        now = self.now = max(self.now, now - self._stood)
        self._held += self._line.poll(now)
        # Presses first: after a pause of this program a ring must not be ruled before the claim that announced it.
        for event in decided:
            self._take(event, now)
        if not self.stands:
            reports, self._held = self._held, []
            for report in reports:
                self._take_link(report)
        if self._offered is None:
            self.refereeing.advance(now - self._began)
            self._journal.watch(self.refereeing.watched_to)
        if self._capture is not None:
            self._capture.round(now)
        self._report_journal()
        ruled, self._ruled = self._ruled, []
        if not self.is_over and any(isinstance(ruling, GameOver) for ruling in ruled):
            self._notice(NextGameWaits())
        return ruled

    @property
    def stands(self) -> bool:
        """A pause has stopped the board."""
        return self.stops and self._connected and self._offered is None and self.refereeing.is_paused

    @property
    def can_resume(self) -> bool:
        """The offered game can be resumed at this board."""
        return not self._other_tubes

    def set_up(self, asked: SetUp, now: float) -> int | Rejection:
        """Play by other rules or under other names from now on; give the number of the live stream's line.

        Raises:
            StreamError: the rules are not understood, or this board cannot be played by them.
        """
        begun = begins_game(asked, self.refereeing.view().phase, offered=self.is_offered, goes_on=not self.is_over)
        if isinstance(begun, Rejection):
            return begun
        if not begun:
            assert asked.names is not None
            self._names = asked.names
            self._journal.name_players(red=asked.names.red, black=asked.names.black)
            return self._publisher.names(asked.names)
        if asked.ruleset is not None:
            self._header = self._header_for(ruleset_with(self._header.ruleset, asked.ruleset))
        self._names = asked.names or self._names
        self._set_up(now - self._stood)
        return self._publisher.stream.game_seq

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the current game."""
        return self.refereeing.header.ruleset

    @property
    def names(self) -> Names:
        """The names of the current game's players."""
        game = self._journal.game
        return self._names if game is None else Names(red=game.red, black=game.black)

    def change(self, deed: ChangeGames | ImportStream, answer: Answer) -> Rejection | None:
        """Change the journal's games; ``answer`` hears when that is on the disk, unless something hinders it."""
        wall = self._wall()
        simulated = isinstance(deed, ChangeGames) and deed.simulated
        if self._change_others is not None and not simulated:
            self._change_others(deed, wall, answer)
            return None
        if self._change_others is None and simulated:
            return Rejection.NO_JOURNAL
        if isinstance(deed, ImportStream):
            self._journal.take_in(deed.stream, deed.red, deed.black, wall, answer)
            return None
        change, offered, game = deed.change, self._offered, self._journal.game
        if isinstance(change, EraseName):
            if offered is not None:
                return Rejection.OFFERED
            if self._change_others is None and self.refereeing.view().is_played:
                return Rejection.RUNNING
            self._names = self._names.without(change.name)
            self._rename(self.names.without(change.name))
        elif isinstance(change, NamePlayers) and offered is not None and change.game == offered.number:
            return Rejection.OFFERED
        elif isinstance(change, NamePlayers) and game is not None and change.game == game.number:
            red = game.red if change.red is None else change.red or None
            black = game.black if change.black is None else change.black or None
            self._names = Names(red=red, black=black)
            self._rename(self._names)
        self._journal.change(change, wall, answer)
        return None

    def _rename(self, names: Names) -> None:
        """The current game's players have these names."""
        if names != self.names:
            self._journal.name_players(red=names.red, black=names.black)
            self._publisher.names(names)

    def _take_link(self, event: LinkEvent) -> None:
        if isinstance(event, Connected):
            self._connected, self.lost_since = True, None
            self._board = f"{event.hello.board_id:08x}"
            self._publisher.board_is(self._board)
            self._journal.place_at(self._board)
        elif isinstance(event, Lost):
            self._connected, self.lost_since = False, datetime.now()
        if self._offered is not None:
            self.refereeing.connected = self._connected
            if isinstance(event, (Refused, Unreachable)):
                self._notice(BoardUnusable(event.reason))
            return
        self.refereeing.take_link(link_since(event, self._began))

    def _take(self, event: Event, now: float) -> None:
        """A button or a decision."""
        if self._capture is not None:
            self._capture.event(now, event)
        start = event.press if isinstance(event, Button) and event.button is ButtonName.START else None
        if self._offered is not None:
            if start is not None:
                self._answer(self._offered, start is Press.SHORT, now)
        elif self.refereeing.is_over:
            if start is not None:
                self._rests = self.refereeing.rests
                self._set_up(now)
        elif not self.draw_lots(event, now + self._stood):
            # While the board stands nothing is under way that came before: it is ruled at once.
            self.refereeing.take([event_since(event, inf if self.stands else self._began + self._stood)])

    def draw_lots(self, event: Event, now: float) -> bool:
        """Draw lots if the event is start, held before a game, and give True if it is.

        Red is the player who sits where the lot falls; the names go with the players (E 1.1).
        """
        is_held = isinstance(event, Button) and (event.button, event.press) == (ButtonName.START, Press.LONG)
        if not is_held or self.is_offered or self.refereeing.view().phase is not Phase.SETUP:
            return False
        seat = self._draw()
        self._lot = seat, now
        self._notice(LotDrawn(seat))
        if seat is Player.BLACK:
            self.set_up(SetUp(None, self.names.swapped), now)
        return True

    def _offer(self, game: StoredGame) -> bool:
        """Offer an unfinished game; give whether it waits for an answer.

        It is set aside when this version rules otherwise on it. One of a board with other tubes is kept: perhaps
        the wrong wiring map is configured. It cannot be resumed here, only abandoned.
        """
        mismatch = verify(game)
        if mismatch is not None:
            self._notice(mismatch)
        if mismatch is None or not mismatch.refused:
            stored, past = game.header_and_events()
            self._other_tubes = stored.ruleset.tubes != self._wiring.tubes
            if self._other_tubes:
                self.refereeing = self._referee(self._header, ())
            else:
                self._watched_to = self._journal.watched_to(game)
                self.refereeing = self._referee(stored, past, self._watched_to)
        if (mismatch is not None and mismatch.refused) or self.refereeing.is_over:
            self._journal.set_aside("this version rules otherwise on it, and cannot go on with it")
            self._notice(GameSetAside(game.number))
            return False
        self._offered = game
        self._notice(GameOffered(game.number, self._other_tubes))
        return True

    def _answer(self, game: StoredGame, go_on: bool, now: float) -> None:
        """The players say whether they go on with the unfinished game."""
        if go_on and self._other_tubes:
            self._notice(GameOffered(game.number, self._other_tubes))
            return
        if go_on:
            self._go_on(game, now)
            return
        self._journal.abandon()
        self._offered = None
        self._notice(GameAbandoned(game.number))
        self._set_up(now)

    def _set_up(self, now: float) -> None:
        """The next game."""
        self._began = now
        record = self._journal.begin_game(
            self._header, self._sitting(), red=self._names.red, black=self._names.black, board=self._board
        )
        self.refereeing = self._referee(self._header, ())
        if self._capture is not None:
            self._capture.game(now, self._header)
        self._publisher.game(self._header, record.key, self._names)

    def _go_on(self, game: StoredGame, now: float) -> None:
        """Resume an unfinished game: report the time away, then what differs on the board."""
        since = self.refereeing.watched_to
        away = time_away(game, since=since, monotonic=now, wall=self._wall(), boot=self._boot)
        least, most = 0.0, ANY_TIME
        if away.certain and away.seconds is not None:
            # On one boot the monotonic clock tells it exactly, so that the sand stays as well known as it was.
            least = most = away.seconds
        self._began = now - since
        stored, past = game.header_and_events()
        if self._capture is not None:
            self._capture.game(now, stored, past, watched=self._watched_to, away=(least, most))
        self._journal.resume(game, self._sitting())
        if self._board is not None:
            self._journal.place_at(self._board)
        self._offered = None
        self._publisher.game(
            stored,
            game.key,
            Names(red=game.red, black=game.black),
            number=game.number,
            past=self.refereeing.past,
            resumed=True,
        )
        self.refereeing.resume(least, most)

    def _sitting(self) -> Sitting:
        return Sitting(wall=self._wall(), monotonic_zero=self._began, boot=self._boot)

    def _referee(self, header: Header, past: Sequence[Event], watched_to: float = 0.0) -> RefereedGame:
        sensing = self._sensing()
        if self._rests is not None:
            sensing.restore_baselines(self._rests)
        refereeing = RefereedGame(
            header, sensing, past=past, watched_to=watched_to, record=self._record, notice=self._notice
        )
        refereeing.connected = self._connected
        return refereeing

    def _record(self, event: Event, rulings: Sequence[Ruling]) -> None:
        ticket = self._journal.append(Entry(event, rulings, self._wall()))
        self._publisher.took(event, rulings, ticket)
        self._ruled += rulings

    def _report_journal(self) -> None:
        """Pass on what the journal has to say."""
        game = self._journal.game
        self._publisher.saved(self._journal.queue.newest_durable, None if game is None else game.number)
        trouble = self._trouble_watch.feed(self._journal.queue.trouble)
        if trouble is not None:
            self._notice(trouble)
        for each in self._journal.take_notices():
            self._notice(each)
