"""Parts of the circuit as they are put on boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wiring.boards.footprints import MARK, NARROW_WIRE, footprint
from wiring.boards.layout import Label, Placed, Point
from wiring.make.circuit.catalogue import Catalogue
from wiring.make.circuit.model import Part


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


def wire(net: str, x: float, y: float, angle: float = 0.0, *, mark: str = "", key: str = NARROW_WIRE) -> Placed:
    """A pad to which a wire is soldered, named after its net, with a ``mark`` where a net has several."""
    return Placed(
        ref=f"W-{net}{mark}", value="wire", footprint=footprint(key), x=x, y=y, angle=angle, nets={"1": net}
    )


def marks(*points: Point) -> Iterator[Placed]:
    """Marks by which a placing machine's camera finds the board's place and angle; three, at corners."""
    for number, (x, y) in enumerate(points, 1):
        x, y = round(x, 4), round(y, 4)
        yield Placed(ref=f"M{number}", value="mark", footprint=footprint(MARK), x=x, y=y, nets={})
