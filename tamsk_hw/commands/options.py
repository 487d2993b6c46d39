"""Parts that commands share: options, numbers and tubes as arguments, help pages, language, asking a program."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from tamsk_hw.errors import CatalogueError, SocketError, printable
from tamsk_hw.system.output import Language, environment_language
from tamsk_hw.system.service import Priority, prefixed
from tamsk_hw.words.translating import catalogue, speaking

if TYPE_CHECKING:
    from tamsk_hw.system.sockets import LineConnection, SocketKind


#: Adds an option to a command.
Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def path_option(*names: str, help: str, metavar: str = "FILE", **limits: bool) -> Decorator:
    """An option that takes a path; ``limits`` are those of `click.Path`."""
    return click.option(*names, type=click.Path(path_type=Path, **limits), metavar=metavar, help=help)


def written_option(*names: str, help: str) -> Decorator:
    """An option that takes a file to write, ``help`` says what, in place of what it holds."""
    return path_option(*names, help=f"{help}, in place of what it holds.", dir_okay=False)


#: The option that names a configuration.
CONFIG = path_option("--config", help="Read this configuration.")

#: The option that names a simulated board's socket.
BOARD_SOCKET = path_option(
    "--socket", metavar="PATH", help="Speak to the simulated board at this socket, not at one of the usual places."
)


class IntegerRange(click.IntRange):
    """A whole number in a range."""

    name = "integer"


class NumberRange(click.FloatRange):
    """A number in a range, to which "not a number" does not belong."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Refuses what is none."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not a valid number.", param, ctx)
        return number


#: The option that chooses the level of a game.
LEVEL = click.option(
    "--level", type=IntegerRange(1, 3), help="Level of the game; without it that of the configuration."
)


def players_option(default: str, *more: str) -> Decorator:
    """The option that says who is played by the program; ``more`` are further choices."""
    choice = click.Choice(["none", "red", "black", "both", *more])
    return click.option(
        "--players", type=choice, default=default, show_default=True, help="Played by the program."
    )


def strength_option(default: str, help: str) -> Decorator:
    """The option that says how well the program plays; lawful is as in the demo of ``tamsk-hw run``."""
    choice = click.Choice(["lawful", "easy", "fair", "strong"])
    return click.option("--strength", type=choice, default=default, show_default=True, help=help)


#: Exit statuses: it is refused; no such program answers.
REFUSED: Final = 1
UNREACHABLE: Final = 3


def end(status: int, why: object) -> NoReturn:
    """End with an exit status, and the reason on standard error."""
    click.echo(f"tamsk-hw: {printable(str(why))}", err=True)
    sys.exit(status)


def socket_places(kind: SocketKind, named: Path | None) -> tuple[Path, ...]:
    """The places of a program's socket: the one that was named, else the usual ones."""
    from tamsk_hw.configuration.reading import Places, state_folder

    return (named,) if named else kind.searched_places(os.environ, state_folder(Places.of(os.environ)))


def act(connect: Callable[[], LineConnection], what: dict[str, Any], patience: float) -> None:
    """Have a program do something, and wait until it is done; end with the reason if it is not.

    ``patience``: real seconds in which something must be heard.
    """
    try:
        with connect() as connection:
            answer = connection.ask(what, patience=patience)
    except SocketError as error:
        end(UNREACHABLE, error)
    if "refused" in answer:
        end(REFUSED, answer["refused"])


#: Longer than any first sentence: click cuts what exceeds its limit.
_UNCUT = 1000


class HelpfulGroup(click.Group):
    """A group of commands whose help page has the whole first sentence of each, wrapped instead of cut."""

    group_class = type

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, each.get_short_help_str(_UNCUT)) for name, each in commands if each and not each.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@contextmanager
def speaking_to_people(configured: Language | None = None) -> Iterator[None]:
    """Within it sentences are in the configured language, else in the environment's.

    A game needs no translation: where the catalogue cannot be read they are in English, after a warning.
    """
    language = configured or environment_language(os.environ)
    try:
        catalogue(language)
    except CatalogueError as error:
        click.echo(prefixed(f"tamsk-hw: {error}", Priority.WARNING, sys.stderr), err=True)
        language = Language.ENGLISH
    with speaking(language):
        yield


def tube(value: str) -> str:
    """The name of a tube, in capitals: a type of arguments. Refuses what is none."""
    from tamsk_hw.game.tubes import TUBE_OF_NAME

    if value.upper() not in TUBE_OF_NAME:
        raise click.BadParameter(f"{value} is no tube; they are A1 to G4.")
    return value.upper()
