"""A board is set up again by hands, whatever state it was left in."""

from random import Random

import pytest

from tamsk_hw.errors import TamskError
from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, Player, Tube
from tamsk_hw.hands.actions import read_action
from tamsk_hw.hands.client import next_requests
from tamsk_hw.simulator.things import TimerPlace, WorldStart
from tests.hands.at_hand import AtHand, act, check_world


def tidy(table: AtHand) -> int:
    """Do what is asked for until nothing is; give how many rounds it took."""
    for rounds in range(200):
        records = next_requests(to_json(table.hands.observe()))
        if not records:
            return rounds
        done = [
            table.hands.begin(read_action(record["do"], {key: record[key] for key in record if key != "do"}))
            for record in records
        ]
        table.board.advance(max(done))
        check_world(table.hands.observe())
    raise AssertionError(f"it never ends: {records}")


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
    table.board.advance(table.world.now + 3.0)
    assert tidy(table) > 0
    check_set_up(table)
    assert tidy(table) == 0
