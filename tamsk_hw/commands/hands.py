"""``tamsk-hw hands``: the hands of a simulated board, from a shell or a script (docs/simulate.md)."""

import inspect
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, Final

import click

from tamsk_hw.commands.options import (
    BOARD_SOCKET,
    REFUSED,
    UNREACHABLE,
    HelpfulGroup,
    NumberRange,
    act,
    end,
    socket_places,
    tube,
)
from tamsk_hw.errors import SocketError
from tamsk_hw.game.tubes import Tube
from tamsk_hw.hands.actions import ACTIONS, MOST_SECONDS, Parameter, parameters_of
from tamsk_hw.hands.client import HANDS_SECONDS, RefusedError, await_light, connect, do_together
from tamsk_hw.hands.observation import COLOURS
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.system.sockets import LineConnection
from tamsk_hw.words.table import world_words

#: Real seconds for which a light is waited for.
LIGHT_SECONDS: Final = 60.0


def _connect(named: Path | None) -> LineConnection:
    """A connection to the simulated board; the program ends where there is none."""
    try:
        return connect(socket_places(BOARD, named))
    except SocketError as error:
        end(UNREACHABLE, error)


@contextmanager
def _ending(where: str = "") -> Iterator[None]:
    """Within it the program ends when hands refuse or nobody answers; ``where`` begins the reason."""
    try:
        yield
    except RefusedError as error:
        end(REFUSED, f"{where}{error}")
    except (SocketError, OSError) as error:
        end(UNREACHABLE, f"{where}{error}")


#: Help of the options.
_OPTIONS = {
    "turned": "Turn it over on the way.",
    "glass": "The glass of this name, where there are several: the tube it starts on, red-1 … with a free start.",
    "full": "Its sand below.",
    "end": "With this end down.",
    "travel": "Get there in so many seconds.",
    "within": "Have it lie there within so many seconds.",
    "to": "Into the holder of this player.",
}


def parsed(command: click.Command, words: list[str]) -> dict[str, Any]:
    """The request, as a JSON object, that words after an action's command make. Raises `click.UsageError`."""
    return _record(command, command.make_context(str(command.name), words).params)


def _record(command: click.Command, values: dict[str, Any]) -> dict[str, Any]:
    name = str(command.name).replace("-", "_")
    asked: dict[str, Any] = {"do": name}
    for parameter in parameters_of(name):
        value = values[parameter.name]
        if isinstance(value, tuple):
            value = " ".join(value) or None
        if parameter.name == "on":
            value = value == "on"
        if value is not None and value != parameter.default:
            asked[parameter.name] = value
    return asked


def action_command(name: str) -> click.Command:
    """The command that asks hands for an action."""

    def callback(socket: Any, **values: Any) -> None:
        record = _record(command, values)
        act(lambda: _connect(socket), record, HANDS_SECONDS + record.get("seconds", 0))

    command = click.Command(
        name.replace("_", "-"),
        params=list(map(_parameter, parameters_of(name))),
        callback=callback,
        help=(inspect.getdoc(ACTIONS[name]) or "").replace("`", ""),
    )
    BOARD_SOCKET(command)
    return command


def _parameter(parameter: Parameter) -> click.Parameter:
    name, kind, required = parameter.name, parameter.kind, parameter.is_needed
    if name == "fault":
        return click.Argument([name], nargs=-1, required=required, metavar="WORDS...")
    if kind is bool and not required:
        on = not parameter.default
        flag = f"--{name}" if on else "--below"
        return click.Option([flag, name], is_flag=True, flag_value=on, default=not on, help=_OPTIONS[name])
    type_ = NumberRange(0, MOST_SECONDS[name]) if kind is float else _type(kind)
    if not required and name in _OPTIONS:
        return click.Option([f"--{name}"], type=type_, help=_OPTIONS[name])
    if required:
        return click.Argument([name], type=type_)
    default = None if parameter.default is None else parameter.default.value
    return click.Argument([name], type=type_, required=False, default=default)


def _type(kind: Any) -> click.ParamType[Any] | Callable[[str], str]:
    if kind is Tube:
        return tube
    if kind is bool:
        return click.Choice(["on", "off"])
    if issubclass(kind, Enum):
        return click.Choice([each.value for each in kind])
    return click.STRING


class HandsGroup(HelpfulGroup):
    """The commands in the order in which they are said here: hands are read by topic, not by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names."""
        return list(self.commands)


@click.group(cls=HandsGroup)
def hands() -> None:
    """Act at the simulated board of `tamsk-hw simulate` as people do, and as faults do.

    Each command returns when the hands are done. Exits with 0 then, with 1 when it is refused (the reason is on
    standard error), with 3 when no simulated board answers.
    """


for _name in ACTIONS:
    hands.add_command(action_command(_name))


@hands.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON object.")
@BOARD_SOCKET
def look(as_json: bool, socket: Path | None) -> None:
    """Show the whole simulated board as eyes see it."""
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
    commands = _split(line)
    if [words[:1] for words in commands] == [["await"]]:
        values = await_colour.make_context("await", commands[0][1:]).params
        await_light(connection, values["place"], values["colour"], values["within"])
        return
    asked = []
    for words in commands:
        command = hands.commands.get(words[0]) if words else None
        if command is None or words[0].replace("-", "_") not in ACTIONS:
            raise click.UsageError(f"{words[0] if words else '&'}: not a command of a script")
        asked.append((command, words[1:]))
    do_together(connection, [parsed(command, words) for command, words in asked])


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
