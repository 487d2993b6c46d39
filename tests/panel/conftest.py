"""Stubs of the drivers of a Raspberry Pi's pins, as fixtures."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.panel.pi import stubbed_drivers


@pytest.fixture
def drivers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with stubbed_drivers(monkeypatch):
        yield


@pytest.fixture
def lgpio(drivers: None) -> Any:
    from tamsk_hw.panel.hardware import _folder_for_lgpio

    with _folder_for_lgpio():
        import lgpio
    return lgpio


@pytest.fixture
def rpi_gpio(drivers: None) -> Any:
    from RPi import GPIO

    return GPIO


@pytest.fixture
def without_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither lgpio nor RPi.GPIO is installed."""
    for name in ("lgpio", "RPi", "RPi.GPIO"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("gpiozero.pins.lgpio", "gpiozero.pins.rpigpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
