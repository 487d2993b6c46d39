"""Ways of dropping a ring: games by a script, through bytes, judged by the world's truth.

A test that the program does not pass yet is marked so, strictly: it fails when it does.
"""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.people import Activity, Pause, PlayerScheduler
from tamsk_hw.simulator.world import World
from tests.boards import WHOLE
from tests.curves.judging import judge
from tests.curves.played import play
from tests.disturbances.hands import lower
from tests.soak import in_soak

#: Drops a ring of the player over the tube; when it will lie there (seconds).
Drop = Callable[[World, Player, Tube], float]


class Script(PlayerScheduler):
    """Hands that press start and play the turns of `WHOLE`, each with its ring."""

    def __init__(self, drop: Drop, world: World) -> None:
        super().__init__(world, [self._play(world, drop)], Random(1))

    def _play(self, world: World, drop: Drop) -> Activity:
        yield Pause(2.0)
        yield Pause(world.press(ButtonName.START) + 1.0)
        for player, origin, target in WHOLE.turns:
            assert origin is not None
            yield Pause(world.lift(player, origin) + 0.1)
            yield Pause(world.seat(player, target, turned=True) + 0.5)
            yield Pause(drop(world, player, target) + 1.5)


def dropped(world: World, player: Player, tube: Tube) -> float:
    return world.drop(player, tube)


def bouncing(world: World, player: Player, tube: Tube) -> float:
    world.bounce = 2.9
    return world.drop(player, tube)


def lowered(seconds: float, world: World, player: Player, tube: Tube) -> float:
    return lower(world, player, tube, seconds)


def in_haste(world: World, player: Player, tube: Tube) -> float:
    return world.drop(player, tube, within=0.3)


@pytest.mark.parametrize("seed", in_soak([1, 2], otherwise=[1]))
@pytest.mark.parametrize(
    ("drop", "holders"),
    [
        pytest.param(dropped, False, id="dropped"),
        pytest.param(bouncing, False, id="bouncing"),
        pytest.param(partial(lowered, 0.3), False, id="lowered in 0.3 s"),
        pytest.param(partial(lowered, 1.2), False, id="lowered in 1.2 s"),
        pytest.param(in_haste, True, id="0.3 s after it was taken"),
    ],
)
def test_each_ring_is_told_once(drop: Drop, holders: bool, seed: int) -> None:
    played = play(seed, lambda board: None, level=1, holders=holders, seat=partial(Script, drop), limit=40.0)
    verdict = judge(played)
    assert verdict.is_right, verdict
    assert sum(played.board.world.rings[tube] for _, _, tube in WHOLE.turns) == len(WHOLE.turns)
