"""The link's session in simulated time: bytes and time in, events and bytes out."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.board import link_events
from tamsk_hw.board.protocol import (
    Decoder,
    Heartbeat,
    Hello,
    Identify,
    Message,
    ResetCause,
    RingSignal,
    RingSignals,
    Set,
    SetThresholds,
    Settings,
    Snapshot,
    encode,
)
from tamsk_hw.board.session import LinkSession, SessionState
from tamsk_hw.words.hardware import link_words

HASH = 0x12345678
HELLO = Hello(0, (2, 0), (0, 1, 0), 0x2A, 7, ResetCause.EXTERNAL, HASH)


def snapshot(seq: int, time: int) -> Snapshot:
    return Snapshot(seq & 0xFF, time % (1 << 32), 0, 0, b"\x80" * 38, b"\x40\x80\xc0", (0, 0), 0)


def sent(session: LinkSession) -> list[Message]:
    """Messages that the session wants written."""
    return Decoder().feed(session.take_outgoing())


def connected(
    *, thresholds: Sequence[bytes] | None = None, board_id: int | None = None, hello: Hello = HELLO
) -> LinkSession:
    """A session that has been connected at 10.0 and has had its first words taken."""
    session = LinkSession(HASH, thresholds=thresholds, board_id=board_id)
    session.opened(10.0)
    assert session.receive(encode(hello), 10.0) == [link_events.Connected(10.0, hello, False)]
    session.advance(10.0)
    session.take_outgoing()
    return session


def test_it_asks_at_once_and_again_until_a_hello_comes() -> None:
    session = LinkSession(HASH)
    assert session.take_outgoing() == b""
    assert session.next_wakeup() == float("inf")
    session.opened(10.0)
    first = session.take_outgoing()
    assert first.startswith(b"\0")
    assert Decoder().feed(first) == [Identify(0)]
    assert session.next_wakeup() == 10.5
    session.advance(10.4)
    assert session.take_outgoing() == b""
    session.advance(10.5)
    assert sent(session) == [Identify(1)]
    assert session.state is SessionState.WAITING
    assert session.receive(encode(HELLO), 10.6) == [link_events.Connected(10.6, HELLO, False)]
    assert session.state is SessionState.CONNECTED


def test_snapshots_come_with_host_time() -> None:
    session = connected()
    first, second = snapshot(1, 1_000_000), snapshot(2, 1_050_000)
    assert session.receive(encode(first), 10.02) == [link_events.SnapshotArrived(10.02, 10.02, first)]
    # 50 ms later by the controller's clock, but it arrives 3 ms late.
    (event,) = session.receive(encode(second), 10.073)
    assert isinstance(event, link_events.SnapshotArrived)
    assert event.time == pytest.approx(10.07)
    assert event.arrival == 10.073
    assert session.statistics.delay == pytest.approx(0.003)
    assert session.statistics.snapshots == 2


def test_a_heartbeat_goes_out_every_second() -> None:
    session = connected()
    beats = []
    for step in range(100):
        now = 10.0 + step * 0.05
        session.receive(encode(snapshot(step + 1, step * 50_000)), now)
        session.advance(now)
        beats += [now for message in sent(session) if isinstance(message, Heartbeat)]
    assert beats == pytest.approx([11, 12, 13, 14], abs=0.051)


@pytest.mark.parametrize("lost_before", [False, True], ids=["opened", "lost"])
def test_snapshots_without_a_hello_draw_no_more_than_two_requests_a_second(lost_before: bool) -> None:
    """PROTOCOL.md section 7: IDENTIFY every 0.5 s, however many snapshots come; the first of them may bring one
    at once.
    """
    session = connected() if lost_before else LinkSession(HASH)
    if lost_before:
        assert [type(event) for event in session.advance(20.0)] == [link_events.Lost]
    else:
        session.opened(20.0)
    asked = [20.0] * sum(isinstance(message, Identify) for message in sent(session))
    for step in range(1, 4000):
        now = 20.0 + step * 0.0025
        # The first one after a HELLO is missing.
        assert session.receive(encode(snapshot(step + 1, step * 2500)), now) == []
        session.advance(now)
        asked += [now for message in sent(session) if isinstance(message, Identify)]
    assert asked[:2] == pytest.approx([20.0, 20.05])
    pauses = [later - sooner for sooner, later in pairwise(asked[1:])]
    assert all(pause == pytest.approx(0.5, abs=0.003) for pause in pauses)
    assert len(pauses) == 19
    assert session.statistics.snapshots == 0


def test_silence_loses_the_link_and_a_hello_restores_it() -> None:
    session = connected()
    session.receive(encode(snapshot(1, 0)), 10.2)
    assert session.next_wakeup() == pytest.approx(10.7)
    assert session.advance(10.69) == []
    (lost,) = session.advance(10.7)
    assert isinstance(lost, link_events.Lost)
    assert (lost.time, lost.last_heard) == (10.7, 10.2)
    assert lost.reason == link_events.BoardSilent(pytest.approx(0.5))
    assert session.advance(10.8) == []
    assert Identify in map(type, sent(session))
    # Snapshots alone do not make a connection.
    assert session.receive(encode(snapshot(9, 2_000_000)), 12.0) == []
    again = replace(HELLO, seq=10)
    assert session.receive(encode(again), 12.1) == [link_events.Connected(12.1, again, False)]
    statistics = session.statistics
    assert (statistics.connections, statistics.board_resets) == (2, 0)


@pytest.mark.parametrize(
    ("seq", "reason"),
    [(77, link_events.FramesMissed(pytest.approx(4.85))), (3, link_events.BoardSilent(pytest.approx(4.85)))],
    ids=["frames are missing", "the board itself paused"],
)
def test_a_hole_in_the_board_s_time_is_a_lost_link_though_no_silence_was_heard(
    seq: int, reason: link_events.FramesMissed | link_events.BoardSilent
) -> None:
    """This program stood still for 5 s, and its port kept the first bytes only."""
    session = connected()
    session.receive(encode(snapshot(1, 0)), 10.0)
    kept, newest = snapshot(2, 50_000), snapshot(seq, 4_900_000)
    before, lost, restored, after = session.receive(encode(kept) + encode(newest), 14.9)
    assert before == link_events.SnapshotArrived(pytest.approx(10.05), 14.9, kept)
    assert lost == link_events.Lost(pytest.approx(10.05), reason, pytest.approx(10.05))
    assert restored == link_events.Connected(pytest.approx(14.9), HELLO, False)
    assert after == link_events.SnapshotArrived(pytest.approx(14.9), 14.9, newest, missed=True)
    assert session.advance(14.9) == []
    assert session.state is SessionState.CONNECTED


def test_a_late_reader_who_missed_nothing_has_lost_nothing() -> None:
    session = connected()
    frames = [snapshot(number + 1, number * 50_000) for number in range(99)]
    events = session.receive(b"".join(map(encode, frames)), 15.0)
    assert session.advance(15.0) == []
    assert [type(event) for event in events] == [link_events.SnapshotArrived] * 99
    assert not any(event.missed for event in events if isinstance(event, link_events.SnapshotArrived))


def test_a_hole_that_is_no_longer_than_a_short_silence_is_none() -> None:
    session = connected()
    session.receive(encode(snapshot(1, 0)), 10.0)
    (after,) = session.receive(encode(snapshot(9, 450_000)), 10.45)
    assert isinstance(after, link_events.SnapshotArrived)
    assert after.missed


def test_damaged_frames_and_an_echo_of_our_own_words_are_nobody() -> None:
    session = LinkSession(HASH)
    session.opened(10.0)
    assert session.receive(session.take_outgoing(), 10.1) == []
    assert session.last_heard == float("-inf")
    session = connected()
    bad = bytearray(encode(snapshot(1, 0)))
    bad[30] ^= 1
    for step in range(1, 6):
        assert session.receive(bytes(bad) + encode(Set(9, Settings())), 10 + step * 0.09) == []
    assert [type(event) for event in session.advance(10.5)] == [link_events.Lost]
    assert session.statistics.crc_errors == 5


def test_a_new_boot_id_is_a_normal_reset() -> None:
    session = connected()
    for step in range(1, 5):
        session.receive(encode(snapshot(step, step * 50_000)), 10 + step * 0.05)
    restarted = replace(HELLO, boot_id=8, reset_cause=ResetCause.WATCHDOG)
    assert session.receive(encode(restarted), 10.4) == [link_events.Connected(10.4, restarted, True)]
    # 50 ms after the last stamp, as if the count went on, and 210 ms by the host's clock.
    fresh = snapshot(1, 250_000)
    assert session.receive(encode(fresh), 10.41) == [link_events.SnapshotArrived(10.41, 10.41, fresh, missed=True)]
    session.advance(10.41)
    statistics = session.statistics
    assert (statistics.board_resets, statistics.connections, statistics.gaps) == (1, 1, 0)


def test_a_reset_whose_hello_was_lost_is_asked_about() -> None:
    session = connected()
    session.receive(encode(snapshot(1, 3_000_000_000)), 10.05)
    session.take_outgoing()
    (event,) = session.receive(encode(snapshot(1, 2_500)), 10.1)
    assert isinstance(event, link_events.SnapshotArrived)
    assert event.time == 10.1
    assert Identify in map(type, sent(session))
    assert session.statistics.time_jumps == 1


@pytest.mark.parametrize(
    ("hello", "words"),
    [
        (replace(HELLO, protocol=(3, 0)), ("protocol 3.0", "2.0", "flash")),
        (replace(HELLO, wiring_hash=0xABCDEF01), ("abcdef01", "12345678", "flash", "map")),
        (replace(HELLO, ring_bits=32), ("32 ring sensors", "64")),
        (replace(HELLO, fields=20), ("20 fields", "38")),
        (replace(HELLO, board_id=0x2B), ("0000002b", "board.board_id")),
    ],
)
def test_a_board_that_does_not_fit_is_refused_with_what_to_do(hello: Hello, words: tuple[str, ...]) -> None:
    session = LinkSession(HASH, thresholds=[bytes(8)] * 8, board_id=HELLO.board_id)
    session.opened(10.0)
    session.take_outgoing()
    (refused,) = session.receive(encode(hello), 10.1)
    assert isinstance(refused, link_events.Refused)
    line = link_words(refused.reason)
    assert "\n" not in line
    assert "0000002a" in line
    for word in words:
        assert word in line
    # Said once; snapshots are not used; nothing but the question is written.
    assert session.receive(encode(replace(hello, seq=1)) + encode(snapshot(2, 0)), 10.2) == []
    for step in range(10):
        session.advance(10.2 + step)
    assert {type(message) for message in sent(session)} == {Identify}
    # Flashed anew, it is welcome, with a later minor version, too.
    fits = replace(HELLO, boot_id=99, protocol=(2, 7))
    assert session.receive(encode(fits), 21.0) == [link_events.Connected(21.0, fits, False)]


def test_a_wrong_board_in_the_place_of_a_good_one() -> None:
    session = connected()
    events = session.receive(encode(replace(HELLO, wiring_hash=1, boot_id=3)), 10.2)
    assert [type(event) for event in events] == [link_events.Lost, link_events.Refused]


def told(chip: int, thresholds: bytes) -> bytes:
    """A converter's signals, with these thresholds, as the board sends them."""
    return encode(RingSignals(1, chip, tuple(RingSignal(640, 8, threshold, 3) for threshold in thresholds)))


