"""Faults of the board under the real firmware: the host names each, the game goes on where it can, nothing is
scored wrongly. Hands do whole turns on the bench; the world knows what they did.

Each is tried on the whole board and on that of seven tubes, but for what the latter has not or does as the former.
``make test`` tries each kind of fault, ``make soak`` each part that may have it, on each board.
"""

from collections.abc import Sequence
from random import Random

import pytest

from tamsk_hw.board.protocol import Decoder, FaultFlag, ResetCause, Snapshot
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import Fault
from tamsk_hw.referee.rulings import Caution, Code, GlassLost, Violation, Warned
from tamsk_hw.simulator.faults import BrokenPart, fault_of
from tests.boards import SEVEN, WHOLE, PlayedBoard, PlayedTurn
from tests.disturbances.line import DoubledFrames, LostFrames
from tests.end_to_end.bench_table import BenchTable, acts
from tests.end_to_end.conftest import Switch
from tests.soak import in_soak

#: For tests of one board alone.
ON_THE_WHOLE = pytest.mark.parametrize("played", [WHOLE], indirect=True, ids=str)


def play(table: BenchTable, turns: Sequence[PlayedTurn]) -> None:
    for player, origin, target in turns:
        table.move(player, origin, target)


def rings_of(turns: Sequence[PlayedTurn]) -> list[tuple[Player, Tube]]:
    return [(player, target) for player, _, target in turns]


def violations(table: BenchTable) -> list[tuple[Code, Tube | None]]:
    return [(r.code, r.tube) for r in table.refereeing.rulings if isinstance(r, Violation)]


def said_of(table: BenchTable, words: str) -> list[str]:
    """Notices to the players with these words in them."""
    return [said for said in table.said if words in said]


def warned_of(table: BenchTable) -> list[str | None]:
    rulings = table.refereeing.rulings
    warned = [r for r in rulings if isinstance(r, Warned) and r.code is Caution.SENSOR_FAULT]
    return [None if r.sensor is None else r.sensor.name for r in warned]


@pytest.fixture(params=[WHOLE, SEVEN], ids=str)
def played(request: pytest.FixtureRequest) -> PlayedBoard:
    """The board."""
    board: PlayedBoard = request.param
    return board


@pytest.fixture
def turns(played: PlayedBoard) -> list[PlayedTurn]:
    """Lawful turns from the start, each with its ring."""
    return list(played.turns[: in_soak(None, otherwise=3)])


@pytest.fixture
def table(switch_on: Switch, played: PlayedBoard) -> BenchTable:
    """The board with its game begun."""
    board = BenchTable(switch_on(played), played)
    board.start()
    return board


@pytest.mark.soak  # as every test below does
def test_the_turns_of_these_tests_are_lawful(table: BenchTable, turns: list[PlayedTurn]) -> None:
    play(table, turns)
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert violations(table) == table.faults() == []


@pytest.mark.soak  # as the resets in test_emulated_games
def test_a_hang_is_ended_by_the_watchdog_and_named(table: BenchTable, turns: list[PlayedTurn]) -> None:
    play(table, turns[:2])
    table.board.reset(ResetCause.WATCHDOG)
    table.run(2.0)
    play(table, turns[2:])
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert table.wire.session.statistics.board_resets == 1
    assert ResetCause.WATCHDOG in table.hellos[-1].reset_cause
    (words,) = said_of(table, "has restarted")
    assert words.startswith("The board has restarted: its watchdog found it hanging. ")


@pytest.mark.soak  # as the resets in test_emulated_games
def test_a_reset_in_mid_move_loses_nothing(table: BenchTable, turns: list[PlayedTurn]) -> None:
    play(table, turns[:2])
    resets = 0
    for turn in turns[2:]:
        first, *others = acts(*turn)
        table.do(first)
        for act in others:
            table.board.reset(ResetCause.EXTERNAL)
            resets += 1
            table.do(act)
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert table.wire.session.statistics.board_resets == resets
    words = "The board has restarted: its reset pin was pulled (as when a port is opened)."
    assert said_of(table, "has restarted") == [words] * resets


