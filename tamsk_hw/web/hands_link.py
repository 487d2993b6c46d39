"""The page's connection to the hands of a simulated board: their newest look, and deeds for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tamsk_hw.errors import HandsError, TamskError
from tamsk_hw.game.players import Player
from tamsk_hw.hands.client import HANDS_SECONDS
from tamsk_hw.hands.eyes import Look
from tamsk_hw.hands.look_reading import read_look
from tamsk_hw.live.following import RETRY_SECONDS
from tamsk_hw.system.socket_client import MOST_BYTES, PATIENCE, decoded, encoded


class HandsLink:
    """The hands at the first board that is found at one of the places, and at the next when that has gone."""

    def __init__(self, places: Sequence[Path]) -> None:
        self.look: Look | None = None
        """The board as eyes see it; None while there is none."""
        self.played: frozenset[Player] = frozenset()
        """The players whom the program plays."""
        self._places = places
        self._outgoing: asyncio.StreamWriter | None = None
        self._asked: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._number = 0
        self._wake: set[Callable[[], None]] = set()

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` at every look, and when the board has gone."""
        self._wake.add(wake)

    async def do(self, deed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have hands do something; give their answer, with ``done`` or ``refused``.

        Raises:
            HandsError: there is no board, or it has not answered.
        """
        if self._outgoing is None:
            raise HandsError("there is no simulated board")
        self._number += 1
        number = self._number
        self._asked[number] = answer = asyncio.get_running_loop().create_future()
        try:
            self._outgoing.write(encoded({"id": number, **deed}))
            async with asyncio.timeout(HANDS_SECONDS):
                said: Mapping[str, Any] = await answer
                return said
        except TimeoutError:
            raise HandsError("the simulated board has not answered") from None
        finally:
            del self._asked[number]

    async def run(self) -> None:
        """Keep the connection, for ever."""
        while True:
            for place in self._places:
                with suppress(OSError, TamskError, LookupError, ValueError, TypeError, AttributeError):
                    await self._read(place)
                    break
            await asyncio.sleep(RETRY_SECONDS)

    async def _read(self, place: Path) -> None:
        """Read one board's lines to their end."""
        async with asyncio.timeout(PATIENCE):
            incoming, outgoing = await asyncio.open_unix_connection(place, limit=MOST_BYTES)
        try:
            async with asyncio.timeout(PATIENCE):
                greeting = decoded(await incoming.readline())
            if greeting["hands"] != 1:
                raise HandsError("what answers is no simulated board of this version")
            self.played = frozenset(map(Player, greeting["players"]))
            outgoing.write(encoded({"watch": True}))
            self._outgoing = outgoing
            while line := await incoming.readline():
                self._take(decoded(line))
        finally:
            self._outgoing, self.look = None, None
            for answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(HandsError("the simulated board has gone"))
            self._tell()
            outgoing.close()
            with suppress(OSError):
                await outgoing.wait_closed()

    def _take(self, line: Mapping[str, Any]) -> None:
        match line:
            case {"look": look}:
                self.look = read_look(look)
                self._tell()
            case {"re": int(number), **said} if number in self._asked and not self._asked[number].done():
                self._asked[number].set_result(said)

    def _tell(self) -> None:
        for wake in tuple(self._wake):
            wake()
