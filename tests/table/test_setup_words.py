"""What is wrong with the set-up is said to those who see no picture."""

from __future__ import annotations

from tamsk_hw.game.players import START_TUBES, End
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import Diagnosis, diagnose
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import Button, ButtonName, Lift, Press, Seat
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
    assert words.hear(empty, 10.0) is None
    assert words.hear(empty, 10.0 + SETTLED_SECONDS - 0.1) is None
    said = words.hear(empty, 10.0 + SETTLED_SECONDS)
    assert said is not None
    assert all(tube.name in said for tube in CORNERS)
    assert words.hear(empty, 100.0) is None


def test_glasses_put_one_after_the_other_are_not_commented_on() -> None:
    words = SetupWords()
    times = [count * 0.9 * SETTLED_SECONDS for count in range(7)]
    assert [words.hear(with_glasses(count), t) for count, t in enumerate(times)] == [None] * 7
    assert words.hear(with_glasses(6), 100.0) is None


def test_r8_an_empty_board_that_starts_free_waits_for_the_button() -> None:
    """It is ready from the first; no ruling says so."""
    referee = Referee({"tamsk": 1, "ruleset": {"level": 1, "start": "free"}})
    words = SetupWords(starts_free=True)
    ready = diagnose(referee.view())
    assert words.hear(ready, 0.0) is None
    assert words.hear(ready, SETTLED_SECONDS) == "The board is ready: press start."
    assert words.hear(ready, 10.0) is None
    referee.handle(Button(11.0, ButtonName.START, Press.SHORT))
    assert words.hear(diagnose(referee.view()), 11.0 + SETTLED_SECONDS) is None


def test_r8_what_a_ruling_has_said_is_not_said_again() -> None:
    """A glass on the board is wrong; once it is off, the ruling says that the board is ready."""
    referee = Referee({"tamsk": 1, "ruleset": {"level": 1, "start": "free"}})
    words = SetupWords(starts_free=True)
    referee.handle(Seat(0.0, Tube.D4, End.A))
    wrong = diagnose(referee.view())
    words.hear(wrong, 0.0)
    said = words.hear(wrong, SETTLED_SECONDS)
    assert said is not None
    assert "D4" in said
    referee.handle(Lift(10.0, Tube.D4))
    assert words.hear(diagnose(referee.view()), 10.0) is None
    assert words.hear(diagnose(referee.view()), 20.0) is None


def test_what_is_still_missing_is_said_when_nobody_goes_on() -> None:
    words = SetupWords()
    words.hear(with_glasses(0), 0.0)
    words.hear(with_glasses(0), 5.0)
    words.hear(with_glasses(5), 6.0)
    said = words.hear(with_glasses(5), 6.0 + SETTLED_SECONDS)
    assert said is not None
    assert CORNERS[5].name in said
    assert CORNERS[0].name not in said
