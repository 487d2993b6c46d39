"""The firmware's tables: made from the wiring map, and what the core holds is what the hash is over."""

import zlib
from pathlib import Path

from tamsk_hw.board.protocol import FIELDS, REFERENCES
from tamsk_hw.board.wiring import load_wiring, parse_wiring
from tests.firmware.core_program import Core, run_make
from tests.firmware.toolchain import need
from wiring.make.firmware_tables import HEADER, tables_header, write_header

MAP = Path(__file__).resolve().parents[2] / "wiring" / "board.toml"

#: In place of a reading: none has this input.
NOTHING = 255


def schedule(core: Core) -> dict[int, tuple[int, int]]:
    """ADC input and address of each place among the readings, by the rounds that the core makes of its tables."""
    found = {}
    for part in core.ask_one("schedule").split():
        adc, high, *places = map(int, part.split(":"))
        for address, place in enumerate(places):
            if place != NOTHING:
                assert place not in found
                found[place] = (adc, 8 * high + address)
    return found


def bytes_of(core: Core) -> tuple[bytes, int]:
    """The canonical bytes of PROTOCOL.md section 6 put together from what the built core holds, and its hash."""
    hashed, holders, inputs_word, pins_word = core.ask_one("wiring").split()
    inputs, pins = bytes.fromhex(inputs_word), bytes.fromhex(pins_word)
    single, selects, holder_pins = pins[:6], pins[6:10], pins[10:]
    places = {place: (inputs.index(0x40 | adc), address) for place, (adc, address) in schedule(core).items()}
    data = bytearray((1, 8))
    for begin, count in ((0, FIELDS), (FIELDS, REFERENCES)):
        data.append(count)
        for place in range(begin, begin + count):
            data += bytes(places[place])
    data += bytes([len(selects)]) + selects + bytes([len(inputs)]) + inputs + single + holder_pins
    assert (int(holders) == 0) == (holder_pins == b"\xff" * 4)
    return bytes(data), int(hashed)


def test_the_core_holds_what_its_hash_is_over(core: Core) -> None:
    data, hashed = bytes_of(core)
    assert hashed == zlib.crc32(data)
    # The value that PROTOCOL.md section 6 gives for the reference map.
    assert hashed == 0xD26E7B07
    assert len(data) == 105


def test_a_scan_converts_every_channel_once(core: Core) -> None:
    assert sorted(schedule(core)) == list(range(FIELDS + REFERENCES))


def test_the_header_is_up_to_date() -> None:
    assert HEADER.read_text(encoding="utf-8") == tables_header(load_wiring()), (
        "firmware/generated/tables.h is not what wiring/board.toml gives: run `make -C firmware tables`"
    )


CHANGES = {
    # PB2 is SS and must stay an output.
    'ring_select = "PB1"': 'ring_select = "PB2"',
    'latch = "PB2"': 'latch = "PC5"',
    'mux_inputs = ["ADC0", "ADC1", "ADC2"]': 'mux_inputs = ["ADC0", "ADC1", "ADC7"]',
    'red = { clock = "PD2", data = "PC3" }': 'red = { clock = "PB1", data = "PC3" }',
}


def test_another_map_makes_another_core(tmp_path: Path) -> None:
    text = MAP.read_text(encoding="utf-8")
    for old, new in CHANGES.items():
        assert old in text
        text = text.replace(old, new)
    wiring = parse_wiring(text, "other.toml")
    need("make", "gcc")
    write_header(wiring, tmp_path / "generated" / "tables.h")
    run_make("host", "HOST_CC=gcc", f"BUILD={tmp_path}", f"GENERATED={tmp_path / 'generated'}")
    data, hashed = bytes_of(Core(tmp_path / "core_filter"))
    assert (data, hashed) == (wiring.firmware_bytes, wiring.hash)
    assert hashed != 0xD26E7B07
