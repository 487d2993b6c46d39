"""Stands for RPi.GPIO 0.7.1: the calls that gpiozero makes, with the refusals of the real one.

It tells no edges, as the real one under kernels from 6.6 on. ``TAMSK_NO_PI`` in the environment makes the import
fail as it does off a Pi. `levels`, `pwms` and `drive` are the tests'.
"""

import os

if os.environ.get("TAMSK_NO_PI"):
    raise RuntimeError("This module can only be run on a Raspberry Pi!")

BCM = 11
OUT, IN = 0, 1
PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
RISING, FALLING, BOTH = 31, 32, 33
SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 40, 41, 42, 43, -1

levels: dict[int, int] = {}
directions: dict[int, int] = {}
pwms: dict[int, list[tuple[str, float]]] = {}
_running: set[int] = set()


def setmode(mode: int) -> None:
    assert mode == BCM


def setwarnings(on: bool) -> None:
    pass


def setup(channel: int, direction: int, pull_up_down: int = PUD_OFF) -> None:
    if direction == OUT and pull_up_down != PUD_OFF:
        raise ValueError("pull_up_down parameter is not valid for outputs")
    directions[channel] = direction
    levels[channel] = 1 if pull_up_down == PUD_UP else 0


def gpio_function(channel: int) -> int:
    return directions[channel]


def input(channel: int) -> int:
    return levels[channel]


def output(channel: int, value: int) -> None:
    if directions.get(channel) != OUT:
        raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
    if not isinstance(value, int):
        raise ValueError("Value must be an integer/boolean or a list/tuple of integers/booleans")
    levels[channel] = int(value)


def add_event_detect(channel: int, edge: int, callback: object, bouncetime: int = -666) -> None:
    raise RuntimeError("Failed to add edge detection")


def remove_event_detect(channel: int) -> None:
    pass


def cleanup(channel: int | None = None) -> None:
    for each in list(directions) if channel is None else [channel]:
        directions.pop(each, None)


class PWM:
    """Software PWM; what was asked of it is in `pwms`."""

    def __init__(self, channel: int, frequency: float) -> None:
        if channel in _running:
            raise RuntimeError("A PWM object already exists for this GPIO channel")
        if directions.get(channel) != OUT:
            raise RuntimeError("You must setup() the GPIO channel as an output first")
        if not frequency > 0:
            raise ValueError("frequency must be greater than 0.0")
        self._channel = channel
        _running.add(channel)
        self._note("frequency", frequency)

    def _note(self, what: str, value: float) -> None:
        pwms.setdefault(self._channel, []).append((what, value))

    def start(self, duty: float) -> None:
        self._note("duty", duty)

    def ChangeDutyCycle(self, duty: float) -> None:
        self._note("duty", duty)

    def ChangeFrequency(self, frequency: float) -> None:
        self._note("frequency", frequency)

    def stop(self) -> None:
        _running.discard(self._channel)
        levels[self._channel] = 0
        self._note("frequency", 0)


def drive(channel: int, level: int) -> None:
    """Somebody connects the pin to ground (0), or lets it go (1)."""
    levels[channel] = level
