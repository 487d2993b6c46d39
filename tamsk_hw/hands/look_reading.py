"""The JSON object of a ``look`` line as facts again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tamsk_hw.game.players import PLAYERS, End, Player
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.hands.eyes import GlassSeen, Look, PlayerSeen, TimerPlace, TimerSeen
from tamsk_hw.simulator.truth import PushButton


def read_look(record: Mapping[str, Any]) -> Look:
    """The look that `tamsk_hw.hands.eyes.as_json` made this object of.

    Raises:
        LookupError, ValueError, TypeError, AttributeError: it is none that this version knows.
    """
    timer, lights = record["timer"], record["lights"]
    return Look(
        t=float(record["t"]),
        glasses=tuple(map(_glass, record["glasses"])),
        timer=TimerSeen(
            place=TimerPlace(timer["place"]),
            end=End(timer["end"]),
            above=float(timer["above"]),
            runs=bool(timer["runs"]),
        ),
        rings={TUBE_OF_NAME[name]: int(count) for name, count in record["rings"].items()},
        players={player: _player(record["players"][player.value]) for player in PLAYERS},
        buttons=tuple(map(PushButton, record["buttons"])),
        lights=None if lights is None else {str(place): str(colour) for place, colour in lights.items()},
        lamp=bool(record["lamp"]),
        faults=tuple(map(str, record["faults"])),
        plugged=bool(record["plugged"]),
    )


def _glass(glass: Mapping[str, Any]) -> GlassSeen:
    tube, hand = glass["tube"], glass["hand"]
    return GlassSeen(
        name=str(glass["name"]),
        owner=Player(glass["owner"]),
        tube=None if tube is None else TUBE_OF_NAME[tube],
        hand=None if hand is None else Player(hand),
        leaning=bool(glass["leaning"]),
        end=End(glass["end"]),
        above=float(glass["above"]),
        runs=bool(glass["runs"]),
    )


def _player(side: Mapping[str, Any]) -> PlayerSeen:
    return PlayerSeen(
        holder=int(side["holder"]),
        rings=int(side["rings"]),
        aside=int(side["aside"]),
        free_hands=int(side["free_hands"]),
    )
