"""The boards of a hall, as their messages tell of them.

`HallBoard` asks for what is missing, and gives what is whole to a `LiveTable`: so a board of the hall is
drawn as by a page of its own. Times are passed in.
"""

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from tamsk_hw.errors import TamskError
from tamsk_hw.forms import to_json
from tamsk_hw.hall.lines import GameLines, LineMessage
from tamsk_hw.hall.store import Store
from tamsk_hw.mqtt.messages import (
    AgainMessage,
    AnswerMessage,
    EventMessage,
    ExcerptMessage,
    GamesMessage,
    HeaderMessage,
    Message,
    PresenceMessage,
    RuledEvent,
    RulingMessage,
    StateMessage,
)
from tamsk_hw.referee.rulings import Question
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.live import LiveTable

#: Seconds for which missing lines may still be on their way, and between two times that they are asked for.
PATIENCE: Final = 1.5

#: Games of a board that are asked for at a time, and that a board may have in all.
_MOST_ASKED: Final = 4
_MOST_GAMES: Final = 1000

#: After so many times the interval between two does not double any more.
_MOST_DOUBLINGS: Final = 6


class HallBoard:
    """A board of the hall.

    ``table`` is what the page shows: the current game, without gaps, and the newest state.
    """

    def __init__(self, name: str, table: LiveTable, store: Store, games: Iterable[GameLines] = ()) -> None:
        """``games`` are those that the store has of it."""
        self.name = name
        self.table = table
        self.games = {lines.key: lines for lines in games}
        """By their keys, in the order in which they became known."""
        self.is_online = False
        self.is_understood = True
        """False for a board whose program says what this one does not know."""
        self.call: str | None = None
        """The call for the arbiter, while a question is open: a text that no other call has."""
        self.taken_by: str | None = None
        """The name of the arbiter who has taken this call."""
        self.asked: dict[str, asyncio.Future[AnswerMessage]] = {}
        """The answers that are awaited, by the ids of their requests."""
        self.state: StateMessage | None = None
        self._store = store
        self._life = secrets.token_hex(4)
        self._seq = 0
        self._shown: str | None = None
        self._question: tuple[str | None, Question] | None = None
        self._presence: PresenceMessage | None = None

    @property
    def game(self) -> GameLines | None:
        """The current game; of a board that has sent no state the newest that is known."""
        key = next(reversed(self.games), None) if self.state is None else self.state.game
        return None if key is None else self.games.get(key)

    def on_message(self, message: Message, now: float) -> None:
        """Take a message at time ``now``. Raises `HallError` when the store cannot be used."""
        shown: list[RuledEvent] = []
        if isinstance(message, LineMessage):
            shown = self._feed(message, now)
        try:
            match message:
                case HeaderMessage() | EventMessage() | RulingMessage() | ExcerptMessage():
                    if self.game is not None and self.game.key == message.game:
                        self._show(self.game, shown)
                case GamesMessage():
                    self._take_games(message.games, now)
                case StateMessage():
                    self._take_state(message, now)
                case PresenceMessage():
                    self._take_presence(message, now)
                case AnswerMessage() if (awaited := self.asked.pop(message.id, None)) and not awaited.done():
                    awaited.set_result(message)
        except (TamskError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError):
            self.is_understood = False

    def _lines(self, key: str, now: float) -> GameLines:
        """The lines of a game; a new one is the newest."""
        lines = self.games.get(key)
        if lines is None:
            lines = self.games[key] = GameLines(key, due=now + PATIENCE)
            if len(self.games) > _MOST_GAMES:
                del self.games[next(iter(self.games))]
        return lines

    def _feed(self, message: LineMessage, now: float) -> list[RuledEvent]:
        """Take lines of a game, and keep what is whole by them; give that."""
        lines = self._lines(message.game, now)
        had = lines.count
        if not isinstance(message, ExcerptMessage):
            self._expect(message.game, message.number, now)
        entries = lines.feed(message)
        if lines.count > had:
            lines.due, lines.asked = now + PATIENCE, 0
            self._store.add(self.name, lines, entries)
        return entries

    def _take_games(self, games: Mapping[str, int], now: float) -> None:
        """The board has these games, and besides them the current one at most."""
        current = None if self.state is None else self.state.game
        for key in [key for key in self.games if key not in games and key != current]:
            if self.games[key].count < 0:
                del self.games[key]
            else:
                self.games[key].told = self.games[key].count
        for key, count in games.items():
            self._expect(key, count, now)
            lines = self.games.pop(key)
            # Those of an ended game are not on their way.
            lines.due, lines.asked = min(lines.due, now + PATIENCE if key == current else now), 0
            self.games[key] = lines
        if current in self.games and current not in games:
            self.games[current] = self.games.pop(current)

    def _expect(self, key: str, count: int, now: float) -> None:
        """The board has ``count`` events of a game."""
        lines = self._lines(key, now)
        if count > lines.told and lines.is_whole:
            lines.due = now + PATIENCE
        lines.told = max(lines.told, count)

    def missing(self, now: float) -> Iterator[AgainMessage]:
        """The requests for missing lines that are due now, the newest games first.

        A game is asked for ever more rarely: it may be deleted.
        """
        lacking = (lines for lines in reversed(self.games.values()) if not lines.is_whole)
        for lines in islice((lines for lines in lacking if now >= lines.due), _MOST_ASKED):
            lines.asked += 1
            lines.due = now + PATIENCE * 2 ** min(lines.asked, _MOST_DOUBLINGS)
            yield AgainMessage(game=lines.key, number=lines.count + 1)

    # What is shown.

    def _take_presence(self, message: PresenceMessage, now: float) -> None:
        if message == self._presence:  # boards say it again and again
            return
        self._presence = message
        self.is_online = message.online
        if message.service is not None:
            self.is_understood = True
            self.table.greeted({**message.service, "life": self._life, "seq": self._seq})
            if self.state is not None:  # it may have come before
                self._take_state(self.state, now)
        elif not message.online:
            self.table.lost(Absence.NONE_THERE)

    def _take_state(self, message: StateMessage, now: float) -> None:
        self.state = message
        if message.game is not None:
            self._expect(message.game, message.number, now)
            lines = self.games[message.game]
            if lines.header is not None:
                if self._shown == lines.key and message.names != lines.names:
                    self._tell({"names": to_json(message.names)})
                lines.names = message.names
                self._show(lines, [])
        if self.table.service is not None:
            self.table.heard({"state": message.state})
            self._take_question(message.game)

    def _take_question(self, game: str | None) -> None:
        """See whether the board calls for the arbiter: for each question once."""
        scene = self.table.scene
        question = None if scene is None or scene.view.question is None else (game, scene.view.question)
        if question != self._question:
            self._question = question
            self.call = None if question is None else f"{self.name} {secrets.token_hex(8)}"
            self.taken_by = None

    def _show(self, lines: GameLines, entries: list[RuledEvent]) -> None:
        """Give the table what is new of the current game, and another game from its beginning."""
        if self._shown != lines.key:
            if lines.header is None or self.table.service is None:
                return
            self._shown = lines.key
            names = to_json(lines.names)
            self._tell({"header": lines.header, "key": lines.key, "game": None, "names": names, "resumed": False})
            entries = self._store.entries(self.name, lines.key)
        for entry in entries:
            self._tell({"event": entry.event})
            for ruling in entry.rulings:
                self._tell({"ruling": ruling, "words": str(ruling["ruling"])})

    def _tell(self, line: Mapping[str, Any]) -> None:
        self._seq += 1
        self.table.heard({"seq": self._seq, **line})
