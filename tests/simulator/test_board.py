"""The simulated controller: what it sends, when, what it does for the host, and faults of its parts."""

import itertools
from binascii import crc_hqx

import pytest
from cobs import cobs

from tamsk_hw.board import protocol
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import TUBES, Player, Tube
from tamsk_hw.simulator import faults
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.sensors import QUIET, Noise
from tamsk_hw.simulator.things import FIRST_PLACE
from tamsk_hw.simulator.truth import FaultChanged, GlassLifted, WorldError
from tamsk_hw.simulator.world import World
from tests.disturbances.board import DisturbedBoard

RED, BLACK = Player.RED, Player.BLACK
Frames = list[tuple[float, bytes]]


def messages(frames: Frames) -> list[protocol.Message]:
    """Messages of frames, all of them good."""
    decoder = protocol.Decoder()
    read = [message for _, frame in frames for message in decoder.feed(frame)]
    counters = decoder.counters
    assert (counters.crc_errors, counters.malformed, counters.gaps) == (0, 0, 0)
    return read


def snapshots(frames: Frames) -> list[protocol.Snapshot]:
    return [message for message in messages(frames) if isinstance(message, protocol.Snapshot)]


def some_turns(board: SimulatedBoard, step: float) -> Frames:
    """Hands at work for 25 seconds, the time walked through in steps."""
    world = board.world
    frames: Frames = []

    def until(t: float) -> None:
        while board.now < t:
            frames.extend(board.advance(min(t, board.now + step)))

    until(0.2)
    for player, origin, target in ((RED, Tube.D1, Tube.D2), (BLACK, Tube.G1, Tube.F1), (RED, Tube.D2, Tube.E2)):
        until(world.lift(player, origin))
        until(world.seat(player, target, turned=True))
        until(world.drop(player, target))
        until(world.turn_timer(player))
        world.lamp(player is RED)
        world.knock_holder(player)
        until(board.now + 1.0)
    until(25.0)
    return frames


def test_hello_comes_first_and_once() -> None:
    board = SimulatedBoard(World(1))
    assert board.advance(0.05) == []
    frames = board.advance(1.0)
    assert frames[0][1][0] == 0, "a zero byte ends what stood on the line"
    first, *others = messages(frames)
    assert isinstance(first, protocol.Hello)
    assert (first.seq, first.protocol, first.reset_cause) == (0, (2, 0), protocol.ResetCause.POWER_ON)
    assert first.wiring_hash == load_wiring().hash
    assert first.holders == 2
    assert others
    assert all(isinstance(other, protocol.Snapshot | protocol.RingSignals) for other in others)
    assert [other.seq for other in others] == [(n + 1) % 256 for n in range(len(others))]


def test_at_rest_twenty_snapshots_a_second() -> None:
    board = SimulatedBoard(World(1), noise=Noise(weak_ring_sensors=0))
    board.advance(0.1)
    board.receive(protocol.encode(protocol.Heartbeat(0)))
    board.advance(0.5)
    for _ in range(10):
        board.receive(protocol.encode(protocol.Heartbeat(0)))
        times = [snapshot.time for snapshot in snapshots(board.advance(board.now + 1.0))]
        assert len(times) in (19, 20, 21)
        assert {later - earlier for earlier, later in itertools.pairwise(times)} <= {50_000}


def test_never_closer_than_the_shortest_interval_and_never_later_than_the_longest() -> None:
    for shortest, longest in ((2500, 50_000), (10_000, 20_000)):
        board = SimulatedBoard(World(2))
        board.advance(0.1)
        board.receive(
            protocol.encode(
                protocol.Set(0, protocol.Settings(shortest_interval=shortest, longest_interval=longest))
            )
        )
        times = [snapshot.time for snapshot in snapshots(some_turns(board, 1.0))]
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert min(gaps) in (shortest, shortest + 1, shortest - 1)
        assert max(gaps) <= longest + 1


