"""Collects the parts of a circuit one by one."""

from __future__ import annotations

from collections.abc import Mapping

from wiring.make.circuit.catalogue import Catalogue
from wiring.make.circuit.model import Circuit, Kind, Part, Unit
from wiring.make.circuit.nets import GROUND


class Assembly:
    """Parts on their way to a circuit. What adds to it is a module for each subject."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.parts: list[Part] = []

    def add(
        self, ref: str, kind: str | Kind, unit: Unit, where: str, nets: Mapping[str, str], *, value: str = ""
    ) -> Part:
        """Put in a part; ``nets`` by pin name, ``value`` where the kind comes in several."""
        known = self.catalogue.kind(kind) if isinstance(kind, str) else kind
        part = Part(ref=ref, kind=known, value=value or known.number, unit=unit, where=where, nets=dict(nets))
        self.parts.append(part)
        return part

    def resistor(self, ref: str, value: str, unit: Unit, where: str, a: str, b: str) -> None:
        """A resistor between two nets."""
        self.add(ref, "resistor", unit, where, {"A": a, "B": b}, value=value)

    def capacitor(self, ref: str, value: str, unit: Unit, where: str, net: str) -> None:
        """A capacitor from a net to ground."""
        self.add(ref, "capacitor", unit, where, {"+": net, "-": GROUND}, value=value)

    def connector(self, ref: str, value: str, unit: Unit, where: str, nets: tuple[str, ...]) -> None:
        """A connector, its pins from 1 on these nets and named after them; a net twice is told apart by number."""
        names = tuple(f"{net}.{number}" if nets.count(net) > 1 else net for number, net in enumerate(nets, 1))
        kind = self.catalogue.connector(names)
        self.add(ref, kind, unit, where, dict(zip(names, nets, strict=True)), value=value)

    def circuit(self, name: str) -> Circuit:
        """What has been put together."""
        return Circuit(name, tuple(self.parts))
