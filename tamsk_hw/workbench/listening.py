"""What the diagnostics need before they listen to a board: which one, how it is wired, how to wait."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.board.calibration_file import KnownCalibration, field_names, read_calibration
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.errors import LinkError


def _wait(descriptor: int | None, seconds: float) -> None:
    """Wait for bytes, at most so long."""
    if descriptor is None:
        time.sleep(seconds)
    else:
        select.select([descriptor], [], [], seconds)


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that never decrease, and a way to wait for a descriptor's bytes or until some have passed."""

    now: Callable[[], float] = time.monotonic
    wait: Callable[[int | None, float], None] = _wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The board that the configuration describes."""

    configuration: Configuration
    wiring: Wiring
    known: KnownCalibration


def board_of(config: Path | None) -> Board:
    """Read configuration, wiring and calibration.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    wiring = load_wiring(configuration.board.wiring)
    return Board(
        configuration=configuration,
        wiring=wiring,
        known=read_calibration(configuration.calibration_file, field_names(wiring)),
    )


def port_of(port: str | None, configuration: Configuration) -> str:
    """The port to listen on. Raises `LinkError` when there is none."""
    chosen = port or configuration.board.port
    if chosen is None:
        raise LinkError("no board is configured: give --port, or set board.port in the configuration")
    return chosen
