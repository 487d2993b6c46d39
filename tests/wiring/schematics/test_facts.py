"""The tables of the sheets against the wiring map, by the facts worked out without `wiring.make`.

The pins of the chips are held against the same facts in `tests/wiring/test_agreement.py`.
"""

from __future__ import annotations

from tests.wiring.built import each_board
from tests.wiring.facts import CHAIN_INPUT_PINS, DRAIN_PINS, MUX_INPUT_PINS, Facts, bank_net
from tests.wiring.schematics.boards import sheets_of


def rows_of(key: str, kind: str) -> list[list[str]]:
    return [row for paper in sheets_of(key).values() for row in paper.rows(kind)]


@each_board
def test_the_table_of_ring_sensors(key: str) -> None:
    expected = []
    for (chip, number), (tube, level) in Facts.of(key).rings.items():
        place, net, pin = f"{tube}-{level}", f"{tube}_{level}", CHAIN_INPUT_PINS[number]
        row = [f"RS-{place}", f"IR_{net}", f"RE-{place}", bank_net(chip, number), f"RING_{net}"]
        expected.append([*row, f"RP-{place}", f"RI-{place}", f"U{10 + chip}", "ABCDEFGH"[number], str(pin)])
    assert rows_of(key, "ring") == expected


@each_board
def test_a_bank_is_the_same_input_of_every_chip(key: str) -> None:
    rings = Facts.of(key).rings
    rows = {row[0]: row[1:] for row in rows_of(key, "bank")}
    assert len(rows) == 8 * (1 + (Facts.of(key).chips > 4))
    wanted: dict[str, list[str]] = {}
    for (chip, number), (tube, level) in rings.items():
        wanted.setdefault(bank_net(chip, number), []).append(f"RE-{tube}-{level}")
    for net, row in rows.items():
        bank = int(net.removeprefix("BANK").removesuffix("B"))
        assert row[:2] == [f"DRAIN{bank}", str(DRAIN_PINS[bank])]
        assert sorted(row[2:]) == sorted(wanted[net])


@each_board
def test_the_table_of_hall_sensors(key: str) -> None:
    expected = {
        name: (f"U{30 + mux}", f"I{address}", str(MUX_INPUT_PINS[address]))
        for (mux, address), name in Facts.of(key).fields.items()
        if name.startswith("FIELD")
    }
    rows = rows_of(key, "hall")
    assert {row[4]: (row[7], row[8], row[9]) for row in rows} == expected
    assert len(rows) == len(expected)


@each_board
def test_the_table_of_pixels(key: str) -> None:
    places = Facts.of(key).pixels
    rows = rows_of(key, "pixel")
    assert [row[1:4] for row in rows] == [[str(n), places[n], f"PIXEL{n}"] for n in sorted(places)]


@each_board
def test_the_ribbon_joins_the_same_pins(key: str) -> None:
    pins = {pin: words[-1] for paper in sheets_of(key).values() for pin, words in paper.pins().items()}
    assert [pins["J2", str(n)] for n in range(1, 21)] == [pins["J3", str(n)] for n in range(1, 21)]
