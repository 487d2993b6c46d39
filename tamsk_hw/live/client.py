"""Readers of the live socket.

The places of the live stream's socket (docs/live.md, Where).

A reader of the live stream: finds the service, reads its lines, asks it for something.

A reader of the live stream that finds the service again and again, and hands on what it says.

Changes to a journal, made by whoever owns it: the running service that holds it, else this program itself.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, Final, Protocol, cast

from tamsk_hw.errors import JournalError, LiveError, TamskError
from tamsk_hw.forms import from_json
from tamsk_hw.journal.changes import (
    Annotate,
    Change,
    Changed,
    DeleteGame,
    EraseName,
    ImportGame,
    NamePlayers,
    change_here,
    recording_of,
)
from tamsk_hw.journal.trouble import HeldError
from tamsk_hw.live.requests import ImportStream, change_as_dict, pieces_of
from tamsk_hw.system import sockets as socket_places
from tamsk_hw.system.sockets import MOST_BYTES, PATIENCE, LineConnection, Served, connected, decoded, encoded

NAME: Final = "live.sock"


def serving_place(environment: Mapping[str, str], state_folder: Path) -> Path:
    """The default place for a service."""
    return socket_places.serving_place(NAME, environment, state_folder)


def searched_places(environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
    """The places in which a reader looks for a service, in their order."""
    return socket_places.searched_places(NAME, environment, state_folder)


__all__ = ["PATIENCE", "Connection", "connect"]

_SERVICE: Final = Served(
    key="live",
    greeting={"life": str, "seq": int},
    error=LiveError,
    stranger="what answers is no live stream of this version",
    unclear="the service has sent an answer that is not understood",
    silent=("the service does not answer", "look after it, or restart it"),
    closed=("this user may not speak to the service", "join its group, tamsk-hw"),
    missing=("no service at", "start one with tamsk-hw run, or name its place with --socket"),
)


class Connection(LineConnection):
    """A connection to a service; ``greeting`` is its first line. Close it, or use it as a context manager."""

    def __init__(self, connected: socket.socket) -> None:
        """Read the greeting.

        Raises:
            LiveError: nobody answers, or something that is no service.
        """
        super().__init__(connected, _SERVICE)


def connect(places: Sequence[Path]) -> Connection:
    """A connection to the first service that is found.

    Raises:
        LiveError: there is none, or this user may not speak to it.
    """
    return Connection(connected(places, _SERVICE))


#: Real seconds between two attempts to find the service.
RETRY_SECONDS: Final = 0.5


class Absence(Enum):
    """Reasons for which nothing is heard from the service."""

    NONE_THERE = "none_there"
    FORBIDDEN = "forbidden"
    """This user may not speak to it."""
    OTHER_VERSION = "other_version"
    """What answers is no live stream of this version."""


class Listener(Protocol):
    """What is told of the stream."""

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; give the request for what was missed."""

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this: a numbered line or a state.

        Raises:
            TamskError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError: this version does not
                know such a line.
        """

    def lost(self, why: Absence) -> None:
        """It is not there (any more); said after every attempt."""


async def read_for_ever(places: Sequence[Path], listener: Listener, *, retry: float = RETRY_SECONDS) -> None:
    """Read the stream of the first service that is found at ``places``, and of the next when it ends."""
    while True:
        listener.lost(await _read_once(places, listener))
        await asyncio.sleep(retry)


async def _read_once(places: Sequence[Path], listener: Listener) -> Absence:
    """Read one service's stream to its end; give what is the matter now."""
    why = Absence.NONE_THERE
    for place in places:
        try:
            async with asyncio.timeout(PATIENCE):
                incoming, outgoing = await asyncio.open_unix_connection(place, limit=MOST_BYTES)
        except PermissionError:
            why = Absence.FORBIDDEN
            continue
        except OSError:
            continue
        try:
            return await _listen(incoming, outgoing, listener)
        except OSError:
            return Absence.NONE_THERE
        except (TamskError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError):
            return Absence.OTHER_VERSION
        finally:
            outgoing.close()
            with suppress(OSError):
                await outgoing.wait_closed()
    return why


async def _listen(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter, listener: Listener) -> Absence:
    async with asyncio.timeout(PATIENCE):
        first = await incoming.readline()
    if not first:
        return Absence.NONE_THERE
    greeting = decoded(first)
    if greeting["live"] != 1:
        return Absence.OTHER_VERSION
    outgoing.write(encoded(dict(listener.greeted(greeting))))
    while line := await incoming.readline():
        listener.heard(decoded(line))
    return Absence.NONE_THERE


#: Real seconds within which a service has a change on the disk.
OWNER_PATIENCE: Final = 120.0

#: A change that can be asked for.
AskedChange = NamePlayers | DeleteGame | Annotate | EraseName | ImportStream


def change_journal(folder: Path, change: AskedChange, wall: float, name: str) -> Changed:
    """Have a change made to the journal in ``folder``, and wait until it is on the disk.

    ``wall`` is the time of day (seconds since 1970), ``name`` that of an imported stream in messages.

    Raises:
        StreamError: an imported stream is refused.
        JournalError: the change is refused, or the journal cannot be written; nothing was changed.
        LiveError: the service that holds the journal does not answer.
    """
    here: Change
    if isinstance(change, ImportStream):
        recording = recording_of(change.stream.splitlines(keepends=True), name)
        here = ImportGame(recording, change.red, change.black)
    else:
        here = change
    try:
        return change_here(folder, here, wall)
    except HeldError as held:
        if held.holder.asked_at is None:
            raise
        answer = ask_owner(held.holder.asked_at, change, simulated=held.holder.simulated)
        return cast(Changed, from_json(Changed, answer, "the service's answer"))


def ask_owner(place: Path, change: AskedChange, *, simulated: bool) -> dict[str, Any]:
    """Have the service at a socket make a change, and give its answer when that is on the disk.

    ``simulated``: the change is of the simulated games.

    Raises:
        JournalError: the service refuses.
        LiveError: it does not answer.
    """
    answer: dict[str, Any] = {}
    if isinstance(change, ImportStream):
        requests = pieces_of(change)
    else:
        requests = [change_as_dict(change, simulated=simulated)]
    with connect((place,)) as connection:
        for request in requests:
            answer = connection.ask(request, patience=OWNER_PATIENCE)
            if "refused" in answer:
                raise JournalError(str(answer["refused"]))
    return answer
