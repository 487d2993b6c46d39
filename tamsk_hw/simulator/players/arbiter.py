"""The demo's arbiter: he looks at the sand when the referee cannot know it, and answers truthfully (R9.6)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.referee.events import Action, Arbiter, Event
from tamsk_hw.referee.view import GlassState, View
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.truth import GlassRanOut
from tamsk_hw.simulator.world import World


class DemoArbiter:
    """Calls doubtful glasses that are empty and says whose glass ran longest, by events handed to ``decide``."""

    def __init__(
        self, world: World, view: Callable[[], View], decide: Callable[[Event], None], chance: Random
    ) -> None:
        self._world = world
        self._view = view
        self._decide = decide
        self._chance = chance

    def live(self) -> Activity:
        """The arbiter's game."""
        while True:
            view = self._view()
            if view.question is not None:
                yield Pause(self._world.now + self._chance.uniform(2.0, 5.0))
                yield from self._answer()
            elif view.turn is not None:
                self._call_empty_glasses(view)
            yield Pause(self._world.now + 1.0)

    def _call_empty_glasses(self, view: View) -> None:
        for seen in view.glasses:
            glass = self._world.glass_at(seen.tube)
            if seen.state is GlassState.DOUBTFUL and glass is not None and not self._world.upper_seconds(glass):
                self._decide(Arbiter(self._world.now, Action.EXPIRE, seen.tube, None))

    def _answer(self) -> Activity:
        """Award the game to the owner of the glass that runs longest, once the other's have run out (R5.3)."""
        lasts = {player: self._last_runs_to(player) for player in PLAYERS}
        winner = max(PLAYERS, key=lambda player: lasts[player])
        yield Pause(max(self._world.now, lasts[winner.opponent]))
        self._decide(Arbiter(self._world.now, Action.AWARD, None, winner))

    def _last_runs_to(self, player: Player) -> float:
        """The time at which the last of the player's glasses ran out or will; 0 if none was ever started."""
        world = self._world
        ahead = [world.runs_out_at(glass) for glass in world.glasses if glass.owner is player]
        past = [fact.t for fact in world.truth if isinstance(fact, GlassRanOut) and fact.glass.owner is player]
        return max([*past, *(t for t in ahead if t is not None)], default=0.0)
