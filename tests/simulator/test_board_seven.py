"""The simulated board of seven tubes: what it sends of what is not fitted (PROTOCOL.md sections 3.4 and 4)."""

import pytest

from tamsk_hw.board.protocol import Decoder, Hello, RingSignals, SelfTest, Snapshot, encode
from tamsk_hw.game.tubes import TUBES, Player, Tube
from tamsk_hw.simulator import faults
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.sensors import QUIET
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World
from tests.boards import SEVEN

WIRING = SEVEN.wiring

#: The converters that are not fitted, and the two inputs that no sensor is on.
ABSENT = (1 << 64) - (1 << 24)
SPARE = 1 << 0 | 1 << 16


def seven_board() -> SimulatedBoard:
    return SimulatedBoard(World(3, setup=WorldStart.FREE), wiring=WIRING)


def heard(board: SimulatedBoard, seconds: float) -> list[object]:
    decoder = Decoder()
    return [message for _, frame in board.advance(board.now + seconds) for message in decoder.feed(frame)]


def snapshots(board: SimulatedBoard, seconds: float) -> list[Snapshot]:
    return [message for message in heard(board, seconds) if isinstance(message, Snapshot)]


def play_a_little(board: SimulatedBoard) -> list[Snapshot]:
    """Glasses come and go, rings fall, a lamp is on for a while."""
    world, seen = board.world, snapshots(board, 1.0)
    for player, _, tube in SEVEN.turns[:4]:
        seen += snapshots(board, world.place(player, tube) - board.now)
        seen += snapshots(board, world.drop(player, tube) - board.now + 0.5)
    world.lamp(True)
    seen += snapshots(board, 0.5)
    world.lamp(False)
    seen += snapshots(board, world.lift(Player.RED, Tube.C3) - board.now + 0.5)
    return seen


def test_fields_that_are_not_fitted_are_0_ring_sensors_unknown_and_spare_inputs_zeros() -> None:
    seen = play_a_little(seven_board())
    assert len(seen) > 100
    for snapshot in seen:
        for tube in TUBES:
            assert (snapshot.fields[tube] > 0) is (tube in WIRING.tubes)
        assert snapshot.unknown & ABSENT == ABSENT
        assert (snapshot.rings & ABSENT, snapshot.rings & SPARE, snapshot.unknown & SPARE) == (0, 0, 0)
    assert len({snapshot.rings for snapshot in seen}) > 4
    assert any(snapshot.unknown & ~ABSENT for snapshot in seen)


def test_hello_is_that_of_every_board_but_for_the_wiring() -> None:
    hello, *others = heard(seven_board(), 0.5)
    assert isinstance(hello, Hello)
    assert hello.wiring_hash == WIRING.hash
    assert (hello.ring_bits, hello.fields, hello.references, hello.holders) == (64, 38, 3, 0)
    assert {other.holders for other in others if isinstance(other, Snapshot)} == {(0, 0)}


def test_a_self_test_tells_of_what_is_not_fitted_what_no_converter_gives() -> None:
    board = SimulatedBoard(World(3, setup=WorldStart.FREE), wiring=WIRING, noise=QUIET)
    (hello,) = (message for message in heard(board, 0.1) if isinstance(message, Hello))
    assert hello.silent_chips == 0xF8
    board.receive(encode(SelfTest(0)))
    told = [message for message in heard(board, 0.05) if isinstance(message, RingSignals)]
    assert [message.chip for message in told] == [*range(8)]
    assert [{signal.dark for signal in message.signals} == {255} for message in told] == [False] * 3 + [True] * 5


def test_what_stands_where_no_tube_is_wired_is_not_felt() -> None:
    board = seven_board()
    heard(board, 0.5)
    board.advance(board.world.place(Player.RED, Tube.A1))
    board.advance(board.world.drop(Player.RED, Tube.A1))
    last = snapshots(board, 0.5)[-1]
    assert last.fields[Tube.A1] == 0
    assert last.rings == 0


def test_the_sensors_of_a_silent_converter_are_unknown_as_they_were_read_last() -> None:
    board = SimulatedBoard(World(3, setup=WorldStart.FREE), wiring=WIRING, noise=QUIET)
    for player, _, tube in SEVEN.turns[:6]:
        board.advance(board.world.drop(player, tube))
    good = snapshots(board, 0.5)[-1]
    board.put_fault(faults.fault_of("converter 1"))
    read = snapshots(board, 0.5)[-1]
    assert (read.rings, read.unknown) == (good.rings, good.unknown | 0xFF00)
    board.clear_fault(faults.fault_of("converter 1"))
    assert snapshots(board, 0.5)[-1].unknown == good.unknown


def test_a_stuck_select_line_reads_ground_or_another_input_of_the_seven() -> None:
    board = SimulatedBoard(World(3, setup=WorldStart.FREE), wiring=WIRING, noise=QUIET)
    good = snapshots(board, 0.5)[-1]
    board.put_fault(faults.fault_of("select 0 high"))
    read = snapshots(board, 0.5)[-1]
    # As the map has them: 2 and 3 are C4 and D3, 4 and 5 D4 and 1/4, 6 D5 (7 is grounded), 8 and 9 E3 and E4,
    # 12 the cradle (13 grounded), 10 is 3/4 (11 grounded), 1, 5 and 15 stay.
    assert read.fields[Tube.C4] == good.fields[Tube.D3]
    assert read.fields[Tube.D4] == good.references[0]
    assert read.fields[Tube.E3] == good.fields[Tube.E4]
    assert (read.fields[Tube.D5], read.fields[37]) == (0, 0)
    assert read.fields[Tube.C3] == good.fields[Tube.C3]
    assert list(read.references) == [good.references[0], good.references[1], 0]
    assert read.fields[Tube.A1] == 0


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("converter 3", "no converter 3; allowed are 0 to 2"),
        ("dust B2.1 0.5", "B2 is not fitted"),
        ("glass A1 0", "A1 is not fitted; allowed are C3, C4, D3, D4, D5, E3, E4"),
        ("ring B2.1 1", "B2 is not fitted"),
        ("ring C3.4 1", "C3 has no ring sensor 4; allowed are 1 to 3"),
        ("recess C3.4 0.3", "C3 has no ring sensor 4"),
        ("mux 1 0", "no multiplexer 1"),
    ],
)
def test_faults_of_parts_that_are_not_there_are_refused(fault: str, words: str) -> None:
    board = seven_board()
    with pytest.raises(WorldError, match=words):
        board.put_fault(faults.fault_of(fault))
    assert board.sensors.faults == ()
