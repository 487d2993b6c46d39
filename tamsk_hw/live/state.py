"""The whole state of the table as the JSON object of a ``state`` line (docs/live-reference.md, State)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tamsk_hw.errors import LiveError, StreamError, shortened
from tamsk_hw.forms import from_json, to_json
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import Phase, View

#: The phase while an unfinished game waits to be resumed.
OFFERED: Final = "offered"


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table: the game as it stands; ``offered``: an unfinished one waits to be resumed;
    ``buttons``: those that work; ``advice``: the act that somebody is asked to carry out.
    """

    view: View
    offered: bool
    buttons: frozenset[ButtonName] = frozenset()
    advice: Advice | None = None

    @property
    def phase(self) -> str:
        """The phase: ``offered``, ``setup``, ``play``, ``sand`` or ``over``."""
        return OFFERED if self.offered else self.view.phase.value

    @property
    def runs(self) -> bool:
        """Something in it changes by the passing of time alone: sand, or seconds of a right."""
        view = self.view
        return view.is_played and (
            any(glass.state.may_run for glass in view.glasses)
            or view.deadline is not None
            or any(right.seconds is not None for right in view.ring_open.values())
        )

    def is_news_after(self, other: TableState | None) -> bool:
        """It says more than the other one: not only that time has passed in which nothing ran."""
        if other is None or self.runs or replace(self, view=other.view) != other:
            return self != other
        return replace(self.view, t=other.view.t) != other.view


def state_as_dict(state: TableState) -> dict[str, Any]:
    """The state as its JSON object, always whole."""
    more = {
        "buttons": [button.value for button in ButtonName if button in state.buttons],
        "advice": None if state.advice is None else to_json(state.advice),
    }
    record: dict[str, Any] = to_json(state.view)
    return record | {"phase": state.phase} | more


def read_state(record: Mapping[str, Any]) -> TableState:
    """The state of a JSON object.

    The time of the result is not in the object: that of the state stands for it.

    Raises:
        LiveError: the object is no state that this version of the program knows.
    """
    try:
        offered = record["phase"] == OFFERED
        view: View = from_json(View, {**record, "phase": _offered_phase(record)} if offered else record, "state")
        if not view.tubes:
            raise LookupError("no tubes")
        if view.over is not None:
            view = replace(view, over=replace(view.over, t=view.t))
        advice = from_json(Advice | None, record.get("advice"), "state", "advice")
        buttons = from_json(frozenset[ButtonName], record.get("buttons", []), "state", "buttons")
        return TableState(view, offered, buttons, advice)
    except (LookupError, TypeError, ValueError, StreamError) as error:
        raise LiveError(f"the service has sent a state that is not understood ({shortened(str(error))})") from None


def _offered_phase(record: Mapping[str, Any]) -> Any:
    """The phase of an offered game, which its state does not name."""
    if record["over"] is not None:
        return Phase.OVER.value
    return (Phase.PLAY if record["number"] else Phase.SETUP).value
