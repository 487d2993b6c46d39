"""The plugs at the ends of the cables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wiring.make.circuit.cables import Form, Material
from wiring.make.circuit.model import Part, Style

_CONTACT = "Crimp contact, 2.54 mm"


def plugs(cables: Iterable[tuple[str, Material, list[Part], int]]) -> list[dict[str, Any]]:
    """The plugs that the cables need, as WireViz' ``additional_bom_items``.

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


def _plug(made_of: Material, part: Part, wires: int) -> dict[str, int]:
    """A socket for a box header; for a pin header a housing with a contact for each wire.

    On the Pi's header the wires are apart, each with its own housing. Other ends are soldered, or come with
    their plug.
    """
    if part.kind.key == "pi":
        return {"Crimp housing, 2.54 mm, 1 pin": wires, _CONTACT: wires}
    pins = len(part.kind.pins)
    if made_of.form is Form.FLAT:
        return {f"Socket for flat cable, 2.54 mm, {pins} pins": 1}
    if part.style is Style.PIN_HEADER:
        return {f"Crimp housing, 2.54 mm, {pins} pins": 1, _CONTACT: wires}
    return {}
