"""Stands for Adafruit-Blinka-Raspberry-Pi5-Neopixel: lights a chain on a Pi 5."""

from typing import Any

#: What was shown: the bytes as they go down the wire, one entry for each time.
shown: list[bytes] = []


def neopixel_write(gpio: Any, buffer: bytearray) -> None:
    shown.append(bytes(buffer))