def is_news(snapshot: protocol.Snapshot, before: protocol.Snapshot) -> bool:
    """PROTOCOL.md section 4, with the settings after a reset; more than fault flags."""
    return (
        (snapshot.rings, snapshot.unknown) != (before.rings, before.unknown)
        or any(
            abs(now - then) > 2
            for now, then in zip(
                snapshot.fields + snapshot.references, before.fields + before.references, strict=True
            )
        )
        or any(abs(now - then) > 500 for now, then in zip(snapshot.holders, before.holders, strict=True))
    )


def test_after_a_change_snapshots_follow_each_other_for_a_while() -> None:
    """Every 5 ms for 100 ms after news, or what has drifted as far since (section 4), and then every 50."""
    sent = snapshots(some_turns(SimulatedBoard(World(2)), 1.0))
    news, last, followed, quiet = -(10**9), sent[0], 0, 0
    for before, snapshot in itertools.pairwise(sent):
        gap = snapshot.time - before.time
        is_new = is_news(snapshot, before) or (snapshot.time < news + 99_990 and is_news(snapshot, last))
        if before.time + 5000 < news + 99_990:
            assert gap <= 5001
            followed += not is_new
        elif before.time + 5000 > news + 100_010 and not is_new and snapshot.faults == before.faults:
            assert gap >= 49_999
            quiet += 1
        if is_new:
            news, last = snapshot.time, snapshot
    assert followed > 100
    assert quiet > 100


@pytest.mark.parametrize("tube", [Tube.D1, Tube.G4, Tube.A4])
def test_a_slow_lift_is_sent_to_its_end(tube: Tube) -> None:
    """A hand that lifts slowly changes the field by less than the deadband from one snapshot to the next."""
    for seed in range(8):
        board = SimulatedBoard(World(seed))
        board.advance(1.0)
        begin = board.world.now
        end = board.world.lift(RED, tube)
        sent = [snapshot for snapshot in snapshots(board.advance(end + 0.2)) if snapshot.time >= begin * 1e6]
        rest = sent[-1].fields[tube]
        moves = [abs(snapshot.fields[tube] - rest) for snapshot in sent]
        first = next(place for place, share in enumerate(moves) if share < moves[0] - 2)
        near = max(place for place, share in enumerate(moves) if share > 3)
        # The snapshots from the first that shows the lift until the dwell after it is over.
        until = sent[near].time + 40_000
        gaps = [b.time - a.time for a, b in itertools.pairwise(sent[first:]) if a.time < until]
        assert gaps
        assert max(gaps) <= 5001


def test_a_change_leaves_the_board_within_a_scan_and_a_frame() -> None:
    for seed in range(30):
        board = SimulatedBoard(World(seed), noise=Noise(weak_ring_sensors=0))
        board.advance(0.3 + seed * 0.0011)
        world = board.world
        before = world.rings[Tube.D1]
        done = world.drop(RED, Tube.D1)
        bit = 1 << board.wiring.ring_bits[Tube.D1][0]
        world_bits, frames = [], []
        while board.now < done + 0.1:
            frames += board.advance(board.now + 0.0005)
            world_bits.append((board.now, bool(world.covered & (1 << FIRST_PLACE[Tube.D1]))))
        changed = next(t for t, covered in world_bits if covered)
        decoder = protocol.Decoder()
        seen = next(
            sent
            for sent, frame in frames
            for message in decoder.feed(frame)
            if isinstance(message, protocol.Snapshot) and message.rings & bit
        )
        assert before == 0
        # half a millisecond of steps, a scan, composing, 75 bytes; a snapshot just sent holds the line for a scan
        assert 0.0013 < seen - changed + 0.0005 < 0.0005 + 2 * 0.0025 + 0.0003 + 0.0016


def test_frames_leave_in_order_and_not_before_they_are_due() -> None:
    board = SimulatedBoard(World(3))
    reached = 0.0
    for _ in range(600):
        if board.now > 1 and board.world.glass("D1").tube and len(board.world.free_hands(RED)) == 2:
            board.world.lift(RED, Tube.D1)
        start = board.now
        frames = board.advance(start + 0.0037)
        for sent, _ in frames:
            assert reached < sent
            assert start <= sent <= board.now
            reached = sent
    assert any(isinstance(entry, GlassLifted) for entry in board.world.truth)


