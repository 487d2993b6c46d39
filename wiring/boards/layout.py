"""The terms of a circuit board: parts with their places, copper, holes, outline. Millimetres, y downward.

Footprints are taken from KiCad's library (`drawing.py`) into ``footprints.json``.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from wiring.make.circuit import Catalogue, Circuit, Part, Role

#: A place on a board.
Point = tuple[float, float]

FRONT: Final = "F.Cu"
BACK: Final = "B.Cu"
INNER: Final = ("In1.Cu", "In2.Cu")

#: From the edge of an M3 hole to that of its screw's washer (7 mm across), millimetres: ISO 7089.
SCREW_HEAD: Final = 1.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The least dimensions that a factory makes without extra charge, in millimetres."""

    track: float = 0.15
    gap: float = 0.15
    drill: float = 0.3
    ring: float = 0.13
    """Copper around a hole."""
    edge: float = 0.2
    """From copper to the outline."""
    holes: float = 0.25
    """From one hole to the next."""
    hole_gap: float = 0.2
    """From a hole to copper of another net."""


RULES: Final = Rules()

#: Those of another factory, OSH Park (2 layers; its 4 are finer). Strips, discs and panels are not for it: their
#: copper is nearer to the edge.
OTHER_RULES: Final = Rules(track=0.1524, gap=0.1524, drill=0.254, ring=0.127, edge=0.381)


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad of a footprint: its centre and size before the footprint is turned; ``drill`` 0 for a surface pad.

    ``free`` is how far (mm) it must be from other copper where that is more than the factory's rules ask.
    """

    number: str
    x: float
    y: float
    width: float
    height: float
    angle: float
    drill: float
    free: float = 0.0

    @property
    def through(self) -> bool:
        """True for a pad on all layers."""
        return self.drill > 0


@dataclass(frozen=True, slots=True)
class Footprint:
    """The pads of a package, and the rectangle (left, top, right, bottom) that it needs."""

    key: str
    pads: tuple[Pad, ...]
    courtyard: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Label:
    """A line of print: its centre, the height of its letters, the degrees by which it is turned."""

    text: str
    x: float
    y: float
    size: float = 0.8
    angle: float = 0.0
    side: str = "F"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A part on a board. ``nets`` is by pad number; ``angle`` in degrees, anticlockwise as seen from the front.

    ``order`` is maker and number of what is mounted, ``pieces`` how many of it are bought; None for what is no
    part, as a pad for a wire or a hole. ``bare`` is how far (mm) around its pads no track may be on either side:
    under the head of a screw.
    """

    ref: str
    value: str
    footprint: Footprint
    x: float
    y: float
    angle: float = 0.0
    nets: Mapping[str, str]
    order: tuple[str, str] | None = None
    pieces: int = 1
    label: Label | None = None
    bare: float = 0.0

    @property
    def is_through(self) -> bool:
        """True for a part with leads in holes."""
        return any(pad.through for pad in self.footprint.pads)

    def at(self, x: float, y: float) -> Point:
        """The place on the board of a point of the footprint."""
        turn = math.radians(self.angle)
        cosine, sine = math.cos(turn), math.sin(turn)
        return round(self.x + x * cosine + y * sine, 4), round(self.y - x * sine + y * cosine, 4)

    def pad_at(self, pad: Pad) -> Point:
        """The place of a pad."""
        return self.at(pad.x, pad.y)

    def pad(self, number: str) -> Point:
        """The place of the pad of that number. Raises `KeyError`."""
        for pad in self.footprint.pads:
            if pad.number == number:
                return self.pad_at(pad)
        raise KeyError(f"{self.ref}: no pad {number}")

    def pad_size(self, pad: Pad) -> tuple[float, float]:
        """Width and height of a pad as it lies on the board. Raises `ValueError` unless turned by right angles."""
        quarter = (self.angle + pad.angle) / 90 if pad.width != pad.height else 0.0
        if quarter != round(quarter):
            raise ValueError(f"{self.ref}: turned by {self.angle:g}; allowed are multiples of 90 degrees")
        return (pad.height, pad.width) if round(quarter) % 2 else (pad.width, pad.height)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The rectangle that it needs on the board: left, top, right, bottom."""
        left, top, right, bottom = self.footprint.courtyard
        (x, y), (x2, y2) = self.at(left, top), self.at(right, bottom)
        return min(x, x2), min(y, y2), max(x, x2), max(y, y2)


@dataclass(frozen=True, slots=True)
class Track:
    """A piece of copper between two points of a layer."""

    net: str
    layer: str
    width: float
    a: Point
    b: Point


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole through all layers; ``size`` is the diameter of its copper."""

    net: str
    at: Point
    size: float = 0.6
    drill: float = 0.3


