"""The wiring maps of both boards, and each way to spoil one: refused in one line by name."""

import re
import zlib
from pathlib import Path

import pytest

from tamsk_hw.board.protocol import RING_BITS
from tamsk_hw.board.wiring import Channel, Wiring, bank_of, load_wiring, parse_wiring
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, TUBES, Player, Tube
from tests.boards import SEVEN, SEVEN_MAP, WHOLE

MAP = Path(__file__).resolve().parents[2] / "wiring" / "board.toml"
TEXT = MAP.read_text(encoding="utf-8")
SEVEN_TEXT = SEVEN_MAP.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load_wiring()


def test_every_ring_sensor_has_one_bit(wiring: Wiring) -> None:
    assert [len(bits) for bits in wiring.ring_bits] == list(CAPACITY)
    assert sorted(bit for bits in wiring.ring_bits for bit in bits) == list(range(RING_BITS))
    for bit, (tube, level) in enumerate(wiring.ring_sensors):
        assert wiring.ring_bits[tube][level] == bit


BOTH = pytest.mark.parametrize("wiring", [WHOLE.wiring, SEVEN.wiring], ids=["whole", "seven"])


@BOTH
def test_stacked_levels_and_neighbours_are_not_lit_together(wiring: Wiring) -> None:
    for tube in wiring.tubes:
        banks = [bank_of(bit) for bit in wiring.ring_bits[tube]]
        assert len(set(banks)) == len(banks), tube
        for other in NEIGHBOURS[tube]:
            for level, bank in enumerate(banks):
                for other_level, bit in enumerate(wiring.ring_bits[other]):
                    if abs(level - other_level) <= 1:
                        assert bank != bank_of(bit), (tube, level, other, other_level)


def test_the_hash_is_the_crc_of_the_listed_bytes(wiring: Wiring) -> None:
    # PROTOCOL.md section 6, item by item, from the parsed file alone.
    data = [1, 8, 38]
    for channel in wiring.channels:
        data += [channel.mux, channel.address]
    data += [3, 0, 5, 2, 15, 1, 10]
    data += [4, 0x34, 0x35, 0x36, 0x37]
    data += [3, 0x40, 0x41, 0x42]
    data += [0x13, 0x14, 0x15, 0x12, 0x11, 0x10]
    data += [0x32, 0x23, 0x33, 0x24]
    assert wiring.firmware_bytes == bytes(data)
    assert len(data) == 105
    assert wiring.hash == zlib.crc32(bytes(data))
    protocol = (MAP.parents[1] / "firmware" / "PROTOCOL.md").read_text(encoding="utf-8")
    assert f"0x{wiring.hash:08X}" in protocol


def changed(old: str, new: str) -> str:
    """The real map with one spot changed."""
    assert TEXT.count(old) >= 1, f"not in the map: {old}"
    return TEXT.replace(old, new, 1)


REFUSALS = [
    # Ring sensors
    ("[[0, 0]]", "[[0, 4]]", ("tubes.A2.rings[0]", "[0, 4]", "tubes.A1.rings[0]", "once")),
    ("[[0, 0]]", "[[8, 0]]", ("tubes.A1.rings[0][0]", "8", "a chip, 0 to 7")),
    ("[[0, 0]]", "[[0, 0], [0, 1]]", ("tubes.A1.rings", "2 levels", "allowed are 1")),
    # Two levels of D4 in one bank; the bit that D4 gives up goes to the tube that had its new one.
    (
        "[[3, 2], [3, 7], [4, 0], [4, 6]]",
        "[[3, 2], [3, 7], [4, 0], [4, 2]]",
        ("tubes.D4.rings[3]", "[4, 2]", "bank"),
    ),
    # Multiplexers
    ("address =  0, pixel =  0", "address = 16, pixel =  0", ("tubes.A1.address", "16", "0 to 15")),
    ("A1 = { mux = 0", "A1 = { mux = 3", ("tubes.A1.mux", "3", "0 to 2")),
    (
        "quarter = { mux = 0, address = 5 }",
        "quarter = { mux = 0, address = 4 }",
        ("references.quarter.address", "mux 0 address 4", "tubes.B1", "once"),
    ),
    # Pixels
    ("pixel =  1,", "pixel =  0,", ("tubes.A2.pixel", "0", "tubes.A1.pixel", "each once")),
    ("red = [38, 39]", "red = [38, 37]", ("player_pixels.red[1]", "37", "timer.pixel")),
    ("red = [38, 39]", 'red = [38, "39"]', ("player_pixels.red[1]", '"39"', "0 to 99")),
    # Controller pins
    ('mosi = "PB3"', 'mosi = "PB1"', ("controller.mosi", '"PB1"', "PB3")),
    ('latch = "PB2"', 'latch = "PB6"', ("controller.latch", '"PB6"', "crystal", "PB0 to PB5")),
    ('latch = "PB2"', 'latch = "PC5"', ("controller.latch", '"PC5"', "PB2", "SS", "output")),
    ('ring_select = "PB1"', 'ring_select = "PB2"', ("controller.ring_select", '"PB2"', "controller.latch")),
    ('ring_select = "PB1"', 'ring_select = "PC1"', ("mux_inputs[1]", '"ADC1"', "controller.ring_select")),
    ('emitter_enable = "PB0"', 'emitter_enable = "PD0"', ("controller.emitter_enable", '"PD0"', "serial line")),
    ('emitter_enable = "PB0"', 'emitter_enable = "PC6"', ("controller.emitter_enable", '"PC6"', "reset")),
    ('"PD4", "PD5", "PD6", "PD7"', '"PD4", "PD5", "PD6"', ("controller.mux_selects", "a list of 4")),
    ('"PD4", "PD5"', '"PD4", "PE5"', ("controller.mux_selects[1]", '"PE5"', "ATmega328P")),
    ('"ADC0", "ADC1"', '"ADC0", "ADC8"', ("controller.mux_inputs[1]", '"ADC8"', "ADC0 to ADC7")),
    ('"ADC0", "ADC1"', '"ADC6", "ADC7"', ("controller.mux_inputs", "ADC6 and ADC7", "the supply")),
    ('clock = "PD2"', 'clock = "PD3"', ("holders.black.clock", '"PD3"', "holders.red.clock")),
    ('data = "PC3"', 'data = "PB2"', ("holders.red.data", '"PB2"', "SS", "output")),
    # The Pi
    ("lights = 18", "lights = 28", ("pi.lights", "28", "0 to 27")),
    ("lights = 18", "lights = 4", ("pi.lights", "4", "10, 12, 13, 18, 19, 21")),
    ("buzzer = 24", "buzzer = 22", ("pi.buttons.black", "22", "pi.buzzer")),
    # Geometry
    ("cap_diameter = 25.0", "cap_diameter = 26.0", ("geometry.tube_inner_diameter", "25.6", "cap_diameter, 26.0")),
    ("ring_thickness = 4.5 ", 'ring_thickness = "4.5" ', ("geometry.ring_thickness", '"4.5"', "number")),
    # Keys and tables
    ("G4 = {", "G5 = {", ("tubes.G5", "G1 to G4")),
    ("A1 = { mux = 0,", "A1 = {", ("tubes.A1", "has no", "mux")),
    ("[timer]", "[timers]", ("unknown key", "timers", "timer")),
    # TOML itself
    ("[timer]", "[timer", ("line", "TOML")),
]


