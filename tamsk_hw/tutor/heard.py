"""The game at a running service, as a reader of its live stream hears it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tamsk_hw.journal.ruling_reading import parse_ruling
from tamsk_hw.live.following import Absence
from tamsk_hw.live.state import TableState, read_state
from tamsk_hw.referee.rulings import Ruling


class HeardGame:
    """The newest state, and the rulings of the current game: a `tamsk_hw.live.following.Listener`."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        """The newest state; None while no service is heard."""
        self.is_missed = False
        """The service was looked for last, and not found."""
        self.begun = 0
        """Number of the line with which the current game began; 0 for one that was under way before."""
        self.rulings: list[Ruling] = []
        """The rulings since then."""
        self._words: dict[Ruling, str] = {}
        self._changed = asyncio.Event()
        self._speed = 1.0
        self._at = 0.0

    @property
    def now(self) -> float:
        """The game's time now, in seconds; only while there is a state."""
        assert self.state is not None
        return self.state.view.t + (time.monotonic() - self._at) * self._speed

    def words_of(self, ruling: Ruling) -> str:
        """The service's sentence for a ruling of the current game."""
        return self._words[ruling]

    async def change(self, seconds: float) -> None:
        """Wait until something new is heard, at most so long (real seconds)."""
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; only what is new is wanted."""
        self.is_missed = False
        self._speed = float(greeting["speed"])
        self.begun, self.rulings, self._words = 0, [], {}
        return {"since": greeting["seq"], "life": greeting["life"]}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this.

        Raises:
            TamskError: this version does not know such a line.
        """
        match record:
            case {"header": _, "seq": seq}:
                self.begun, self.rulings, self._words = int(seq), [], {}
            case {"ruling": ruling}:
                self.rulings.append(parse_ruling(ruling))
                self._words[self.rulings[-1]] = str(record["words"])
            case {"state": state}:
                self.state, self._at = read_state(state), time.monotonic()
        self._changed.set()

    def lost(self, why: Absence) -> None:
        """It is not there."""
        self.state, self.is_missed = None, True
        self._changed.set()
