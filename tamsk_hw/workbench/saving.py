"""The end of a calibration: what is complete goes into the file, whatever ended the walk, and is reported."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import click

from tamsk_hw.board.calibration import KnownCalibration, calibration_text, read_calibration, save_calibration
from tamsk_hw.errors import ConfigError


def save_measured(
    path: Path, fitted: tuple[str, ...], merge: Callable[[KnownCalibration], KnownCalibration]
) -> KnownCalibration:
    """Save the file's present values as changed by ``merge``; where that fails, print what was to be saved.

    Raises:
        ConfigError: the file cannot be written.
    """
    known = merge(read_calibration(path, fitted))
    now = datetime.now().astimezone()
    try:
        save_calibration(path, known, now)
    except ConfigError:
        report(["This is what was to be saved; put it into that file by hand:\n", calibration_text(known, now)])
        raise
    return known


def report(lines: Sequence[str]) -> None:
    """Print lines; what cannot be written is left out, since what was measured must be saved all the same."""
    with contextlib.suppress(OSError):
        click.echo("\n".join(lines))
