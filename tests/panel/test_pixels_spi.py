"""The route ``spi``: what the real `neopixel_spi.NeoPixel_SPI` sends, decoded from SPI bits to pixel bytes."""

import pytest

from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.outputs import LightRoute, NeoPixelLights, open_lights
from tests.panel.boards import PlainMap, view
from tests.panel.ws2812 import SHOWN_AFTER, runs
from tests.panel.ws2812 import pixel_bytes as read_at

#: Hertz of the SPI clock where 6.4 MHz are asked for: as asked; as a Raspberry Pi divides its core's clock of 250
#: or 500 MHz, and a Raspberry Pi 5 that of 200 MHz, by an even number.
CLOCKS = (6.4e6, 6.25e6)


def pixel_bytes(spi: bytes) -> bytes:
    """The bytes that pixels read, green first, which must be the same at all `CLOCKS`."""
    (read,) = {read_at(spi, hertz) for hertz in CLOCKS}
    return read


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


def test_the_line_is_low_before_and_after_long_enough_to_latch(sent: list[bytes]) -> None:
    NeoPixelLights(1, route=LightRoute.SPI).show(b"\xff\xff\xff")
    (spi,) = sent
    line = runs(spi, max(CLOCKS))
    for level, quiet in (line[0], line[-1]):
        assert not level
        assert quiet >= SHOWN_AFTER


def test_a_picture_of_the_whole_board_is_one_transfer_of_the_kernels_size(sent: list[bytes]) -> None:
    NeoPixelLights(42, route=LightRoute.SPI).show(pixels(diagnose(view()), 0.0, PlainMap()))
    assert [pixel_bytes(each) for each in sent] == [bytes(114) + bytes([25, 255, 0, 25, 255, 0]) + bytes(6)]
    assert len(sent[0]) <= 4096  # spidev's default


def test_each_route_opens_what_it_says(sent: list[bytes]) -> None:
    import neopixel
    import neopixel_spi

    assert open_lights(LightRoute.NONE, 42) is None
    for route, real in ((LightRoute.GPIO, neopixel.NeoPixel), (LightRoute.SPI, neopixel_spi.NeoPixel_SPI)):
        lights = open_lights(route, 42)
        assert isinstance(lights, NeoPixelLights)
        assert isinstance(lights._chain, real)
