"""The route ``spi``: what the real `neopixel_spi.NeoPixel_SPI` sends, decoded from SPI bits to pixel bytes."""

import pytest

from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.outputs import LightRoute, NeoPixelLights
from tests.panel.boards import WIRING, view
from tests.panel.ws2812 import SHOWN_AFTER, runs
from tests.panel.ws2812 import pixel_bytes as read_at

#: Hertz of the SPI clock where 6.4 MHz are asked for: as asked; as a Raspberry Pi divides its core's clock of 250
#: or 500 MHz, and a Raspberry Pi 5 that of 200 MHz, by an even number.
CLOCKS = (6.4e6, 6.25e6)


def pixel_bytes(spi: bytes) -> bytes:
    """The bytes that pixels read, green first, which must be the same at all `CLOCKS`."""
    (read,) = {read_at(spi, hertz) for hertz in CLOCKS}
    return read


class Wire:
    """The SPI line: ``sent`` has the bytes of each transmission; while it is ``broken`` there are none."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.broken = False

    def write(self, buffer: bytes, start: int = 0, end: int | None = None) -> None:
        if self.broken:
            raise OSError(5, "Input/output error")
        self.sent.append(bytes(buffer[start:end]))


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    from adafruit_blinka.microcontroller.generic_agnostic_board import spi

    wire = Wire()
    monkeypatch.setattr(spi.SPI, "write", staticmethod(wire.write))
    return wire


def test_a_picture_of_the_whole_board_is_one_transfer_of_the_kernels_size(wire: Wire) -> None:
    NeoPixelLights(42, route=LightRoute.SPI).show(pixels(diagnose(view()), 0.0, WIRING))
    (spi,) = wire.sent
    assert pixel_bytes(spi) == bytes(114) + bytes([25, 255, 0, 25, 255, 0]) + bytes(6)
    assert len(spi) <= 4096  # spidev's default
    assert runs(spi, max(CLOCKS))[0][1] >= SHOWN_AFTER, "the line is low before, long enough to latch"


def test_lights_by_spi_that_failed_may_be_tried_again(wire: Wire) -> None:
    lights = NeoPixelLights(2, route=LightRoute.SPI)
    wire.broken = True
    with pytest.raises(OSError, match="Input/output error"):
        lights.show(bytes(6))
    lights.close()
    wire.broken = False
    lights.show(bytes(6))
    lights.close()
    assert [pixel_bytes(spi) for spi in wire.sent] == [bytes(6), bytes(6)]


def test_a_picture_of_another_length_is_refused(wire: Wire) -> None:
    with pytest.raises(ValueError, match="a picture of 5 bytes for 2 pixels"):
        NeoPixelLights(2, route=LightRoute.SPI).show(bytes(5))
    assert wire.sent == []
