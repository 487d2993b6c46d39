"""The emulator's chance, written anew from its README.md: a stream of numbers for each thing left to it."""

from __future__ import annotations

from enum import IntEnum
from math import exp

MASK = (1 << 64) - 1


class Stream(IntEnum):
    """Things left to chance, each with numbers of its own."""

    FIELD, HOLDER_RED, HOLDER_BLACK, LINE, RAM = range(5)


def mixed(bits: int) -> int:
    """The number that SplitMix64 makes of its state."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
    return bits ^ bits >> 31


class SplitMix64:
    """The generator of Steele, Lea and Flood (2014)."""

    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        """The next 64 bits."""
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        return mixed(self.state)

    def share(self) -> float:
        """The next number from 0 to 1, of 53 bits."""
        return (self.bits() >> 11) * 2.0**-53

    def gauss(self, deviation: float) -> float:
        """A value within three deviations, kept as often as the bell is high there."""
        while True:
            value = 3 * (2 * self.share() - 1)
            if self.share() < exp(-value * value / 2):
                return deviation * value


def stream(seed: int, which: Stream) -> SplitMix64:
    """The numbers of one stream from the `seed` command on."""
    return SplitMix64(mixed(mixed(seed) + which & MASK))
