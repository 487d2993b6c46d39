"""Faults of the set-up are said to those who see no picture."""

from __future__ import annotations

from tamsk_hw.game.tubes import START_TUBES, End
from tamsk_hw.panel.diagnosis import Diagnosis, diagnose
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import Seat
from tamsk_hw.terminal.screen import SETTLED_SECONDS, SetupWords

CORNERS = [tube for tubes in START_TUBES.values() for tube in tubes]


def with_glasses(count: int) -> Diagnosis:
    referee = Referee({"tamsk": 1, "ruleset": {"level": 1}})
    for tube in CORNERS[:count]:
        referee.handle(Seat(0.0, tube, End.A))
    return diagnose(referee.view())


def test_said_once_when_it_stays_so() -> None:
    words = SetupWords()
    empty = with_glasses(0)
    assert words.feed(empty, 10.0) is None
    assert words.feed(empty, 10.0 + SETTLED_SECONDS - 0.1) is None
    said = words.feed(empty, 10.0 + SETTLED_SECONDS)
    assert said is not None
    assert all(tube.name in said for tube in CORNERS)
    assert words.feed(empty, 100.0) is None


def test_glasses_put_one_after_the_other_are_not_commented_on() -> None:
    words = SetupWords()
    times = [count * 0.9 * SETTLED_SECONDS for count in range(7)]
    assert [words.feed(with_glasses(count), t) for count, t in enumerate(times)] == [None] * 7
    assert words.feed(with_glasses(6), 100.0) is None


def test_what_is_still_missing_is_said_when_nobody_goes_on() -> None:
    words = SetupWords()
    words.feed(with_glasses(0), 0.0)
    words.feed(with_glasses(0), 5.0)
    words.feed(with_glasses(5), 6.0)
    said = words.feed(with_glasses(5), 6.0 + SETTLED_SECONDS)
    assert said is not None
    assert CORNERS[5].name in said
    assert CORNERS[0].name not in said