def test_the_same_seed_gives_the_same_bytes_however_time_is_walked_through() -> None:
    whole = some_turns(SimulatedBoard(World(4)), 100.0)
    assert len(whole) > 600
    assert some_turns(SimulatedBoard(World(4)), 100.0) == whole
    assert some_turns(SimulatedBoard(World(4)), 0.0113) == whole
    assert some_turns(SimulatedBoard(World(4)), 0.0007) == whole
    assert some_turns(SimulatedBoard(World(5)), 100.0) != whole


def test_steps_do_not_matter_with_other_settings_either() -> None:
    def run(step: float) -> Frames:
        board = DisturbedBoard(World(6), clock_rate=1.004)
        first = board.advance(0.1)
        settings = protocol.Settings(
            shortest_interval=7000, longest_interval=33_000, field_deadband=1, holder_deadband=50
        )
        board.receive(protocol.encode(protocol.Set(0, settings)))
        return first + some_turns(board, step)

    assert run(0.0031) == run(50.0)


def test_the_controllers_clock_runs_at_its_own_rate_from_the_reset_on() -> None:
    board = DisturbedBoard(World(7), clock_rate=1.005)
    first = snapshots(board.advance(100.0))[-1]
    assert first.time == pytest.approx(100.0 * 1.005e6, abs=60_000)
    board.reset()
    again = messages(board.advance(100.6))
    assert isinstance(again[0], protocol.Hello)
    assert again[0].reset_cause is protocol.ResetCause.EXTERNAL
    last = again[-1]
    assert isinstance(last, protocol.Snapshot)
    assert last.time == pytest.approx(0.6 * 1.005e6, abs=60_000)


def test_the_clock_wraps_after_32_bits() -> None:
    board = SimulatedBoard(World(8))
    wrap = 2**32 / 1e6
    assert board.controller_time(wrap - 0.001) == pytest.approx(2**32 - 1000, abs=2)
    assert board.controller_time(wrap + 0.001) == pytest.approx(1000, abs=2)


def test_it_answers_identify_and_set() -> None:
    board = SimulatedBoard(World(9))
    boot_id = board.boot_id
    board.advance(1.0)
    board.receive(b"\0" + protocol.encode(protocol.Identify(0)))
    wanted = protocol.Settings(field_deadband=5, holder_deadband=900, shortest_interval=5000)
    board.receive(protocol.encode(protocol.Set(1, wanted)))
    read = messages(board.advance(1.02))
    hello = next(message for message in read if isinstance(message, protocol.Hello))
    report = next(message for message in read if isinstance(message, protocol.SettingsReport))
    assert hello.boot_id == boot_id
    assert report.settings == board.settings == wanted


def test_a_set_with_one_bad_value_changes_nothing() -> None:
    board = SimulatedBoard(World(9))
    board.advance(1.0)
    good = bytearray(protocol.encode(protocol.Set(1, protocol.Settings(field_deadband=9))))
    # made by hand: the codec refuses to send it
    content = cobs.decode(bytes(good[:-1]))[:-2]
    content = content[:-2] + bytes((0, 0))  # longest interval 0
    frame = cobs.encode(content + crc_hqx(content, 0xFFFF).to_bytes(2, "big")) + b"\0"
    board.receive(frame)
    read = messages(board.advance(1.02))
    assert [message.settings for message in read if isinstance(message, protocol.SettingsReport)] == [
        protocol.Settings()
    ]


