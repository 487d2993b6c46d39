"""The course of a lesson by the referee's rulings: what is carried out next, and how the task ends. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tamsk_hw.lessons.lesson import Lesson, LessonEnd, LessonStep, Reply
from tamsk_hw.referee.rulings import (
    GameOver,
    GlassLost,
    Moved,
    Passed,
    RingCounted,
    Ruling,
    Started,
    TimerExpired,
)

#: Rulings by which a prelude has gone another way, unless they are those of its step.
_LASTING: Final = (GameOver, GlassLost, Moved, Passed, RingCounted, TimerExpired)


@dataclass(frozen=True, slots=True)
class ToStart:
    """The board is to be set up, and the game to be started."""


@dataclass(frozen=True, slots=True)
class Prelude:
    """Step ``number`` of the prelude (from 1) is to be carried out from ``due`` on (the game's seconds)."""

    number: int
    step: LessonStep
    due: float


@dataclass(frozen=True, slots=True)
class Strayed:
    """The prelude has gone another way by this ruling: the lesson is to begin again."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class TaskOpen:
    """The learner is to act. From ``due`` on (the game's seconds) the opponent's ``step`` is to be carried out.

    Without a step both are None.
    """

    step: LessonStep | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """The task is solved by this ruling."""

    end: LessonEnd
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Failed:
    """The task is failed by this ruling; ``way`` is the place of the end in `Lesson.failed`, from 0."""

    way: int
    end: LessonEnd
    ruling: Ruling


Progress: TypeAlias = ToStart | Prelude | Strayed | TaskOpen | Solved | Failed


def step_at(progress: Progress, t: float) -> LessonStep | None:
    """The step that is to be carried out at ``t`` (the game's seconds), if any."""
    match progress:
        case Prelude(step=step, due=due) | TaskOpen(step=step, due=due) if due is not None and t >= due:
            return step
        case _:
            return None


def progress_of(lesson: Lesson, rulings: Sequence[Ruling]) -> Progress:
    """The progress of a lesson in a game, by all the game's rulings from its set-up on."""
    rest = iter(rulings)
    now = next((ruling.t for ruling in rest if isinstance(ruling, Started)), None)
    if now is None:
        return ToStart()
    for number, step in enumerate(lesson.prelude, start=1):
        for ruling in rest:
            if step.ruled.fits(ruling):
                now = ruling.t
                break
            if isinstance(ruling, _LASTING):
                return Strayed(ruling)
        else:
            return Prelude(number, step, now + step.seconds)
    return _judged(lesson, rest, now)


def _judged(lesson: Lesson, rulings: Iterator[Ruling], began: float) -> TaskOpen | Solved | Failed:
    """The task, from the rulings since it ``began`` (seconds)."""
    replies = list(lesson.replies)
    due = _due(replies, None, began)
    for ruling in rulings:
        for way, end in enumerate(lesson.failed):
            if end.ruled.fits(ruling):
                return Failed(way, end, ruling)
        for end in lesson.solved:
            if end.ruled.fits(ruling):
                return Solved(end, ruling)
        if due is None:
            due = _due(replies, ruling, ruling.t)
        elif replies[0].step.ruled.fits(ruling):
            del replies[0]
            due = _due(replies, None, ruling.t)
    return TaskOpen() if due is None else TaskOpen(replies[0].step, due)


def _due(replies: Sequence[Reply], ruling: Ruling | None, t: float) -> float | None:
    """When the first reply is due, if it begins to wait by ``ruling`` at ``t``, or (None) without one."""
    if not replies:
        return None
    reply = replies[0]
    waits = reply.after is None if ruling is None else reply.after is not None and reply.after.fits(ruling)
    return t + reply.step.seconds if waits else None
