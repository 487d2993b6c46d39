"""The words of gpiod 2 for a pin's use."""

from enum import Enum


class Value(Enum):
    INACTIVE, ACTIVE = range(2)


class Direction(Enum):
    INPUT, OUTPUT = range(2)


class Bias(Enum):
    DISABLED, PULL_UP, PULL_DOWN = range(3)
