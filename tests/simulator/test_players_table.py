"""Knowledge of the players: rights that lapse, wrongs that are not yet right, positions that come again."""

from __future__ import annotations

from random import Random

import pytest

from tamsk_hw.game.position import Move
from tamsk_hw.game.ruleset import LatePenalty, Ruleset
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.rulings import (
    Code,
    Mend,
    Penalty,
    Restored,
    RingCount,
    Started,
    TimerExpired,
    Turn,
    Violation,
)
from tamsk_hw.simulator.world import World
from tests.players.arbiter import ArbiterPersona
from tests.players.choice import possible_moves
from tests.players.habits import Mischief
from tests.players.story import MoveMade, PutRight, RingIntent, Surprised
from tests.players.table import Table


def started(level: int, **glass_seconds: float) -> Table:
    """A table at which red is called; glasses named run for so many seconds, the others for three minutes."""
    names = ("D1", "G4", "A4", "G1", "D7", "A1")
    seconds = {name: (glass_seconds.get(name, 180.0),) * 2 for name in names}
    table = Table(World(1, glass_seconds=seconds), Ruleset(level=level))  # type: ignore[arg-type]
    table.hear(Started(0.0, "R1.5", level, Player.RED))
    table.hear(Turn(0.0, "R2.1", Player.RED, 1))
    return table


def move(table: Table, player: Player, home: Tube, to: Tube, *, turned: bool = True) -> None:
    """Move a glass by hand; the next turn is called if the move was lawful by the table's own record."""
    world = table.world
    world.advance(world.lift(player, home))
    world.advance(world.seat(player, to, turned=turned))
    made = table.story[-1]
    if isinstance(made, MoveMade) and made.lawful:
        table.hear(Turn(world.now, "R2.1", player.opponent, table.number + 1))


def test_a_position_that_comes_again_for_the_third_time_may_still_be_moved_from() -> None:
    table = started(1)
    for _ in range(2):
        move(table, Player.RED, Tube.D1, Tube.D2)
        move(table, Player.BLACK, Tube.D7, Tube.D6)
        move(table, Player.RED, Tube.D2, Tube.D1)
        move(table, Player.BLACK, Tube.D6, Tube.D7)
    assert table.position.repetitions() == 3
    assert table.position.legal_moves() == []
    moves = possible_moves(table, Player.RED, sand_margin=0.0)
    assert Move(Tube.D1, Tube.D2) in moves
    assert len(moves) == 9


def test_a_late_move_lapses_with_the_turn_after_the_skipped_one() -> None:
    table = Table(World(1), Ruleset(late_penalty=LatePenalty.LOSE_TURN))
    table.hear(Turn(0.0, "R2.1", Player.RED, 1))
    table.hear(TimerExpired(15.0, "R7.5", Player.RED, True))
    table.hear(Penalty(15.0, "R8", Player.BLACK))
    late = []
    for number, player in enumerate((Player.BLACK, Player.RED, Player.BLACK, Player.RED), start=2):
        table.hear(Turn(15.0, "R2.1", player, number))
        late.append(table.late)
    assert late == [Player.RED, Player.RED, Player.RED, None]


def test_a_ring_still_falling_is_no_wrong_that_another_restored_could_strike_out() -> None:
    table = started(1)
    deed = table.misdeed(Player.BLACK, Mischief.RING_WRONG_TUBE, Tube.D4)
    table.reaching[Player.BLACK] = (Tube.D4, RingIntent.MISCHIEF)
    done = table.world.drop_ring(Player.BLACK, Tube.D4)
    table.world.advance(done - 0.1)
    mend = Mend(Tube.D4, RingCount(1), RingCount(0))
    table.hear(Violation(table.now, "R4.7", None, Code.RING_WRONG_TUBE, Tube.D4, (mend,)))
    table.hear(Restored(table.now, "R2.6"))
    assert table.deeds == [deed]
    table.world.advance(done)
    assert deed.is_done
    assert not table.is_right(deed)
    deed.tries = 1
    table.world.advance(table.world.take_ring(Player.BLACK, Tube.D4))
    table.hear(Restored(table.now, "R4.7"))
    assert table.deeds == []
    assert [entry.kind for entry in table.story if isinstance(entry, PutRight)] == [Mischief.RING_WRONG_TUBE]


def test_the_right_to_ones_own_ring_lapses_with_the_window_and_at_level_1_with_the_answer() -> None:
    table = started(2)
    move(table, Player.RED, Tube.D1, Tube.D2)
    seated = table.entered[Player.RED].t
    assert table.may_drop_own(Player.RED, 4.9 - (table.now - seated))
    assert not table.may_drop_own(Player.RED, 5.0 - (table.now - seated))
    table = started(1)
    move(table, Player.RED, Tube.D1, Tube.D2)
    assert table.may_drop_own(Player.RED, 60.0)
    move(table, Player.BLACK, Tube.D7, Tube.D6)
    assert not table.may_drop_own(Player.RED, 0.0)


def test_a_claim_is_open_until_the_claimer_starts_his_move() -> None:
    table = started(1)
    move(table, Player.RED, Tube.D1, Tube.D2)
    assert table.may_claim(Player.BLACK, 3.0)
    assert not table.may_claim(Player.RED, 3.0)
    table.world.advance(table.world.lift(Player.BLACK, Tube.D7))
    assert not table.may_claim(Player.BLACK, 3.0)


@pytest.mark.parametrize(
    ("home", "to", "turned", "fault"),
    [
        (Tube.D1, Tube.D4, True, Mischief.NOT_ADJACENT),
        (Tube.D1, Tube.D2, False, Mischief.NOT_TURNED),
        (Tube.D1, Tube.D2, True, None),
    ],
)
def test_a_player_knows_which_rule_he_breaks(home: Tube, to: Tube, turned: bool, fault: Mischief | None) -> None:
    table = started(2)
    move(table, Player.RED, home, to, turned=turned)
    made = table.story[-1]
    assert isinstance(made, MoveMade)
    assert made.fault is fault
    assert [deed.kind for deed in table.deeds] == ([fault] if fault else [])


def test_what_is_not_ruled_is_a_surprise_and_the_ruling_wins() -> None:
    table = started(1)
    move(table, Player.RED, Tube.D1, Tube.D2)
    table.compare()
    assert not any(isinstance(entry, Surprised) for entry in table.story)
    table.world.advance(table.now + 10.0)
    table.compare()
    assert isinstance(table.story[-1], Surprised)
    assert table.position.owner(Tube.D1) is Player.RED
    assert table.position.owner(Tube.D2) is None


def test_run_outs_are_told_last_glass_first() -> None:
    """Red's glasses run 70 and 60 s, black's 20 and 90: the last one counts, not the first."""
    table = started(2, D1=70.0, G4=60.0, G1=20.0, D7=90.0)
    move(table, Player.RED, Tube.D1, Tube.D2)
    move(table, Player.BLACK, Tube.G1, Tube.F1)
    move(table, Player.RED, Tube.G4, Tube.F4)
    move(table, Player.BLACK, Tube.D7, Tube.D6)
    order = ArbiterPersona(table, Random(1)).run_outs()
    assert order[Player.RED] == sorted(order[Player.RED], reverse=True)
    assert order[Player.BLACK] == sorted(order[Player.BLACK], reverse=True)
    assert order[Player.BLACK][0] > order[Player.RED][0]
    assert order[Player.BLACK][1] < order[Player.RED][1]
