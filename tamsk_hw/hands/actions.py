"""Actions that can be asked of a simulated board, and the lines that ask for them (docs/simulate.md).

An action is a method of `World` or of `HandledBoard`: its name, the types and defaults of its parameters and its
docstring are those of the request, of the command of ``tamsk-hw hands`` and of the reference page.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_type_hints

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import StreamError, refuse, shortened
from tamsk_hw.forms import Form, form_of, from_json, number, scalar
from tamsk_hw.game.tubes import names_of
from tamsk_hw.hands.observation import Observation, observe
from tamsk_hw.simulator.faults import fault_of
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World

#: The most characters of a text in a request, and the most seconds under each key.
MOST_CHARACTERS: Final = 200
MOST_SECONDS: Final = {"seconds": 3600.0, "travel": 10.0, "within": 10.0}


class ResetKind(Enum):
    """The ways in which the controller starts again."""

    POWER = "power"
    PIN = "pin"
    BROWN_OUT = "brown_out"
    WATCHDOG = "watchdog"


_CAUSES: Final = {
    ResetKind.POWER: ResetCause.POWER_ON,
    ResetKind.PIN: ResetCause.EXTERNAL,
    ResetKind.BROWN_OUT: ResetCause.BROWN_OUT,
    ResetKind.WATCHDOG: ResetCause.WATCHDOG,
}


@dataclass(frozen=True, slots=True)
class HandAction:
    """An action that is asked for, with the values of its parameters."""

    name: str
    values: Mapping[str, Any]


class HandledBoard:
    """A simulated board with its cable, its broken parts and the panel beside it, for everybody's hands.

    Hands belong to the players, not to the client that asks: what one client lifted another may seat.
    """

    def __init__(self, line: PtyBoard, wiring: Wiring) -> None:
        self.world = line.board.world
        self._line = line
        self._wiring = wiring
        self.lights: bytes | None = None
        """Three bytes for each pixel of the lights, None while no program drives them."""

    def observe(self) -> Observation:
        """The world as eyes see it now."""
        return observe(
            self.world, self._wiring, self._line.board.sensors.faults, self.lights, plugged=self._line.plugged
        )

    def show(self, picture: bytes) -> None:
        """The lights are these from now on. Raises `WorldError` for a picture of another length."""
        wanted = 3 * self._wiring.pixel_count
        if len(picture) != wanted:
            raise WorldError(f"a picture of {len(picture)} bytes; this board's lights take {wanted}")
        self.lights = picture

    def begin(self, action: HandAction) -> float:
        """Begin an action now; return the world's time at which it will be done.

        Raises:
            TamskError: it cannot be done; nothing has changed.
        """
        values = dict(action.values)
        if (tube := values.get("tube")) is not None and tube not in self._wiring.tubes:
            raise WorldError(f"this board has no tube {tube}; it has {names_of(self._wiring.tubes)}")
        if (glass := values.get("glass")) is not None:
            values["glass"] = self.world.glass(glass)
        of = self if hasattr(self, action.name) else self.world
        done: float | None = getattr(of, action.name)(**values)
        return self.world.now if done is None else done

    # ---- actions

    def fault(self, fault: str) -> None:
        """Break a part."""
        broken = fault_of(fault)
        if broken in self._line.board.sensors.faults:
            raise WorldError("it is broken like that already")
        self._line.board.put_fault(broken)

    def repair(self, fault: str | None = None) -> None:
        """Repair a broken part; without `fault` all of them."""
        broken = self._line.board.sensors.faults
        for each in broken if fault is None else [fault_of(fault)]:
            if each not in broken:
                raise WorldError("that is not broken")
            self._line.board.clear_fault(each)

    def unplug(self) -> None:
        """Pull the board's cable: its port disappears."""
        if not self._line.plugged:
            raise WorldError("the cable is out already")
        self._line.unplug()

    def replug(self) -> None:
        """Put the cable in again."""
        if self._line.plugged:
            raise WorldError("the cable is in already")
        self._line.replug()

    def reset(self, cause: ResetKind = ResetKind.PIN) -> None:
        """Start the controller again."""
        self._line.board.reset(_CAUSES[cause])


#: Every action by the name that requests call it.
ACTIONS: Final[dict[str, Callable[..., Any]]] = {
    action.__name__: action
    for action in (
        *(World.lift, World.seat, World.turn, World.turn_timer, World.put_timer_away, World.place_timer),
        *(World.place, World.put_away, World.lean, World.straighten, World.drop, World.take_up, World.put_back),
        *(World.take, World.put_aside, World.fetch, World.touch, World.press, World.knock, World.knock_holder),
        *(World.lamp, HandledBoard.fault, HandledBoard.repair, HandledBoard.unplug, HandledBoard.replug),
        *(HandledBoard.reset, World.tidy, World.wait),
    )
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an action: its type (a glass is asked for by its name) and form, and its default if any."""

    name: str
    kind: Any
    form: Form
    may_be_null: bool
    is_needed: bool
    default: Any = None


@cache
def parameters_of(name: str) -> tuple[Parameter, ...]:
    """The parameters of an action, in their order."""
    action = ACTIONS[name]
    hints = get_type_hints(action)
    parameters = []
    for each in list(inspect.signature(action).parameters.values())[1:]:
        kinds = get_args(hints[each.name]) or (hints[each.name],)
        (kind,) = (kind for kind in kinds if kind is not NoneType)
        kind, is_needed = str if kind is WorldGlass else kind, each.default is each.empty
        default = None if is_needed else each.default
        form = _form(each.name, kind)
        parameters.append(Parameter(each.name, kind, form, NoneType in kinds, is_needed, default))
    return tuple(parameters)


def _form(name: str, kind: Any) -> Form:
    if kind is float:
        most = MOST_SECONDS[name]
        return number(float, 0, most, f"0 to {most:g} seconds")
    if kind is str:
        return scalar(str, _short, {"type": "string"}, f"a text of at most {MOST_CHARACTERS} characters")
    return form_of(kind)


def _short(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        raise ValueError
    return value


def read_action(name: Any, values: Mapping[str, Any]) -> HandAction:
    """The action of that name with these values, as requests have them.

    Raises:
        StreamError: there is no such action, or a value is missing, unknown or not allowed.
    """
    if not isinstance(name, str) or name not in ACTIONS:
        raise refuse("line", "do", name, ", ".join(f'"{each}"' for each in ACTIONS))
    known = parameters_of(name)
    for key in values:
        if key not in {parameter.name for parameter in known}:
            allowed = ", ".join(parameter.name for parameter in known) or "none"
            raise StreamError(f"line: unknown key {shortened(key)} for {name}; allowed: {allowed}")
    read = {}
    for parameter in known:
        value = values.get(parameter.name)
        if parameter.name not in values:
            if parameter.is_needed:
                raise StreamError(f"line: {name} needs {parameter.name}")
            read[parameter.name] = parameter.default
        elif value is None and parameter.may_be_null:
            read[parameter.name] = None
        else:
            read[parameter.name] = from_json(Annotated[Any, parameter.form], value, "line", parameter.name)
    return HandAction(name, read)
