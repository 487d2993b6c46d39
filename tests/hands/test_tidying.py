"""A board is set up again by hands, whatever state it was left in."""

from random import Random

import pytest

from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, Player, Tube
from tamsk_hw.simulator.things import TimerPlace, WorldStart
from tests.hands.at_hand import AtHand, act, check_world


def tidy(table: AtHand) -> float:
    """Have the board tidied; give the seconds that it took."""
    begun = table.world.now
    table.do(act("tidy"))
    check_world(table.hands.observe())
    return table.world.now - begun


def check_set_up(table: AtHand) -> None:
    look = table.hands.observe()
    assert {glass.name: glass.tube for glass in look.glasses} == {
        tube.name: tube for tubes in START_TUBES.values() for tube in tubes
    }
    assert not [glass for glass in look.glasses if glass.leaning or glass.runs]
    assert look.rings == {}
    assert [look.players[player].holder for player in PLAYERS] == [32, 32]
    assert look.timer.place is TimerPlace.CRADLE


def test_with_a_free_start_the_glasses_go_off_the_board() -> None:
    table = AtHand(setup=WorldStart.FREE)
    table.board.advance(table.world.place(Player.RED, Tube.D4))
    tidy(table)
    assert {glass.tube for glass in table.hands.observe().glasses} == {None}


DISORDER = ["lift", "lift", "seat", "seat", "lean", "drop", "drop", "drop", "drop", "take_up"]
DISORDER += ["turn_timer", "put_timer_away", "put_aside"]


@pytest.mark.parametrize("seed", range(8))
def test_any_disorder_is_cleared(seed: int) -> None:
    table = AtHand(seed)
    chance = Random(seed)
    for _ in range(60):
        player, tube = chance.choice(PLAYERS), chance.choice(list(Tube))
        name = chance.choice(DISORDER)
        glass = chance.choice([each.tube for each in table.hands.observe().glasses if each.tube] or [tube])
        try:
            table.do(act(name, player, glass if name == "lift" else tube))
        except TamskError:
            continue
    tidy(table)  # in the midst of what hands are at
    check_set_up(table)
    assert tidy(table) < 1.2, "another game is there at once"
    check_set_up(table)