def test_silence_and_damage_from_the_host_are_flagged() -> None:
    board = SimulatedBoard(World(10), noise=QUIET)
    flags = [protocol.FaultFlag(snapshot.faults) for snapshot in snapshots(board.advance(1.0))]
    assert set(flags) == {protocol.FaultFlag.HOST_SILENT}, "not heard since the reset"
    board.receive(protocol.encode(protocol.Heartbeat(0)))
    assert {snapshot.faults for snapshot in snapshots(board.advance(3.9))[1:]} == {0}
    later = snapshots(board.advance(5.0))
    assert later[-1].faults == protocol.FaultFlag.HOST_SILENT
    first = next(snapshot for snapshot in later if snapshot.faults)
    assert first.time / 1e6 == pytest.approx(4.0, abs=0.003)
    board.receive(b"\x05\x13nonsense\0")
    board.receive(protocol.encode(protocol.Heartbeat(1)))
    flags = [protocol.FaultFlag(snapshot.faults) for snapshot in snapshots(board.advance(5.5))]
    assert flags.count(protocol.FaultFlag.RECEIVE_ERROR) == 1
    assert flags[-1] == protocol.FaultFlag(0)


def told(board: SimulatedBoard, seconds: float) -> list[protocol.RingSignals]:
    read = messages(board.advance(board.now + seconds))
    return [message for message in read if isinstance(message, protocol.RingSignals)]


def test_each_converter_tells_its_signals_once_a_second_and_all_do_when_asked() -> None:
    board = SimulatedBoard(World(11), noise=QUIET)
    board.advance(0.1)
    for _ in range(3):
        board.advance(board.world.drop(RED, Tube.D4))
    board.advance(board.now + 1)
    assert sorted(message.chip for message in told(board, 2.0)) == sorted([*range(8)] * 2)
    board.receive(protocol.encode(protocol.SelfTest(0)))
    answers = told(board, 0.05)
    assert {message.chip for message in answers} == {*range(8)}
    counts = {8 * m.chip + n: signal.counts for m in answers for n, signal in enumerate(m.signals)}
    clear = {bit for bit, each in counts.items() if each is not None and each > 20}
    assert clear == set(board.wiring.ring_bits[Tube.D4][:3])


def test_signals_wait_for_snapshots() -> None:
    """While each scan is sent none are told; afterwards those that were asked for are."""
    board = SimulatedBoard(World(11))
    board.advance(0.2)
    board.receive(protocol.encode(protocol.Set(0, protocol.Settings(field_deadband=0))))
    board.advance(0.3)
    board.receive(protocol.encode(protocol.SelfTest(1)))
    frames = board.advance(1.3)
    assert len(snapshots(frames)) == 400
    assert not [message for message in messages(frames) if isinstance(message, protocol.RingSignals)]
    board.receive(protocol.encode(protocol.Set(2, protocol.Settings())))
    assert {message.chip for message in told(board, 0.1)} == {*range(8)}


def test_thresholds_are_taken_all_or_none_and_last_until_a_reset() -> None:
    board = SimulatedBoard(World(11), noise=QUIET)
    board.advance(0.2)
    wanted = bytes((0, 5, 12, 40, 60, 80, 100, 255))
    board.receive(protocol.encode(protocol.SetThresholds(0, 2, wanted)))
    refused = bytearray(cobs.decode(protocol.encode(protocol.SetThresholds(1, 3, wanted))[:-1])[:-2])
    refused[4] = 4
    board.receive(cobs.encode(bytes(refused) + crc_hqx(bytes(refused), 0xFFFF).to_bytes(2, "big")) + b"\0")
    first, second = [message for message in told(board, 0.05) if message.chip in (2, 3)][:2]
    assert bytes(signal.threshold for signal in first.signals) == wanted
    assert (second.chip, {signal.threshold for signal in second.signals}) == (3, {0})
    board.reset()
    told(board, 0.2)
    assert {signal.threshold for message in told(board, 1.0) for signal in message.signals} == {0}


def test_a_board_without_holders_sends_zeros() -> None:
    board = SimulatedBoard(World(12), holders=False)
    frames = board.advance(0.5) + board.advance(board.world.drop(RED, Tube.D4) + 1)
    hello, *others = messages(frames)
    assert isinstance(hello, protocol.Hello)
    assert hello.holders == 0
    assert {other.holders for other in others if isinstance(other, protocol.Snapshot)} == {(0, 0)}


