"""The arbiter answers by the sand of the world."""

from __future__ import annotations

from random import Random

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import Action
from tamsk_hw.referee.rulings import ArbiterNeeded, GlassLost, LastGlass, Started, Turn
from tamsk_hw.simulator.world import World
from tests.players.arbiter import ArbiterPersona
from tests.players.table import Table


def table_with(red_seconds: float, black_seconds: float) -> Table:
    """A level-2 game in which each player has moved one glass, which runs for so long from full."""
    seconds = dict.fromkeys(("G4", "A4", "D7", "A1"), (180.0, 180.0))
    seconds |= {"D1": (red_seconds, red_seconds), "G1": (black_seconds, black_seconds)}
    world = World(1, glass_seconds=seconds)
    table = Table(world, Ruleset(level=2))
    table.hear(Started(0.0, "R1.5", 2, Player.RED))
    for number, (player, home, to) in enumerate(
        [(Player.RED, Tube.D1, Tube.D2), (Player.BLACK, Tube.G1, Tube.F1)], start=1
    ):
        table.hear(Turn(world.now, "R2.1", player, number))
        world.advance(world.lift(player, home))
        world.advance(world.seat(player, to, turned=True))
    return table


def answer(table: Table, arbiter: ArbiterPersona, seconds: float) -> None:
    """Let the arbiter live for some seconds."""
    end = table.now + seconds
    for pause in arbiter.live():
        if pause.until > end:
            return
        table.world.advance(max(table.now, pause.until))


@pytest.mark.parametrize(("red", "black", "winner"), [(30.0, 60.0, Player.BLACK), (60.0, 30.0, Player.RED)])
def test_the_glass_that_runs_longer_wins_once_everybody_can_see_it(
    red: float, black: float, winner: Player
) -> None:
    table = table_with(red, black)
    arbiter = ArbiterPersona(table, Random(1))
    arbiter.hear(ArbiterNeeded(table.now, "R5.4", LastGlass()))
    answer(table, arbiter, 50.0)
    [event] = arbiter.events
    assert (event.action, event.player) == (Action.AWARD, winner)
    assert event.t >= 30.0


def test_a_running_glass_ruled_lost_is_revived_an_empty_one_is_not() -> None:
    table = table_with(3.0, 100.0)
    table.world.advance(20.0)
    arbiter = ArbiterPersona(table, Random(1))
    for tube, player in ((Tube.D2, Player.RED), (Tube.F1, Player.BLACK)):
        ruling = GlassLost(20.0, "R6.2", player, tube)
        table.hear(ruling)
        arbiter.hear(ruling)
    answer(table, arbiter, 10.0)
    assert [(event.action, event.tube) for event in arbiter.events] == [(Action.REVIVE, Tube.F1)]


def test_an_arbiter_who_is_not_attentive_speaks_only_when_asked() -> None:
    table = table_with(30.0, 100.0)
    arbiter = ArbiterPersona(table, Random(1), attentive=False)
    ruling = GlassLost(table.now, "R6.2", Player.BLACK, Tube.F1)
    arbiter.hear(ruling)
    answer(table, arbiter, 40.0)
    assert arbiter.events == []


def test_the_order_of_running_out_leaves_out_glasses_never_started() -> None:
    table = table_with(30.0, 60.0)
    order = ArbiterPersona(table, Random(1)).run_outs()
    assert [len(order[player]) for player in Player] == [1, 1]
    assert order[Player.RED][0] < order[Player.BLACK][0]