@pytest.mark.soak  # as in test_bad_line; the firmware has no part in it
@ON_THE_WHOLE
def test_a_bad_line_costs_nothing_and_is_said(table: BenchTable, turns: list[PlayedTurn]) -> None:
    """The real firmware's frames, a tenth of them lost and a fifth doubled."""
    table.board.disturb_line(LostFrames(0.1, 1), DoubledFrames(0.2, 1))
    play(table, turns)
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert violations(table) == table.faults() == []
    statistics = table.wire.session.statistics
    came = statistics.frames - statistics.doubled
    assert statistics.missing / (came + statistics.missing) == pytest.approx(0.1, abs=0.03)
    assert statistics.doubled / came == pytest.approx(0.2, abs=0.03)
    assert len(said_of(table, "of the board's messages ")) == 1


@pytest.mark.soak(but=["whole-noise"])
@pytest.mark.parametrize("content", ["erased", "zero", "noise"])
@ON_THE_WHOLE
def test_a_corrupted_eeprom_costs_no_more_than_the_board_id(
    switch_on: Switch, played: PlayedBoard, turns: list[PlayedTurn], content: str
) -> None:
    chance = Random(content)
    filling = {"erased": b"\xff" * 1024, "zero": bytes(1024), "noise": chance.randbytes(1024)}[content]
    emulator = switch_on(played)
    for place in range(0, 1024, 64):
        emulator.ask(f"eeprom_set {place} {filling[place : place + 64].hex()}")
    table = BenchTable(emulator, played)
    table.start()
    play(table, turns[:1])
    boots = set()
    for _ in range(3):
        boots.add(table.hellos[-1].boot_id)
        table.board.reset(ResetCause.EXTERNAL)
        table.run(1.0)
    play(table, turns[1:])
    assert len(boots) == 3
    assert table.moves == turns
    assert table.rings == rings_of(turns)


#: Converters that stop answering: of the third turn's ring, of the fourth's, of neither.
SILENT = [
    *((WHOLE, fault_of(f"converter {chip}")) for chip in (0, 5, 7)),
    *((SEVEN, fault_of(f"converter {chip}")) for chip in (1, 2)),
]


