"""Reads recorded SPI transfers, and the lights' colours in them, without a machine."""

from __future__ import annotations

import struct

import pytest

from tests.machine.pins import WIRING, Transfer, transfers_in

KEPT = struct.pack("<QIIIII4x", 2_500_000_000, 7, 6_250_000, 8, 0, 2) + b"\x12\x34"


def test_transfers_are_read_with_their_times() -> None:
    assert transfers_in(KEPT + KEPT) == [Transfer(2.5, 7, 6_250_000, 8, 0, b"\x12\x34")] * 2
    assert transfers_in(b"") == []


@pytest.mark.parametrize("lacking", [1, 2, 20])
def test_a_transfer_that_is_not_whole_is_refused(lacking: int) -> None:
    with pytest.raises(ValueError, match="transfer"):
        transfers_in(KEPT + KEPT[:-lacking])


def on_the_line(pixels: bytes, one: str = "11111000") -> bytes:
    """Pixels' bytes, green first, as bits of 0.16 µs: a 0 is high for two of them, a 1 for five."""
    bits = "".join(one if bit == "1" else "11000000" for byte in pixels for bit in f"{byte:08b}")
    return bytes(240) + int(bits, 2).to_bytes(len(bits) // 8, "big") + bytes(240)


def test_lights_are_named_by_the_wiring_map() -> None:
    pixels = bytearray(3 * WIRING.pixel_count)
    pixels[3 * WIRING.timer_pixel] = 0xAB  # its green
    lights = Transfer(0.0, 0, 6_250_000, 8, 0, on_the_line(bytes(pixels))).lights
    assert lights["timer"] == "00ab00"
    assert {colour for place, colour in lights.items() if place != "timer"} == {"000000"}
    assert set(lights) == {
        "C3",
        "C4",
        "D3",
        "D4",
        "D5",
        "E3",
        "E4",
        "timer",
        "red 1",
        "red 2",
        "black 1",
        "black 2",
    }


@pytest.mark.parametrize("one", ["11110000", "11111100"])
def test_a_pulse_that_some_pixels_read_otherwise_is_refused(one: str) -> None:
    pixels = bytes([1] * 3 * WIRING.pixel_count)
    with pytest.raises(AssertionError, match="neither a 0 nor a 1"):
        _ = Transfer(0.0, 0, 6_250_000, 8, 0, on_the_line(pixels, one)).lights
