"""What the arbiter is asked, with the possible answers: for his desk, and for a table without an arbiter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from tamsk_hw.live.requests import GameAnswer
from tamsk_hw.panel.possible import is_played
from tamsk_hw.referee.events import Arbiter, Button
from tamsk_hw.referee.questions import FullTubeEntered
from tamsk_hw.web.live_table import ShownTable
from tamsk_hw.web.scene import TableScene
from tamsk_hw.web.wishes import Wish, answers, code_of, confirmation, is_possible, on_move_when_asked
from tamsk_hw.words import desk as words
from tamsk_hw.words.rulings import question_words


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
