"""The demo's players play whole games by the rules, at every level, and show what can happen in a game."""

from collections.abc import Callable
from random import Random

import pytest

from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.referee.rulings import (
    Caution,
    Code,
    Forfeit,
    GameOver,
    GlassLost,
    Moved,
    Restored,
    RingCounted,
    Ruling,
    TimerStarted,
    Violation,
    Warned,
)
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.people import Activity, DemoPlayer, Manners, Pause, PlayerScheduler
from tamsk_hw.simulator.truth import RingDropped
from tamsk_hw.simulator.world import World
from tests.boards import SEVEN
from tests.simulator.played_match import referee_for, run, world_for
from tests.soak import in_soak

SEEDS = in_soak(50, otherwise=1)


def demo(
    seed: int, ruleset: Ruleset, *, holders: bool = False, limit: float = 7200.0
) -> tuple[Demo, list[Ruling]]:
    """A demo's game and its rulings, to its end or to ``limit`` seconds."""
    world = world_for(seed, ruleset)
    referee = referee_for(world, ruleset, holders=holders)
    people = Demo(world, lambda: referee.view(world.now), seed)
    rulings, _ = run(people, referee, holders=holders, limit=limit)
    return people, rulings


@pytest.mark.soak(but=["corners-3-0", "free-1-0", "seven-2-0"])  # each level once
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(
    ("variant", "holders"),
    [
        ({}, True),
        ({"start": Start.FREE, "late_penalty": LatePenalty.LOSE_TURN}, False),
        ({"start": Start.FREE, "tubes": SEVEN.wiring.tubes}, False),
    ],
    ids=["corners", "free", "seven"],
)
def test_a_demo_is_played_to_its_end_and_breaks_no_rule(
    level: int, variant: dict[str, object], holders: bool, seed: int
) -> None:
    ruleset = Ruleset(level=level, **variant)  # type: ignore[arg-type]
    people, rulings = demo(seed, ruleset, holders=holders)
    assert isinstance(rulings[-1], GameOver)
    assert rulings[-1] == people.over
    assert not [ruling for ruling in rulings if isinstance(ruling, Violation)]
    assert {r.code for r in rulings if isinstance(r, Warned)} <= {Caution.OVERTIME, Caution.EARLY_START}
    dropped = [fact for fact in people.world.truth if isinstance(fact, RingDropped)]
    counted = [ruling for ruling in rulings if isinstance(ruling, RingCounted)]
    assert [(ring.player, ring.tube) for ring in dropped] == [(ring.player, ring.tube) for ring in counted]


def test_a_demo_shows_what_can_happen_in_a_game() -> None:
    """Rings are forgotten and claimed, glasses die, the timer is used; now and then somebody is too late."""
    games = [demo(seed, Ruleset(level=3))[1] for seed in (102, 105, 107)]
    seen = [ruling for rulings in games for ruling in rulings]
    for kind in (GlassLost, TimerStarted, Forfeit):
        assert any(isinstance(ruling, kind) for ruling in seen), kind
    kinds = {ruling.kind for ruling in seen if isinstance(ruling, RingCounted)}
    assert kinds == set(RingKind)
    moves = [sum(isinstance(ruling, Moved) for ruling in rulings) for rulings in games]
    assert min(moves) > 20


def test_the_same_seed_is_the_same_demo() -> None:
    first, again, other = (demo(seed, Ruleset(level=3), limit=120.0)[1] for seed in (4, 4, 5))
    assert first == again
    assert first != other


class Meddled(PlayerScheduler):
    """A demo in which somebody, once, turns a glass over where it stands."""

    def __init__(self, world: World, view: Callable[[], View], seed: int) -> None:
        self.world, self.view, self.manners = world, view, Manners()
        players = [DemoPlayer(each, world, view, self.manners, Random(f"{seed}/{each}")) for each in PLAYERS]
        lives = [*(player.live() for player in players), self.meddle()]
        super().__init__(world, lives, Random(f"{seed}/reaction"))

    def meddle(self) -> Activity:
        while self.view().number < 6 or self.manners.hand is not None:
            yield Pause(self.world.now + 0.1)
        glass = next(glass for glass in self.view().glasses if glass.standing is not None)
        self.manners.hand = glass.owner
        yield Pause(self.world.lift(glass.owner, glass.tube))
        yield Pause(self.world.seat(glass.owner, glass.tube, turned=True) + 1.0)
        self.manners.hand = None


@pytest.mark.parametrize("seed", range(3))
def test_r2_6_the_owner_puts_a_glass_right_that_was_turned_over_where_it_stands(seed: int) -> None:
    world = world_for(seed, Ruleset(level=3))
    referee = referee_for(world, Ruleset(level=3), holders=False)
    people = Meddled(world, lambda: referee.view(world.now), seed)
    rulings, _ = run(people, referee, holders=False, limit=180.0)
    wrong = [ruling for ruling in rulings if isinstance(ruling, Violation)]
    assert wrong[0].code is Code.TURNED_IN_PLACE
    assert wrong[-1].t < wrong[0].t + 20.0, "it is not turned to and fro"
    assert [ruling for ruling in rulings if isinstance(ruling, Restored)]
    assert not referee.view(world.now).wrong
    assert referee.view(world.now).number > 12
