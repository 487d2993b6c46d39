"""The prompts of the walks with their marks, the answers to them, and notes besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Answer(Enum):
    """An answer, given by a key or by a button."""

    YES = "yes"
    """Yes, or go on."""
    NO = "no"
    BACK = "back"
    """The question or the step before once more."""
    SKIP = "skip"
    """Leave this part out."""
    QUIT = "quit"
    """End the walk."""


class Mark(Enum):
    """The progress of one pixel, one ring sensor or one end of a glass in a test."""

    WAITING = "waiting"
    NOW = "now"
    GOOD = "good"
    BAD = "bad"


class Lit(Enum):
    """A calibration's request at a tube or at the timer's cradle."""

    HERE = "here"
    """Set the glass here."""
    TURN = "turn"
    """Turn over the glass that stands here."""
    WRONG = "wrong"
    """Take away what is here."""
    MISSING = "missing"
    """Rings are missing here."""
    NEXT = "next"
    """The glass goes here next."""
    DONE = "done"
    """Measured."""
    BAD = "bad"
    """Measured, and bad."""


#: Marks by the name of their place: a tube's (``"D4"``), ``"timer"``, ``"red 1"``.
Marks = Mapping[str, tuple[Mark | Lit, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A request to the person at the board.

    ``title``: where in the walk this is. ``words``: what to do. ``answers``: what each answer means here.
    ``progress`` counts; ``notice``: what was noticed last; ``trouble``: what is in the way. ``awaits_start``: the
    players' lights ask for the start button. ``keys_only``: the start button gives no answer.
    """

    title: str
    words: str
    answers: Mapping[Answer, str] = field(default_factory=dict)
    marks: Marks = field(default_factory=dict)
    progress: str = ""
    notice: str = ""
    trouble: str = ""
    awaits_start: bool = False
    keys_only: bool = False


class NoteKind(Enum):
    """The kinds of notes; some are heard, too."""

    PLAIN = "plain"
    TAKEN = "taken"
    """A measurement was taken."""
    WARNING = "warning"
    """Something does not count, or is asked."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the person at the board should know besides the prompt."""

    words: str
    kind: NoteKind = NoteKind.PLAIN
