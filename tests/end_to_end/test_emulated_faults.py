"""Faults of the board under the real firmware: the host names each, the game goes on where it can, nothing is
scored wrongly. Hands do whole turns on the bench; the world knows what they did.
"""

from __future__ import annotations

from random import Random

import pytest

from tamsk_hw.board.protocol import Decoder, ResetCause, Settings, Snapshot
from tamsk_hw.board.protocol.messages import FaultFlag
from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.rulings import Caution, Code, GlassLost, Violation, Warned
from tamsk_hw.simulator.faults import (
    ChainCut,
    ChipMissing,
    ChipsSwapped,
    Fault,
    HallSensorOpen,
    LoadCellSilent,
    MultiplexerDead,
    SelectLineStuck,
)
from tests.end_to_end.bench_table import BenchTable
from tests.end_to_end.conftest import Switch

RED, BLACK = Player.RED, Player.BLACK

#: Lawful turns from the corner start; each with its ring.
TURNS = [
    (RED, Tube.D1, Tube.D2),
    (BLACK, Tube.G1, Tube.F1),
    (RED, Tube.A4, Tube.A3),
    (BLACK, Tube.D7, Tube.D6),
    (RED, Tube.G4, Tube.F4),
    (BLACK, Tube.A1, Tube.A2),
]


def play(table: BenchTable, turns: list[tuple[Player, Tube, Tube]]) -> None:
    for player, origin, target in turns:
        table.move(player, origin, target)


def rings_of(turns: list[tuple[Player, Tube, Tube]]) -> list[tuple[Player, Tube]]:
    return [(player, target) for player, _, target in turns]


def violations(table: BenchTable) -> list[tuple[Code, Tube | None]]:
    return [(r.code, r.tube) for r in table.refereeing.rulings if isinstance(r, Violation)]


def said_of(table: BenchTable, words: str) -> list[str]:
    """What the players were told that has these words in it."""
    return [said for said in table.said if words in said]


def warned_of(table: BenchTable) -> list[str | None]:
    rulings = table.refereeing.rulings
    return [r.sensor for r in rulings if isinstance(r, Warned) and r.code is Caution.SENSOR_FAULT]


@pytest.fixture
def table(switch_on: Switch) -> BenchTable:
    board = BenchTable(switch_on())
    board.start()
    return board


def test_the_turns_of_these_tests_are_lawful(table: BenchTable) -> None:
    play(table, TURNS)
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert violations(table) == table.faults() == []


def test_a_hang_is_ended_by_the_watchdog_and_named(table: BenchTable) -> None:
    play(table, TURNS[:2])
    table.board.reset(ResetCause.WATCHDOG)
    table.run(2.0)
    play(table, TURNS[2:])
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert table.wire.session.statistics.board_resets == 1
    assert ResetCause.WATCHDOG in table.hellos[-1].reset_cause
    (words,) = said_of(table, "has restarted")
    assert words.startswith("The board has restarted: its watchdog found it hanging. ")


def test_a_reset_in_mid_move_loses_nothing(table: BenchTable) -> None:
    play(table, TURNS[:2])
    for player, origin, target in TURNS[2:]:
        table.do(lambda world, player=player, origin=origin: world.lift(player, origin))  # type: ignore[misc]
        table.board.reset(ResetCause.EXTERNAL)
        table.do(lambda world, player=player, target=target: world.seat(player, target, turned=True))  # type: ignore[misc]
        table.board.reset(ResetCause.EXTERNAL)
        table.do(lambda world, player=player, target=target: world.drop_ring(player, target))  # type: ignore[misc]
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert table.wire.session.statistics.board_resets == 2 * len(TURNS[2:])
    words = "The board has restarted: its reset pin was pulled (as when a port is opened)."
    assert said_of(table, "has restarted") == [words] * 2 * len(TURNS[2:])


