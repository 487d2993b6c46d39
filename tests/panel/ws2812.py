"""WS2812B pixels: what they read from the line that the SPI's data output drives, by their data sheets alone."""

from itertools import groupby
from typing import Final

#: How long the line is high for a 0 and for a 1, in nanoseconds, so that every pixel sold under the name reads it:
#: WS2812B, 400 ± 150 and 800 ± 150; its fifth version, 220 to 380 and 580 to 1000.
HIGH_FOR_0: Final = (250.0, 380.0)
HIGH_FOR_1: Final = (650.0, 950.0)

#: Within a picture the line is never low for as long as this (ns): some pixels would show what they have got.
LONGEST_LOW: Final = 5000.0

#: After a picture it is low for as long as this (ns); WS2812B, 50 µs; its fifth version, 280 µs.
SHOWN_AFTER: Final = 280_000.0


def runs(spi: bytes, hertz: float) -> list[tuple[bool, float]]:
    """The line's level and for how many nanoseconds it was held, in turn; the highest bit of a byte goes first."""
    bits = "".join(f"{byte:08b}" for byte in spi)
    return [(level == "1", len(list(run)) * 1e9 / hertz) for level, run in groupby(bits)]


def pixel_bytes(spi: bytes, hertz: float) -> bytes:
    """Decode one transfer to the bytes that pixels read from it, green first.

    Raises:
        AssertionError: some pixel could read it otherwise, or would not show it.
    """
    line = runs(spi, hertz)
    assert not line[0][0], "the line is low at first"
    level, quiet = line[-1]
    assert not level, "the line is low at the end"
    assert quiet >= SHOWN_AFTER, f"low for {quiet:.0f} ns at the end"
    bits = ""
    for level, held in line[1:-1]:
        if not level:
            assert held <= LONGEST_LOW, f"low for {held:.0f} ns in mid-picture"
        elif HIGH_FOR_0[0] <= held <= HIGH_FOR_0[1]:
            bits += "0"
        else:
            assert HIGH_FOR_1[0] <= held <= HIGH_FOR_1[1], f"high for {held:.0f} ns is neither a 0 nor a 1"
            bits += "1"
    assert len(bits) % 24 == 0, f"{len(bits)} bits are no whole pixels"
    return bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))


def colours(spi: bytes, hertz: float) -> list[bytes]:
    """Decode one transfer to a colour for each pixel, in the chain's order: red, green, blue."""
    read = pixel_bytes(spi, hertz)
    return [bytes([read[at + 1], read[at], read[at + 2]]) for at in range(0, len(read), 3)]
