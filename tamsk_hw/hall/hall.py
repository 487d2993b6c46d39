"""The hall as a reader of its broker: hears all boards, keeps what they send, and asks for what is missing."""

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import aiomqtt

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.errors import LiveError
from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.store import Store
from tamsk_hw.mqtt.broker import Broker, connected, for_ever, say
from tamsk_hw.mqtt.messages import USES, GamesMessage, PresenceMessage, RequestMessage, Topic
from tamsk_hw.system.service import Priority
from tamsk_hw.web.live import LiveTable, NewsFeed

#: The most boards of a hall.
MOST_BOARDS: Final = 256

#: Real seconds between two looks at what is missing, and between two at what is new.
TICK: Final = 0.5
NEWS_TICK: Final = 0.1

#: Real seconds in which a board answers a request.
ANSWER_SECONDS: Final = 5.0

#: Games of a board of which the hall says what it has: the newest.
_TOLD_GAMES: Final = 20

#: What the hall hears.
_HEARD: Final = tuple(topic for topic, use in USES.items() if use.from_board)


class Hall(NewsFeed):
    """The boards of a hall, by their names; whoever watches it is woken when something has changed."""

    def __init__(
        self, settings: MqttSettings, store: Store, clock: Callable[[], float], calendar: Callable[[], float]
    ) -> None:
        """``clock`` gives seconds that never decrease, ``calendar`` those since 1970."""
        super().__init__()
        self.boards: dict[str, HallBoard] = {}
        self.changes = 0
        """Counts up whenever a board may look different."""
        self._settings = settings
        self._store = store
        self._clock = clock
        self._calendar = calendar
        self._told: dict[str, GamesMessage] = {}
        self._broker: Broker | None = None
        for name, games in store.games().items():
            self.boards[name] = HallBoard(name, LiveTable(clock, calendar), store, games)

    def __iter__(self) -> Iterator[HallBoard]:
        """The boards in order of their names, numbers by their value."""
        return iter(sorted(self.boards.values(), key=lambda board: (len(board.name), board.name)))

    async def ask(self, name: str, by: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have a board do what a person, ``by`` name, wants; return its answer: ``done``, or ``refused`` in words.

        Without a name it is the hall's user. The request is for the current game as far as the hall has it. It is
        logged before it is sent, and with its answer.

        Raises:
            LiveError: the board cannot be reached, or does not answer in time.
            HallError: the request cannot be logged; it was not sent.
        """
        board, broker = self.boards[name], self._broker
        if broker is None or not board.is_online or board.game is None or board.game.count < 0:
            raise LiveError(f"the board {name} cannot be reached", "look after it, and after the broker")
        game, number, by = board.game.key, board.game.count, by or self._settings.user or "hall"
        asked = RequestMessage(id=secrets.token_hex(8), by=by, game=game, number=number, request=request)
        board.asked[asked.id] = awaited = asyncio.get_running_loop().create_future()
        at, answer, outcome = self._calendar(), None, "no answer"
        self._store.log(at, name, asked, outcome)
        with suppress(TimeoutError, aiomqtt.MqttError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await broker.publish(name, asked)
                answer = await awaited
                outcome = "done" if answer.done else f"refused: {answer.refused}"
        board.asked.pop(asked.id, None)
        self._store.log(at, name, asked, outcome)
        say(f"{by} asks the board {name} for {dict(request)}: {outcome}", Priority.NOTICE)
        if answer is None:
            raise LiveError(f"the board {name} does not answer", "look at it before you try again")
        return {"done": True} if answer.done else {"refused": str(answer.refused)}

    async def run(self) -> None:
        """Hear the broker, and the next one when it is gone."""
        await for_ever(self._settings, self._connect)

    async def _connect(self) -> None:
        self._told.clear()
        try:
            async with connected(self._settings, f"tamsk:{self._settings.hall}", None) as broker:
                await broker.subscribe("+", _HEARD)
                self._broker = broker
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._hear(broker))
                    tasks.create_task(self._tend(broker))
                    tasks.create_task(self._tell())
        finally:
            self._broker = None
            for board in self.boards.values():
                board.on_message(PresenceMessage(online=False), self._clock())
            self.changed()

    async def _hear(self, broker: Broker) -> None:
        async for name, _, message, _ in broker.messages():
            board = self.boards.get(name)
            if board is None:
                if len(self.boards) == MOST_BOARDS:
                    continue
                board = self.boards[name] = HallBoard(name, LiveTable(self._clock, self._calendar), self._store)
            board.on_message(message, self._clock())
            self.changes += 1

    async def _tend(self, broker: Broker) -> None:
        """Put on the disk what has come, say so, and ask for what has not."""
        while True:
            self._store.save()
            saved = {board.name: self._received(board) for board in self.boards.values()}
            for name, told in saved.items():
                if told.games and self._told.get(name) != told:
                    await broker.publish(name, told, Topic.RECEIVED)
                    self._told[name] = told
                for wanted in self.boards[name].missing(self._clock()):
                    await broker.publish(name, wanted)
            await asyncio.sleep(TICK)

    async def _tell(self) -> None:
        """Wake who watches, not too often."""
        seen = 0
        while True:
            if seen != self.changes:
                self.changed()
                seen = self.changes
            await asyncio.sleep(NEWS_TICK)

    def _received(self, board: HallBoard) -> GamesMessage:
        """The newest games that the hall has of a board."""
        newest = list(board.games.values())[-_TOLD_GAMES:]
        return GamesMessage(games={lines.key: lines.count for lines in newest if lines.count >= 0})

    def changed(self) -> None:
        """A board may look different: wake everybody who watches."""
        self.changes += 1
        self.publish()
