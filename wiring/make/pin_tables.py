"""The pin tables of a board (``pins.md``): header, controller, every ring bit, multiplexer input and pixel."""

from typing import Final, TypeAlias

from tamsk_hw.board.wiring import INPUTS_PER_CHIP
from tamsk_hw.referee.events import ButtonName
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Part, Role
from wiring.make.circuit_parts import ADDRESSES, INPUT_PINS, MOST_MULTIPLEXERS, pixel_places
from wiring.make.texts import render

#: Logic between chips at 5 V.
_LOGIC: Final = ("0 or 5 V", "under 1 mA")

_OTHERS: Final = {
    nets.GROUND: ("0 V", "return"),
    nets.LOGIC: ("5 V", "see the budget in electrics.md"),
    nets.EMITTERS: ("5 V", "see the budget in electrics.md"),
    nets.LIGHTS_PI: ("0 or 3.3 V", "under 1 mA"),
    nets.BUZZER_PI: ("0 or 3.3 V", "15 mA at an edge"),
    nets.SUPPLY_REFERENCE: ("2.5 V", "under 1 µA"),
    nets.MISO: ("0 or 5 V", "0.5 mA (pull-up)"),
    nets.ENABLE: ("0 or 5 V", "0.5 mA (pull-up)"),
    nets.RING_SELECT: ("0 or 5 V", "0.5 mA (pull-up)"),
    **{nets.mux(number): ("0 to 5 V", "under 1 µA") for number in range(MOST_MULTIPLEXERS)},
    **{nets.button(name): ("0 or 3.3 V", "0.07 mA pressed") for name in ButtonName},
}


def level_of(net: str | None) -> tuple[str, str]:
    """Voltage and current of a net; empty for an open pin."""
    return ("", "") if net is None else _OTHERS.get(net, _LOGIC)


#: The cells of a row.
Row: TypeAlias = tuple[object, ...]


def pins_page(board: Board) -> str:
    """The whole page."""
    return render(
        "pins.md.j2",
        board=board,
        pi=_pi(board),
        controller=_controller(board),
        ribbon=_ribbon(board),
        rings=_rings(board),
        multiplexers=_multiplexers(board),
        arrays=_arrays(board),
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


def _rings(board: Board) -> list[Row]:
    rows: list[Row] = []
    for number, chip in enumerate(board.circuit.of_kind("ring_converter")):
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


def _arrays(board: Board) -> dict[str, object]:
    """The line on each pin of the arrays beside the tubes' connectors."""
    arrays = list(board.circuit.of_kind("line_guard"))
    kind = arrays[0].kind
    pins = [pin for pin in kind.pins if pin.role is Role.PASSIVE]
    return {
        "package": f"{kind.number}, {kind.package}",
        "heads": ("part", *(f"{pin.name} (pin {pin.number})" for pin in pins)),
        "rows": [(part.ref, *(part.nets[pin.name] for pin in pins)) for part in arrays],
    }


def files(board: Board) -> dict[str, str]:
    """File names with their texts."""
    return {"pins.md": pins_page(board)}