def test_time_only_runs_forward() -> None:
    board = SimulatedBoard(World(14))
    board.advance(1.0)
    with pytest.raises(WorldError, match="the board is at 1"):
        board.advance(0.9)


def quiet_board(seed: int = 1) -> SimulatedBoard:
    board = SimulatedBoard(World(seed), noise=QUIET)
    board.advance(0.5)
    return board


def latest(board: SimulatedBoard, seconds: float = 0.1) -> protocol.Snapshot:
    decoder = protocol.Decoder()
    read = [message for _, frame in board.advance(board.now + seconds) for message in decoder.feed(frame)]
    return [message for message in read if isinstance(message, protocol.Snapshot)][-1]


def with_fault(board: SimulatedBoard, fault: faults.Fault) -> protocol.Snapshot:
    board.put_fault(fault)
    return latest(board, 0.01)


def test_a_stuck_ring_bit() -> None:
    board = quiet_board()
    bits = board.wiring.ring_bits[Tube.D4]
    assert latest(board).rings == 0
    # a gap: the second level without the first
    assert with_fault(board, faults.RingSensorStuck(Tube.D4, 1, True)).rings == 1 << bits[1]
    board.clear_fault(faults.RingSensorStuck(Tube.D4, 1, True))
    assert latest(board).rings == 0
    board.advance(board.world.drop(Player.RED, Tube.D4))
    board.advance(board.world.drop(Player.RED, Tube.D4))
    assert latest(board).rings == 1 << bits[0] | 1 << bits[1]
    assert with_fault(board, faults.RingSensorStuck(Tube.D4, 0, False)).rings == 1 << bits[1]


def test_an_open_hall_sensor() -> None:
    board = quiet_board()
    before = latest(board).fields
    after = with_fault(board, faults.HallSensorOpen(Tube.C3, 255)).fields
    assert after[Tube.C3] == 255
    assert [n for n in range(len(after)) if after[n] != before[n]] == [Tube.C3]
    assert with_fault(board, faults.HallSensorOpen(None)).fields[protocol.TIMER_FIELD] == 0
    for fault in (faults.HallSensorOpen(Tube.C3, 255), faults.HallSensorOpen(None)):
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
            bad = with_fault(board, faults.SelectLineStuck(line, high))
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
            board.clear_fault(faults.SelectLineStuck(line, high))


def test_a_dead_multiplexer_takes_its_fields_and_its_reference() -> None:
    board = quiet_board()
    good = latest(board)
    bad = with_fault(board, faults.MultiplexerDead(1, 7))
    for place, channel in enumerate(board.wiring.channels):
        assert bad.fields[place] == (7 if channel.mux == 1 else good.fields[place])
    for place, channel in enumerate(board.wiring.references):
        assert bad.references[place] == (7 if channel.mux == 1 else good.references[place])


def test_a_stuck_reference() -> None:
    board = quiet_board()
    assert tuple(latest(board).references) == (64, 128, 191)
    assert tuple(with_fault(board, faults.ReferenceStuck(2, 20)).references) == (64, 128, 20)


def test_a_silent_load_cell_is_flagged_and_keeps_its_last_reading() -> None:
    board = quiet_board()
    before = latest(board).holders
    board.put_fault(faults.LoadCellSilent(Player.RED))
    board.advance(board.world.take_up(Player.RED) + 1)
    after = latest(board)
    assert after.faults & protocol.FaultFlag.HOLDER_RED_SILENT
    assert not after.faults & protocol.FaultFlag.HOLDER_BLACK_SILENT
    assert after.holders == before
    board.clear_fault(faults.LoadCellSilent(Player.RED))
    assert latest(board).holders[0] < before[0] - 4000


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (faults.RingSensorStuck(Tube.A1, 1, True), "A1 has no ring sensor at level 1; allowed are 0 to 0"),
        (faults.ReferenceStuck(3, 0), "there is no reference 3"),
        (faults.SelectLineStuck(4, True), "there is no select line 4"),
        (faults.MultiplexerDead(3), "there is no multiplexer 3"),
    ],
)
def test_a_fault_in_a_part_that_is_not_there_is_refused(fault: faults.Fault, why: str) -> None:
    board = quiet_board()
    with pytest.raises(WorldError, match=why):
        board.put_fault(fault)
    assert board.sensors.faults == ()


