"""The hall as a reader of its broker: hears all boards, keeps what they send, and asks for what is missing."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.store import Store
from tamsk_hw.mqtt.broker import Broker, connected, for_ever
from tamsk_hw.mqtt.messages import USES, GamesMessage, PresenceMessage, Topic
from tamsk_hw.web.live import LiveTable, NewsFeed

#: The most boards of a hall.
MOST_BOARDS: Final = 256

#: Real seconds between two looks at what is missing and what is new.
TICK: Final = 0.5

#: Games of a board of which the hall says what it has: the newest.
_TOLD_GAMES: Final = 20

#: What the hall hears.
_HEARD: Final = tuple(topic for topic, use in USES.items() if use.from_board)


class Hall(NewsFeed):
    """The boards of a hall, by their names; whoever watches it is woken when something has changed."""

    def __init__(
        self,
        settings: MqttSettings,
        store: Store,
        clock: Callable[[], float],
        calendar: Callable[[], float],
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
        for name, games in store.games().items():
            self.boards[name] = HallBoard(name, LiveTable(clock, calendar), store, games)

    def __iter__(self) -> Iterator[HallBoard]:
        """The boards in order of their names, numbers by their value."""
        return iter(sorted(self.boards.values(), key=lambda board: (len(board.name), board.name)))

    async def run(self) -> None:
        """Hear the broker, and the next one when it is gone."""
        await for_ever(self._settings, self._connect)

    async def _connect(self) -> None:
        self._told.clear()
        try:
            async with connected(self._settings, f"tamsk:{self._settings.hall}", None) as broker:
                await broker.subscribe("+", _HEARD)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._hear(broker))
                    tasks.create_task(self._tend(broker))
        finally:
            for board in self.boards.values():
                board.on_message(PresenceMessage(online=False), self._clock())
            self._changed()

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
        seen = 0
        while True:
            self._store.save()
            saved = {board.name: self._received(board) for board in self.boards.values()}
            for name, told in saved.items():
                if told.games and self._told.get(name) != told:
                    await broker.publish(name, told, Topic.RECEIVED)
                    self._told[name] = told
                for wanted in self.boards[name].missing(self._clock()):
                    await broker.publish(name, wanted)
            if seen != self.changes:
                seen = self.changes
                self._changed()
            await asyncio.sleep(TICK)

    def _received(self, board: HallBoard) -> GamesMessage:
        """The newest games that the hall has of a board."""
        newest = list(board.games.values())[-_TOLD_GAMES:]
        return GamesMessage(games={lines.key: lines.count for lines in newest if lines.count >= 0})

    def _changed(self) -> None:
        self.changes += 1
        self.publish()
