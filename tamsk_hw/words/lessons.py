"""Sentences around lessons, whose own words stand in their files."""

from __future__ import annotations

from tamsk_hw.partner.advice import Advice
from tamsk_hw.words.advice import advice_words
from tamsk_hw.words.translating import tr


def lesson_page_texts() -> dict[str, str]:
    """The texts that the templates of the lessons name."""
    return {
        "lessons": tr("Lessons"),
        "lead": tr(
            "Each lesson sets up the board, and the referee judges it. Solved ones are kept in this browser."
        ),
        "solved": tr("solved"),
        "begin": tr("Begin the lesson"),
        "again": tr("Again"),
        "next": tr("Next lesson"),
        "ends_game": tr("The game at this board is abandoned then."),
    }


def lesson_title_words(number: int, count: int, title: str) -> str:
    """A lesson's heading; ``number`` counts from 1."""
    return tr("Lesson {number} of {count}: {title}", number=number, count=count, title=title)


def set_up_words() -> str:
    """The board is not ready yet."""
    return tr("The board is being set up for the lesson.")


def prelude_words(number: int, count: int, advice: Advice | None) -> str:
    """Step ``number`` of ``count`` comes before the task; without advice it is to wait."""
    step = tr("wait.") if advice is None else advice_words(advice)
    return tr("Before the task, {number} of {count}: {step}", number=number, count=count, step=step)


def strayed_words() -> str:
    """What comes before the task was not carried out as asked."""
    return tr("What comes before the task went another way. Begin the lesson again.")


def solved_words(clause: str) -> str:
    """The task is solved, and the clause that it teaches."""
    return tr("Solved ({clause}).", clause=clause)


def failed_words(clause: str) -> str:
    """The task is failed, and the clause that it teaches."""
    return tr("Not solved ({clause}).", clause=clause)


def hint_words(hint: str) -> str:
    """A hint for the next attempt."""
    return tr("Hint: {hint}", hint=hint)
