"""Faults of the set-up are said to those who see no picture."""

import pytest

from tamsk_hw.game.tubes import START_TUBES, End, Tube
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


@pytest.mark.parametrize(
    ("seen", "missing"),
    [
        # Said once when it stays so.
        ([(0, 10.0), (0, 10.0 + SETTLED_SECONDS - 0.1), (0, 10.0 + SETTLED_SECONDS), (0, 100.0)], [CORNERS]),
        # Glasses put one after the other are not commented on.
        ([*((count, count * 0.9 * SETTLED_SECONDS) for count in range(7)), (6, 100.0)], []),
        # What is still missing is said when nobody goes on.
        ([(0, 0.0), (0, SETTLED_SECONDS - 1.0), (5, SETTLED_SECONDS), (5, 2 * SETTLED_SECONDS)], [CORNERS[5:]]),
    ],
)
def test_what_is_missing_is_said_once_it_stays_so(
    seen: list[tuple[int, float]], missing: list[list[Tube]]
) -> None:
    words = SetupWords()
    said = [line for count, now in seen if (line := words.feed(with_glasses(count), now)) is not None]
    assert [[tube for tube in CORNERS if tube.name in line] for line in said] == missing
