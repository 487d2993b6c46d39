"""The whole circuit is on the sheets."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.wiring.built import BOARDS, each_board
from tests.wiring.schematics.boards import pins_of, sheets_of

#: Kinds of which one is drawn and the others stand in a table, by the kind of its rows.
IN_TABLES = {
    "line_guard": "array",
    "ring_sensor": "ring",
    "hall_sensor": "hall",
    "pixel": "pixel",
}

#: Kinds that are drawn with each of their pins.
WITH_ALL_PINS = (
    "nano",
    "chain_register",
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


def words_of(key: str) -> set[str]:
    return {text.words for paper in sheets_of(key).values() for text in paper.texts}


@each_board
def test_every_part_is_on_a_sheet(key: str) -> None:
    assert not {part.ref for part in BOARDS[key].circuit.parts} - words_of(key)


@each_board
def test_every_net_is_named_on_a_sheet(key: str) -> None:
    assert not set(BOARDS[key].circuit.nets) - words_of(key)


@each_board
def test_parts_that_are_not_drawn_are_in_a_table(key: str) -> None:
    drawn = {ref for ref, _ in pins_of(sheets_of(key))}
    listed = {
        words
        for paper in sheets_of(key).values()
        for kind in ("array", "ring", "hall", "pixel", "connector")
        for row in paper.rows(kind)
        for words in row
    }
    assert not {part.ref for part in BOARDS[key].circuit.parts} - drawn - listed


@each_board
@pytest.mark.parametrize("kind", IN_TABLES)
def test_a_table_has_a_row_for_each_part(key: str, kind: str) -> None:
    rows = [row[0] for paper in sheets_of(key).values() for row in paper.rows(IN_TABLES[kind])]
    assert rows == [part.ref for part in BOARDS[key].circuit.of_kind(kind)]


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


@each_board
def test_large_capacitors_show_which_side_is_plus(key: str) -> None:
    pins = pins_of(sheets_of(key))
    large = [part for part in BOARDS[key].circuit.of_kind("capacitor") if part.value.endswith("µF")]
    assert large
    assert all("+" in pins[part.ref, "1"] for part in large)


def test_holders_have_a_sheet_where_they_are_fitted() -> None:
    for key, board in BOARDS.items():
        assert ("load-cells.svg" in sheets_of(key)) == bool(board.wiring.holders)
    words = {text.words for text in sheets_of("reference")["load-cells.svg"].texts}
    assert any("RATE tied high" in line for line in words)
