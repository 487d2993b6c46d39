"""The people of a demo game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.people import Activity, People
from tamsk_hw.simulator.players.arbiter import DemoArbiter
from tamsk_hw.simulator.players.lawful_hands import Manners
from tamsk_hw.simulator.players.player import DemoPlayer
from tamsk_hw.simulator.players.thinking import Brain, ThinkingPlayer
from tamsk_hw.simulator.world import World


class Demo(People):
    """Two players and an arbiter who play one lawful game at ``world``, from a seed.

    ``view`` returns what the referee shows: whose turn it is, which glasses may move, which rings may be dropped.
    A player with one of ``brains`` plays as that intends.
    """

    def __init__(
        self, world: World, view: Callable[[], View], seed: int, brains: Mapping[Player, Brain] | None = None
    ) -> None:
        manners = Manners()

        def live(player: Player) -> Activity:
            chance, brain = Random(f"{seed}/{player}"), (brains or {}).get(player)
            if brain is None:
                return DemoPlayer(player, world, view, manners, chance).live()
            return ThinkingPlayer(player, world, view, manners, chance, brain).live()

        arbiter = DemoArbiter(world, view, lambda event: self.events.append(event), Random(f"{seed}/arbiter"))
        lives = [*(live(player) for player in PLAYERS), arbiter.live()]
        super().__init__(world, lives, Random(f"{seed}/reaction"))
