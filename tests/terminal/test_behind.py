"""A picture drawn by a thread: the newest state, and nobody waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition, Event
from types import TracebackType
from typing import Self

import pytest

from tamsk_hw.facts.notices import NextGameWaits, Notice
from tamsk_hw.panel.diagnosis import Diagnosis, diagnose
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.rulings import Caution, Ruling, Warned
from tamsk_hw.referee.view import View
from tamsk_hw.terminal.screen import DrawnBehind

#: Seconds after which a test fails that waits for the thread.
PATIENCE = 30.0


class Paper:
    """A screen that keeps what it is given, and may fail to show a picture."""

    def __init__(self) -> None:
        self.shown: list[object] = []
        self.fails: OSError | None = None
        self._changed = Condition()

    def _keep(self, what: object) -> None:
        with self._changed:
            self.shown.append(what)
            self._changed.notify_all()

    def wait_for(self, *shown: object) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.shown == list(shown), PATIENCE), self.shown

    def rule(self, rulings: Sequence[Ruling]) -> None:
        self._keep(tuple(rulings))

    def notice(self, notice: Notice) -> None:
        self._keep(notice)

    def say(self, words: str) -> None:
        self._keep(words)

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        self._keep(view.t)
        if self.fails is not None:
            raise self.fails

    def __enter__(self) -> Self:
        self._keep("begun")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._keep("left")


def state(t: float) -> tuple[View, Diagnosis]:
    view = Referee(Header()).view(t)
    return view, diagnose(view, offered=False)


def test_the_newest_state_is_drawn_with_all_the_words_before_it() -> None:
    """A terminal that takes nothing holds up neither the loop nor the end; states in between are left out."""
    paper, reads = Paper(), Event()
    screen = DrawnBehind(paper, lambda seconds: reads.wait(seconds))
    with screen:
        screen.show(*state(1.0))
        paper.wait_for("begun", 1.0)
        ruled = Warned(1.5, "R9.5", code=Caution.LINK_LOST, player=None, tube=None)
        screen.rule([ruled])
        screen.rule([])
        for t in range(2, 1000):
            screen.show(*state(float(t)))
        screen.say("words")
        screen.notice(NextGameWaits())
        assert paper.shown == ["begun", 1.0]
        reads.set()
        paper.wait_for("begun", 1.0, (ruled,), "words", NextGameWaits(), 999.0)
        reads.clear()
        screen.show(*state(1000.0))
    assert paper.shown[-2:] == [1000.0, "left"]


def test_a_picture_that_cannot_be_shown_is_an_error_of_the_next() -> None:
    paper = Paper()
    paper.fails = BrokenPipeError()
    screen = DrawnBehind(paper, lambda seconds: True)
    with screen:
        screen.show(*state(1.0))
        paper.wait_for("begun", 1.0)
    with pytest.raises(BrokenPipeError):
        screen.show(*state(2.0))


def test_a_terminal_that_was_left_is_taken_again() -> None:
    """As after Ctrl-Z and fg."""
    paper = Paper()
    screen = DrawnBehind(paper, lambda seconds: True)
    for t in (1.0, 2.0):
        with screen:
            screen.show(*state(t))
            paper.wait_for(*["begun", 1.0, "left"][: 3 * int(t - 1)], "begun", t)
    paper.wait_for("begun", 1.0, "left", "begun", 2.0, "left")
