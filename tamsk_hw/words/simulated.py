"""Words of the simulated world.

A simulated board as eyes see it, in lines for people who play from a shell; in English, as tables are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def world_words(look: Mapping[str, Any]) -> list[str]:
    """The lines for the JSON object of a ``look`` line (docs/simulate-reference.md)."""
    lines = [_glass(glass) for glass in look["glasses"]]
    timer = look["timer"]
    place = {"cradle": "in its cradle", "hand": "in a hand", "off": "off the board"}[timer["place"]]
    lines.append(f"timer: {place}, {_sand(timer)}")
    rings = " ".join(f"{tube}:{count}" for tube, count in look["rings"].items())
    lines.append(f"rings: {rings or 'none on the board'}")
    for player, side in look["players"].items():
        lines.append(
            f"{player}: {side['holder']} rings in the holder, {side['rings']} in hands, {side['aside']} aside; "
            f"{side['free_hands']} free hands"
        )
    lines.append(f"buttons down: {' '.join(look['buttons']) or 'none'}")
    if look["lights"] is None:
        lines.append("lights: no program drives them")
    else:
        lit = " ".join(f"{place}:{colour}" for place, colour in look["lights"].items() if colour != "000000")
        lines.append(f"lights: {lit or 'all dark'}")
    lines.append(f"faults: {'; '.join(look['faults']) or 'none'}")
    lines += ["a lamp shines on the board"] if look["lamp"] else []
    lines += [] if look["plugged"] else ["the cable is out"]
    return lines


def _glass(glass: Mapping[str, Any]) -> str:
    if glass["tube"] is not None:
        place = f"{'leans' if glass['leaning'] else 'stands'} in {glass['tube']}"
    else:
        place = "lies off the board" if glass["hand"] is None else f"in the hand of {glass['hand']}"
    return f"{glass['owner']} glass {glass['name']}: {place}, {_sand(glass)}"


def _sand(glass: Mapping[str, Any]) -> str:
    return f"end {glass['end']} down, {glass['above']:.0%} above{', running' if glass['runs'] else ''}"
