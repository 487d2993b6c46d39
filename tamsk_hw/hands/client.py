"""A client of a simulated board's hands: finds the board, asks, and knows which requests carry something out."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, assert_never

from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands.observation import is_colour
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.partner.intention import Await, Intention, MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.system import sockets
from tamsk_hw.system.sockets import LineConnection, decoded

#: Real seconds within which hands have done what they were asked, a wait apart.
HANDS_SECONDS: Final = 15.0


def connect(places: Sequence[Path]) -> LineConnection:
    """A connection to the first simulated board that is found.

    Raises:
        HandsError: there is none, or this user may not speak to it.
    """
    return sockets.connect(places, BOARD)


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
        raise BOARD.silent()
    if refused:
        raise RefusedError("; ".join(refused))


def await_light(connection: LineConnection, place: str, colour: str, seconds: float) -> None:
    """Wait until the light of a place has the colour of that name (`tamsk_hw.hands.observation.COLOURS`).

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
        raise BOARD.silent()
    raise RefusedError(f"the light of {place} has not been {colour} within {seconds:g} s")


def requests_for(player: Player, intention: Intention) -> list[dict[str, Any]]:
    """The requests by which the hands of ``player`` carry it out; each is done before the next is begun."""
    by = {"player": player.value}
    match intention:
        case MoveGlass(at, to, turned):
            return [{"do": "place", **by, "tube": to.name}] if at is None else _bring(player, at, to, turned)
        case PutRight(at, to, turned):
            return _bring(player, at, to, turned)
        case MoveRing(RingAct.DROP | RingAct.DROP_PENALTY, tube):
            return [{"do": "drop", **by, "tube": tube.name}]
        case MoveRing(RingAct.CLAIM, tube):
            drop = {"do": "drop", **by, "tube": tube.name, "within": 0.2}  # at once: the ring is ready
            return [{"do": "take_up", **by}, {"do": "press", "button": player.value}, drop]
        case MoveRing(_, tube):
            return [{"do": "take", **by, "tube": tube.name}]
        case TurnTimerOver():
            return [{"do": "turn_timer", **by}]
        case Await():
            return []
        case _:
            assert_never(intention)


def _bring(player: Player, at: Tube, to: Tube, turned: bool) -> list[dict[str, Any]]:
    lift = {"do": "lift", "player": player.value, "tube": at.name}
    return [lift, {"do": "seat", "player": player.value, "tube": to.name, "turned": turned}]
