"""The lessons that come with the program, in the order of their files."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tamsk_hw.lessons.lesson import Lesson
from tamsk_hw.lessons.reading import read_lesson


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """All lessons; the first is lesson 1.

    Raises:
        LessonError: one of the files is damaged.
    """
    found = [each for each in files("tamsk_hw.lessons").iterdir() if each.name.endswith(".toml")]
    return tuple(
        read_lesson(each.read_text(encoding="utf-8"), each.name.removesuffix(".toml"))
        for each in sorted(found, key=lambda file: file.name)
    )
