"""The whole state of the table as the JSON object of a ``state`` line (docs/live-reference.md, State)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Final

from tamsk_hw.errors import JournalError, LiveError, shortened
from tamsk_hw.forms import is_number
from tamsk_hw.game.ruleset import TimerSide
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, TUBE_OF_NAME, TUBES, End, Player, Tube
from tamsk_hw.live.requests import advice_as_dict, read_advice
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.rulings import GameOver, Mend, Setup, parse_ruling, question_text, read_question
from tamsk_hw.referee.view import GlassState, GlassView, OpenRing, Phase, View

#: The phase while an unfinished game waits to be resumed.
OFFERED: Final = "offered"

#: The highest number of a turn.
_MOST_TURNS: Final = 10**9


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
        "buttons": [button.value for button in ButtonName if button in state.buttons],
        "advice": None if state.advice is None else advice_as_dict(state.advice),
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


def read_state(record: Mapping[str, Any]) -> TableState:
    """The state that `state_as_dict` made this object of.

    The time of the result is not in the object: that of the state stands for it.

    Raises:
        LiveError: the object is no state that this version of the program knows.
    """
    try:
        return _read(record)
    except (KeyError, ValueError, TypeError, AttributeError, JournalError) as error:
        raise LiveError(f"the service has sent a state that is not understood ({shortened(str(error))})") from None


def _read(record: Mapping[str, Any]) -> TableState:
    t, over, question = _number(record["t"]), record["over"], record["question"]
    deadline, advice = record["deadline"], record.get("advice")
    offered = record["phase"] == OFFERED
    return TableState(
        View(
            t=t,
            level=_whole(record["level"], 3),
            phase=_offered_phase(record) if offered else Phase(record["phase"]),
            turn=_read_player(record["turn"]),
            number=_whole(record["number"], _MOST_TURNS),
            move_started=bool(record["move_started"]),
            glasses=tuple(map(_read_glass, record["glasses"])),
            rings=_read_counts(record["rings"]),
            rings_seen=_read_counts(record["rings_seen"]),
            full=_read_tubes(record["full"]),
            destinations=_read_tubes(record["destinations"]),
            left={player: _whole(record["left"][player.value], RINGS_EACH) for player in PLAYERS},
            ring_open={TUBE_OF_NAME[right["tube"]]: _read_right(right) for right in record["ring_open"]},
            penalty=_read_player(record["penalty"]),
            late=_read_player(record["late"]),
            deadline=None if deadline is None else _number(deadline),
            timer_side=None if record["timer_side"] is None else TimerSide(record["timer_side"]).value,
            wrong=_read_mends(record["wrong"], t),
            link_lost=not record["connected"],
            question=None if question is None else read_question(question),
            over=None if over is None else _read_result(over, t),
            tubes=_read_board(record["tubes"]),
        ),
        offered,
        frozenset(map(ButtonName, record.get("buttons", ()))),
        None if advice is None else read_advice(advice),
    )


def _offered_phase(record: Mapping[str, Any]) -> Phase:
    """The phase of an offered game, which its state does not name."""
    if record["over"] is not None:
        return Phase.OVER
    return Phase.PLAY if record["number"] else Phase.SETUP


def _read_player(value: str | None) -> Player | None:
    return None if value is None else Player(value)


def _read_tubes(names: list[str]) -> frozenset[Tube]:
    return frozenset(TUBE_OF_NAME[name] for name in names)


def _read_board(names: list[str]) -> tuple[Tube, ...]:
    """The tubes of the board. Raises `ValueError` for none at all."""
    if not names:
        raise ValueError("no tubes")
    return tuple(TUBE_OF_NAME[name] for name in names)


def _read_counts(counts: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(_whole(counts.get(tube.name, 0), 2 * RINGS_EACH) for tube in TUBES)


def _read_right(right: Mapping[str, Any]) -> OpenRing:
    seconds = right["seconds"]
    return OpenRing(Player(right["player"]), None if seconds is None else _number(seconds))


def _whole(value: Any, most: int) -> int:
    """A count. Raises `TypeError` or `ValueError` for what is none, or more than there can be."""
    if index(value) not in range(most + 1):
        raise ValueError(value)
    return index(value)


def _number(value: Any) -> float:
    """A number to reckon with. Raises `TypeError` for what is none."""
    if not is_number(value):
        raise TypeError(value)
    return float(value)


def _read_mends(problems: list[Any], t: float) -> tuple[Mend, ...]:
    setup = parse_ruling({"ruling": Setup.name, "t": t, "rule": "", "problems": problems})
    assert isinstance(setup, Setup)
    return setup.problems


def _read_result(over: Mapping[str, Any], t: float) -> GameOver:
    result = parse_ruling({**over, "ruling": GameOver.name, "t": t})
    assert isinstance(result, GameOver)
    return result


def _read_glass(glass: Mapping[str, Any]) -> GlassView:
    standing = glass["standing"]
    return GlassView(
        owner=Player(glass["owner"]),
        tube=TUBE_OF_NAME[glass["tube"]],
        standing=None if standing is None else TUBE_OF_NAME[standing],
        end=End(glass["end"]),
        state=GlassState(glass["state"]),
        seconds=_read_pair(glass["seconds"]),
        fraction=_read_pair(glass["fraction"]),
        may_move=bool(glass["may_move"]),
    )


def _read_pair(pair: list[float]) -> tuple[float, float]:
    low, high = pair
    return _number(low), _number(high)
