"""The judge of the curves notices what is wrong, and the page is that of the figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.curves.figures import Row, right_up_to, said_from, silent_at
from tests.curves.judging import Entry, Window, Wrong, compare

WINDOW = Window(early=0.8, after=0.5, late=1.0)

LIFT, SEAT = ("lift", "D1"), ("seat", "D2", "A")


def judged(*told: Entry) -> list[tuple[str, float]]:
    """Findings on this account of a lift at 10 s and a seat at 11 s: how, and when it came out."""
    true = [Entry(10.0, 10.0, LIFT), Entry(11.0, 11.0, SEAT)]
    return [(wrong.how, wrong.at) for wrong in compare(true, list(told), WINDOW, 5.0, 100.0)]


def test_what_is_told_in_time_is_right() -> None:
    assert judged(Entry(10.1, 10.2, LIFT), Entry(10.6, 11.9, SEAT)) == []


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ([Entry(10.1, 10.2, LIFT)], [("missed", 12.0)]),
        (
            [Entry(10.1, 10.2, LIFT), Entry(10.6, 10.7, ("seat", "D2", "B"))],
            [("invented", 10.7), ("missed", 12.0)],
        ),
        ([Entry(10.1, 10.2, LIFT), Entry(11.6, 11.7, SEAT)], [("late", 12.0)]),
        ([Entry(10.1, 10.2, LIFT), Entry(11.0, 12.1, SEAT)], [("late", 12.0)]),
        ([Entry(10.1, 10.2, LIFT), Entry(11.0, 11.1, SEAT), Entry(20.0, 20.1, SEAT)], [("invented", 20.1)]),
        ([Entry(9.0, 9.1, LIFT), Entry(11.0, 11.1, SEAT)], [("invented", 9.1), ("missed", 11.0)]),
    ],
)
def test_what_is_missed_invented_or_late_is_wrong(told: list[Entry], wrong: list[tuple[str, float]]) -> None:
    assert judged(*told) == wrong


def test_one_that_is_missed_is_not_taken_for_the_next_like_it() -> None:
    true = [Entry(10.0, 10.0, LIFT), Entry(20.0, 20.0, LIFT)]
    assert compare(true, [Entry(20.1, 20.2, LIFT)], WINDOW, 5.0, 100.0) == [Wrong(11.0, "missed", "lift D1")]


def test_what_was_before_the_start_is_not_judged() -> None:
    assert compare([Entry(1.0, 1.0, LIFT)], [Entry(2.0, 2.0, SEAT)], WINDOW, 5.0, 100.0) == []


def test_how_far_a_curve_reaches() -> None:
    good = Row(5, (1, 2), events=100, missed=0, invented=0, late=0, wrong=0, said=0, silent=0)
    silent = replace(good, strength=10, missed=1, silent=1)
    said = replace(good, strength=20, wrong=3, said=2)
    rows = [good, replace(good, strength=7), silent, replace(good, strength=15), said]
    assert right_up_to(rows) == 7
    assert right_up_to([silent, good]) is None
    assert said_from(rows) == 20
    assert said_from([good]) is None
    assert silent_at(rows) == [10]
