"""The command line of ``tamsk-hw calibrate glasses``; what it does is loaded when it is used."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--only",
    type=click.Choice(["D1", "G4", "A4", "G1", "D7", "A1", "timer"], case_sensitive=False),
    multiple=True,
    metavar="GLASS",
    help="Time the glass that starts on this tube, or the timer; may be given again. All of them without it.",
)
@click.option(
    "--runs",
    type=click.IntRange(2, 20),
    default=2,
    show_default=True,
    help="Runs of each glass in each direction; of the timer four times as many.",
)
@click.option("--port", metavar="PORT", help="Use this serial port, in place of the configured one.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def glasses(only: tuple[str, ...], runs: int, port: str | None, config: Path | None) -> None:
    """Time each glass from full, in both directions, as many at once as you can watch.

    
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

    settings = GlassesSettings(port=port, config=config, only=only, runs=runs)
    status = calibrate_glasses(settings)
    sys.exit(status)
