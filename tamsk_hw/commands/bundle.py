"""The command line of ``tamsk-hw bundle``; what it does is loaded when it is used."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tamsk_hw.commands.numbers import IntegerRange


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write this file; without it tamsk-hw-bundle-DATE-TIME.tar.gz in this folder.",
)
@click.option(
    "--games",
    type=IntegerRange(0, 10),
    default=3,
    show_default=True,
    help="Number of the last games to include.",
)
@click.option(
    "--capture",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Include the last three minutes of a capture (run --capture).",
)
@click.option("--yes", is_flag=True, help="Write it without showing all of it and asking first.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def bundle(output: Path | None, games: int, capture: Path | None, yes: bool, config: Path | None) -> None:
    """Put all that a bug report needs into one file, without names, addresses and serial numbers.

    It has the doctor's findings, versions, configuration, calibration, the last games, some seconds of the line
    and the service's log, as far as they are there; only what is known to be harmless is taken from them. All of
    it is shown before it is written, and a terminal is asked. An existing file is not replaced. Nothing is sent:
    send it yourself. Exits with 0 when it is written, with 1 when the answer is no, else with 2 and one line on
    standard error.
    """
    from tamsk_hw.workbench.bundle.making import BundleSettings, make_bundle

    sys.exit(make_bundle(BundleSettings(output=output, config=config, games=games, capture=capture, yes=yes)))
