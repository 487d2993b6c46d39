"""The wiring map of the first build, seven tubes round the centre, and ways to spoil a map with fewer tubes."""

from __future__ import annotations

import re
import zlib

import pytest

from tamsk_hw.board.wiring import Channel, Wiring, parse_wiring
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import TUBES, Player, Tube
from tests.boards import SEVEN, SEVEN_MAP

TEXT = SEVEN_MAP.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return SEVEN.wiring


def test_the_hash_is_the_crc_of_the_listed_bytes(wiring: Wiring) -> None:
    # PROTOCOL.md section 6, item by item, the addresses as they stand in the file.
    address = {"C3": 1, "C4": 2, "D3": 3, "D4": 4, "D5": 6, "E3": 8, "E4": 9}
    data = [1, 3, 38]
    for tube in TUBES:
        data += [0, address[tube.name]] if tube.name in address else [0xFF, 0xFF]
    data += [0, 12]
    data += [3, 0, 5, 0, 15, 0, 10]
    data += [4, 0x34, 0x35, 0x36, 0x37]
    data += [1, 0x40]
    data += [0x13, 0x14, 0x15, 0x12, 0x11, 0x10]
    data += [0xFF, 0xFF, 0xFF, 0xFF]
    assert wiring.firmware_bytes == bytes(data)
    assert wiring.hash == zlib.crc32(bytes(data))
    protocol = (SEVEN_MAP.parents[2] / "firmware" / "PROTOCOL.md").read_text(encoding="utf-8")
    assert f"the {len(data)} of the seven tubes' (`wiring/seven/board.toml`) 0x{wiring.hash:08X}" in protocol


def without(*tubes: str) -> str:
    """The map without the lines of these tubes."""
    kept = [line for line in TEXT.splitlines(keepends=True) if line.split(" ")[0] not in tubes]
    return "".join(kept)


REFUSALS = [
    # Tubes
    (without("C4", "D3", "D4", "D5", "E3", "E4"), ("tubes: C3", "two or more", "touch")),
    (without("C3", "C4", "D3", "D4", "D5", "E3", "E4"), ("tubes: none", "two or more", "touch")),
    (without("C4", "D3", "D4", "E3", "E4"), ("tubes: C3 D5", "touch")),
    (TEXT.replace("D4 = {", "D8 = {"), ("tubes.D8", "G1 to G4")),
    # Pixels
    (without("C3"), ("player_pixels.black[1]", "11", "0 to 10")),
    (TEXT.replace("pixel =  6,", "pixel = 12,"), ("tubes.E4.pixel", "12", "0 to 11")),
    (TEXT.replace("pixel =  6,", "pixel =  5,"), ("tubes.E4.pixel", "5", "tubes.E3.pixel", "each once")),
    # Chips
    (
        re.sub(r"\[2, (\d)\]", r"[3, \1]", TEXT.replace("[0, 0] and [2, 0]", "")),
        ("tubes: chip 2 has no ring sensor", "chip 3 has", "without a gap"),
    ),
    (
        re.sub(r"\[0, (\d)\]", r"[5, \1]", TEXT.replace("[0, 0] and [2, 0]", "")),
        ("tubes: chip 0 has no ring sensor", "chip 5 has"),
    ),
    (TEXT.replace("[1, 2], [1, 5]]", "[1, 2]]"), ("tubes.D4.rings", "3 levels", "allowed are 4")),
    # Multiplexers
    (TEXT.replace("C4 = { mux = 0", "C4 = { mux = 1"), ("tubes.C4.mux", "1", "0 to 0")),
    (TEXT.replace("address = 12", "address = 15"), ("references.half.address", "mux 0 address 15", "timer")),
]


@pytest.mark.parametrize(("text", "words"), REFUSALS, ids=[words[0] for _, words in REFUSALS])
def test_a_spoilt_map_is_refused_by_name(text: str, words: tuple[str, ...]) -> None:
    assert text != TEXT
    with pytest.raises(WiringError) as caught:
        parse_wiring(text, "some/board.toml")
    message = str(caught.value)
    assert message.startswith("some/board.toml: ")
    assert "\n" not in message
    assert "allowed" in message or "needed" in message
    for word in words:
        assert word in message, message


def test_two_tubes_that_touch_are_a_board() -> None:
    text = without("C3", "C4", "D3", "E3", "E4")
    text = re.sub(
        r"^D5 = .*$",
        "D5 = { mux = 0, address = 6, pixel = 1, rings = [[0, 3], [0, 7], [0, 6]] }",
        text,
        flags=re.M,
    )
    text = text.replace("pixel =  3", "pixel =  0").replace("[1, ", "[0, ").replace("pixel = 7", "pixel = 2")
    text = text.replace("[8, 9]", "[3, 4]").replace("[10, 11]", "[5, 6]")
    board = parse_wiring(text, "board.toml")
    assert board.tubes == (Tube.D4, Tube.D5)
    assert (board.chips, board.pixel_count, board.fields) == (1, 7, (Tube.D4, Tube.D5, 37))
    assert dict(board.player_pixels) == {Player.RED: (3, 4), Player.BLACK: (5, 6)}


def test_references_may_stand_on_any_multiplexer() -> None:
    text = TEXT.replace('mux_inputs = ["ADC0"]', 'mux_inputs = ["ADC0", "ADC3"]')
    text = text.replace("half = { mux = 0", "half = { mux = 1")
    assert parse_wiring(text, "board.toml").references == (Channel(0, 5), Channel(1, 15), Channel(0, 10))
