"""Questions that only a person can answer (R5.4, R9.3).

A question is recorded as text (docs/formats.md, Rulings). `question_text` is that text and `read_question` its
reverse; nothing else depends on it. What people read is made by `tamsk_hw.words.rulings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import TUBES, Tube


@dataclass(frozen=True, slots=True)
class StillRunning:
    """Has ``player`` a glass still running, now that his opponent has none (R5.4)?"""

    player: Player


@dataclass(frozen=True, slots=True)
class LastGlass:
    """All glasses have run out: whose ran out last (R5.4)?"""


@dataclass(frozen=True, slots=True)
class FullTubeEntered:
    """Whose glass was put into the full tube ``tube`` (R9.3)?"""

    tube: Tube


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A question of another version, known by its recorded text alone."""

    text: str


Question = StillRunning | LastGlass | FullTubeEntered | RecordedQuestion


def question_text(question: Question) -> str:
    """The text of a question in a ruling's JSON object."""
    match question:
        case StillRunning(player):
            return f"Has {player} still a glass running, now that {player.opponent} has none?"
        case LastGlass():
            return "Whose glass ran out last?"
        case FullTubeEntered(tube):
            return f"Whose glass was put into the full tube {tube}? If it was the player's on move, he has lost."
        case RecordedQuestion(text):
            return text
        case _:
            assert_never(question)


_ALL: tuple[Question, ...] = (LastGlass(), *map(StillRunning, PLAYERS), *map(FullTubeEntered, TUBES))
_QUESTIONS = {question_text(question): question for question in _ALL}


def read_question(text: str) -> Question:
    """The question that was recorded as ``text``."""
    return _QUESTIONS.get(text) or RecordedQuestion(text)
