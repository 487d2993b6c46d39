"""The command line of ``tamsk-hw calibrate``."""

from __future__ import annotations

import click

from tamsk_hw.commands.calibrate_glasses import glasses
from tamsk_hw.commands.calibrate_sensors import sensors


@click.group()
def calibrate() -> None:
    """Measure this board and its glasses; what was measured is kept in the calibration file."""


calibrate.add_command(sensors)
calibrate.add_command(glasses)
