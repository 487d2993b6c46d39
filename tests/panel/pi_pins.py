"""The Pi's pins for tests: gpiozero's mock pins, or gpiozero's real factories on stubs of their drivers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tamsk_hw.panel.hardware import Computer, PinFactory, Pins, open_pin_factory
from tests.panel.pretended_pi import STUBS

PI_4 = Computer("Raspberry Pi 4 Model B Rev 1.4", is_pi=True)
PI_5 = Computer("Raspberry Pi 5 Model B Rev 1.0", is_pi=True, is_pi_5=True)

#: What is loaded anew for each test, so that each has its own stub.
_FRESH = ("lgpio", "RPi", "RPi.GPIO", "gpiozero.pins.lgpio", "gpiozero.pins.rpigpio")


class Time:
    """A clock that goes when it is told to, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def stubbed_drivers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """lgpio and RPi.GPIO are stubs, and gpiozero takes this for a Pi 4."""
    import gpiozero.pins.local

    monkeypatch.syspath_prepend(str(STUBS))
    for name in _FRESH:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: 0xC03114)
    monkeypatch.setattr(gpiozero.pins.local.LocalPiFactory, "pins", {})
    yield
    for name in _FRESH:
        sys.modules.pop(name, None)


def pi_pins(factory: PinFactory, say: Any, clock: Any, computer: Computer = PI_4) -> Pins:
    """Pins of a Pi 4."""
    return Pins(factory, say, opener=lambda name: open_pin_factory(name, computer), clock=clock)
