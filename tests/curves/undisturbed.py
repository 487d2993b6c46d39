"""A game whose players hear a referee who sees everything, whatever the program under test makes of it.

The players act on the world, a witness turns what truly happens into events, and a referee of their own rules on
these. So the game is the same at every strength of a disturbance, and the true rulings are known.
"""

from collections.abc import Sequence
from random import Random

from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling, Started
from tamsk_hw.simulator.people import PlayerScheduler
from tamsk_hw.simulator.sensors import CalibrationValues
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.table.simulation import timed_glasses
from tests.simulator.played_match import Witness


def world_of(ruleset: Ruleset, seed: int) -> World:
    """The world of a game."""
    return World(seed, setup=WorldStart.FREE if ruleset.start is Start.FREE else WorldStart.CORNERS)


class TrueGame:
    """PlayerScheduler, a witness and the referee whom the people hear."""

    def __init__(
        self,
        ruleset: Ruleset,
        seed: int,
        world: World,
        values: CalibrationValues,
        *,
        holders: bool,
        people: PlayerScheduler,
    ) -> None:
        sand = timed_glasses(values, ruleset.start, Random(f"{seed}/stop-watch"))
        self.header = Header(ruleset=ruleset, sand=sand, holders=holders)
        self.people = people
        self.events: list[Event] = []
        self.rulings: list[Ruling] = []
        self._witness = Witness(world, holders=holders)
        self._referee = Referee(self.header)
        self._report()

    @property
    def is_over(self) -> bool:
        """The game is over."""
        return self._referee.is_over

    @property
    def has_started(self) -> bool:
        """The game was started, and everybody has heard it."""
        return any(isinstance(ruling, Started) for ruling in self.rulings)

    def next_step(self) -> float | None:
        """The time at which somebody acts, or time is up; None when nobody waits for anything."""
        due = (self.people.next_wakeup, self._referee.next_deadline)
        return min((t for t in due if t is not None), default=None)

    def advance(self, t: float) -> Sequence[Event]:
        """The world has come to ``t``: rule on it, and let the players act. Returns buttons and decisions."""
        done = self._report()
        self._hear(self._referee.advance(t))
        self.people.advance(t)
        return [*done, *self._report()]

    def hold(self) -> Sequence[Event]:
        """The world has gone on, and nobody acts."""
        return self._report()

    def _report(self) -> list[Event]:
        done = self.people.drain_events()
        for event in sorted([*self._witness.take(), *done], key=lambda event: event.t):
            self.events.append(event)
            self._hear(self._referee.handle(event))
        return done

    def _hear(self, rulings: list[Ruling]) -> None:
        self.rulings += rulings
        self.people.on_rulings(rulings)
