"""A client of a simulated board's hands: finds the board, and asks."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tamsk_hw.errors import HandsError, TamskError
from tamsk_hw.hands.light_words import is_colour
from tamsk_hw.panel.simulated import NAME
from tamsk_hw.system import socket_places
from tamsk_hw.system.socket_client import LineConnection, Served, connected, decoded

_BOARD: Final = Served(
    key="hands",
    shown="look",
    error=HandsError,
    stranger="what answers is no simulated board of this version",
    unclear="the simulated board has sent an answer that is not understood",
    silent=("the simulated board does not answer", "look after tamsk-hw simulate, or start it again"),
    closed=("this user may not speak to the simulated board", "join its group, tamsk-hw"),
    missing=("no simulated board at", "start one with tamsk-hw simulate, or name its socket with --socket"),
)

#: Real seconds within which hands have done what they were asked, a wait apart.
HANDS_SECONDS: Final = 15.0


def serving_place(environment: Mapping[str, str], state_folder: Path) -> Path:
    """The default place of a simulated board's socket."""
    return socket_places.serving_place(NAME, environment, state_folder)


def searched_places(environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
    """The places in which a client looks for a simulated board, in their order."""
    return socket_places.searched_places(NAME, environment, state_folder)


def connect(places: Sequence[Path]) -> LineConnection:
    """A connection to the first simulated board that is found.

    Raises:
        HandsError: there is none, or this user may not speak to it.
    """
    return LineConnection(connected(places, _BOARD), _BOARD)


class RefusedError(TamskError):
    """Hands refuse what they were asked for, or what was waited for did not come about."""


def do_together(connection: LineConnection, records: Sequence[dict[str, Any]]) -> None:
    """Have hands do all of these at once, and wait until each is done.

    Raises:
        RefusedError: one of them is refused; the others are done.
        HandsError: nobody answers.
    """
    missing = set(range(len(records)))
    refused: list[str] = []
    until = time.monotonic() + HANDS_SECONDS + max((record.get("seconds", 0) for record in records), default=0)
    with suppress(OSError):
        for number, record in enumerate(records):
            connection.send({"id": number, **record})
        for line in connection.lines(until) if missing else ():
            answer = decoded(line)
            if "re" in answer:
                missing.discard(answer["re"])
                refused += [answer["refused"]] if "refused" in answer else []
                if not missing:
                    break
    if missing:
        raise HandsError(*_BOARD.silent)
    if refused:
        raise RefusedError("; ".join(refused))


def await_light(connection: LineConnection, place: str, colour: str, seconds: float) -> None:
    """Wait until the light of a place has the colour of that name (`tamsk_hw.hands.light_words.COLOURS`).

    Raises:
        RefusedError: the board has no such place, or the light has not had that colour within ``seconds``.
        HandsError: nobody answers.
    """
    until = time.monotonic() + seconds
    with suppress(OSError):
        connection.send({"watch": True})
        for line in connection.lines(until):
            match decoded(line):
                case {"look": {"lights": dict(lights)}} if place not in lights:
                    raise RefusedError(f"{place}: no light is there; this board has {', '.join(lights)}")
                case {"look": {"lights": dict(lights)}} if is_colour(lights[place], colour):
                    connection.send({"watch": False})
                    return
    if time.monotonic() < until:
        raise HandsError(*_BOARD.silent)
    raise RefusedError(f"the light of {place} has not been {colour} within {seconds:g} s")