# The first build: seven tubes round the centre.


def test_the_hash_of_the_first_build_is_the_crc_of_the_listed_bytes() -> None:
    # As they stand in the file.
    wiring = SEVEN.wiring
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
    kept = [line for line in SEVEN_TEXT.splitlines(keepends=True) if line.split(" ")[0] not in tubes]
    return "".join(kept)


SEVEN_REFUSALS = [
    # Tubes
    (without("C4", "D3", "D4", "D5", "E3", "E4"), ("tubes: C3", "two or more", "touch")),
    (without("C3", "C4", "D3", "D4", "D5", "E3", "E4"), ("tubes: none", "two or more", "touch")),
    (without("C4", "D3", "D4", "E3", "E4"), ("tubes: C3 D5", "touch")),
    # Pixels
    (without("C3"), ("player_pixels.black[1]", "11", "0 to 10")),
    (SEVEN_TEXT.replace("pixel =  6,", "pixel = 12,"), ("tubes.E4.pixel", "12", "0 to 11")),
    # Chips
    (
        re.sub(r"\[2, (\d)\]", r"[3, \1]", SEVEN_TEXT.replace("[0, 0] and [2, 0]", "")),
        ("tubes: chip 2 has no ring sensor", "chip 3 has", "without a gap"),
    ),
    (
        re.sub(r"\[0, (\d)\]", r"[5, \1]", SEVEN_TEXT.replace("[0, 0] and [2, 0]", "")),
        ("tubes: chip 0 has no ring sensor", "chip 5 has"),
    ),
    # Multiplexers
    (SEVEN_TEXT.replace("address = 12", "address = 15"), ("references.half.address", "mux 0 address 15", "timer")),
]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *(pytest.param(changed(old, new), words, id=f"{new!r}"[:50]) for old, new, words in REFUSALS),
        *(pytest.param(text, words, id=f"seven {words[0]}") for text, words in SEVEN_REFUSALS),
    ],
)
def test_a_spoilt_map_is_refused_by_name(text: str, words: tuple[str, ...]) -> None:
    assert text not in (TEXT, SEVEN_TEXT)
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
    text = SEVEN_TEXT.replace('mux_inputs = ["ADC0"]', 'mux_inputs = ["ADC0", "ADC3"]')
    text = text.replace("half = { mux = 0", "half = { mux = 1")
    assert parse_wiring(text, "board.toml").references == (Channel(0, 5), Channel(1, 15), Channel(0, 10))


def test_every_leaf_of_the_map_is_needed() -> None:
    # Each line `key = value` in turn is taken out: nothing has a silent default. Without one of its tubes it is
    # the map of another board, whose pixels are not numbered so.
    lines = TEXT.splitlines(keepends=True)
    leaves = [at for at, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    assert len(leaves) > 60
    for at in leaves:
        key = lines[at].split()[0]
        words = "allowed: each of 0 to 40 once" if key in Tube.__members__ else f"has no '{key}'"
        with pytest.raises(WiringError, match=words):
            parse_wiring("".join(lines[:at] + lines[at + 1 :]), "board.toml")


def test_a_map_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WiringError, match=r"nowhere\.toml: cannot be read: No such file"):
        load_wiring(tmp_path / "nowhere.toml")
    broken = tmp_path / "latin.toml"
    broken.write_bytes(b"# caf\xe9\n")
    with pytest.raises(WiringError, match="byte 5 is not UTF-8"):
        load_wiring(broken)
    with pytest.raises(WiringError, match=r"empty\.toml: the map has no 'controller'"):
        parse_wiring("", "empty.toml")
    with pytest.raises(WiringError, match="TOML"):
        parse_wiring("tubes = " + "[" * 100_000, "deep.toml")
