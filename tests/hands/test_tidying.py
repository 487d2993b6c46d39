"""A board is set up again by hands, whatever state it was left in."""

from __future__ import annotations

from random import Random

import pytest

from tamsk_hw.errors import TamskError
from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, Player, Tube
from tamsk_hw.hands.acting import TimerPlace
from tamsk_hw.hands.client import next_deeds
from tamsk_hw.hands.requests import (
    Drop,
    LeanGlass,
    LiftGlass,
    PutAside,
    PutTimerAway,
    SeatGlass,
    TakeUp,
    TurnTimer,
    read_deed,
)
from tamsk_hw.simulator.world import WorldStart
from tests.hands.at_hand import AtHand, check_world


def tidy(table: AtHand) -> int:
    """Do what is asked for until nothing is; give how many rounds it took."""
    for rounds in range(200):
        records = next_deeds(to_json(table.hands.look()))
        if not records:
            return rounds
        done = [
            table.hands.begin(read_deed(record["do"], {key: record[key] for key in record if key != "do"}))
            for record in records
        ]
        table.board.advance(max(done))
        check_world(table.hands.look())
    raise AssertionError(f"it never ends: {records}")


def check_set_up(table: AtHand) -> None:
    look = table.hands.look()
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
    table.do(LiftGlass(red, Tube.D1), LiftGlass(red, Tube.G4), SeatGlass(red, Tube.D1, turned=True))  # swapped
    table.do(SeatGlass(red, Tube.G4, turned=True), LeanGlass(black, Tube.G1), LiftGlass(black, Tube.A1))
    table.do(Drop(red, Tube.D4), Drop(black, Tube.D4), Drop(black, Tube.A2), TakeUp(red), TurnTimer(red))
    table.do(PutTimerAway(red), PutAside(red))
    tidy(table)
    check_set_up(table)


def test_with_a_free_start_the_glasses_go_off_the_board() -> None:
    table = AtHand(setup=WorldStart.FREE)
    table.board.advance(table.world.place(Player.RED, Tube.D4))
    tidy(table)
    assert {glass.tube for glass in table.hands.look().glasses} == {None}


@pytest.mark.parametrize("seed", range(8))
def test_any_disorder_is_cleared(seed: int) -> None:
    table = AtHand(seed)
    chance = Random(seed)
    for _ in range(60):
        player, tube = chance.choice(PLAYERS), chance.choice(list(Tube))
        kind = chance.choice([LiftGlass, SeatGlass, LeanGlass, Drop, Drop, Drop])
        glass = chance.choice([each.tube for each in table.hands.look().glasses if each.tube] or [tube])
        try:
            table.do(kind(player, glass if kind is LiftGlass else tube))
        except TamskError:
            continue
    table.board.advance(table.world.now + 3.0)
    tidy(table)
    check_set_up(table)
