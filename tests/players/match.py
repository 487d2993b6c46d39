"""A match: two players who may break rules, and an arbiter, at one board, in simulated time."""

from collections.abc import Sequence
from random import Random

from tamsk_hw.errors import TamskError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import (
    Forfeit,
    GameOver,
    GlassLost,
    Moved,
    Passed,
    RingCounted,
    Ruling,
    Setup,
    Skip,
    Started,
    Turn,
)
from tamsk_hw.simulator.people import Pause, PlayerScheduler
from tamsk_hw.simulator.world import World
from tests.players.arbiter import ArbiterPersona
from tests.players.habits import Habits
from tests.players.player import SimulatedPlayer
from tests.players.story import StoryEntry
from tests.players.table import Table

#: Rulings that show that a game gets on.
PROGRESS = (Setup, Started, Turn, Moved, RingCounted, Passed, Skip, Forfeit, GlassLost, GameOver)


class StalledGame(TamskError):
    """A simulated game has not got on for too long; the message says who waits for what."""


class Match(PlayerScheduler):
    """Two players and an arbiter at ``world``, from a seed. Same seed, same rulings heard: same game."""

    def __init__(
        self,
        world: World,
        ruleset: Ruleset,
        seed: int,
        *,
        habits: Habits | None = None,
        holders: bool = False,
        patience: float = 600.0,
    ) -> None:
        """Sit two players down at ``world``.

        ``holders``: the ring holders are counted, so that rings are taken up well before they are dropped.
        ``patience``: seconds without progress after which `advance` raises `StalledGame`.
        """
        self.ruleset = ruleset
        self.table = Table(world, ruleset, holders=holders)
        self._patience = patience
        self._progress_at = world.now
        self._said = "nothing"
        self.players: dict[Player, SimulatedPlayer] = {}
        for player in PLAYERS:
            chance = Random(f"{seed}/{player}")
            self.players[player] = SimulatedPlayer(player, self.table, habits or Habits(), chance)
        self.arbiter = ArbiterPersona(self.table, Random(f"{seed}/arbiter"))
        lives = [*(player.live() for player in self.players.values()), self.arbiter.live()]
        super().__init__(world, lives, Random(f"{seed}/reaction"))

    @property
    def story(self) -> Sequence[StoryEntry]:
        """The players' own account of what they did and meant, in order."""
        return self.table.story

    def drain_events(self) -> list[Event]:
        """Buttons and arbiter's decisions since the last call, in order of time."""
        self.events += self.arbiter.events
        self.arbiter.events.clear()
        return super().drain_events()

    def on_rulings(self, rulings: Sequence[Ruling]) -> None:
        """Have everybody hear ``rulings``, and take them into the players' record."""
        for ruling in rulings:
            self.table.hear(ruling)
            self.arbiter.hear(ruling)
            if isinstance(ruling, PROGRESS):
                self._progress_at = self.world.now
            self._said = ruling.name
        super().on_rulings(rulings)

    def act(self) -> None:
        """Compare the record with the rulings; then continue every activity whose pause is over.

        Raises:
            StalledGame: nothing has got on for `patience` seconds.
        """
        self.table.compare()
        super().act()
        if self.world.now - self._progress_at > self._patience:
            table = self.table
            raise StalledGame(
                f"the simulated game has not got on for {self._patience:.0f} s at {self.world.now:.1f} s, turn "
                f"{table.number} of {table.turn}: in hands {table.in_hands()}, wrong {table.deeds}; last said: "
                f"{self._said}"
            )

    def interrupt(self, now: float) -> None:
        """Both players leave what they are about and look at the board."""
        for place, player in enumerate(self.players.values()):
            self._activities[place], self._pauses[place] = player.live(), Pause(now)

    def wakeups(self) -> list[float]:
        """The times at which somebody wants to act, or record and rulings are to be compared."""
        doubt = self.table.next_doubt()
        return super().wakeups() + ([] if doubt is None else [doubt])
