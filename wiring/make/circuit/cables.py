"""The cables between units: the wires, and the pins at both their ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tamsk_hw.board.wiring_map import Wiring
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part, Site

#: The colours by IEC 60757 in words.
COLOURS: Final = {
    "BK": "black", "BN": "brown", "RD": "red", "OG": "orange", "YE": "yellow", "GN": "green", "BU": "blue",
    "VT": "violet", "GY": "grey", "WH": "white", "PK": "pink",
}  # fmt: skip

#: Signals take the next of these colours, supplies are red or orange, ground is black.
SIGNAL_COLOURS: Final = ("YE", "GN", "BU", "WH", "VT", "BN", "GY", "PK")

#: The data wires of a USB cable.
_USB_COLOURS: Final = {"USB_D-": "WH", "USB_D+": "GN"}

_SUPPLY_COLOURS: Final = {
    **dict.fromkeys((*nets.SUPPLIES, nets.USB_SUPPLY), "RD"),
    nets.EMITTERS: "OG",
    **dict.fromkeys((nets.GROUND, nets.USB_GROUND), "BK"),
}


class Form(Enum):
    """The forms of cables."""

    FLAT = "flat cable"
    SINGLE = "wire"
    """Single wires, cut to length."""
    READY = "ready made"
    LEAD = "lead"
    """Comes with a part that is ordered."""


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a cable: a flat cable with a number of ``wires``, or single wires of a ``gauge`` in mm²."""

    form: Form
    wires: int = 0
    gauge: float = 0.0

    def __str__(self) -> str:
        """As in `wiring/parts.toml`."""
        match self.form:
            case Form.FLAT:
                return f"flat cable, {self.wires} wires"
            case Form.SINGLE:
                return f"wire {self.gauge:g} mm²"
            case Form.READY:
                return "USB-A to USB Mini-B, data"
            case Form.LEAD:
                return "lead of the part"


#: Wire for signals and for supplies.
SIGNAL_WIRE: Final = Material(Form.SINGLE, gauge=0.14)
SUPPLY_WIRE: Final = Material(Form.SINGLE, gauge=0.5)

_USB: Final = Material(Form.READY)

#: Length (m) of a tube's cable. The farthest connector of the 37 is 0.19 m from its tube if the sensor board lies
#: as the guide says; the split ends, the plate and the way down take 0.07 m.
TUBE_CABLE: Final = 0.30
_LEAD: Final = Material(Form.LEAD)


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: its net, its pin (by number) on either end, its colour (IEC 60757)."""

    net: str
    a: str
    b: str
    colour: str


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between two parts with pins; ``length`` in metres."""

    ref: str
    a: str
    b: str
    made_of: Material
    length: float
    wires: tuple[Wire, ...]


@dataclass(frozen=True, slots=True)
class TubeCable:
    """The cable of a tube's strip, soldered there and plugged in at ``connector``.

    ``wires`` are the nets in the order of its wires, the marked edge first; ``length`` in metres.
    """

    site: Site
    made_of: Material
    length: float
    wires: tuple[str, ...]

    @property
    def ref(self) -> str:
        """Its designator."""
        return f"WT-{self.site}"

    @property
    def connector(self) -> str:
        """The designator of its connector."""
        return f"JT-{self.site}"

    @property
    def colours(self) -> list[str]:
        """The colours of its wires: grey with a red edge, or by net where the wires are single (the cradle's)."""
        if self.made_of.form is Form.FLAT:
            return [flat_colour(place) for place in range(len(self.wires))]
        return [wire_colour(net, 0) for net in self.wires]


def cables_of(circuit: Circuit, wiring: Wiring) -> tuple[Cable, ...]:
    """The cables between supply, controller board, sensor board, Pi, lights, panel and holders."""
    plan = [
        ("W1", "PS1", "J1", _LEAD, 1.2),
        ("W2", "J2", "J3", Material(Form.FLAT, wires=20), 0.25),
        ("W3", "J4", "J10", _USB, 1.0),
        ("W4", "J5", "PI1", SIGNAL_WIRE, 0.3),
        ("W5", "J6", "LED0", SUPPLY_WIRE, 0.2),
    ]
    for number in range(len(wiring.holders)):
        plan.append((f"W{6 + number}", f"J{7 + number}", f"U{3 + number}", SIGNAL_WIRE, 0.5))
        plan.append((f"W{8 + number}", f"U{3 + number}", f"LC{1 + number}", _LEAD, 0.2))
    plan.append(("W10", "J9", "PI1", SIGNAL_WIRE, 0.5))
    taken: set[tuple[str, str]] = set()
    return tuple(_cable(circuit, taken, *entry) for entry in plan)


def tube_cables_of(circuit: Circuit, wiring: Wiring) -> tuple[TubeCable, ...]:
    """The cable of each tube, then the cradle's."""
    found: list[TubeCable] = []
    for site in (*map(Site, wiring.tubes), Site(None)):
        wires = tuple(circuit.by_ref[f"JT-{site}"].nets.values())
        if site.tube is None:
            found.append(TubeCable(site, SIGNAL_WIRE, 0.4, wires))
        else:
            found.append(TubeCable(site, Material(Form.FLAT, wires=len(wires)), TUBE_CABLE, wires))
    return tuple(found)


def _cable(
    circuit: Circuit, taken: set[tuple[str, str]], ref: str, a: str, b: str, made_of: Material, length: float
) -> Cable:
    """Each pin of ``a`` to the first pin of ``b`` on the same net that no wire has ``taken``."""
    one, other = circuit.by_ref[a], circuit.by_ref[b]
    wires: list[Wire] = []
    for number, pin in enumerate(one.kind.pins):
        net = one.nets.get(pin.name)
        free = [each for each in other.kind.pins if (b, each.number) not in taken]
        match = next((each for each in free if net is not None and other.nets.get(each.name) == net), None)
        if net is None or match is None:
            continue
        taken |= {(a, pin.number), (b, match.number)}
        colour = flat_colour(number) if made_of.form is Form.FLAT else wire_colour(net, len(wires))
        wires.append(Wire(net, pin.number, match.number, _cell_colour(one, pin.name) or colour))
    if not wires:
        raise ValueError(f"{ref}: {a} and {b} have no net in common")
    return Cable(ref, a, b, made_of, length, tuple(wires))


def flat_colour(place: int) -> str:
    """The colour of a flat cable's wire: grey, the first, at the marked edge, red."""
    return "GY" if place else "RD"


def wire_colour(net: str, place: int) -> str:
    """The colour of a single wire: by its net, else by its ``place`` in the cable. USB's are as cables come."""
    return _SUPPLY_COLOURS.get(net) or _USB_COLOURS.get(net) or SIGNAL_COLOURS[place % len(SIGNAL_COLOURS)]


def _cell_colour(part: Part, pin: str) -> str | None:
    """The colours that load cells usually have."""
    if part.kind.key != "load_amplifier":
        return None
    return {"E+": "RD", "E-": "BK", "A-": "WH", "A+": "GN"}.get(pin)