def test_a_reset_gives_a_new_boot_id_and_the_settings_of_power_on() -> None:
    board = quiet_board()
    ids = {board.boot_id}
    for cause in (protocol.ResetCause.WATCHDOG, protocol.ResetCause.EXTERNAL, protocol.ResetCause.WATCHDOG):
        board.reset(cause)
        decoder = protocol.Decoder()
        read = [message for _, frame in board.advance(board.now + 0.2) for message in decoder.feed(frame)]
        hello = read[0]
        assert isinstance(hello, protocol.Hello)
        assert (hello.seq, hello.reset_cause, hello.boot_id) == (0, cause, board.boot_id)
        ids.add(hello.boot_id)
    assert len(ids) == 4


NEW = 0x1A2B3C4D


def a_board(board_id: int = 0) -> SimulatedBoard:
    board = SimulatedBoard(World(1))
    board.board_id = board_id
    board.advance(1.0)
    return board


def ids_told(board: SimulatedBoard, until: float) -> list[tuple[float, int]]:
    """The time at which each HELLO left, and the id in it."""
    decoder = protocol.Decoder()
    frames = [(sent, decoder.feed(frame)) for sent, frame in board.advance(until)]
    return [
        (sent, each.board_id) for sent, messages in frames for each in messages if isinstance(each, protocol.Hello)
    ]


def test_it_answers_when_it_is_written_and_keeps_it_over_a_reset() -> None:
    board = a_board()
    board.receive(protocol.encode(protocol.SetBoardId(0, NEW)))
    board.receive(protocol.encode(protocol.Identify(1)))
    (before, after) = ids_told(board, 1.2)
    assert before[1] == 0
    assert after[1] == NEW
    # Six bytes of 3.4 ms at least; 100 ms and the frames under way at most.
    assert 1.0 + 6 * 0.0034 < after[0] <= 1.0 + 0.1 + 103 * 0.00002
    board.reset()
    assert [board_id for _, board_id in ids_told(board, 1.5)] == [NEW]


def test_of_several_the_last_holds_and_each_is_answered() -> None:
    board = a_board()
    board.receive(protocol.encode(protocol.SetBoardId(0, 1)) + protocol.encode(protocol.SetBoardId(1, 2)))
    board.advance(1.01)
    board.receive(protocol.encode(protocol.SetBoardId(2, 3)))
    assert [board_id for _, board_id in ids_told(board, 1.2)] == [3, 3, 3]


@pytest.mark.parametrize("erased", [0, 0xFFFFFFFF])
def test_an_id_that_means_none_is_answered_at_once_and_not_taken(erased: int) -> None:
    board = a_board(7)
    content = b"\x15\0" + erased.to_bytes(4, "little")  # made by hand: the codec refuses to send it
    board.receive(cobs.encode(content + crc_hqx(content, 0xFFFF).to_bytes(2, "big")) + b"\0")
    ((sent, board_id),) = ids_told(board, 1.2)
    assert board_id == board.board_id == 7
    assert sent < 1.02


def test_a_reset_in_the_midst_of_it_leaves_none_and_it_can_be_set_again() -> None:
    board = a_board(7)
    board.receive(protocol.encode(protocol.SetBoardId(0, NEW)))
    board.advance(1.01)
    board.reset()
    assert [board_id for _, board_id in ids_told(board, 1.5)] == [0]
    board.receive(protocol.encode(protocol.SetBoardId(0, NEW)))
    assert [board_id for _, board_id in ids_told(board, 2.0)] == [NEW]
