"""The people of a demo game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tamsk_hw.game.players import PLAYERS
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.people import People
from tamsk_hw.simulator.players.arbiter import DemoArbiter
from tamsk_hw.simulator.players.player import DemoPlayer, Manners
from tamsk_hw.simulator.world import World


class Demo(People):
    """Two players and an arbiter who play one lawful game at ``world``, from a seed.

    ``view`` returns what the referee shows: whose turn it is, which glasses may move, which rings may be dropped.
    """

    def __init__(self, world: World, view: Callable[[], View], seed: int) -> None:
        manners = Manners()
        players = [DemoPlayer(player, world, view, manners, Random(f"{seed}/{player}")) for player in PLAYERS]
        arbiter = DemoArbiter(world, view, lambda event: self.events.append(event), Random(f"{seed}/arbiter"))
        lives = [*(player.live() for player in players), arbiter.live()]
        super().__init__(world, lives, Random(f"{seed}/reaction"))
