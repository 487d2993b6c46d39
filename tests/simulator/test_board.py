"""The simulated controller: what it sends, when, what it does for the host, and faults of its parts."""

import itertools

import pytest
from cobs import cobs

from tamsk_hw.board import protocol
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator import faults
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.sensors import QUIET, Noise
from tamsk_hw.simulator.things import FIRST_PLACE
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World
from tests.disturbances.board import DisturbedBoard
from tests.firmware.core_program import frame_of

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
        while (begin := board.now) < t:
            sent = board.advance(min(t, begin + step))
            times = [begin, *(left for left, _ in sent), board.now]
            assert times == sorted(times), "frames leave in order, and when they are due"
            frames.extend(sent)

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


def test_a_slow_lift_is_sent_to_its_end() -> None:
    """A hand that lifts slowly changes the field by less than the deadband from one snapshot to the next."""
    for seed, tube in enumerate([Tube.D1, Tube.G4, Tube.A4] * 3):
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
    for seed in range(8):
        board = SimulatedBoard(World(seed), noise=Noise(weak_ring_sensors=0))
        board.advance(0.3 + seed * 0.0041)
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


def test_the_same_seed_gives_the_same_bytes_however_time_is_walked_through() -> None:
    whole = some_turns(SimulatedBoard(World(4)), 100.0)
    assert len(whole) > 600
    assert some_turns(SimulatedBoard(World(4)), 0.0019) == whole
    assert some_turns(SimulatedBoard(World(5)), 100.0) != whole


def test_the_controllers_clock_runs_at_its_own_rate_from_the_reset_on() -> None:
    board = DisturbedBoard(World(7), clock_rate=1.005)
    boot_id = board.boot_id
    first = snapshots(board.advance(100.0))[-1]
    assert first.time == pytest.approx(100.0 * 1.005e6, abs=60_000)
    board.reset()
    again = messages(board.advance(100.6))
    assert isinstance(again[0], protocol.Hello)
    assert (again[0].seq, again[0].reset_cause) == (0, protocol.ResetCause.EXTERNAL)
    assert again[0].boot_id == board.boot_id != boot_id
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


def content_of(frame: bytes) -> bytes:
    return cobs.decode(frame[:-1])[:-2]


def test_a_set_with_one_bad_value_changes_nothing() -> None:
    board = SimulatedBoard(World(9))
    board.advance(1.0)
    good = content_of(protocol.encode(protocol.Set(1, protocol.Settings(field_deadband=9))))
    board.receive(frame_of(good[:-2] + bytes((0, 0))))  # longest interval 0
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
    good = content_of(protocol.encode(protocol.SetThresholds(1, 3, wanted)))
    board.receive(frame_of(good[:4] + b"\4" + good[5:]))
    first, second = [message for message in told(board, 0.05) if message.chip in (2, 3)][:2]
    assert bytes(signal.threshold for signal in first.signals) == wanted
    assert (second.chip, {signal.threshold for signal in second.signals}) == (3, {0})
    board.reset()
    told(board, 0.2)
    assert {signal.threshold for message in told(board, 1.0) for signal in message.signals} == {0}


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


def with_fault(board: SimulatedBoard, fault: faults.BrokenPart) -> protocol.Snapshot:
    board.put_fault(fault)
    return latest(board, 0.01)


def test_a_stuck_ring_bit() -> None:
    board = quiet_board()
    bits = board.wiring.ring_bits[Tube.D4]
    assert latest(board).rings == 0
    # a gap: the second level without the first
    assert with_fault(board, faults.fault_of("ring D4.2 1")).rings == 1 << bits[1]
    board.clear_fault(faults.fault_of("ring D4.2 1"))
    assert latest(board).rings == 0
    board.advance(board.world.drop(Player.RED, Tube.D4))
    board.advance(board.world.drop(Player.RED, Tube.D4))
    assert latest(board).rings == 1 << bits[0] | 1 << bits[1]
    assert with_fault(board, faults.fault_of("ring D4.1 0")).rings == 1 << bits[1]


SECOND_MULTIPLEXER = [place for place, channel in load_wiring().inputs.items() if channel.mux == 1]


@pytest.mark.parametrize(
    ("words", "broken", "reads"),
    [
        ("glass C3 255", [Tube.C3], 255),
        ("timer 0", [protocol.TIMER_FIELD], 0),
        ("reference 3 20", [protocol.FIELDS + 2], 20),
        ("mux 1 7", SECOND_MULTIPLEXER, 7),
    ],
)
def test_a_broken_part_reads_what_it_is_stuck_at_until_it_is_mended(
    words: str, broken: list[int], reads: int
) -> None:
    board, fault = quiet_board(), faults.fault_of(words)
    good = analog(latest(board))
    bad = analog(with_fault(board, fault))
    assert {place: now for place, now in enumerate(bad) if now != good[place]} == dict.fromkeys(broken, reads)
    board.clear_fault(fault)
    assert analog(latest(board)) == good


def analog(snapshot: protocol.Snapshot) -> bytes:
    """The fields, then the references."""
    return bytes(snapshot.fields) + bytes(snapshot.references)


def test_a_silent_load_cell_is_flagged_and_keeps_its_last_reading() -> None:
    board = quiet_board()
    before = latest(board).holders
    board.put_fault(faults.fault_of("holder red"))
    board.advance(board.world.take_up(Player.RED) + 1)
    after = latest(board)
    assert after.faults & protocol.FaultFlag.HOLDER_RED_SILENT
    assert not after.faults & protocol.FaultFlag.HOLDER_BLACK_SILENT
    assert after.holders == before
    board.clear_fault(faults.fault_of("holder red"))
    assert latest(board).holders[0] < before[0] - 4000


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


def test_an_id_that_means_none_is_answered_at_once_and_not_taken() -> None:
    board = a_board(7)
    board.receive(frame_of(b"\x15\0" + bytes(4)))
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