def test_thresholds_are_sent_wherever_the_board_tells_of_others() -> None:
    """PROTOCOL.md section 5.6: after a reset the board has none, and its answer is such a telling, too."""
    wanted = [bytes([chip + 10] * 8) for chip in range(8)]
    session = connected(thresholds=wanted)
    for chip in (0, 7, 0):
        (event,) = session.receive(told(chip, bytes(8)), 10.1)
        assert isinstance(event, link_events.SignalsArrived)
        assert [(each.chip, each.thresholds) for each in sent(session) if isinstance(each, SetThresholds)] == [
            (chip, wanted[chip])
        ]
        session.receive(told(chip, wanted[chip]), 10.2)
        assert sent(session) == []
    # A converter that no board has, and a session that was given no thresholds.
    session.receive(told(200, bytes(8)), 10.3)
    assert sent(session) == []
    session = connected()
    assert len(session.receive(told(3, wanted[3]), 10.1)) == 1
    assert sent(session) == []


PULLED = link_events.PortFailed("/dev/ttyUSB0", link_events.PortTrouble.UNPLUGGED, "")


def test_closing_loses_a_connected_link_alone_and_the_frame_that_it_cut() -> None:
    session = connected()
    session.receive(encode(snapshot(200, 0))[:30], 10.1)
    assert session.closed(10.2, PULLED) == [link_events.Lost(10.2, PULLED, 10.0)]
    assert session.closed(10.3, link_events.PortClosed()) == []
    assert session.next_wakeup() == float("inf")
    session.advance(20.0)
    assert session.take_outgoing() == b""
    session.opened(21.0)
    hello = replace(HELLO, seq=250)
    assert session.receive(encode(hello), 21.1) == [link_events.Connected(21.1, hello, False)]
    statistics = session.statistics
    assert (statistics.opens, statistics.connections, statistics.malformed, statistics.gaps) == (2, 2, 0, 0)


