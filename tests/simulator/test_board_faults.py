"""Faults put into the simulated board, and what the wire shows of them."""

from __future__ import annotations

import pytest

from tamsk_hw.board.protocol import TIMER_FIELD, Decoder, FaultFlag, Hello, ResetCause, Snapshot
from tamsk_hw.game.tubes import TUBES, Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import (
    Fault,
    HallSensorOpen,
    LoadCellSilent,
    MultiplexerDead,
    ReferenceStuck,
    RingSensorStuck,
    SelectLineStuck,
)
from tamsk_hw.simulator.sensors import QUIET
from tamsk_hw.simulator.truth import FaultChanged, WorldError
from tamsk_hw.simulator.world import World


def quiet_board(seed: int = 1) -> SimulatedBoard:
    board = SimulatedBoard(World(seed), noise=QUIET)
    board.advance(0.5)
    return board


def latest(board: SimulatedBoard, seconds: float = 0.1) -> Snapshot:
    decoder = Decoder()
    read = [message for _, frame in board.advance(board.now + seconds) for message in decoder.feed(frame)]
    last = read[-1]
    assert isinstance(last, Snapshot)
    return last


def with_fault(board: SimulatedBoard, fault: Fault) -> Snapshot:
    board.put_fault(fault)
    return latest(board, 0.01)


def test_a_stuck_ring_bit() -> None:
    board = quiet_board()
    bits = board.wiring.ring_bits[Tube.D4]
    assert latest(board).rings == 0
    # a gap: the second level without the first
    assert with_fault(board, RingSensorStuck(Tube.D4, 1, True)).rings == 1 << bits[1]
    board.clear_fault(RingSensorStuck(Tube.D4, 1, True))
    assert latest(board).rings == 0
    board.advance(board.world.drop(Player.RED, Tube.D4))
    board.advance(board.world.drop(Player.RED, Tube.D4))
    assert latest(board).rings == 1 << bits[0] | 1 << bits[1]
    assert with_fault(board, RingSensorStuck(Tube.D4, 0, False)).rings == 1 << bits[1]


def test_an_open_hall_sensor() -> None:
    board = quiet_board()
    before = latest(board).fields
    after = with_fault(board, HallSensorOpen(Tube.C3, 255)).fields
    assert after[Tube.C3] == 255
    assert [n for n in range(len(after)) if after[n] != before[n]] == [Tube.C3]
    assert with_fault(board, HallSensorOpen(None)).fields[TIMER_FIELD] == 0
    for fault in (HallSensorOpen(Tube.C3, 255), HallSensorOpen(None)):
        board.clear_fault(fault)
    assert latest(board).fields == before
    told = [(entry.what, entry.present) for entry in board.world.truth if isinstance(entry, FaultChanged)]
    assert told == [("glass C3 255", True), ("timer 0", True), ("glass C3 255", False), ("timer 0", False)]


def test_a_stuck_select_line_reads_the_wrong_inputs_and_the_references_show_it() -> None:
    board = quiet_board()
    good = latest(board)
    channels = board.wiring.channels
    for line in range(4):
        for high in (False, True):
            bad = with_fault(board, SelectLineStuck(line, high))
            for tube in TUBES:
                address = channels[tube].address
                if bool(address >> line & 1) is high:
                    assert bad.fields[tube] == good.fields[tube]
                    continue
                other = next(
                    (
                        place
                        for place, channel in enumerate(channels)
                        if (channel.mux, channel.address) == (channels[tube].mux, address ^ 1 << line)
                    ),
                    None,
                )
                if other is not None:
                    assert bad.fields[tube] == good.fields[other]
            moved = any((channel.address >> line & 1) is not int(high) for channel in board.wiring.references)
            assert (bad.references != good.references) is moved
            board.clear_fault(SelectLineStuck(line, high))


def test_a_dead_multiplexer_takes_its_fields_and_its_reference() -> None:
    board = quiet_board()
    good = latest(board)
    bad = with_fault(board, MultiplexerDead(1, 7))
    for place, channel in enumerate(board.wiring.channels):
        assert bad.fields[place] == (7 if channel.mux == 1 else good.fields[place])
    for place, channel in enumerate(board.wiring.references):
        assert bad.references[place] == (7 if channel.mux == 1 else good.references[place])


def test_a_stuck_reference() -> None:
    board = quiet_board()
    assert tuple(latest(board).references) == (64, 128, 191)
    assert tuple(with_fault(board, ReferenceStuck(2, 20)).references) == (64, 128, 20)


def test_a_silent_load_cell_is_flagged_and_keeps_its_last_reading() -> None:
    board = quiet_board()
    before = latest(board).holders
    board.put_fault(LoadCellSilent(Player.RED))
    board.advance(board.world.take_up(Player.RED) + 1)
    after = latest(board)
    assert after.faults & FaultFlag.HOLDER_RED_SILENT
    assert not after.faults & FaultFlag.HOLDER_BLACK_SILENT
    assert after.holders == before
    board.clear_fault(LoadCellSilent(Player.RED))
    assert latest(board).holders[0] < before[0] - 4000


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (RingSensorStuck(Tube.A1, 1, True), "A1 has no ring sensor at level 1; allowed are 0 to 0"),
        (ReferenceStuck(3, 0), "there is no reference 3"),
        (SelectLineStuck(4, True), "there is no select line 4"),
        (MultiplexerDead(3), "there is no multiplexer 3"),
    ],
)
def test_a_fault_in_a_part_that_is_not_there_is_refused(fault: Fault, why: str) -> None:
    board = quiet_board()
    with pytest.raises(WorldError, match=why):
        board.put_fault(fault)
    assert board.sensors.faults == ()


def test_a_reset_gives_a_new_boot_id_and_the_settings_of_power_on() -> None:
    board = quiet_board()
    ids = {board.boot_id}
    for cause in (ResetCause.WATCHDOG, ResetCause.EXTERNAL, ResetCause.WATCHDOG):
        board.reset(cause)
        decoder = Decoder()
        read = [message for _, frame in board.advance(board.now + 0.2) for message in decoder.feed(frame)]
        hello = read[0]
        assert isinstance(hello, Hello)
        assert (hello.seq, hello.reset_cause, hello.boot_id) == (0, cause, board.boot_id)
        ids.add(hello.boot_id)
    assert len(ids) == 4


def test_a_silent_controller_sends_nothing_and_goes_on() -> None:
    board = quiet_board()
    board.go_silent()
    board.world.drop(Player.RED, Tube.D4)
    assert board.advance(board.now + 20) == []
    board.speak()
    assert latest(board).rings == 1 << board.wiring.ring_bits[Tube.D4][0]


def test_frames_dropped_damaged_and_noise_between_cost_those_frames_only() -> None:
    board = quiet_board()
    decoder = Decoder()

    def read(seconds: float) -> int:
        frames = board.advance(board.now + seconds)
        return sum(len(decoder.feed(frame)) for _, frame in frames)

    read(1.0)
    board.drop_frames(3)
    board.corrupt_frames(2)
    board.inject(bytes(range(1, 90)))
    good = read(2.0)
    counters = decoder.counters
    # the noise runs into the first damaged frame: both are lost as one or two
    assert counters.crc_errors + counters.malformed in (2, 3)
    assert counters.missing == 5
    assert good in range(34, 37)
    assert read(1.0) in (19, 20, 21)
    assert decoder.counters.missing == 5