@pytest.mark.soak(but=["whole-converter 0", "seven-converter 1"])
@pytest.mark.parametrize(("played", "fault"), SILENT, indirect=["played"], ids=[f"{a}-{b}" for a, b in SILENT])
def test_a_silent_converter_is_named_and_the_other_rings_count(
    table: BenchTable, turns: list[PlayedTurn], played: PlayedBoard, fault: BrokenPart
) -> None:
    ring_bits = played.wiring.ring_bits
    hidden = {tube for tube in played.wiring.tubes if fault.number in {bit // 8 for bit in ring_bits[tube]}}
    play(table, turns[:1])
    table.board.put_fault(fault)
    play(table, turns[1:4])
    assert warned_of(table) == ["ring converters"]
    found = [event for event in table.events if isinstance(event, Fault)][-1]
    assert found.detail.startswith(f"no answer from converter {fault.number} (")
    assert set(found.unread) == hidden
    assert table.moves == turns[:4]
    assert table.rings == [
        ring for ring in rings_of(turns[:4]) if ring[1] not in hidden or ring in rings_of(turns[:1])
    ]
    assert violations(table) == []
    table.board.clear_fault(fault)
    table.run(4.0)
    assert table.faults(cleared=True) == ["ring converters"]
    # A ring that was dropped unseen while its right was open counts, though the right may have ended since (R9.8).
    assert set(table.rings) == set(rings_of(turns[:4]))
    assert violations(table) == []


#: Parts that break in mid-game: the board, the fault, the sensors that are named, and whether the others play on.
BROKEN: list[tuple[PlayedBoard, BrokenPart, list[str], bool]] = [
    *(
        (WHOLE, fault_of(f"select {line} {state}"), ["select lines"], False)
        for line in range(4)
        for state in ("low", "high")
    ),
    *(
        (SEVEN, fault_of(f"select {line} {'low' if line % 2 else 'high'}"), ["select lines"], False)
        for line in range(4)
    ),
    (WHOLE, fault_of("mux 1 0"), ["mux 1"], True),  # D1 to D7
    (SEVEN, fault_of("mux 0 0"), ["mux 0"], False),  # the only one
    # Of an empty tube, of one with a glass, of the cradle.
    (WHOLE, fault_of("glass D4 0"), ["glass D4"], True),
    (WHOLE, fault_of("glass D2 0"), ["glass D2"], True),
    (WHOLE, fault_of("timer 0"), ["timer"], True),
    (SEVEN, fault_of("glass D4 0"), ["glass D4"], True),
    (SEVEN, fault_of("glass C3 0"), ["glass C3"], True),
    (SEVEN, fault_of("timer 0"), ["timer"], True),
]


@pytest.mark.soak(but=["whole-select 2 high", "whole-mux 1 0", "whole-glass D2 0"])
@pytest.mark.parametrize(
    ("played", "fault", "named", "plays_on"),
    BROKEN,
    indirect=["played"],
    ids=[f"{board}-{fault}" for board, fault, _, _ in BROKEN],
)
def test_a_broken_part_is_named_and_what_it_does_not_concern_plays_on(
    table: BenchTable, turns: list[PlayedTurn], fault: BrokenPart, named: list[str], plays_on: bool
) -> None:
    during = 2 if plays_on else 1
    play(table, turns[:1])
    table.board.put_fault(fault)
    play(table, turns[1:during])
    table.run(0.0 if plays_on else 3.0)
    assert warned_of(table) == named
    assert table.moves == turns[:during]
    assert violations(table) == []
    table.board.clear_fault(fault)
    table.run(4.0)
    assert set(table.faults(cleared=True)) == set(table.faults()) >= set(named)
    play(table, turns[during:])
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert violations(table) == []


@pytest.mark.soak(but=["mid-game-whole"])
@ON_THE_WHOLE
@pytest.mark.parametrize("since", ["power-up", "mid-game"])
def test_a_load_cell_that_never_answers_is_named_and_rings_count_without_it(
    switch_on: Switch, played: PlayedBoard, turns: list[PlayedTurn], since: str
) -> None:
    table = BenchTable(switch_on(played), played, holders=True)
    if since == "power-up":
        table.board.put_fault(fault_of("holder red"))
    table.start()
    play(table, turns[:1])
    if since == "mid-game":
        table.board.put_fault(fault_of("holder red"))
        table.run(2.0)
    play(table, turns[1:])
    assert warned_of(table) == ["holder red"]
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert violations(table) == []


@ON_THE_WHOLE
def test_a_host_that_is_silent_is_told_so_and_costs_nothing(table: BenchTable, turns: list[PlayedTurn]) -> None:
    """The controller goes on by itself; the host, when it is there again, reads on where the board now stands.

    Nobody read meanwhile, so that what the board sent is lost, and that is said.
    """
    play(table, turns[:1])
    frames = []
    end = table.world.now + 6.0
    while table.world.now < end:
        frames += [frame for _, frame in table.board.advance(table.world.now + 0.5)]
    decoder = Decoder()
    last = [each for frame in frames for each in decoder.feed(frame) if isinstance(each, Snapshot)][-1]
    assert last.faults & FaultFlag.HOST_SILENT
    before = list(table.said)
    table.run(3.0)
    play(table, turns[1:])
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    assert table.wire.session.statistics.board_resets == 0
    lost, *rest = table.said[len(before) :]
    assert "is lost, as this computer did not read it in time" in lost
    assert rest == ["The board is connected (firmware 2.0.0)."]


@ON_THE_WHOLE
def test_noise_on_the_controllers_line_is_told_and_commands_nothing(
    table: BenchTable, turns: list[PlayedTurn]
) -> None:
    chance = Random(8)
    play(table, turns[:1])
    assert said_of(table, "damaged") == []
    for player, origin, target in turns[1:]:
        for _ in range(5):
            table.board.receive(chance.randbytes(chance.randrange(1, 80)))
            table.run(0.1)
        table.emulator.ask("receive_damage 20")
        table.move(player, origin, target)
    assert table.moves == turns
    assert table.rings == rings_of(turns)
    statistics = table.wire.session.statistics
    assert statistics.board_resets == 0
    assert statistics.crc_errors == statistics.malformed == 0
    # Once, though it goes on and on.
    (words,) = said_of(table, "damaged")
    assert words.startswith("What is sent to the board arrives damaged: ")


@pytest.mark.soak(but=["whole"])
def test_no_fault_of_these_costs_a_glass(switch_on: Switch, played: PlayedBoard, turns: list[PlayedTurn]) -> None:
    """On level 2, where sand is lost for good: every fault for a few seconds, and no glass is lost by it."""
    table = BenchTable(switch_on(played), played, level=2)
    table.start()
    play(table, turns[:2])
    for fault in map(fault_of, ("select 2 high", f"glass {turns[0][2]} 0", "mux 0 0", "converter 2")):
        table.board.put_fault(fault)
        table.run(3.0)
        table.board.clear_fault(fault)
        table.run(2.0)
    play(table, turns[2:])
    assert table.moves == turns
    assert not [r for r in table.refereeing.rulings if isinstance(r, GlassLost)]
    assert violations(table) == []
