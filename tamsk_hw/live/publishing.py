"""The publisher of a table's games in the live stream; for the thread of the loop.

`Publisher` numbers the lines and answers requests when the line that came of them has its number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tamsk_hw.facts.notices import Notice
from tamsk_hw.live.server import LiveServer, PendingRequest
from tamsk_hw.live.stream import GameBegun, Greeting, LiveStream, Names, SavedTo, TableState
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.referee.events import Arbiter, Button, Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import Header
from tamsk_hw.referee.view import Phase


class Publisher:
    """The voice of one service. Without a ``server`` nobody hears it, and all calls are allowed all the same."""

    def __init__(self, stream: LiveStream, server: LiveServer | None = None) -> None:
        self.stream = stream
        self._server = server
        self._unsaved: deque[tuple[int, int]] = deque()
        """Tickets of the journal, each with the number of the last line that is on the disk with it."""
        self._pressed: list[tuple[PendingRequest, Button | Arbiter]] = []
        self._next_game: list[PendingRequest] = []

    @classmethod
    def unheard(cls) -> Publisher:
        """A publisher whom nobody hears."""
        return cls(LiveStream(Greeting(life="", program="", board=None, simulated=True, speed=1.0), most_kept=1))

    @property
    def asked_at(self) -> Path | None:
        """The socket at which requests come in, None where nobody hears."""
        return None if self._server is None else self._server.path

    @property
    def is_heard(self) -> bool:
        """The stream is published, and requests come in."""
        return self._server is not None

    def board_is(self, board: str) -> None:
        """The board's id is known."""
        self.stream.greeting = replace(self.stream.greeting, board=board)

    def game(
        self,
        header: Header,
        key: str,
        names: Names,
        *,
        number: int | None = None,
        past: Iterable[tuple[Event, Sequence[Ruling]]] = (),
        resumed: bool = False,
    ) -> None:
        """A game begins; one that is resumed comes with its past, which is on the disk."""
        self._unsaved.clear()
        self.refuse_pressed(Rejection.ENDED)
        if self._server is not None:
            self._server.state = None  # that of another game is not sent under this one's header
        seq = self.stream.append(GameBegun(header, key, number, names, resumed))
        asked, self._next_game = self._next_game, []
        for each in asked:
            each.done(seq)
        for event, rulings in past:
            self.took(event, rulings)
        if self.stream.newest > seq:
            self.stream.append(SavedTo(self.stream.newest, number))

    def took(self, event: Event, rulings: Sequence[Ruling], ticket: int | None = None) -> None:
        """The referee took an event and ruled; ``ticket`` is the journal's for it."""
        seq = last = self.stream.append(event)
        for ruling in rulings:
            last = self.stream.append(ruling)
        if ticket is not None:
            self._unsaved.append((ticket, last))
        if isinstance(event, Button | Arbiter):
            self._answer(replace(event, t=0.0), seq)

    def _answer(self, event: Button | Arbiter, seq: int) -> None:
        """Answer the first who asked for this."""
        for waiting in self._pressed:
            if waiting[1] == event:
                self._pressed.remove(waiting)
                waiting[0].done(seq)
                return

    def notice(self, notice: Notice) -> None:
        """People should know something besides."""
        self.stream.append(notice)

    def names(self, names: Names) -> int:
        """The players of the game have other names; give the line's number."""
        return self.stream.append(names)

    def saved(self, ticket: int, number: int | None) -> None:
        """Everything up to the journal's ``ticket`` is on the disk; ``number`` is the game's there."""
        last = None
        while self._unsaved and self._unsaved[0][0] <= ticket:
            last = self._unsaved.popleft()[1]
        if last is not None:
            self.stream.append(SavedTo(last, number))

    def tell(self, state: TableState) -> None:
        """A round of the loop has ended: send what is new; the state is this."""
        if state.view.phase is Phase.OVER:
            self.refuse_pressed(Rejection.ENDED)
        if self._server is not None:
            self._server.tell(state)

    def take(self) -> list[PendingRequest]:
        """The requests since the last call."""
        return [] if self._server is None else self._server.take()

    def expect(self, asked: PendingRequest, event: Button | Arbiter) -> None:
        """The request is done when the referee takes this event, whose time says nothing."""
        self._pressed.append((asked, replace(event, t=0.0)))

    def expect_game(self, asked: PendingRequest) -> None:
        """The request is done when the next game begins."""
        self._next_game.append(asked)

    def refuse_pressed(self, why: Rejection) -> None:
        """Nothing will come of what was pressed and not taken."""
        pressed, self._pressed = self._pressed, []
        for asked, _ in pressed:
            asked.hindered(why)

    def close(self) -> None:
        """The service ends."""
        self.refuse_pressed(Rejection.ENDED)
        for asked in self._next_game:
            asked.hindered(Rejection.ENDED)
        if self._server is not None:
            self._server.close()
