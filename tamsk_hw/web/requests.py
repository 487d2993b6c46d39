"""Requests of a page to the table.

What the arbiter may ask of the service from his desk, each under a short code. Without I/O or clock.

A wish is what a button of the desk stands for: ``award-red``, ``ring-D4-black``, ``start``. Codes are all that a
browser sends of it; what is possible is decided by the service.

What the arbiter is asked, with the possible answers: for his desk, and for a table without an arbiter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, assert_never

from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import PLAYERS, TUBES, Player, Tube
from tamsk_hw.live.requests import GameAnswer
from tamsk_hw.live.state import TableState
from tamsk_hw.panel.diagnosis import Confirmation, Decision, Deed, Resignation
from tamsk_hw.panel.keys import decisions, hindrance, is_played
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.rulings import (
    ArbiterNeeded,
    FullTubeEntered,
    LastGlass,
    RecordedQuestion,
    Ruling,
    StillRunning,
    Turn,
)
from tamsk_hw.referee.view import GlassState, Phase, View
from tamsk_hw.web.live import ShownTable
from tamsk_hw.web.scene import TableScene
from tamsk_hw.words import arbiter as words
from tamsk_hw.words.rulings import question_words

#: A press of a button, a decision, or the answer to an offered game or one that is over.
Wish = Button | Arbiter | GameAnswer

START: Final = Button(0.0, ButtonName.START, Press.SHORT)

_BUTTON: Final = {Player.RED: ButtonName.RED, Player.BLACK: ButtonName.BLACK}
_PLAYER: Final = {button: player for player, button in _BUTTON.items()}


def claim(player: Player) -> Button:
    """A player announces a claim (R4.4)."""
    return Button(0.0, _BUTTON[player], Press.SHORT)


def resign(player: Player) -> Button:
    """A player resigns (R5.5)."""
    return Button(0.0, _BUTTON[player], Press.LONG)


def decide(action: Action, tube: Tube | None = None, player: Player | None = None) -> Arbiter:
    """A decision of the arbiter (R9.6, R9.7)."""
    return Arbiter(0.0, action, tube, player)


def player_of(button: Button) -> Player | None:
    """The player whose button it is; None for start."""
    return _PLAYER.get(button.button)


def code_of(wish: Wish) -> str:
    """The code of a wish."""
    match wish:
        case Button(button=ButtonName.START):
            return "start"
        case Button(button=button, press=Press.SHORT):
            return f"claim-{button.value}"
        case Button(button=button):
            return f"resign-{button.value}"
        case GameAnswer.ABANDON:
            return "abandon-offered"
        case GameAnswer():
            return str(wish.value)
        case Arbiter(_, action, tube, player):
            parts = [action.value]
            parts += [] if tube is None else [tube.name]
            return "-".join(parts + ([] if player is None else [player.value]))
        case _:
            assert_never(wish)


def _all() -> Iterator[Wish]:
    yield START
    yield from GameAnswer
    yield decide(Action.ABANDON)
    for player in PLAYERS:
        yield from (claim(player), resign(player), decide(Action.AWARD, None, player))
    for tube in TUBES:
        yield from (decide(action, tube) for action in (Action.EXPIRE, Action.REVIVE, Action.UNCOUNT))
        yield from (decide(Action.RING, tube, player) for player in PLAYERS)


_WISHES: Final[Mapping[str, Wish]] = {code_of(wish): wish for wish in _all()}


def read_wish(code: str) -> Wish | None:
    """The wish of a code; None for a text that is none."""
    return _WISHES.get(code)


def request_for(wish: Wish) -> dict[str, Any]:
    """What the service is asked for (docs/live.md, Requests)."""
    if isinstance(wish, GameAnswer):
        return {"do": {"game": wish.value}}
    event = to_json(wish)
    del event["t"]
    return {"do": event}


def is_possible(wish: Wish, state: TableState) -> bool:
    """The wish would have an effect as the game stands."""
    if isinstance(wish, GameAnswer):
        if wish in (GameAnswer.NEXT, GameAnswer.REMATCH):
            return not state.offered and state.view.phase is Phase.OVER
        return state.offered
    return hindrance(wish, state.view, state.offered) is None


def confirmation(wish: Wish) -> Confirmation | None:
    """What is asked before it is done; None for a wish that takes nothing away."""
    match wish:
        case Arbiter(action=Action.REVIVE):
            return None
        case Arbiter(_, action, tube, player):
            return Confirmation(Decision(action, tube, player))
        case Button(press=Press.LONG):
            player = player_of(wish)
            return None if player is None else Confirmation(Resignation(player))
        case GameAnswer.ABANDON:
            return Confirmation(Deed.ABANDON_OFFERED)
        case Button() | GameAnswer():
            return None
        case _:
            assert_never(wish)


def game_wishes(state: TableState) -> list[Wish]:
    """What may be done with the game: begun, resumed, followed by the next."""
    if state.offered:
        return [GameAnswer.RESUME, GameAnswer.ABANDON]
    match state.view.phase:
        case Phase.SETUP:
            return [START]
        case Phase.OVER:
            return [GameAnswer.NEXT, GameAnswer.REMATCH]
        case Phase.PLAY | Phase.SAND:
            return []
        case _:
            assert_never(state.view.phase)


def player_wishes(state: TableState) -> list[Wish]:
    """What may be pressed on a player's behalf."""
    wishes = [wish(player) for wish in (claim, resign) for player in PLAYERS]
    return [wish for wish in wishes if is_possible(wish, state)]


