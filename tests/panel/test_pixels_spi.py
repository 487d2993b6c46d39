"""The route ``spi``: what the real `neopixel_spi.NeoPixel_SPI` sends, decoded from SPI bits to pixel bytes."""

from __future__ import annotations

import pytest

from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.pixels import LightRoute, NeoPixelLights, NoLights, open_lights
from tests.panel.boards import PlainMap, view

#: Bits a second on the SPI line; eight of them make one bit for a pixel.
SPI_BAUD = 6_400_000

#: How long a WS2812B wants its line high for a 0 and for a 1, in nanoseconds (its datasheet, with tolerance).
HIGH_FOR_0 = (220, 380)
HIGH_FOR_1 = (580, 1000)


def highs(spi: bytes) -> list[float]:
    """The line's high times, in nanoseconds, as the pixels see them."""
    bits = "".join(f"{byte:08b}" for byte in spi)
    return [len(run) * 1e9 / SPI_BAUD for run in bits.split("0") if run]


def pixel_bytes(spi: bytes) -> bytes:
    """The bytes that pixels read from one transmission; a high that is neither a 0 nor a 1 is refused."""
    bits = ""
    for nanoseconds in highs(spi):
        if HIGH_FOR_0[0] <= nanoseconds <= HIGH_FOR_0[1]:
            bits += "0"
        else:
            assert HIGH_FOR_1[0] <= nanoseconds <= HIGH_FOR_1[1], nanoseconds
            bits += "1"
    return bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Bytes that go out on the SPI line, one entry for each transmission."""
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    from adafruit_blinka.microcontroller.generic_agnostic_board import spi

    wire: list[bytes] = []

    def write(self: object, buffer: bytes, start: int = 0, end: int | None = None) -> None:
        wire.append(bytes(buffer[start:end]))

    monkeypatch.setattr(spi.SPI, "write", write)
    return wire


def test_green_goes_first_on_the_wire(sent: list[bytes]) -> None:
    lights = NeoPixelLights(3, route=LightRoute.SPI)
    lights.show(bytes([1, 2, 3, 40, 50, 60, 0, 0, 255]))
    assert [pixel_bytes(each) for each in sent] == [bytes([2, 1, 3, 50, 40, 60, 0, 0, 255])]


def test_the_line_is_low_before_and_after_long_enough_to_latch(sent: list[bytes]) -> None:
    NeoPixelLights(1, route=LightRoute.SPI).show(b"\xff\xff\xff")
    (spi,) = sent
    for quiet in (spi[: len(spi) - len(spi.lstrip(b"\0"))], spi[len(spi.rstrip(b"\0")) :]):
        assert len(quiet) * 8 / SPI_BAUD >= 280e-6, "newer WS2812B; older ones do with 50 µs"


def test_a_picture_of_the_whole_board_is_one_transfer_of_the_kernels_size(sent: list[bytes]) -> None:
    NeoPixelLights(42, route=LightRoute.SPI).show(pixels(diagnose(view()), 0.0, PlainMap()))
    assert [pixel_bytes(each) for each in sent] == [bytes(114) + bytes([25, 255, 0, 25, 255, 0]) + bytes(6)]
    assert len(sent[0]) <= 4096  # spidev's default


def test_closing_goes_dark(sent: list[bytes]) -> None:
    lights = NeoPixelLights(2, route=LightRoute.SPI)
    lights.show(b"\x09" * 6)
    lights.close()
    assert pixel_bytes(sent[-1]) == bytes(6)


def test_a_picture_of_another_length_is_refused(sent: list[bytes]) -> None:
    with pytest.raises(ValueError, match="a picture of 5 bytes for 2 pixels"):
        NeoPixelLights(2, route=LightRoute.SPI).show(bytes(5))
    assert sent == []


def test_each_route_opens_what_it_says(sent: list[bytes]) -> None:
    import neopixel
    import neopixel_spi

    assert isinstance(open_lights(LightRoute.NONE, 42), NoLights)
    for route, real in ((LightRoute.GPIO, neopixel.NeoPixel), (LightRoute.SPI, neopixel_spi.NeoPixel_SPI)):
        lights = open_lights(route, 42)
        assert isinstance(lights, NeoPixelLights)
        assert isinstance(lights._chain, real)
