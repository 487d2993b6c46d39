"""The command line ``tamsk-hw`` (CONTRACT: command line)."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import click

from tamsk_hw import __version__
from tamsk_hw.errors import TamskError, printable
from tamsk_hw.service.stopping import Stopped, stop_on_signals


class _Number(click.FloatRange):
    """A number in a range, to which "not a number" does not belong."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def refuse(error: TamskError | OSError) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit with 2."""
    words = str(error)
    if isinstance(error, OSError):
        words = f"{error.filename or 'standard input or output'}: {error.strerror or error}"
    click.echo(f"tamsk-hw: {printable(' '.join(words.split()))}", err=True)
    sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tamsk-hw")
def main() -> None:
    """Referee and controller for a sensing TAMSK board."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character gets its number


@main.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the rulings as JSON Lines.")
def replay(file: str, as_json: bool) -> None:
    """Referee the event stream in FILE (- is standard input) and print the rulings.

    Exits with 0 when the stream was taken to its end, with 2 when it is refused; then nothing is printed
    but one line on standard error.
    """
    from tamsk_hw.service.replay import replay_lines

    try:
        with click.open_file(file, "rb") as stream:
            printed = replay_lines(stream, "standard input" if file == "-" else file, as_json=as_json)
    except (TamskError, OSError) as error:
        refuse(error)
    if as_json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # as JSON Lines are
    try:
        click.echo("\n".join([*printed, ""]), nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        refuse(error)


@main.command()
@click.argument("depth", type=click.IntRange(0, 12))
@click.option(
    "--rings",
    type=click.Choice(["always", "optional"]),
    default="always",
    show_default=True,
    help="Each move drops its ring, or drops it or not.",
)
def perft(depth: int, rings: str) -> None:
    """Count the level-1 lines of DEPTH plies from the start."""
    from tamsk_hw.game.perft import perft as count

    click.echo(count(depth, optional_rings=rings == "optional"))


@main.command()
@click.option("--level", type=click.IntRange(1, 3), default=3, show_default=True, help="Level of the game.")
@click.option("--seed", type=click.IntRange(min=0), help="The same seed plays the same players on the same board.")
@click.option(
    "--speed",
    type=_Number(0, 100, min_open=True),
    default=1.0,
    show_default=True,
    help="Times real time; nothing is skipped.",
)
@click.option(
    "--mischief",
    type=_Number(0, 1),
    default=0.0,
    show_default=True,
    help="Chance, for each turn, that the players break a rule.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the event stream to this file, in place of what it holds.",
)
def run(level: int, seed: int | None, speed: float, mischief: float, record: Path | None) -> None:
    """Referee a game; without a configured board, on the simulated one with two simulated players.

    On a terminal the game is shown as a live picture, elsewhere as a line per ruling. Ctrl-C ends it.
    """
    from tamsk_hw.service.run import RunSettings, run_simulated

    try:
        status = run_simulated(RunSettings(level=level, seed=seed, speed=speed, mischief=mischief, record=record))
    except TamskError as error:
        refuse(error)
    sys.exit(status)


def entry() -> NoReturn:
    """The program: Ctrl-C and signals end it with the status that shells expect, 130 for Ctrl-C."""
    try:
        stop_on_signals()
        main()
    except Stopped as stopped:
        sys.exit(stopped.status)
    sys.exit(0)


if __name__ == "__main__":
    entry()
