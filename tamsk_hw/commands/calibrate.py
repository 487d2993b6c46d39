"""The command line of ``tamsk-hw calibrate``; what it does is loaded when it is used."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tamsk_hw.commands.help import HelpfulGroup
from tamsk_hw.commands.numbers import IntegerRange

#: The values of `tamsk_hw.workbench.sensor_calibration.wanted.SensorPart`.
PARTS = ("fields", "rings", "holders")

_PORT = click.option("--port", metavar="PORT", help="Use this serial port, in place of the configured one.")
_CONFIG = click.option(
    "--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration."
)


@click.group(cls=HelpfulGroup)
def calibrate() -> None:
    """Measure this board and its glasses; what was measured is kept in the calibration file."""


@calibrate.command()
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
    type=IntegerRange(1, 64),
    default=32,
    show_default=True,
    help="Rings that go into each ring holder to weigh a ring.",
)
@_PORT
@_CONFIG
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
    from tamsk_hw.workbench.sensor_calibration.run import calibrate_sensors
    from tamsk_hw.workbench.sensor_calibration.wanted import SensorsSettings

    settings = SensorsSettings(only=only, tubes=tubes, rings_to_weigh=rings, port=port, config=config)
    sys.exit(calibrate_sensors(settings))


@calibrate.command()
@click.option(
    "--only",
    type=click.Choice(["D1", "G4", "A4", "G1", "D7", "A1", "timer"], case_sensitive=False),
    multiple=True,
    metavar="GLASS",
    help="Time the glass that starts on this tube, or the timer; may be given again. All of them without it.",
)
@click.option(
    "--runs",
    type=IntegerRange(2, 20),
    default=2,
    show_default=True,
    help="Runs of each glass in each direction; of the timer four times as many.",
)
@_PORT
@_CONFIG
def glasses(only: tuple[str, ...], runs: int, port: str | None, config: Path | None) -> None:
    """Time each glass from full, in both directions, as many at once as you can watch.

    \b
    A glass starts when it is run down and turned over on its own tube.
    Its last grain: the start button calls the glass that is due or selected,
                    or type its name (D1, timer) and press Enter as it falls
    red, black:     select another glass         start held: take the last call back
    typed besides:  back · drop NUMBER (throw a run out) · void GLASS (it was touched) · end

    What is complete is saved at the end, also after Ctrl-C; what was timed before and is not now stays as it was.
    Exits with 0 when all that was asked for is complete, else with 1; with 2 and one line on standard error when
    it cannot begin or cannot save.
    """
    from tamsk_hw.workbench.glass_calibration.run import GlassesSettings, calibrate_glasses

    sys.exit(calibrate_glasses(GlassesSettings(port=port, config=config, only=only, runs=runs)))
