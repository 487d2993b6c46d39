"""Hands that let rings go in other ways than dropping them."""

from __future__ import annotations

from functools import partial

from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.simulator.things import FIRST_PLACE
from tamsk_hw.simulator.world import World


def lower(world: World, player: Player, tube: Tube, seconds: float) -> float:
    """Let a ring down slowly and evenly, as all further ones of this world; return when it lies."""
    world._ring_falls = partial(_sinks, world)  # type: ignore[method-assign]
    return world.drop(player, tube, within=2 * seconds)


def _sinks(world: World, tube: Tube, rest: float) -> None:
    """Each sensor from the top sees the ring pass."""
    first, level, top = FIRST_PLACE[tube], world.rings[tube], CAPACITY[tube]
    passing = (rest - world.now) / (top - level + 1)
    for step, place in enumerate(range(top - 1, level - 1, -1), 1):
        world._cover(first + place, world.now + step * passing, world.now + (step + 1) * passing)
