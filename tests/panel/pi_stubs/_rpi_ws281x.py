"""Stands for rpi_ws281x 5.0: the calls that Blinka makes to light a chain up to the Pi 4.

Like the real one it takes the process down when it is asked to show or end what it could not begin (it follows a
null pointer). ``TAMSK_WS281X_INIT`` in the environment is what beginning gives, 0 or the number of an error.
"""

import os
from collections.abc import Callable

WS2811_SUCCESS = 0
WS2811_STRIP_RGB = 0x00100800
SK6812_STRIP_RGBW = 0x18100800

#: What was shown: one list of pixels (0xRRGGBB, as they go down the wire) for each time.
shown: list[list[int]] = []


class _Channel:
    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.pixels: list[int] = []


class _Strip:
    def __init__(self) -> None:
        self.channels = [_Channel(), _Channel()]
        self.begun = False


def new_ws2811_t() -> _Strip:
    return _Strip()


def delete_ws2811_t(strip: _Strip) -> None:
    pass


def ws2811_channel_get(strip: _Strip, number: int) -> _Channel:
    return strip.channels[number]


def _setter(name: str) -> Callable[[_Channel, int], None]:
    return lambda channel, value: channel.values.__setitem__(name, value)


ws2811_channel_t_count_set = _setter("count")
ws2811_channel_t_gpionum_set = _setter("gpionum")
ws2811_channel_t_invert_set = _setter("invert")
ws2811_channel_t_brightness_set = _setter("brightness")
ws2811_channel_t_strip_type_set = _setter("strip_type")


def ws2811_channel_t_gpionum_get(channel: _Channel) -> int:
    return channel.values["gpionum"]


def ws2811_channel_t_strip_type_get(channel: _Channel) -> int:
    return channel.values["strip_type"]


def ws2811_t_freq_set(strip: _Strip, frequency: int) -> None:
    pass


def ws2811_t_dmanum_set(strip: _Strip, number: int) -> None:
    pass


def ws2811_init(strip: _Strip) -> int:
    result = int(os.environ.get("TAMSK_WS281X_INIT", "0"))
    strip.begun = result == WS2811_SUCCESS
    for channel in strip.channels:
        channel.pixels = [0] * channel.values["count"]
    return result


def ws2811_get_return_t_str(result: int) -> str:
    return {-3: "Hardware revision is not supported", -9: "Failed to create mailbox device"}.get(result, "Unknown")


def ws2811_led_set(channel: _Channel, number: int, pixel: int) -> None:
    channel.pixels[number] = pixel


def _crash_unless_begun(strip: _Strip) -> None:
    if not strip.begun:
        os._exit(139)  # what a segmentation fault looks like from outside


def ws2811_render(strip: _Strip) -> int:
    _crash_unless_begun(strip)
    shown.append(list(strip.channels[0].pixels))
    return WS2811_SUCCESS


def ws2811_fini(strip: _Strip) -> None:
    _crash_unless_begun(strip)
