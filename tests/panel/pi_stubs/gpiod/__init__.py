"""Stands for gpiod 2: what Blinka claims the lights' pin with."""

from types import SimpleNamespace
from typing import Any

from . import line as line

__version__ = "2.2.2"

#: The pins that were asked for.
requested: list[int] = []


class LineSettings:
    """Settings of a pin."""


class _Request:
    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        pass

    def set_value(self, pin: int, value: Any) -> None:
        pass

    def release(self) -> None:
        pass


class Chip:
    """The Pi 4's pins."""

    def __init__(self, path: str) -> None:
        pass

    def get_info(self) -> Any:
        return SimpleNamespace(label="pinctrl-bcm2711", num_lines=58)

    def request_lines(self, config: dict[int, None], consumer: str) -> _Request:
        requested.extend(config)
        return _Request()

    def close(self) -> None:
        pass
