"""A breadboard with tube A1's two sensors, as the reference circuit has them, for an evening before any order.

The Hall sensor goes to the controller without a multiplexer, and all is fed by the module's USB.
"""

from typing import Final

from wiring.make import nets
from wiring.make.board import Board
from wiring.make.texts import render

#: The parts in the order of the drawing, and their titles there; resistors have their value.
_CHIPS: Final = {"U1": "Nano", "U18": "74HC138", "U10": "MCP3008", "U20": "TPIC6B595"}
_TITLES: Final = _CHIPS | {"RS-A1-1": "QRE1113", "HS-A1": "5055A3 TO-92"}
PARTS: Final = (*_TITLES, "RE-A1-1", "RP-A1-1", "RI-A1-1", "RF-A1", "R1", "R5", "R20")

#: Pins of the leaded Hall sensor that are others than those of the circuit's.
_TO_92: Final = {("HS-A1", "OUT"): "3", ("HS-A1", "GND"): "2"}

#: Nets of the circuit that are one here.
JOINED: Final = {nets.EMITTERS: nets.LOGIC, "FIELD_A1": nets.mux(0)}


def pins_of(board: Board) -> dict[str, list[tuple[str, str, str]]]:
    """For each part its pins that are connected: number, label, net; nothing for a board without a tube A1."""
    parts = board.circuit.by_ref
    found = {
        ref: [
            (_TO_92.get((ref, pin.name), pin.number), pin.label, JOINED.get(net, net))
            for pin in parts[ref].kind.pins
            if (net := parts[ref].nets.get(pin.name)) is not None
        ]
        for ref in (PARTS if parts.keys() >= {*PARTS} else ())
    }
    used = [net for pins in found.values() for net in {net for _, _, net in pins}]
    return {ref: [pin for pin in pins if used.count(pin[2]) > 1] for ref, pins in found.items()}


def files(board: Board) -> dict[str, str]:
    """The drawing, for a board with a tube A1."""
    pins, parts = pins_of(board), board.circuit.by_ref
    titles = {ref: f"{parts[ref].amount:g} Ω" if parts[ref].amount else _TITLES.get(ref, "") for ref in pins}
    found = dict.fromkeys(net for each in pins.values() for _, _, net in each)
    return {"breadboard.svg": render("breadboard.svg.j2", pins=pins, titles=titles, nets=[*found])} if pins else {}
