"""Each lesson is solved, and failed in each of its ways, by hands at a simulated board with the real referee."""

from dataclasses import replace

import pytest

from tamsk_hw.lessons.lessons import Stage, all_lessons
from tests.lessons.solving import FAILING, RULED, SOLVING, move
from tests.lessons.taught import Taught

LESSONS = {lesson.name: lesson for lesson in all_lessons()}

WAYS = [(name, way) for name, scripts in FAILING.items() for way in range(len(scripts))]


def test_every_way_of_failing_is_tried() -> None:
    assert list(LESSONS) == list(SOLVING) == list(FAILING) == list(RULED)
    for name, lesson in LESSONS.items():
        assert len(lesson.failed) == len(FAILING[name]) == len(RULED[name]) - 1
        assert len(lesson.solved) == 1


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_solved(name: str) -> None:
    ended = Taught(LESSONS[name]).end(SOLVING[name])
    assert ended.stage is Stage.SOLVED, ended
    assert (ended.ruling.name, ended.ruling.rule) == RULED[name][0]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_lesson_is_failed(name: str, way: int) -> None:
    ended = Taught(LESSONS[name]).end(FAILING[name][way])
    assert ended.stage is Stage.FAILED, ended
    assert ended.number == way
    assert ended.end is LESSONS[name].failed[way]
    assert (ended.ruling.name, ended.ruling.rule) == RULED[name][way + 1]


def test_a_prelude_that_goes_another_way_is_to_begin_again() -> None:
    taught = Taught(LESSONS["07-first-three-turns"])
    taught.until(lambda progress: progress.stage is Stage.PRELUDE)
    for request in move("G4", "F4"):
        taught.do(request)
    strayed = taught.progress
    assert strayed.stage is Stage.STRAYED
    assert strayed.ruling is not None
    assert strayed.ruling.name == "move"


def test_a_step_waits_for_its_seconds() -> None:
    lesson = LESSONS["09-keep-it-alive"]
    taught = Taught(lesson)
    taught.come_to_the_task()
    fifth, sixth = [each.t for each in taught.rulings if each.name == "move"][4:6]
    assert 25.0 < sixth - fifth < 30.0


def test_a_reply_is_the_opponents_and_waits_for_its_ruling() -> None:
    """Black moves 15 s after red's move, not after red's turn began."""
    taught = Taught(LESSONS["02-ring-of-the-move"])
    taught.come_to_the_task()
    taught.wait(40.0)
    taught.end(move("D1", "D2"))
    red, black = (each for each in taught.rulings if each.name == "move")
    assert 15.0 < black.t - red.t < 20.0
    assert red.t > 40.0


def test_a_failure_comes_before_a_solution_of_the_same_ruling() -> None:
    lesson = LESSONS["06-turn-over"]
    both = replace(lesson, failed=lesson.solved)
    assert Taught(both).end(SOLVING[lesson.name]).stage is Stage.FAILED
