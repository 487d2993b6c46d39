"""The lights on a Raspberry Pi: Blinka's real code down to the calls of the Pi's drivers, which are stubs."""

import pytest

from tests.panel.pi import run_on_pi
from tests.panel.test_pixels_spi import pixel_bytes

pytestmark = pytest.mark.slow


def test_up_to_the_pi_4_rpi_ws281x_lights_the_chain_on_gpio_18() -> None:
    result = run_on_pi("""
import _rpi_ws281x, gpiod
lights = NeoPixelLights(2, 18, computer=PI)
lights.show(bytes([1, 2, 3, 40, 50, 60]))
lights.show(bytes([1, 2, 3, 0, 0, 255]))
lights.close()
result = [_rpi_ws281x.shown, sorted(set(gpiod.requested))]
""")
    # Green first on the wire, the last picture dark.
    assert result == [[[0x020103, 0x32283C], [0x020103, 0x0000FF], [0, 0]], [18]]


def test_a_pi_5_lights_the_chain_by_its_own_driver() -> None:
    result = run_on_pi(
        """
import adafruit_raspberry_pi5_neopixel_write
lights = NeoPixelLights(2, 18, computer=PI)
lights.show(bytes([1, 2, 3, 40, 50, 60]))
result = [list(each) for each in adafruit_raspberry_pi5_neopixel_write.shown]
""",
        board="RASPBERRY_PI_5",
    )
    assert result == [[2, 1, 3, 50, 40, 60]]


def test_by_spi_the_bytes_go_to_spidev_0_0() -> None:
    device, wire = run_on_pi("""
from Adafruit_PureIO import spi
class Recorded:
    def __init__(self, device):
        self.device, self.sent = device, []
        opened.append(self)
    def writebytes(self, data):
        self.sent.append(list(data))
opened = []
spi.SPI = Recorded
lights = NeoPixelLights(2, 18, LightRoute.SPI, PI)
lights.show(bytes([1, 2, 3, 40, 50, 60]))
result = [opened[0].device, opened[0].sent]
""")
    assert device == [0, 0]
    assert [pixel_bytes(bytes(each)) for each in wire] == [bytes([2, 1, 3, 50, 40, 60])]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (
            "-5",
            'the lights\' route "gpio" needs root: run as root, or put the data wire on GPIO10 and choose '
            'the route "spi"',
        ),
        ("-3", 'rpi_ws281x does not know this Raspberry Pi: choose the route "spi"'),
    ],
)
def test_lights_that_could_not_begin_are_never_touched_again(number: str, said: str) -> None:
    """To touch them again would crash the process: rpi_ws281x does not say no, it follows a null pointer."""
    result = run_on_pi(
        """
lights = NeoPixelLights(2, 18, computer=PI)
try:
    lights.show(bytes([1, 2, 3, 4, 5, 6]))
except DriverError as error:
    assert error.is_final
    result = driver_words(error.trouble)
lights.close()
""",
        TAMSK_WS281X_INIT=number,
    )
    assert result == said
