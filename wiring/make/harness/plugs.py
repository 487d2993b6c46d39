"""What is put on the ends of the cables so that they can be plugged in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from wiring.make.circuit.model import Part

_HEADER = re.compile(r"(?:box|pin) header, ([0-9]+) pins")

_CONTACT = "Crimp contact, 2.54 mm"


def plugs(cables: Iterable[tuple[str, str, list[Part], int]]) -> list[dict[str, Any]]:
    """What the cables need, as WireViz' ``additional_bom_items``.

    Each of ``cables`` is its designator, what it is made of, the parts at its ends, and how many wires it has.
    """
    count: dict[str, int] = {}
    users: dict[str, list[str]] = {}
    for ref, made_of, ends, wires in cables:
        for part in ends:
            for name, number in _plug(made_of, part, wires).items():
                count[name] = count.get(name, 0) + number
                users.setdefault(name, []).append(ref)
    return [
        {"description": name, "qty": count[name], "designators": list(dict.fromkeys(users[name]))}
        for name in sorted(count)
    ]


def _plug(made_of: str, part: Part, wires: int) -> dict[str, int]:
    """A socket for a box header; for a pin header a housing with a contact for each wire.

    On the Pi's header the wires are apart, each in a housing of its own. Other ends are soldered, or have their
    plug already.
    """
    if part.kind.key == "pi":
        return {"Crimp housing, 2.54 mm, 1 pin": wires, _CONTACT: wires}
    header = _HEADER.fullmatch(part.value)
    if header is None:
        return {}
    if made_of.startswith("flat"):
        return {f"Socket for flat cable, 2.54 mm, {header[1]} pins": 1}
    return {f"Crimp housing, 2.54 mm, {header[1]} pins": 1, _CONTACT: wires}
