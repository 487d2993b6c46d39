"""The service that referees at a simulated board, as the players by the program hear it and speak to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tamsk_hw.errors import JournalError, LiveError, SocketError
from tamsk_hw.hands.players import Seated
from tamsk_hw.journal.ruling_reading import parse_ruling
from tamsk_hw.live.client import connect
from tamsk_hw.live.following import Absence
from tamsk_hw.live.state import read_state
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.stream import event_as_dict


class Ear:
    """Hands on what a service at a board says: a `tamsk_hw.live.following.Listener`."""

    def __init__(self, seated: Seated) -> None:
        self._seated = seated

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; only what is new is wanted.

        Raises:
            LiveError: it plays on a simulated board of its own, without hands.
        """
        if greeting["simulated"]:
            raise LiveError("this service plays on a board of its own")
        return {"since": greeting["seq"], "life": greeting["life"]}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this.

        Raises:
            LiveError: this version does not know such a line.
        """
        match record:
            case {"ruling": ruling}:
                try:
                    self._seated.hear(parse_ruling(ruling))
                except JournalError as error:
                    raise LiveError(f"the service has ruled what is not understood ({error})") from None
            case {"state": state}:
                self._seated.see(read_state(state))

    def lost(self, why: Absence) -> None:
        """It is not there."""
        self._seated.lose()


async def decide(places: Sequence[Path], event: Event) -> None:
    """Have the service take an arbiter's decision; one that has no effect any more is left."""
    done = event_as_dict(event)
    del done["t"]

    def ask() -> None:
        try:
            with connect(places) as connection:
                connection.ask({"do": done})
        except SocketError:
            pass  # it is gone, and the question with it

    await asyncio.to_thread(ask)
