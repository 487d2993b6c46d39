"""Parts of the circuit as they are put on boards."""

from __future__ import annotations

from collections.abc import Mapping

from wiring.boards.footprints import NARROW_WIRE, footprint
from wiring.boards.layout import Label, Placed
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
    """A part of the circuit at a place; ``ref`` and ``nets`` (new by old name) where a board serves many tubes."""
    mount = catalogue.mount(part)
    renamed = nets or {}
    by_pad = {
        pin.number: renamed.get(part.nets[pin.name], part.nets[pin.name])
        for pin in part.kind.pins
        if pin.name in part.nets
    }
    return Placed(
        ref=ref or part.ref,
        value=part.value,
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
