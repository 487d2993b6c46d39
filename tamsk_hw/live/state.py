"""The whole state of the table as the JSON object of a ``state`` line (docs/live-reference.md, State)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.questions import question_text
from tamsk_hw.referee.rulings import Setup
from tamsk_hw.referee.view import GlassState, GlassView, Phase, View

#: The phase while an unfinished game waits to be resumed.
OFFERED: Final = "offered"


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table: the game as it stands; ``offered``: an unfinished one waits to be resumed."""

    view: View
    offered: bool

    @property
    def phase(self) -> str:
        """The phase: ``offered``, ``setup``, ``play``, ``sand`` or ``over``."""
        return OFFERED if self.offered else self.view.phase.value

    @property
    def runs(self) -> bool:
        """Something in it changes by the passing of time alone: sand, or seconds of a right."""
        running = (GlassState.RUNNING, GlassState.DOUBTFUL)
        view = self.view
        return view.phase in (Phase.PLAY, Phase.SAND) and (
            any(glass.state in running for glass in view.glasses)
            or view.deadline is not None
            or any(right.seconds is not None for right in view.ring_open.values())
        )

    def is_news_after(self, other: TableState | None) -> bool:
        """It says more than the other one: not only that time has passed in which nothing ran."""
        if other is None or self.offered != other.offered or self.runs:
            return self != other
        return replace(self.view, t=other.view.t) != other.view


def state_as_dict(state: TableState) -> dict[str, Any]:
    """The state as its JSON object, always whole."""
    view = state.view
    return {
        "t": view.t,
        "phase": state.phase,
        "connected": not view.link_lost,
        "level": view.level,
        "turn": _player(view.turn),
        "number": view.number,
        "move_started": view.move_started,
        "glasses": [_glass(glass) for glass in view.glasses],
        "rings": _counts(view, view.rings),
        "rings_seen": _counts(view, view.rings_seen),
        "full": _tubes(view, view.full),
        "destinations": _tubes(view, view.destinations),
        "left": {player.value: view.left[player] for player in PLAYERS},
        "ring_open": [
            {"tube": tube.name, "player": right.player.value, "seconds": right.seconds}
            for tube, right in sorted(view.ring_open.items())
        ],
        "penalty": _player(view.penalty),
        "late": _player(view.late),
        "deadline": view.deadline,
        "timer_side": view.timer_side,
        "wrong": Setup(view.t, "", view.wrong).as_dict()["problems"],
        "question": None if view.question is None else question_text(view.question),
        "over": None if view.over is None else _result(view),
        "tubes": [tube.name for tube in view.tubes],
    }


def _result(view: View) -> dict[str, Any]:
    """The result, as the ruling ``game_over`` has it."""
    assert view.over is not None
    ruled = view.over.as_dict()
    return {key: ruled[key] for key in ("winner", "reason", "rings_left", "rule")}


def _player(player: Player | None) -> str | None:
    return None if player is None else player.value


def _tubes(view: View, tubes: frozenset[Tube]) -> list[str]:
    """The tubes in board order."""
    return [tube.name for tube in view.tubes if tube in tubes]


def _counts(view: View, rings: tuple[int, ...]) -> dict[str, int]:
    """The rings of each tube that has any."""
    return {tube.name: rings[tube] for tube in view.tubes if rings[tube]}


def _glass(glass: GlassView) -> dict[str, Any]:
    return {
        "owner": glass.owner.value,
        "tube": glass.tube.name,
        "standing": None if glass.standing is None else glass.standing.name,
        "end": glass.end.value,
        "state": glass.state.value,
        "seconds": list(glass.seconds),
        "fraction": list(glass.fraction),
        "may_move": glass.may_move,
    }
