"""A reader of the live stream that finds the service again and again, and hands on what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, Final, Protocol

from tamsk_hw.errors import TamskError
from tamsk_hw.live.client import PATIENCE
from tamsk_hw.system.socket_client import MOST_BYTES, decoded, encoded

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