@dataclass(frozen=True, slots=True)
class Zone:
    """A plane: copper of a net where nothing else is, in a polygon; the highest ``priority`` is filled first."""

    net: str
    layer: str
    points: tuple[Point, ...]
    clearance: float = 0.2
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Circle:
    """A round outline."""

    centre: Point
    radius: float


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A circuit board whole. ``outline`` is a polygon or a circle; ``layers`` counts those of copper.

    ``cutouts`` are the polygons that are milled away inside. ``fixed`` are the tracks for currents, which the
    router finds there; ``wide`` are the nets that it gives wide tracks. ``spoke`` is the width of each of the four
    pieces of copper between a plane and a pad.
    """

    name: str
    title: str
    outline: tuple[Point, ...] | Circle
    cutouts: tuple[tuple[Point, ...], ...] = ()
    thickness: float
    layers: int = 2
    parts: tuple[Placed, ...]
    tracks: tuple[Track, ...] = ()
    fixed: tuple[Track, ...] = ()
    wide: tuple[str, ...] = ()
    vias: tuple[Via, ...] = ()
    zones: tuple[Zone, ...] = ()
    spoke: float = 0.4
    labels: tuple[Label, ...] = ()

    @cached_property
    def nets(self) -> dict[str, frozenset[tuple[str, str]]]:
        """Designator and pad number of all pads, by net."""
        found: dict[str, set[tuple[str, str]]] = {}
        for part in self.parts:
            for number, net in part.nets.items():
                found.setdefault(net, set()).add((part.ref, number))
        return {net: frozenset(pads) for net, pads in found.items()}

    @property
    def copper(self) -> tuple[str, ...]:
        """The layers of copper, from the front."""
        return (FRONT, *(INNER if self.layers == 4 else ()), BACK)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The rectangle around the outline: left, top, right, bottom."""
        match self.outline:
            case Circle((x, y), radius):
                return x - radius, y - radius, x + radius, y + radius
            case points:
                xs, ys = [x for x, _ in points], [y for _, y in points]
                return min(xs), min(ys), max(xs), max(ys)

    def mounted(self) -> Iterator[Placed]:
        """The parts that are bought."""
        return (part for part in self.parts if part.order is not None)


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """A rectangle as an outline."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def path(net: str, layer: str, width: float, *points: Point) -> Iterator[Track]:
    """The tracks along some points; none where two are the same."""
    for a, b in pairwise(points):
        if a != b:
            yield Track(net, layer, width, a, b)


#: Their dimensions, so that boards can be placed and routed without KiCad.
DATA: Final = Path(__file__).with_name("footprints.json")

NARROW_WIRE: Final = "tamsk:WirePad_Narrow"
WIDE_WIRE: Final = "tamsk:WirePad_Wide"
BITE: Final = "tamsk:Bite"
TEST_POINT: Final = "tamsk-power:TestPoint"
HOLE: Final = "MountingHole:MountingHole_3.2mm_M3"
MARK: Final = "Fiducial:Fiducial_1mm_Mask2mm"


def needed(catalogue: Catalogue) -> list[str]:
    """The names of all footprints that boards may use, sorted."""
    own = {NARROW_WIRE, WIDE_WIRE, BITE, HOLE, MARK, TEST_POINT}
    return sorted(own | {mount.footprint for mount in catalogue.mounts.values()})


@cache
def footprint(key: str) -> Footprint:
    """The footprint of that name. Raises `KeyError`."""
    return _read()[key]


@cache
def _read() -> dict[str, Footprint]:
    return {key: _footprint(key, table) for key, table in json.loads(DATA.read_text(encoding="utf-8")).items()}


def _footprint(key: str, table: dict[str, Any]) -> Footprint:
    keys = ("number", "x", "y", "width", "height", "angle", "drill", "free")
    pads = tuple(Pad(*(pad[key] for key in keys)) for pad in table["pads"])
    left, top, right, bottom = table["courtyard"]
    return Footprint(key, pads, (left, top, right, bottom))


#: Designator and pad number.
PadName = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A capacitor and the supply pin that it belongs to: designator and pad of both."""

    capacitor: PadName
    supply: PadName


