"""Setting a simulated board up again after a game: what hands do next, from what eyes see. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tamsk_hw.game.players import PLAYERS, RINGS_EACH
from tamsk_hw.game.tubes import TUBE_OF_NAME

#: A glass with no more of its sand above than this counts as run down.
EMPTY = 0.001


def next_deeds(look: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Requests that can be done at once, from the JSON object of a look; nothing once the board is set up.

    Glasses go to their start tubes run down (with a free start off the board), the timer into its cradle, rings
    into the holders.
    """
    free = Counter({player: side["free_hands"] for player, side in look["players"].items()})
    taken = {glass["tube"] for glass in look["glasses"]} - {None}
    deeds: list[dict[str, Any]] = []
    for glass in look["glasses"]:
        if glass["hand"] is not None:
            deeds.append({"do": "put_away", "player": glass["hand"], "glass": glass["name"]})
    for player, side in look["players"].items():
        deeds += [{"do": "put_back", "player": player}] * side["rings"]
    for glass in look["glasses"]:
        home, player = glass["name"] if glass["name"] in TUBE_OF_NAME else None, glass["owner"]
        is_right = glass["tube"] == home and not glass["leaning"] and (glass["above"] <= EMPTY or home is None)
        if is_right or glass["hand"] is not None or not free[player]:
            continue
        if glass["tube"] is not None:
            deeds.append({"do": "lift", "player": player, "tube": glass["tube"]})
        elif home not in taken:
            taken.add(home)
            deeds.append({"do": "place", "player": player, "tube": home, "glass": glass["name"], "full": False})
        else:
            continue
        free[player] -= 1
    return [*deeds, *_rings_and_timer(look, free)]


def _rings_and_timer(look: Mapping[str, Any], free: Counter[str]) -> list[dict[str, Any]]:
    """What the hands that are free do for rings and timer."""
    deeds: list[dict[str, Any]] = []
    players = [player.value for player in PLAYERS]
    for player in players:
        if free[player] and look["players"][player]["aside"]:
            deeds.append({"do": "fetch", "player": player})
            free[player] = 0  # nobody else is at that holder meanwhile
    if look["timer"]["place"] == "off" and (hand := next((each for each in players if free[each]), None)):
        deeds.append({"do": "place_timer", "player": hand})
        free[hand] -= 1
    have = {
        player: sum(look["players"][player][place] for place in ("holder", "rings", "aside")) for player in players
    }
    for tube in look["rings"]:
        hand = next((each for each in players if free[each]), None)
        if hand is None:
            break
        to = next(player for player in players if have[player] < RINGS_EACH)
        have[to] += 1
        free[hand] -= 1
        deeds.append({"do": "take", "player": hand, "tube": tube, "to": to})
    return deeds