def decisions_now(state: TableState) -> list[Arbiter]:
    """The decisions that are possible now."""
    if state.offered:
        return []
    return [decide(each.action, each.tube, each.player) for each in decisions(state.view)]


def on_move_when_asked(rulings: Iterable[Ruling]) -> Player | None:
    """The player who was to move when the last question was asked; the turn may have passed on since."""
    turn = asked = None
    for ruling in rulings:
        match ruling:
            case Turn(player=player):
                turn = player
            case ArbiterNeeded():
                asked = turn
    return asked


def answers(view: View, on_move: Player | None) -> list[Arbiter]:
    """The decisions that answer the question that is asked; none without one, and for one of another version.

    ``on_move`` was to move when it was asked. To R9.3's question the other answer is no decision: that glass is
    put right on the board.
    """
    match view.question:
        case FullTubeEntered():
            return [] if on_move is None else [decide(Action.AWARD, None, on_move.opponent)]
        case StillRunning(player):
            doubtful = [
                glass.tube
                for glass in view.glasses
                if glass.owner is player and glass.state is GlassState.DOUBTFUL
            ]
            return [decide(Action.AWARD, None, player), *(decide(Action.EXPIRE, tube) for tube in doubtful)]
        case LastGlass():
            return [decide(Action.AWARD, None, player) for player in PLAYERS]
        case RecordedQuestion() | None:
            return []
        case _:
            assert_never(view.question)


def label_of(wish: Wish) -> str:
    """The words on the button of a wish."""
    match wish:
        case Button():
            return words.press_label(wish)
        case Arbiter():
            return words.decision_label(wish)
        case GameAnswer.RESUME:
            return words.resume_label()
        case GameAnswer.ABANDON:
            return words.abandon_offered_label()
        case GameAnswer.NEXT:
            return words.next_label()
        case GameAnswer.REMATCH:
            return words.rematch_label()
        case _:
            assert_never(wish)


@dataclass(frozen=True, slots=True)
class WishButton:
    """A button by which a wish is had."""

    code: str
    label: str
    grave: bool
    """It asks before it does anything."""


@dataclass(frozen=True, slots=True)
class AskedArbiter:
    """A question of the referee (R9.3, R5.4), and a button for each answer."""

    words: str
    answers: tuple[WishButton, ...]
    otherwise: str | None
    """What is to be done when none of the answers holds."""


def wish_button(wish: Wish, label: str | None = None) -> WishButton:
    """The button of a wish, by its own label or another one."""
    return WishButton(code_of(wish), label or label_of(wish), confirmation(wish) is not None)


def asked(scene: TableScene, table: ShownTable) -> AskedArbiter | None:
    """The question that is open; None without one, and while no game is played."""
    state, question = scene.state, scene.view.question
    if question is None or not is_played(scene.view, state.offered):
        return None
    given = answers(scene.view, on_move_when_asked(table.kept.rulings()))
    return AskedArbiter(
        question_words(question),
        tuple(wish_button(wish, words.answer_label(wish, question)) for wish in given if is_possible(wish, state)),
        words.otherwise_words() if isinstance(question, FullTubeEntered) else None,
    )
