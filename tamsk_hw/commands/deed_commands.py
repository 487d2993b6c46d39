"""A command for each deed of hands, made of its type: ``tamsk-hw hands lift red D1`` and its like."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

import click

from tamsk_hw.commands.options import NumberRange, TubeName
from tamsk_hw.game.tubes import Tube
from tamsk_hw.hands.requests import DEEDS, MOST_SECONDS

#: Options for what a deed may be told besides, each with its help.
_OPTIONS = {
    "turned": "Turn it over on the way.",
    "glass": "The glass of this name, where there are several: the tube it starts on, red-1 … with a free start.",
    "full": "Its sand below.",
    "end": "With this end down.",
    "travel": "Get there in so many seconds.",
    "within": "Have it lie there within so many seconds.",
    "to": "Into the holder of this player.",
}


class DeedCommand(click.Command):
    """A command that asks hands for one deed; `record` is the request that its parameters make."""

    def record(self, values: dict[str, Any]) -> dict[str, Any]:
        """The request, as a JSON object."""
        name = str(self.name).replace("-", "_")
        asked: dict[str, Any] = {"do": name}
        for field in fields(DEEDS[name]):
            value = values[field.name]
            if isinstance(value, tuple):
                value = " ".join(value) or None
            if field.name == "on":
                value = value == "on"
            if value is not None and value != field.default:
                asked[field.name] = value
        return asked

    def parsed(self, words: list[str]) -> dict[str, Any]:
        """The request that a line of a script makes. Raises `click.UsageError`."""
        return self.record(self.make_context(str(self.name), words).params)


@cache
def deed_commands(act: Callable[[Any, dict[str, Any]], None]) -> dict[str, DeedCommand]:
    """The commands by name; each calls ``act`` with the socket that was named and its request."""
    return {command.name or "": command for command in (_command(kind, act) for kind in DEEDS.values())}


def _command(kind: Any, act: Callable[[Any, dict[str, Any]], None]) -> DeedCommand:
    hints = get_type_hints(kind)
    parameters = [_parameter(field, hints[field.name]) for field in fields(kind)]

    def callback(socket: Any, **values: Any) -> None:
        act(socket, command.record(values))

    command = DeedCommand(
        kind.name.replace("_", "-"),
        params=[*parameters, socket_option()],
        callback=callback,
        help=(inspect.getdoc(kind) or "").replace("`", ""),
    )
    return command


def socket_option() -> click.Option:
    """The option that names the board's socket."""
    return click.Option(
        ["--socket"],
        type=click.Path(),
        metavar="PATH",
        help="Speak to the simulated board at this socket, not at one of the usual places.",
    )


def _parameter(field: Field[Any], hint: Any) -> click.Parameter:
    kinds = get_args(hint) or (hint,)
    (kind,) = (each for each in kinds if each is not NoneType)
    required = field.default is MISSING
    if field.name == "fault":
        return click.Argument([field.name], nargs=-1, required=required, metavar="WORDS...")
    if kind is bool and not required:
        on, about = not field.default, _OPTIONS[field.name]
        flag = f"--{field.name}" if on else "--below"
        return click.Option([flag, field.name], is_flag=True, flag_value=on, default=not on, help=about)
    type_ = NumberRange(0, MOST_SECONDS[field.name]) if kind is float else _type(kind)
    if not required and field.name in _OPTIONS:
        return click.Option([f"--{field.name}"], type=type_, help=_OPTIONS[field.name])
    if required:
        return click.Argument([field.name], type=type_)
    default = None if field.default is None else field.default.value
    return click.Argument([field.name], type=type_, required=False, default=default)


def _type(kind: Any) -> click.ParamType[Any]:
    if kind is Tube:
        return TubeName()
    if kind is bool:
        return click.Choice(["on", "off"])
    if issubclass(kind, Enum):
        return click.Choice([each.value for each in kind])
    return click.STRING
