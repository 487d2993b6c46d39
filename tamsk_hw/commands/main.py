"""The command line ``tamsk-hw`` (docs/formats.md, Command line)."""

import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from tamsk_hw import __version__
from tamsk_hw.commands.options import (
    CONFIG,
    LEVEL,
    HelpfulGroup,
    IntegerRange,
    NumberRange,
    path_option,
    written_option,
)
from tamsk_hw.errors import MisuseError, TamskError, printable
from tamsk_hw.system.output import wait_for_readers
from tamsk_hw.system.service import Priority, Stopped, asked_status, prefixed, stop_on_signals

#: The largest number of columns in which long lines are still easy to read.
COLUMNS: Final = 100


def refuse(error: TamskError | OSError) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit with 2."""
    words = str(error)
    if isinstance(error, OSError):
        words = f"{error.filename or 'standard input or output'}: {error.strerror or error}"
    line = f"tamsk-hw: {printable(' '.join(words.split()))}"
    click.echo(prefixed(line, Priority.ERROR, sys.stderr), err=True)
    sys.exit(2)


#: The modules of this package whose commands are loaded when they are asked for, and their commands.
MODULES: Final = {
    "games": ("games",),
    "hall": ("hall",),
    "hands": ("hands",),
    "live": ("arbiter", "do", "live"),
    "mqtt": ("mqtt",),
    "play": ("play",),
    "replay": ("replay",),
    "simulate": ("learn", "simulate"),
    "speak": ("speak",),
    "web": ("web",),
    "workbench": ("bundle", "calibrate", "doctor", "flash", "frames", "selftest", "sensors"),
}


class Program(HelpfulGroup):
    """Commands that refuse in one line what goes wrong, each in the same way."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted([*super().list_commands(ctx), *chain.from_iterable(MODULES.values())])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        for module, names in MODULES.items():
            if cmd_name in names:
                found = getattr(import_module(f"tamsk_hw.commands.{module}"), cmd_name)
                assert isinstance(found, click.Command)
                return found
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # nobody reads any more: click ends quietly
        except (TamskError, OSError) as error:
            refuse(error)


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tamsk-hw")
def main() -> None:
    """Referee and controller for a sensing TAMSK board."""
    wait_for_readers()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character gets its number


@main.command()
@click.argument("depth", type=IntegerRange(0, 12))
@click.option(
    "--rings",
    type=click.Choice(["always", "optional"]),
    default="always",
    show_default=True,
    help="Each move drops its ring, or drops it or not.",
)
def perft(depth: int, rings: str) -> None:
    """Count the level-1 lines of DEPTH plies from the start."""
    from tamsk_hw.game.position import perft as count

    click.echo(count(depth, optional_rings=rings == "optional"))


@main.command()
@click.argument("clause", required=False)
def rule(clause: str | None) -> None:
    """Print a clause of the rules, as R4.6, or a section, as R4; without CLAUSE the list of the sections.

    Rulings name the clause that they rest on. Exits with 2 for a clause that does not exist.
    """
    from rich.console import Console
    from rich.markdown import Markdown

    from tamsk_hw.words.rules import find_rule, rule_book

    if clause is None:
        click.echo("\n".join(f"{section.number}  {section.title}" for section in rule_book()))
        return
    console = Console()
    console.width = min(console.width, COLUMNS)
    with console.capture() as captured:
        console.print(Markdown(find_rule(clause).markdown))
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


@main.command()
@LEVEL
@click.option("--seed", type=IntegerRange(min=0), help="The same seed plays the same players on the same board.")
@click.option(
    "--speed", type=NumberRange(0, 100, min_open=True), help="Times real time, 1 without it; nothing is skipped."
)
@written_option("--record", help="Write the event stream to this file")
@written_option("--capture", help="Write the raw line with times, buttons and decisions to this file")
@path_option("--live", metavar="SOCKET", help="Publish the live stream at this path, in place of its usual one.")
@click.option(
    "--partner",
    type=click.Choice(["red", "black"]),
    help="The program plays this player: lights and words say what to do with his glasses and rings.",
)
@click.option("--strength", type=click.Choice(["easy", "fair", "strong"]), help="How well it plays.")
@click.option("--web", is_flag=True, help="Show the table in browsers, too, and print the page's address.")
@click.option("--simulated", is_flag=True, help="Play on the simulated board though another is configured.")
@CONFIG
def run(config: Path | None, partner: str | None, strength: str | None, **options: Any) -> None:
    """Referee games at the configured board; without one, a game of two players on the simulated board.

    On a terminal the game is shown as a live picture, elsewhere as a line per ruling. There keys start, claim,
    resign and decide; ? lists them. Ctrl-C ends the game. After a simulated game s plays another one, unless it is
    recorded. Seed, speed and record are of the simulated board. A capture is for `tamsk-hw replay --capture`.
    """
    from tamsk_hw.system.service import ServiceManager

    ServiceManager(os.environ).starting()
    from tamsk_hw.commands.run import run_configured
    from tamsk_hw.game.tubes import Player
    from tamsk_hw.partner.intention import Strength
    from tamsk_hw.system.output import output_in_background
    from tamsk_hw.table.run_settings import RunSettings
    from tamsk_hw.words.table import left_out_words

    settings = RunSettings(
        partner=None if partner is None else Player(partner),
        strength=None if strength is None else Strength(strength),
        **options,
    )
    with output_in_background(left_out_words) as output:
        try:
            status = run_configured(settings, config, output)
        except BrokenPipeError:
            raise  # nobody reads any more
        except (OSError, MisuseError):  # unforeseen, so no refusal: the service starts again
            click.echo(prefixed(traceback.format_exc().rstrip("\n"), Priority.ERROR, sys.stderr), err=True)
            status = 1
        except TamskError as error:
            refuse(error)
    sys.exit(status)


@main.group(cls=HelpfulGroup)
def config() -> None:
    """Look at the configuration (docs/configuration.md lists every key)."""


@config.command("check")
@path_option("--config", "file", help="Read this file, in place of /etc/tamsk-hw/config.toml or the user's own.")
def config_check(file: Path | None) -> None:
    """Print which configuration is read, what differs from the defaults and what cannot work on this computer.

    Exits with 0, whatever it finds; with 2 for a configuration that is refused, and one line on standard error.
    """
    from tamsk_hw.workbench.doctor import show_configuration

    show_configuration(file)


def entry() -> NoReturn:
    """The program: Ctrl-C and signals end it with the status that shells expect, 130 for Ctrl-C."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the shell closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    try:
        stop_on_signals()
        main()
    except Stopped as stopped:
        sys.exit(stopped.status)
    except OSError as error:
        refuse(error)
    finally:
        if (status := asked_status()) is not None:
            _leave(status)
    sys.exit(0)


def _leave(status: int) -> NoReturn:
    """End by a signal with its status, also where what it takes away, as a terminal, can be written to no more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # Python writes again at its end, and a failure is its status
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)


if __name__ == "__main__":
    entry()