@pytest.mark.parametrize("content", ["erased", "zero", "noise"])
def test_a_corrupted_eeprom_costs_no_more_than_the_board_id(switch_on: Switch, content: str) -> None:
    chance = Random(content)
    filling = {"erased": b"\xff" * 1024, "zero": bytes(1024), "noise": chance.randbytes(1024)}[content]
    emulator = switch_on()
    for place in range(0, 1024, 64):
        emulator.ask(f"eeprom_set {place} {filling[place : place + 64].hex()}")
    table = BenchTable(emulator)
    table.start()
    play(table, TURNS[:2])
    boots = set()
    for _ in range(3):
        boots.add(table.hellos[-1].boot_id)
        table.board.reset(ResetCause.EXTERNAL)
        table.run(1.0)
    play(table, TURNS[2:])
    assert len(boots) == 3
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)


@pytest.mark.parametrize("fault", [ChipMissing(3), ChipMissing(7), ChainCut(0), ChainCut(5)], ids=str)
def test_a_chain_that_is_not_whole_is_named_and_read_no_more(table: BenchTable, fault: Fault) -> None:
    play(table, TURNS[:2])
    table.board.put_fault(fault)
    play(table, TURNS[2:4])
    assert warned_of(table) == ["ring chain"]
    assert table.moves == TURNS[:4]  # the glasses play on
    assert table.rings == rings_of(TURNS[:2])  # what is not seen is not counted
    assert violations(table) == []
    table.board.clear_fault(fault)
    table.run(2.0)
    assert table.faults(cleared=True) == ["ring chain"]
    # The last ring is still lawful (R4.2); the other one's right is over (R4.7): a person may give it (R9.6).
    assert table.rings == [*rings_of(TURNS[:2]), (BLACK, Tube.D6)]
    assert violations(table) == [(Code.RING_TOO_LATE, Tube.A3)]


def test_two_chips_in_each_others_place_are_named_by_the_rings(switch_on: Switch) -> None:
    """From power-up on. A ring on A3 shows at B2, one on A2 at the second level of B4: no score comes of it."""
    table = BenchTable(switch_on())
    table.board.put_fault(ChipsSwapped(0, 1))
    table.start()
    turns = [
        (RED, Tube.A4, Tube.A3),
        (BLACK, Tube.G1, Tube.F1),
        (RED, Tube.A3, Tube.A2),
        (BLACK, Tube.D7, Tube.D6),
    ]
    play(table, turns)
    assert table.moves == turns
    assert table.rings == [(BLACK, Tube.F1), (BLACK, Tube.D6)]
    assert violations(table) == [(Code.RING_WRONG_TUBE, Tube.B2)]
    assert table.faults() == ["ring B4.1"]
    (words,) = [words for words in table.said if "74HC165" in words]
    assert "0 and 1" in words


@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("line", range(4))
def test_a_stuck_select_line_is_named_and_every_glass_held(table: BenchTable, line: int, high: bool) -> None:
    play(table, TURNS[:2])
    table.board.put_fault(SelectLineStuck(line, high))
    table.run(3.0)
    assert "select lines" in warned_of(table)
    assert table.moves == TURNS[:2]
    assert violations(table) == []
    table.board.clear_fault(SelectLineStuck(line, high))
    table.run(2.0)
    play(table, TURNS[2:])
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert violations(table) == []
    assert set(table.faults()) == set(table.faults(cleared=True))


def test_a_dead_multiplexer_is_named_and_the_other_tubes_play_on(table: BenchTable) -> None:
    """D1 to D7 are on multiplexer 1."""
    play(table, TURNS[:2])
    table.board.put_fault(MultiplexerDead(1))
    play(table, TURNS[2:3])
    assert warned_of(table) == ["mux 1"]
    assert table.moves == TURNS[:3]
    table.board.clear_fault(MultiplexerDead(1))
    table.run(2.0)
    play(table, TURNS[3:])
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert violations(table) == []


