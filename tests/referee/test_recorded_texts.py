"""Facts that are recorded as text: their spelling, and their reading."""

from __future__ import annotations

import pytest

from tamsk_hw.game import Player, Tube
from tamsk_hw.referee.events import TimeSpan, read_span, span_text
from tamsk_hw.referee.rulings import (
    FullTubeEntered,
    LastGlass,
    Question,
    RecordedQuestion,
    StillRunning,
    question_text,
    read_question,
)


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (0, 0, "up to 1 second"),
        (0.4, 0.6, "up to 1 second"),
        (1, 1, "1 second"),
        (60.7, 74.2, "60 to 75 seconds"),
        (60, 60, "60 seconds"),
        (119.5, 121, "1 to 3 minutes"),
        (60, 120, "1 to 2 minutes"),
        (0, 3600, "up to 60 minutes"),
        (7200, 9000, "2 to 3 hours"),
        (0, 31 * 86400, "up to 31 days"),
    ],
)
def test_a_span_and_its_recorded_text(least: float, most: float, words: str) -> None:
    """In one unit, rounded outward: never more certain than what is known."""
    span = TimeSpan.of(least, most)
    assert span_text(span) == words
    assert read_span(words) == span


@pytest.mark.parametrize("text", ["", "a while", "3 years", "60 to seconds", "up to 3 to 4 days", "stuck at 255"])
def test_a_text_that_is_no_span(text: str) -> None:
    assert read_span(text) is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (LastGlass(), "Whose glass ran out last?"),
        (StillRunning(Player.RED), "Has red still a glass running, now that black has none?"),
        (StillRunning(Player.BLACK), "Has black still a glass running, now that red has none?"),
        (
            FullTubeEntered(Tube.D4),
            "Whose glass was put into the full tube D4? If it was the player's on move, he has lost.",
        ),
        (RecordedQuestion("Who began?"), "Who began?"),
    ],
)
def test_a_question_and_its_recorded_text(question: Question, text: str) -> None:
    assert question_text(question) == text
    assert read_question(text) == question
