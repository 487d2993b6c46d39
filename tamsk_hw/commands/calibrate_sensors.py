"""The command line of ``tamsk-hw calibrate sensors``; what it does is loaded when it is used."""

from __future__ import annotations

import sys
from pathlib import Path

import click

#: The values of `tamsk_hw.workbench.sensor_calibration.showing.Part`.
PARTS = ("fields", "rings", "holders")


@click.command()
@click.option(
    "--only",
    type=click.Choice(PARTS),
    multiple=True,
    help="Measure this part; may be given again. All of them without it.",
)
@click.option(
    "--tube",
    "tubes",
    multiple=True,
    metavar="TUBE",
    help="Measure the field and the rings of this tube (D4), or the timer's cradle (timer); may be given again.",
)
@click.option(
    "--rings",
    type=click.IntRange(1, 64),
    default=32,
    show_default=True,
    help="How many rings go into each ring holder to weigh a ring.",
)
@click.option(
    "--port", metavar="PORT", help="Measure the board at this serial port, in place of the configured one."
)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def sensors(
    only: tuple[str, ...], tubes: tuple[str, ...], rings: int, port: str | None, config: Path | None
) -> None:
    """Measure fields, ring sensors and ring holders, led by the board's lights and by words.

    \b
    start button, Enter: go on         red button, skip: leave this one out
    start held, quit, Ctrl-C: end      black button, back: the one before again

    Everything goes off the board first. What was completed is kept, also when it is ended early; what was measured
    before and is not measured now stays as it was. Exits with 0 when all that was asked for is measured and none
    is bad, else with 1; with 2 and one line on standard error when it cannot begin or cannot save.
    """
    from tamsk_hw.workbench.sensor_calibration.run import SensorsSettings, calibrate_sensors

    settings = SensorsSettings(only=only, tubes=tubes, rings_to_weigh=rings, port=port, config=config)
    sys.exit(calibrate_sensors(settings))
