"""A command for each action of hands, made of its parameters: ``tamsk-hw hands lift red D1`` and its like."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

import click

from tamsk_hw.commands.options import BOARD_SOCKET, NumberRange, TubeName
from tamsk_hw.game.tubes import Tube
from tamsk_hw.hands.actions import ACTIONS, MOST_SECONDS, Parameter, parameters_of

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


class ActionCommand(click.Command):
    """A command that asks hands for one action; `record` is the request that its parameters make."""

    def record(self, values: dict[str, Any]) -> dict[str, Any]:
        """The request, as a JSON object."""
        name = str(self.name).replace("-", "_")
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

    def parsed(self, words: list[str]) -> dict[str, Any]:
        """The request that a line of a script makes. Raises `click.UsageError`."""
        return self.record(self.make_context(str(self.name), words).params)


@cache
def action_commands(act: Callable[[Any, dict[str, Any]], None]) -> dict[str, ActionCommand]:
    """The commands by name; each calls ``act`` with the socket that was named and its request."""
    return {name.replace("_", "-"): _command(name, act) for name in ACTIONS}


def _command(name: str, act: Callable[[Any, dict[str, Any]], None]) -> ActionCommand:
    def callback(socket: Any, **values: Any) -> None:
        act(socket, command.record(values))

    command = ActionCommand(
        name.replace("_", "-"),
        params=list(map(_parameter, parameters_of(name))),
        callback=callback,
        help=(inspect.getdoc(ACTIONS[name]) or "").replace("`", ""),
    )
    return BOARD_SOCKET(command)


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


def _type(kind: Any) -> click.ParamType[Any]:
    if kind is Tube:
        return TubeName()
    if kind is bool:
        return click.Choice(["on", "off"])
    if issubclass(kind, Enum):
        return click.Choice([each.value for each in kind])
    return click.STRING
