"""``pins.md``: the net, voltage, current and wire colour of every pin; the prose stands in `pins.md.j2`."""

from __future__ import annotations

from typing import TypeAlias

from tamsk_hw.board.wiring_map import INPUTS_PER_CHIP
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.glass_sensing import ADDRESSES
from wiring.make.circuit.model import Circuit, Part
from wiring.make.circuit.pi_side import pixel_places
from wiring.make.circuit.ring_sensing import INPUT_PINS
from wiring.make.pin_tables.levels import level_of
from wiring.make.templates import render

#: The cells of a row.
Row: TypeAlias = tuple[object, ...]


def pins_page(board: Board) -> str:
    """The whole page."""
    return render(
        "pin_tables/pins.md.j2",
        board=board,
        pi=_pi(board),
        controller=_controller(board),
        ribbon=_ribbon(board),
        chain=_chain(board),
        multiplexers=_multiplexers(board),
        pixels=[(f"LED{number}", number, where) for number, where in pixel_places(board.wiring).items()],
    )


def _pi(board: Board) -> list[Row]:
    (pi,) = board.circuit.of_kind("pi")
    colours = {
        wire.b: f"{wire.colour}, {cable.ref} to {cable.a} pin {wire.a}"
        for cable in board.cables
        if cable.b == pi.ref
        for wire in cable.wires
    }
    return [
        (pin.number, pin.label, net, *level_of(net), colours.get(pin.number, "free"))
        for pin in pi.kind.pins
        if (net := pi.nets.get(pin.name)) is not None
    ]


def _controller(board: Board) -> list[Row]:
    (nano,) = board.circuit.of_kind("nano")
    return [
        (pin.number, pin.label, pin.name, net or "–", *level_of(net), _other_ends(board.circuit, nano, net))
        for pin in nano.kind.pins
        for net in [nano.nets.get(pin.name)]
    ]


def _other_ends(circuit: Circuit, part: Part, net: str | None) -> str:
    if net is None or net in (*nets.SUPPLIES, nets.GROUND):
        return ""
    ends = [f"{each.part.ref}.{each.pin.number}" for each in circuit.nets[net] if each.part is not part]
    return ", ".join(ends)


def _ribbon(board: Board) -> list[Row]:
    connector = board.circuit.by_ref["J2"]
    return [
        (pin.number, net or "–", *level_of(net))
        for pin in connector.kind.pins
        for net in [connector.nets.get(pin.name)]
    ]


def _chain(board: Board) -> list[Row]:
    rows: list[Row] = []
    for number, chip in enumerate(board.circuit.of_kind("chain_register")):
        for place, name in enumerate(INPUT_PINS):
            bit, pin = number * INPUTS_PER_CHIP + place, chip.kind.pin(name).number
            sensor = board.wiring.ring_sensors[bit]
            if sensor is None:
                rows.append((bit, chip.ref, name, pin, "–", "–", "to ground", "", ""))
                continue
            tube, level = sensor[0], sensor[1] + 1
            cathode, output = nets.emitter(tube, level), nets.ring(tube, level)
            connector = board.circuit.by_ref[f"JT-{tube}"]
            number_of = {connector.nets[each.name]: each.number for each in connector.kind.pins}
            ends = f"JT-{tube}: {number_of[cathode]} cathode, {number_of[output]} output"
            rows.append((bit, chip.ref, name, pin, tube, level, nets.bit(tube, level), f"bank {place}", ends))
    return rows


def _multiplexers(board: Board) -> list[Row]:
    rows: list[Row] = []
    for chip in board.circuit.of_kind("multiplexer"):
        for address in range(ADDRESSES):
            pin = chip.kind.pin(f"I{address}")
            net = chip.nets[pin.name]
            rows.append((chip.ref, address, pin.number, net if net != nets.GROUND else "to ground"))
    return rows
