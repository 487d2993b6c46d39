"""Whole games of the partner on the simulated board, and the hands that carry out what a brain means."""

from collections.abc import Callable

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.partner import Intention, Partner, Strength
from tamsk_hw.partner.intention import Await, MoveGlass, MoveRing, PutRight, RingAct
from tamsk_hw.referee.rulings import Code, GameOver, Moved, Restored, Violation
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.world import World
from tests.partner_matches import LAWFUL, Match, Result, play
from tests.simulation import Simulation
from tests.simulator.played_match import referee_for, run, world_for
from tests.soak import in_soak

EASY, FAIR, STRONG = (strength.value for strength in Strength)


def result(level: int, one: str, other: str, game: int, variant: str = "corners") -> Result:
    return play(Match(level=level, one=one, other=other, variant=variant, seed=77), game)


# In ``make test`` each variant and level once with each of the others.
@pytest.mark.soak(
    but=[
        "lawful-corners-3-0",
        "fair-corners-1-0",
        "lawful-free-1-0",
        "fair-free-2-0",
        "lawful-lose_turn-2-0",
        "fair-lose_turn-3-0",
    ]
)
@pytest.mark.parametrize("game", range(in_soak(60, otherwise=1)))
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("variant", ["corners", "free", "lose_turn"])
@pytest.mark.parametrize("other", [LAWFUL, FAIR])
def test_a_partner_plays_to_the_end_and_breaks_no_rule(level: int, variant: str, other: str, game: int) -> None:
    assert result(level, EASY, other, game, variant).wrongs == 0


@pytest.mark.soak(but=["1-0", "3-0"])
@pytest.mark.parametrize("game", range(in_soak(20, otherwise=1)))
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_strongest_keeps_the_rules_and_its_bound(level: int, game: int) -> None:
    played = result(level, STRONG, LAWFUL, game)
    assert played.wrongs == 0
    assert 0 < played.nodes <= Strength.STRONG.nodes


@pytest.mark.parametrize("seed", range(in_soak(20, otherwise=1)))
@pytest.mark.parametrize(("level", "holders"), [(3, False), (1, True)])
def test_through_the_sensors_nothing_unlawful_is_seen_either(level: int, holders: bool, seed: int) -> None:
    """Glasses set up one after the other, views a moment late, fingers before ring sensors."""
    ruleset = Ruleset(level=level)
    brains = {player: Partner(player, ruleset, Strength.FAIR, seed) for player in Player}

    def seat(world: World, view: Callable[[], View]) -> Demo:
        return Demo(world, view, seed, brains)

    rulings = Simulation(ruleset, seed, holders=holders, seat=seat).play()
    assert isinstance(rulings[-1], GameOver)
    assert not [ruling for ruling in rulings if isinstance(ruling, Violation)]


class Blunderer:
    """A brain that goes too far, puts that right, moves, drops its ring in a wrong tube and takes it back."""

    def __init__(self) -> None:
        self.has_strayed = self.has_spilled = False

    def intend(self, view: View) -> Intention:
        for mend in view.wrong:
            if isinstance(mend.has, int):
                self.has_spilled = True
                return MoveRing(RingAct.TAKE, mend.tube)
            if mend.tube is Tube.D3:
                self.has_strayed = True
                return PutRight(Tube.D3, Tube.D1, turned=True)
        if view.turn is Player.RED:
            to = Tube.D2 if self.has_strayed else Tube.D3
            return MoveGlass(Tube.D1, to, turned=True, ring=True)
        return MoveRing(RingAct.DROP, Tube.F4) if view.number == 2 and not self.has_spilled else Await(0.5)


class Idler:
    """A brain that does nothing."""

    def intend(self, view: View) -> Intention:
        return Await(1.0)


def test_the_hands_do_what_is_meant_right_or_wrong_and_put_it_right() -> None:
    ruleset = Ruleset(level=2)
    world = world_for(5, ruleset)
    referee = referee_for(world, ruleset)
    people = Demo(world, lambda: referee.view(world.now), 5, {Player.RED: Blunderer(), Player.BLACK: Idler()})
    rulings, _ = run(people, referee, limit=60.0)
    told = [
        (ruling.code, ruling.tube) if isinstance(ruling, Violation) else type(ruling)
        for ruling in rulings
        if isinstance(ruling, Violation | Restored | Moved)
    ]
    assert told == [(Code.NOT_ADJACENT, Tube.D3), Restored, Moved, (Code.RING_WRONG_TUBE, Tube.F4), Restored]
    assert world.rings[Tube.F4] == 0
