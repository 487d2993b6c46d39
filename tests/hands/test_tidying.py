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


def test_a_board_that_is_set_up_is_left_alone() -> None:
    table = AtHand()
    assert tidy(table) == 0


def test_what_was_left_after_a_game_is_cleared() -> None:
    table = AtHand()
    red, black = Player.RED, Player.BLACK
    table.do(
        act("lift", red, Tube.D1), act("lift", red, Tube.G4), act("seat", red, Tube.D1, turned=True)
    )  # swapped
    table.do(act("seat", red, Tube.G4, turned=True), act("lean", black, Tube.G1), act("lift", black, Tube.A1))
    table.do(
        act("drop", red, Tube.D4),
        act("drop", black, Tube.D4),
        act("drop", black, Tube.A2),
        act("take_up", red),
        act("turn_timer", red),
    )
    table.do(act("put_timer_away", red), act("put_aside", red))
    tidy(table)
    check_set_up(table)


def test_with_a_free_start_the_glasses_go_off_the_board() -> None:
    table = AtHand(setup=WorldStart.FREE)
    table.board.advance(table.world.place(Player.RED, Tube.D4))
    tidy(table)
    assert {glass.tube for glass in table.hands.observe().glasses} == {None}


@pytest.mark.parametrize("seed", range(8))
def test_any_disorder_is_cleared(seed: int) -> None:
    table = AtHand(seed)
    chance = Random(seed)
    for _ in range(60):
        player, tube = chance.choice(PLAYERS), chance.choice(list(Tube))
        name = chance.choice(["lift", "seat", "lean", "drop", "drop", "drop"])
        glass = chance.choice([each.tube for each in table.hands.observe().glasses if each.tube] or [tube])
        try:
            table.do(act(name, player, glass if name == "lift" else tube))
        except TamskError:
            continue
    table.board.advance(table.world.now + 3.0)
    tidy(table)
    check_set_up(table)
