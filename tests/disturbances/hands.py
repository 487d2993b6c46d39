"""Hands that do what the program's own simulated people do not."""

from functools import partial

from tamsk_hw.game.tubes import CAPACITY, Player, Tube
from tamsk_hw.simulator.glasses import SHARE_AT_HEIGHT, Knots, between
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


def hover(world: World, player: Player, tube: Tube) -> float:
    """Hold a glass in the hand 9 … 18 mm over the tube for a moment, then take it away; return when it is away."""
    hand, glass = world._hand_with(player, None)
    world._need_room(tube)
    arrives = world.now + world._chance.uniform(0.3, 0.8)
    leaves = arrives + world._chance.uniform(0.3, 0.9)
    near = between(SHARE_AT_HEIGHT, world._chance.uniform(9.0, 18.0))
    hand.ready = done = leaves + world._chance.uniform(0.1, 0.2)
    world._reserved[tube] = glass
    knots: Knots = [(arrives, 0.0), (arrives + 0.1, near), (leaves, near), (done, 0.0)]
    world._at(arrives, lambda: world._move(tube, knots, glass.strength))
    world._at(done, lambda: world._release(tube))
    return done