@pytest.mark.parametrize(("tube", "name"), [(Tube.D4, "glass D4"), (Tube.D2, "glass D2"), (None, "timer")])
def test_an_open_hall_sensor_is_named_and_the_rest_plays_on(
    table: BenchTable, tube: Tube | None, name: str
) -> None:
    """Of an empty tube, of one with a glass, of the cradle."""
    play(table, TURNS[:2])
    table.board.put_fault(HallSensorOpen(tube))
    play(table, TURNS[2:4])
    assert warned_of(table) == [name]
    table.board.clear_fault(HallSensorOpen(tube))
    table.run(2.0)
    assert table.faults(cleared=True) == [name]
    play(table, TURNS[4:])
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert violations(table) == []


@pytest.mark.parametrize("since", ["power-up", "mid-game"])
def test_a_load_cell_that_never_answers_is_named_and_rings_count_without_it(switch_on: Switch, since: str) -> None:
    table = BenchTable(switch_on(), holders=True)
    if since == "power-up":
        table.board.put_fault(LoadCellSilent(RED))
    table.start()
    play(table, TURNS[:2])
    if since == "mid-game":
        table.board.put_fault(LoadCellSilent(RED))
        table.run(2.0)
    play(table, TURNS[2:])
    assert warned_of(table) == ["holder red"]
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert violations(table) == []


def test_a_host_that_is_silent_is_told_so_and_costs_nothing(table: BenchTable) -> None:
    """The controller goes on by itself; the host, when it is there again, reads on where the board now stands.

    To the players nothing is said: it is no fault of the board.
    """
    play(table, TURNS[:2])
    frames = []
    end = table.world.now + 6.0
    while table.world.now < end:
        frames += [frame for _, frame in table.board.advance(table.world.now + 0.5)]
    last = Decoder().feed(frames[-1])[0]
    assert isinstance(last, Snapshot)
    assert last.faults & FaultFlag.HOST_SILENT
    before = list(table.said)
    table.run(3.0)
    play(table, TURNS[2:])
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    assert table.wire.session.statistics.board_resets == 0
    assert table.said == before


def test_noise_on_the_controllers_line_is_told_and_commands_nothing(table: BenchTable) -> None:
    chance = Random(8)
    play(table, TURNS[:2])
    assert said_of(table, "damaged") == []
    for player, origin, target in TURNS[2:]:
        for _ in range(5):
            table.board.receive(chance.randbytes(chance.randrange(1, 80)))
            table.run(0.1)
        table.emulator.ask("receive_damage 20")
        table.move(player, origin, target)
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    statistics = table.wire.session.statistics
    assert statistics.board_resets == 0
    assert statistics.crc_errors == statistics.malformed == 0
    # Once, though it goes on and on.
    (words,) = said_of(table, "damaged")
    assert words.startswith("What is sent to the board arrives damaged: ")


def test_scans_that_take_too_long_are_told_once_and_the_game_goes_on(table: BenchTable) -> None:
    """The longest light time while every scan is sent: a scan then takes more than its 2.5 ms."""
    play(table, TURNS[:2])
    assert said_of(table, "2.5 ms") == []
    table.wire.session.use_settings(Settings(field_deadband=0, light_time=250))
    play(table, TURNS[2:])
    assert table.moves == TURNS
    assert table.rings == rings_of(TURNS)
    (words,) = said_of(table, "2.5 ms")
    assert "light time" in words


def test_no_fault_of_these_costs_a_glass(switch_on: Switch) -> None:
    """On level 2, where sand is lost for good: every fault for a few seconds, and no glass is lost by it."""
    table = BenchTable(switch_on(), level=2)
    table.start()
    play(table, TURNS[:2])
    for fault in (SelectLineStuck(2, True), HallSensorOpen(Tube.D2), MultiplexerDead(0), ChainCut(2)):
        table.board.put_fault(fault)
        table.run(3.0)
        table.board.clear_fault(fault)
        table.run(2.0)
    play(table, TURNS[2:])
    assert table.moves == TURNS
    assert not [r for r in table.refereeing.rulings if isinstance(r, GlassLost)]
    assert violations(table) == []
