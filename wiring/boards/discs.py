"""The round board of a Hall sensor, glued under a tube's floor: everything on the side that looks down."""

from __future__ import annotations

from typing import Final

from wiring.boards.footprints import WIDE_WIRE
from wiring.boards.layout import FRONT, Circle, Label, Layout, path
from wiring.boards.placing import put, wire
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Site
from wiring.make.mechanics.parts import PARTS

_WIDTH: Final = 0.4

#: The disc's name of the sensor's output.
OUTPUT: Final = "HALL"


def disc_layout(board: Board) -> Layout:
    """The disc. Its sensor is on its centre; a second pad of 5 V passes the supply on to the strip."""
    site = Site(board.wiring.tubes[0])
    names = {nets.hall(site): OUTPUT}
    by_ref = board.circuit.by_ref
    sensor = put(board.catalogue, by_ref[f"HS-{site}"], 0.0, 0.0, 0.0, ref="HS1", nets=names)
    capacitor = put(board.catalogue, by_ref[f"CS-{site}"], 0.0, -3.2, 0.0, ref="CS1", nets=names)
    supply, output, ground = (sensor.pad(number) for number in "123")
    plus, minus = capacitor.pad("1"), capacitor.pad("2")
    pads = (
        wire(nets.LOGIC, -3.4, 0.95, key=WIDE_WIRE),
        wire(nets.LOGIC, -1.75, 3.1, mark="-2", key=WIDE_WIRE),
        wire(OUTPUT, 0.0, 3.1, key=WIDE_WIRE),
        wire(nets.GROUND, 1.75, 3.1, key=WIDE_WIRE),
    )
    feed, onward, out, earth = (pad.pad("1") for pad in pads)
    tracks = (
        *path(nets.LOGIC, FRONT, _WIDTH, plus, (plus[0], -1.6), supply),
        *path(nets.LOGIC, FRONT, _WIDTH, (-3.4, -1.6 + 0.65), feed),
        *path(nets.LOGIC, FRONT, _WIDTH, supply, (-3.4, -0.95), feed, (-3.4, 2.0), onward),
        *path(OUTPUT, FRONT, _WIDTH, output, (0.0, 1.9), out),
        *path(nets.GROUND, FRONT, _WIDTH, minus, (2.4, -2.2), (2.4, 2.0), earth),
        *path(nets.GROUND, FRONT, _WIDTH, ground, (2.4, 0.0)),
    )
    return Layout(
        name="hall-disc",
        title="Hall sensor of a tube",
        outline=Circle((0.0, 0.0), PARTS.carrier_diameter / 2),
        thickness=PARTS.carrier_thickness,
        parts=(sensor, capacitor, *pads),
        tracks=tracks,
        labels=(
            Label("5V", -3.4, -1.6),
            Label("5V", -3.5, 2.4, 0.8),
            Label("O", 1.35, 1.45, 0.8),
            Label("G", 3.3, 2.6, 0.8),
        ),
    )