@dataclass(frozen=True, slots=True)
class Way:
    """The way of a current from one pad to another, along which there must be copper of a ``width`` (mm)."""

    a: PadName
    b: PadName
    width: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a board must be. ``nets`` has several answers where one board serves several places of the circuit."""

    layout: Layout
    nets: tuple[Mapping[str, frozenset[PadName]], ...]
    buffers: tuple[Buffer, ...]
    ways: tuple[Way, ...] = ()


def nets_of(
    parts: Iterable[Part], refs: Mapping[str, str], names: Mapping[str, str], wires: Mapping[str, Iterable[str]]
) -> dict[str, frozenset[PadName]]:
    """The nets of some parts of the circuit.

    ``refs`` and ``names`` are the board's own designators and names of nets, by the circuit's, where these differ;
    ``wires`` are the designators of the pads for wires, by net.
    """
    found: dict[str, set[PadName]] = {net: {(ref, "1") for ref in refs_} for net, refs_ in wires.items()}
    for part in parts:
        for pin in part.kind.pins:
            net = part.nets.get(pin.name)
            if net is not None:
                found.setdefault(names.get(net, net), set()).add((refs.get(part.ref, part.ref), pin.number))
    return {net: frozenset(pads) for net, pads in found.items()}


def buffers_of(circuit: Circuit, parts: Iterable[Part], refs: Mapping[str, str]) -> tuple[Buffer, ...]:
    """The capacitors of 100 nF among some parts, each with the supply pin of the part that it serves.

    Where a part has two supply pins, its capacitors belong to them in their order.
    """
    own = {part.ref: part for part in parts}
    found: list[Buffer] = []
    served: Counter[str] = Counter()
    for part in own.values():
        if part.kind.key != "capacitor" or part.serves not in own or part.amount != 100e-9:
            continue
        chip, net = circuit.by_ref[part.serves], part.nets["+"]
        pins = [pin for pin in chip.kind.pins if chip.nets.get(pin.name) == net]
        # Other pins may be on its supply, too, because they must be high.
        pins = [pin for pin in pins if pin.role is Role.SUPPLY] or pins
        if pins:
            mine, its = refs.get(part.ref, part.ref), refs.get(chip.ref, chip.ref)
            found.append(Buffer((mine, "1"), (its, pins[served[chip.ref] % len(pins)].number)))
            served[chip.ref] += 1
    return tuple(found)


def put(
    catalogue: Catalogue,
    part: Part,
    x: float,
    y: float,
    angle: float = 0.0,
    *,
    ref: str = "",
    nets: Mapping[str, str] | None = None,
    label: Label | None = None,
) -> Placed:
    """A part of the circuit at a place; ``ref`` and ``nets`` (new by old name) where a board serves many tubes.

    A part whose value is its order code has that of the part that is mounted, which may come in another package;
    where a holder is mounted, the value says so.
    """
    mount = catalogue.mount(part)
    renamed = nets or {}
    by_pad = {
        pin.number: renamed.get(part.nets[pin.name], part.nets[pin.name])
        for pin in part.kind.pins
        if pin.name in part.nets
    }
    return Placed(
        ref=ref or part.ref,
        value=mount.title or (mount.order.number if part.value == part.kind.number else part.value),
        footprint=footprint(mount.footprint),
        x=x,
        y=y,
        angle=angle,
        nets=by_pad,
        order=(mount.order.maker, mount.order.number),
        pieces=mount.pieces,
        label=label,
    )


def wire(net: str, x: float, y: float, angle: float = 0.0, *, key: str = NARROW_WIRE) -> Placed:
    """A pad to which a wire is soldered, named after its net."""
    return Placed(ref=f"W-{net}", value="wire", footprint=footprint(key), x=x, y=y, angle=angle, nets={"1": net})


def test_point(net: str, x: float, y: float) -> Placed:
    """A pad with a hole that keeps a meter's tip."""
    return Placed(ref=f"TP-{net}", value="test point", footprint=footprint(TEST_POINT), x=x, y=y, nets={"1": net})


def screw_holes(*points: Point) -> Iterator[Placed]:
    """Holes for M3 screws."""
    for number, (x, y) in enumerate(points, 1):
        x, y = round(x, 4), round(y, 4)
        yield Placed(ref=f"H{number}", value="M3", footprint=footprint(HOLE), x=x, y=y, nets={}, bare=SCREW_HEAD)


def marks(*points: Point) -> Iterator[Placed]:
    """Marks by which a placing machine's camera finds the board's place and angle; three, at corners."""
    for number, (x, y) in enumerate(points, 1):
        x, y = round(x, 4), round(y, 4)
        yield Placed(ref=f"M{number}", value="mark", footprint=footprint(MARK), x=x, y=y, nets={})
