"""``tamsk-hw hands``: the hands of a simulated board, from a shell or a script (docs/simulate.md)."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tamsk_hw.commands.options import BOARD_SOCKET, REFUSED, UNREACHABLE, HelpfulGroup, NumberRange, act, end
from tamsk_hw.errors import SocketError
from tamsk_hw.hands.colours import COLOURS

if TYPE_CHECKING:
    from tamsk_hw.system.sockets import LineConnection

#: Real seconds for which a light is waited for.
LIGHT_SECONDS: Final = 60.0


def _connect(named: Path | None) -> LineConnection:
    """A connection to the simulated board; the program ends where there is none."""
    from tamsk_hw.configuration.reading import Places, state_folder
    from tamsk_hw.hands.client import connect
    from tamsk_hw.panel.simulated import BOARD

    try:
        if named is not None:
            return connect((named,))
        return connect(BOARD.searched_places(os.environ, state_folder(Places.of(os.environ))))
    except SocketError as error:
        end(UNREACHABLE, error)


@contextmanager
def _ending(where: str = "") -> Iterator[None]:
    """Within it the program ends when hands refuse or nobody answers; ``where`` begins the reason."""
    from tamsk_hw.hands.client import RefusedError

    try:
        yield
    except RefusedError as error:
        end(REFUSED, f"{where}{error}")
    except (SocketError, OSError) as error:
        end(UNREACHABLE, f"{where}{error}")


def _act(named: Path | None, record: dict[str, Any]) -> None:
    """Have hands do it, and wait until it is done; the program ends with the reason if it is refused."""
    from tamsk_hw.hands.client import HANDS_SECONDS

    act(lambda: _connect(named), record, HANDS_SECONDS + record.get("seconds", 0))


class HandsGroup(HelpfulGroup):
    """A command for each action, made when one is asked for, and those beside them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names: the actions, then the others."""
        from tamsk_hw.commands.action_commands import action_commands

        return [*action_commands(_act), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        from tamsk_hw.commands.action_commands import action_commands

        return super().get_command(ctx, cmd_name) or action_commands(_act).get(cmd_name)


@click.group(cls=HandsGroup)
def hands() -> None:
    """Act at the simulated board of `tamsk-hw simulate` as people do, and as faults do.

    Each command returns when the hands are done. Exits with 0 then, with 1 when it is refused (the reason is on
    standard error), with 3 when no simulated board answers.
    """


@hands.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON object.")
@BOARD_SOCKET
def look(as_json: bool, socket: Path | None) -> None:
    """Show the whole simulated board as eyes see it."""
    from tamsk_hw.words.simulated import world_words

    with _connect(socket) as connection, _ending():
        seen = connection.ask({"look": True})["look"]
    if as_json:
        click.echo(json.dumps(seen, separators=(",", ":")))
    else:
        click.echo("\n".join(world_words(seen)))


@hands.command()
@BOARD_SOCKET
def watch(socket: Path | None) -> None:
    """Print the simulated board at every change, a JSON object a line, until Ctrl-C."""
    with _connect(socket) as connection:
        connection.send({"watch": True})
        for line in connection.lines():
            if line.startswith(b'{"look":'):
                click.echo(line.decode(errors="replace"))


@hands.command()
@BOARD_SOCKET
def tidy(socket: Path | None) -> None:
    """Set the simulated board up again: glasses home and run down, rings in their holders."""
    from tamsk_hw.hands.client import do_together, next_requests

    with _connect(socket) as connection, _ending():
        while actions := next_requests(connection.ask({"look": True})["look"]):
            do_together(connection, actions)


@hands.command("await")
@click.argument("place")
@click.argument("colour", type=click.Choice(COLOURS))
@click.option(
    "--within",
    type=NumberRange(0, 86400),
    default=LIGHT_SECONDS,
    show_default=True,
    help="Give up after so many seconds.",
)
@BOARD_SOCKET
def await_colour(place: str, colour: str, within: float, socket: Path | None) -> None:
    """Wait until the light of PLACE (D4, timer, "red 1") has this COLOUR.

    Exits with 1 when it does not come about in time.
    """
    from tamsk_hw.hands.client import await_light

    with _connect(socket) as connection, _ending():
        await_light(connection, place, colour, within)


@hands.command()
@click.argument("file", type=click.File(encoding="utf-8"))
@BOARD_SOCKET
def script(file: Any, socket: Path | None) -> None:
    """Carry out the commands in FILE (- is standard input), a line each, as they are typed after `hands`.

    Several on a line with & between them are done at once. What follows # is a remark. It ends with 1 at the first
    line that is refused, with 2 at one that is not understood, and names the line.
    """
    with _connect(socket) as connection:
        for number, line in enumerate(file, 1):
            where = f"{file.name}:{number}: "
            try:
                with _ending(where):
                    _carry_out(connection, line.removeprefix("\ufeff"))
            except click.UsageError as error:
                end(2, f"{where}{' '.join(error.format_message().split())}")


def _carry_out(connection: LineConnection, line: str) -> None:
    """Do what a line of a script says.

    Raises:
        click.UsageError: it is not understood.
        RefusedError: it is refused.
        SocketError: nobody answers.
    """
    from tamsk_hw.commands.action_commands import action_commands
    from tamsk_hw.hands.client import await_light, do_together

    commands = _split(line)
    if [words[:1] for words in commands] == [["await"]]:
        values = await_colour.make_context("await", commands[0][1:]).params
        await_light(connection, values["place"], values["colour"], values["within"])
        return
    actions = action_commands(_act)
    for words in commands:
        if not words or words[0] not in actions:
            raise click.UsageError(f"{words[0] if words else '&'}: not a command of a script")
    do_together(connection, [actions[words[0]].parsed(words[1:]) for words in commands])


def _split(line: str) -> list[list[str]]:
    """The words of each command on a line."""
    signs = shlex.shlex(line, posix=True, punctuation_chars="&")
    signs.whitespace_split = True
    commands: list[list[str]] = [[]]
    try:
        for sign in signs:
            if sign == "&":
                commands.append([])
            else:
                commands[-1].append(sign)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return [] if commands == [[]] else commands
