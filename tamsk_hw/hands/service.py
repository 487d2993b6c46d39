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
from tamsk_hw.partner.seat import seat_of
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.stream import event_as_dict


class Ear:
    """Hands on what a service at a board says: a `tamsk_hw.live.following.Listener`."""

    def __init__(self, seated: Seated, *, named: bool = False) -> None:
        """``named``: the service's place was named, so whatever it says of its board, it is at this one."""
        self._seated = seated
        self._named = named
        self._newest = 0

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; the current game's header is wanted, and of its rulings those that are new.

        Raises:
            LiveError: it plays on a simulated board of its own, without hands.
        """
        if greeting["simulated"] and not self._named:
            raise LiveError("this service plays on a board of its own")
        self._newest = greeting["seq"]
        return {"since": 0}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this.

        Raises:
            LiveError: this version does not know such a line.
        """
        match record:
            case {"header": header, **rest}:
                self._seated.play_by(parse_header(header).ruleset)
                self._seat(rest.get("names"))
            case {"names": names}:
                self._seat(names)
            case {"ruling": ruling, "seq": int(seq)} if seq > self._newest:
                try:
                    self._seated.hear(parse_ruling(ruling))
                except JournalError as error:
                    raise LiveError(f"the service has ruled what is not understood ({error})") from None
            case {"state": state}:
                self._seated.see(read_state(state))

    def _seat(self, names: Any) -> None:
        """Seat the program where its name stands: a rematch has given it the other colour."""
        seat = seat_of(**names) if names else None
        if seat is not None:
            self._seated.seat(seat.player)

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
