"""A game of the tests' players on the simulated or emulated board."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.world import World
from tests.disturbances.board import DisturbedBoard
from tests.emulated.board import EmulatedBoard
from tests.emulated.process import Emulator
from tests.players.habits import Habits
from tests.players.match import Match
from tests.simulation import Simulation


def _emulated(emulator: Emulator, world: World, *, holders: bool, **settings: Any) -> EmulatedBoard:
    return EmulatedBoard(world, emulator, **settings)


class SimulatedGame(Simulation):
    """A `Simulation` with the tests' players, who break rules as often as their habits say."""

    match: Match

    def __init__(
        self,
        ruleset: Ruleset,
        seed: int,
        *,
        holders: bool = False,
        habits: Habits | None = None,
        emulator: Emulator | None = None,
        **settings: Any,
    ) -> None:
        """``emulator``: the real firmware, built for the board's map, plays the controller; it has not run yet."""
        make_board = DisturbedBoard if emulator is None else partial(_emulated, emulator)

        def seat(world: World, view: Callable[[], View]) -> Match:
            self.match = Match(world, self.header.ruleset, seed, habits=habits, holders=holders)
            return self.match

        super().__init__(ruleset, seed, holders=holders, seat=seat, make_board=make_board, **settings)