@given(
    pieces=st.lists(
        st.one_of(
            st.binary(max_size=200),
            st.builds(encode, st.builds(snapshot, st.integers(0, 255), st.integers(0, (1 << 32) - 1))),
            st.sampled_from(
                [encode(HELLO), encode(replace(HELLO, boot_id=8)), encode(replace(HELLO, wiring_hash=0))]
            ),
            st.builds(told, st.integers(0, 255), st.binary(min_size=8, max_size=8)),
        ),
        max_size=30,
    ),
    steps=st.lists(st.floats(0, 2), min_size=30, max_size=30),
)
def test_nothing_that_comes_raises_and_times_keep_their_order(pieces: list[bytes], steps: list[float]) -> None:
    session = LinkSession(HASH, thresholds=[bytes([7] * 8)] * 8)
    session.opened(0.0)
    now, last = 0.0, float("-inf")
    usable = False
    for piece, step in zip(pieces, steps, strict=False):
        now += step
        for event in session.receive(piece, now) + session.advance(now):
            match event:
                case link_events.Connected():
                    usable = True
                case link_events.Lost():
                    assert usable
                    usable = False
                case link_events.SnapshotArrived():
                    assert usable
                    assert last <= event.time <= event.arrival == now
                    last = event.time
        # Waking up when told to is never in the past for long: what was due has been done.
        assert session.next_wakeup() > now
        assert all(not isinstance(message, SetThresholds) or usable for message in sent(session))
