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
    from tamsk_hw.system.sockets import LineConnection


#: The option that names a configuration.
CONFIG = click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")

#: The option that names a simulated board's socket.
BOARD_SOCKET = click.option(
    "--socket",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Speak to the simulated board at this socket, not at one of the usual places.",
)

#: Exit statuses: it is refused; no such program answers.
REFUSED: Final = 1
UNREACHABLE: Final = 3


def end(status: int, why: object) -> NoReturn:
    """End with an exit status, and the reason on standard error."""
    click.echo(f"tamsk-hw: {printable(str(why))}", err=True)
    sys.exit(status)


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


class TubeName(click.ParamType[str]):
    """The name of a tube, in capitals."""

    name = "tube"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name. Refuses what is none."""
        from tamsk_hw.game.tubes import TUBE_OF_NAME

        name = str(value).upper()
        if name not in TUBE_OF_NAME:
            self.fail(f"{value} is no tube; they are A1 to G4.", param, ctx)
        return name
