"""A table in one process at which game after game is played, in simulated time, each at a board just reset."""

import gc
import re
from collections import Counter
from pathlib import Path

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.referee.events import Button, ButtonName, Press
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame
from tests.table.test_board_table import Evening


class LongDay(Evening):
    """Several games at one table: the simulated time begins at 0 with each, the time of the machine goes on."""

    def __init__(self, folder: Path, *, level: int) -> None:
        self.games = 1
        self._level = level
        super().__init__(folder, level=level, seed=1)

    @property
    def machine(self) -> float:
        """The machine's time."""
        return self.now - self.zero

    def play_a_game(self, seconds: float) -> None:
        """A game to its end, or until one resigns after so many seconds; then the next is set up."""
        while not self.table.refereeing.is_over:
            resigns = [Button(self.now, ButtonName.RED, Press.LONG)] if self.now > seconds else []
            self.step([*self.simulation.match.drain_events(), *resigns])
        self.games += 1
        self.zero, self.now = -self.machine, 0.0
        self.sit_down(SimulatedGame(Ruleset(level=self._level), self.games, habits=Habits(pace=0.5)))
        self.press()
        self.shown.clear()
        self.said.clear()

    def living(self) -> Counter[str]:
        """Objects of the program's types, by type, with the disk having taken all: not the simulator's.

        Those of forms are left out: there is one for each type, from its first use on.
        """
        self.journal.writer.attempt()
        gc.collect()
        kinds = Counter(type(each) for each in gc.get_objects())
        return Counter(
            {
                f"{kind.__module__}.{kind.__qualname__}": count
                for kind, count in kinds.items()
                if re.match(r"tamsk_hw\.(?!forms|simulator)", str(kind.__module__))
            }
        )
