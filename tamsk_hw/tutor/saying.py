"""Sentences that tell people where they are in a lesson."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.lessons.judging import Failed, Prelude, Progress, Solved, Strayed, TaskOpen, ToStart
from tamsk_hw.lessons.lesson import Lesson, LessonText
from tamsk_hw.words.lessons import failed_words, prelude_words, set_up_words, solved_words, strayed_words
from tamsk_hw.words.translating import spoken


def text_of(lesson: Lesson) -> LessonText:
    """A lesson's words in the language that is spoken."""
    return lesson.texts[spoken()]


def progress_words(lesson: Lesson, progress: Progress) -> str:
    """The sentences for people when the lesson has come there."""
    text = text_of(lesson)
    match progress:
        case ToStart():
            return set_up_words()
        case Prelude(number, step):
            return prelude_words(number, len(lesson.prelude), step.advice)
        case Strayed():
            return strayed_words()
        case TaskOpen():
            return text.task
        case Solved(end=end):
            return f"{solved_words(end.clause)} {text.learned}"
        case Failed(way=way, end=end):
            return f"{failed_words(end.clause)} {text.failed[way]}"
        case _:
            assert_never(progress)
