"""The sheets, read back, against the wiring map and the data sheets: worked out here, without the circuit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tamsk_hw.game.tubes import TUBES
from tests.wiring.schematics.boards import BOARDS, pins_of, sheets_of

#: 74HC165: pins of the inputs A … H, in the order of a chip's bits.
REGISTER_PINS = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}

#: CD74HC4067: pins of the inputs by address.
MULTIPLEXER_PINS = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)

#: TPIC6B595: pins of the drains.
DRAIN_PINS = (4, 5, 6, 7, 14, 15, 16, 17)

#: Arduino Nano: pins of the ports of the ATmega328P.
NANO_PINS = {
    **{"PD1": 1, "PD0": 2, "PD2": 5, "PD3": 6, "PD4": 7, "PD5": 8, "PD6": 9, "PD7": 10},
    **{"PB0": 11, "PB1": 12, "PB2": 13, "PB3": 14, "PB4": 15, "PB5": 16},
    **{f"{name}{number}": 19 + number for name in ("ADC", "PC") for number in range(6)},
}

#: Raspberry Pi: header pins of some BCM numbers.
HEADER_PINS = {17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22, 5: 29, 6: 31, 12: 32, 13: 33}

ALL_BOARDS = pytest.mark.parametrize("key", BOARDS)


def nets_of(key: str) -> dict[tuple[str, str], str]:
    """The net at each pin of a chip, module or connector on the sheets."""
    return {pin: words[-1] for pin, words in pins_of(sheets_of(key)).items()}


@ALL_BOARDS
def test_ring_sensors_go_to_their_inputs(key: str) -> None:
    wiring, nets = BOARDS[key].wiring, nets_of(key)
    expected = {
        (bit // 8, bit % 8): f"RING_{tube}_{level}"
        for tube in TUBES
        for level, bit in enumerate(wiring.ring_bits[tube], 1)
    }
    chips = 1 + max(chip for chip, _ in expected)
    for chip in range(chips):
        for number, pin in enumerate(REGISTER_PINS.values()):
            assert nets[f"U{10 + chip}", str(pin)] == expected.get((chip, number), "GND")
    assert (f"U{10 + chips}", "11") not in nets


@ALL_BOARDS
def test_the_table_of_ring_sensors_agrees(key: str) -> None:
    wiring = BOARDS[key].wiring
    rows = [row for paper in sheets_of(key).values() for row in paper.rows("ring")]
    expected = []
    for tube in TUBES:
        for level, bit in enumerate(wiring.ring_bits[tube], 1):
            letter = "ABCDEFGH"[bit % 8]
            place, net = f"{tube}-{level}", f"{tube}_{level}"
            row = [f"RS-{place}", str(tube), str(level), f"IR_{net}", f"RE-{place}", f"BANK{bit % 8}"]
            row += [f"RING_{net}", f"RP-{place}", f"U{10 + bit // 8}", letter, str(REGISTER_PINS[letter])]
            expected.append(row)
    assert rows == expected


@ALL_BOARDS
def test_a_bank_is_the_same_input_of_every_chip(key: str) -> None:
    wiring = BOARDS[key].wiring
    rows = [row for paper in sheets_of(key).values() for row in paper.rows("bank")]
    assert len(rows) == 8
    for bank, row in enumerate(rows):
        refs = {
            f"RE-{tube}-{level}"
            for tube in TUBES
            for level, bit in enumerate(wiring.ring_bits[tube], 1)
            if bit % 8 == bank
        }
        assert row[:3] == [f"BANK{bank}", f"DRAIN{bank}", str(DRAIN_PINS[bank])]
        assert set(row[3:]) == refs
        assert nets_of(key)["U20", str(DRAIN_PINS[bank])] == f"BANK{bank}"


@ALL_BOARDS
def test_the_chain_ends_at_the_controller(key: str) -> None:
    nets = nets_of(key)
    chips = sorted({ref for ref, pin in nets if ref.startswith("U1") and len(ref) == 3 and pin == "9"})
    assert nets["U10", "9"] == "MISO"
    for near, far in pairwise(chips):
        assert nets[near, "10"] == nets[far, "9"]


@ALL_BOARDS
def test_fields_and_references_go_to_their_addresses(key: str) -> None:
    wiring, nets = BOARDS[key].wiring, nets_of(key)
    names = [f"FIELD_{tube}" for tube in TUBES] + ["FIELD_TIMER"]
    expected = {channel: name for channel, name in zip(wiring.channels, names, strict=True) if channel}
    expected |= zip(wiring.references, ("REF_1/4", "REF_1/2", "REF_3/4"), strict=True)
    inputs = {(channel.mux, channel.address): name for channel, name in expected.items()}
    for mux in range(len(wiring.controller.mux_inputs)):
        for address, pin in enumerate(MULTIPLEXER_PINS):
            assert nets[f"U{30 + mux}", str(pin)] == inputs.get((mux, address), "GND")
        assert nets[f"U{30 + mux}", "1"] == f"MUX{mux}"
    rows = [row for paper in sheets_of(key).values() for row in paper.rows("hall")]
    assert {row[4]: (row[7], row[8], row[9]) for row in rows} == {
        name: (f"U{30 + mux}", f"I{address}", str(MULTIPLEXER_PINS[address]))
        for (mux, address), name in inputs.items()
        if name.startswith("FIELD")
    }


@ALL_BOARDS
def test_the_controller_has_its_signals(key: str) -> None:
    wiring, nets = BOARDS[key].wiring, nets_of(key)
    pins = wiring.controller
    signals = {
        pins.mosi: "MOSI",
        pins.miso: "MISO",
        pins.sck: "SCK",
        pins.latch: "LATCH",
        pins.chain_load: "LOAD",
        pins.emitter_enable: "ENABLE/",
        **{pin: f"S{line}" for line, pin in enumerate(pins.mux_selects)},
        **{pin: f"MUX{number}" for number, pin in enumerate(pins.mux_inputs)},
    }
    for player, holder in wiring.holders.items():
        signals |= {holder.clock: f"CLK_{player.name}", holder.data: f"DT_{player.name}"}
    numbers = {str(NANO_PINS[port]): net for port, net in signals.items()}
    fixed = {"4": "GND", "27": "5V", "29": "GND"}
    for number in range(1, 31):
        assert nets["U1", str(number)] == {**fixed, **numbers}.get(str(number), "open")


@ALL_BOARDS
def test_the_ribbon_joins_the_same_pins(key: str) -> None:
    nets = nets_of(key)
    for number in range(1, 21):
        assert nets["J2", str(number)] == nets["J3", str(number)]


@ALL_BOARDS
def test_the_pi_has_its_signals(key: str) -> None:
    wiring, nets = BOARDS[key].wiring, nets_of(key)
    assert nets["PI1", str(HEADER_PINS[wiring.lights_pin])] == "LIGHTS_3V3"
    assert nets["PI1", str(HEADER_PINS[wiring.buzzer_pin])] == "BUZZER_PI"
    for name, pin in wiring.buttons.items():
        assert nets["PI1", str(HEADER_PINS[pin])] == f"BUTTON_{name.name}"


@ALL_BOARDS
def test_pixels_are_where_the_map_says(key: str) -> None:
    wiring = BOARDS[key].wiring
    places = {wiring.timer_pixel: "cradle"}
    places |= {pixel: f"tube {TUBES[at]}" for at, pixel in enumerate(wiring.tube_pixels) if pixel is not None}
    for player, pixels in wiring.player_pixels.items():
        places |= {pixel: f"{player}'s side, {count}" for count, pixel in enumerate(pixels, 1)}
    rows = [row for paper in sheets_of(key).values() for row in paper.rows("pixel")]
    assert [row[1:4] for row in rows] == [[str(n), places[n], f"PIXEL{n}"] for n in sorted(places)]
