"""The schematic's sheets are complete, right by the map's facts, and can be read on paper."""

from collections import Counter

from tests.wiring.bench import BOARDS, each_board
from tests.wiring.schematics.boards import pins_of, sheets_of
from wiring.make.schematic_page import family

#: Kinds that are drawn with each of their pins.
WITH_ALL_PINS = (
    "nano",
    "ring_converter",
    "ring_decoder",
    "bank_driver",
    "multiplexer",
    "level_shifter",
    "load_amplifier",
    "load_cell",
    "pi",
    "usb_port",
    "usb_mini_b",
    "supply",
    "buzzer",
    "p_channel",
    "pnp",
    "shunt_reference",
    "voltage_reference",
)


@each_board
def test_each_sort_of_part_and_net_is_drawn(key: str) -> None:
    """Of parts that are many and alike one is drawn; `pins.md` has their chips, and they are named by tube."""
    circuit, drawn = BOARDS[key].circuit, pins_of(sheets_of(key))
    letters = {circuit.by_ref[ref].letters for ref, _ in drawn}
    assert not {part.letters for part in circuit.parts} - letters
    assert not {family(net) for net in circuit.nets} - {family(words[-1]) for words in drawn.values()}


@each_board
def test_chips_and_modules_have_all_their_pins(key: str) -> None:
    pins = pins_of(sheets_of(key))
    for part in BOARDS[key].circuit.of_kind(*WITH_ALL_PINS):
        for pin in part.kind.pins:
            assert pins[part.ref, pin.number] == (pin.number, pin.name, part.nets.get(pin.name, "open"))


@each_board
def test_every_pin_that_is_drawn_is_on_the_net_of_the_circuit(key: str) -> None:
    parts = BOARDS[key].circuit.by_ref
    for (ref, number), words in pins_of(sheets_of(key)).items():
        pin = next(pin for pin in parts[ref].kind.pins if pin.number == number)
        net = parts[ref].nets.get(pin.name, "open")
        named = {"connector": (number, net)}.get(parts[ref].kind.key, (number, pin.name, net))
        bare = parts[ref].kind.key in ("resistor", "capacitor", "fuse", "button", "suppressor", "zener")
        assert words in (((net,), (net, "+"), (net, "K")) if bare else (named,))


@each_board
def test_what_is_drawn_has_its_value(key: str) -> None:
    circuit = BOARDS[key].circuit
    for paper in sheets_of(key).values():
        own = Counter(
            (text.groups[-1]["data-ref"], text.words)
            for text in paper.texts
            if text.groups and "data-ref" in text.groups[-1] and "data-pin" not in text.groups[-1]
        )
        for ref in {ref for ref, _ in own}:
            value = circuit.by_ref[ref].value
            assert own[ref, ref] >= 1
            assert own[ref, value] == own[ref, ref] or not value
