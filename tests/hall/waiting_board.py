"""A simulated board whose people wait for the hall's start, play some turns, and then one of them resigns.

``python -m tests.hall.waiting_board run --simulated …`` is the program itself with these people. While nobody
plays their time runs slowly, so that boards at rest leave the processors to others.
"""

import os
from collections.abc import Iterable
from random import SystemRandom
from typing import Any

from tamsk_hw.commands.main import main
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.events import Button, Event, Press
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.simulator.people import BUTTONS, Activity, LawfulHands
from tamsk_hw.table import simulation

#: Seconds of the board to a real one while it is set up or started, and while nothing is done; and real seconds
#: between two looks at it.
AT_WORK, AT_REST, LOOK = 4.0, 0.1, 0.15

#: Turns after which somebody resigns: at least, at most. The environment may have those of the first games.
TURNS = (3, 6)

_chance = SystemRandom()
_first = map(int, os.environ.get("TURNS", "").split())


class WaitingTable(simulation.SimulatedTable):
    """It stays after a game, as it would with a keyboard: the hall asks for the next."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **{**more, "stays": True})

    def _set_up(self, now: float) -> None:
        super()._set_up(now)
        self.last = next(_first, _chance.randint(*TURNS))
        self.loser = _chance.choice([*Player])
        self.works_until = 3.0

    @property
    def _is_played(self) -> bool:
        return self.refereeing.view().phase is Phase.PLAY

    def advance(self, now: float, decided: Iterable[Event] = ()) -> list[Ruling]:
        decided = [*decided]
        if decided:
            self.works_until = self.now + 1.0
        if self._is_played and self.refereeing.view().number >= self.last:
            decided.append(Button(0.0, BUTTONS[self.loser], Press.LONG))
        at_rest = AT_WORK if self.now < self.works_until else AT_REST
        self._clock._speed = self._speed if self._is_played else at_rest
        return super().advance(now, decided)

    def next_wakeup(self, now: float) -> float:
        return super().next_wakeup(now) if self._is_played else now + LOOK


def wait(people: LawfulHands, view: View) -> Activity:
    yield people._pause(0.4, 0.6)


if __name__ == "__main__":
    simulation.SimulatedTable = WaitingTable  # type: ignore[misc]
    LawfulHands._start = wait  # type: ignore[method-assign]
    main()
