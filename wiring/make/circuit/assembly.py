"""Collects the parts of a circuit one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from wiring.make.circuit.catalogue import Catalogue
from wiring.make.circuit.model import Circuit, Kind, Part, Role, Site, Style, Unit
from wiring.make.circuit.nets import GROUND

#: The prefixes of ohms and farads, the largest first.
_PREFIXES: Final = {
    "Ω": ((1e6, "M"), (1e3, "k"), (1.0, "")),
    "F": ((1e-6, "µ"), (1e-9, "n")),
}


def in_words(amount: float, unit: str) -> str:
    """An amount of ohms (``Ω``) or farads (``F``) as it is ordered: ``33 kΩ``, ``100 nF``."""
    scale, prefix = next(each for each in _PREFIXES[unit] if amount >= 0.999 * each[0])
    return f"{amount / scale:g} {prefix}{unit}"


class Assembly:
    """Parts on their way to a circuit. Each subject adds its parts in its own module."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.parts: list[Part] = []

    def add(
        self,
        letters: str,
        mark: int | str | Site,
        kind: str | Kind,
        unit: Unit,
        where: str,
        nets: Mapping[str, str],
        *,
        value: str = "",
        amount: float = 0.0,
        style: Style | None = None,
        serves: str = "",
    ) -> Part:
        """Put in a part whose designator is ``letters`` and ``mark``; ``nets`` by pin name.

        ``value`` is needed where the kind comes in several.
        """
        known = self.catalogue.kind(kind) if isinstance(kind, str) else kind
        part = Part(
            ref=f"{letters}{mark}" if isinstance(mark, int) else f"{letters}-{mark}",
            letters=letters,
            number=mark if isinstance(mark, int) else None,
            site=mark if isinstance(mark, Site) else None,
            kind=known,
            value=value or known.number,
            amount=amount,
            style=style,
            unit=unit,
            where=where,
            serves=serves,
            nets=dict(nets),
        )
        self.parts.append(part)
        return part

    def resistor(
        self,
        letters: str,
        mark: int | Site,
        ohms: float,
        unit: Unit,
        where: str,
        a: str,
        b: str,
        *,
        serves: str = "",
    ) -> None:
        """A resistor between two nets."""
        value = in_words(ohms, "Ω")
        self.add(letters, mark, "resistor", unit, where, {"A": a, "B": b}, value=value, amount=ohms, serves=serves)

    def capacitor(
        self,
        letters: str,
        mark: int | Site,
        farads: float,
        unit: Unit,
        where: str,
        net: str,
        *,
        size: str = "",
        serves: str = "",
    ) -> None:
        """A capacitor from a net to ground; ``size`` is that of its housing, if it matters."""
        value = ", ".join(filter(None, (in_words(farads, "F"), size)))
        nets = {"+": net, "-": GROUND}
        self.add(letters, mark, "capacitor", unit, where, nets, value=value, amount=farads, serves=serves)

    def buffer(self, part: Part, *, letters: str = "CU", size: str = "") -> None:
        """The 100 nF at a part's supply pin, on the same unit."""
        mark = part.site or part.number
        assert mark is not None, part.ref
        supply = next(part.nets[pin.name] for pin in part.kind.pins if pin.role is Role.SUPPLY)
        self.capacitor(letters, mark, 100e-9, part.unit, f"at {part.ref}", supply, size=size, serves=part.ref)

    def connector(
        self,
        letters: str,
        mark: int | Site,
        style: Style,
        unit: Unit,
        where: str,
        nets: tuple[str, ...],
        *,
        serves: str = "",
    ) -> None:
        """A connector whose pins are named after their nets, with their number where a net is there twice."""
        names = tuple(f"{net}.{number}" if nets.count(net) > 1 else net for number, net in enumerate(nets, 1))
        kind = self.catalogue.connector(names, nets)
        by_pin, value = dict(zip(names, nets, strict=True)), style.value.format(len(nets))
        self.add(letters, mark, kind, unit, where, by_pin, value=value, style=style, serves=serves)

    def circuit(self, name: str) -> Circuit:
        """The circuit of all parts put in."""
        return Circuit(name, tuple(self.parts))
