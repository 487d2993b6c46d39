"""Frames that are lost or come more than once: what a session makes of them, and when it says so."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tamsk_hw.board import protocol
from tamsk_hw.board.link_events import Connected, LineQuality, LinkEvent, Lost, SnapshotArrived
from tamsk_hw.board.session import LinkSession
from tests.board.test_link_session import HASH, HELLO
from tests.board.test_link_session import snapshot as stamped
from tests.firmware.core_program import frame_of


def snapshot(number: int) -> protocol.Snapshot:
    """The board's frame of this number: one every 50 ms."""
    return stamped(number, number * 50_000)


def connected() -> LinkSession:
    session = LinkSession(HASH)
    session.opened(0.0)
    session.receive(protocol.encode(HELLO), 0.0)
    return session


def heard(session: LinkSession, frames: Iterator[tuple[float, bytes]]) -> list[LinkEvent]:
    """The events of frames, each with its time of arrival."""
    events: list[LinkEvent] = []
    for now, data in frames:
        events += session.receive(data, now)
        events += session.advance(now)
    return events


def sent(seconds: float, *, first: int = 1) -> Iterator[tuple[float, bytes]]:
    for number in range(first, first + round(seconds / 0.05)):
        yield number * 0.05, protocol.encode(snapshot(number))


def qualities(events: list[LinkEvent]) -> list[LineQuality]:
    return [event for event in events if isinstance(event, LineQuality)]


@pytest.mark.parametrize("copies", [2, 3])
def test_a_frame_that_comes_again_is_taken_once_hides_no_gap_and_is_spoken_of(copies: int) -> None:
    session = connected()
    events = heard(session, ((now, data) for now, data in sent(15.0) for _ in range(copies)))
    arrived = [event for event in events if isinstance(event, SnapshotArrived)]
    assert [event.snapshot.seq for event in arrived] == [number & 0xFF for number in range(1, 301)]
    assert not any(event.missed for event in arrived)
    (bad,) = qualities(events)
    assert bad.doubled == pytest.approx(1 - 1 / copies, abs=0.05)
    assert (bad.bad, bad.lost) == (True, 0.0)
    statistics = session.statistics
    assert (statistics.gaps, statistics.missing, statistics.doubled) == (0, 0, 300 * (copies - 1))


def test_old_frames_that_come_again_later_are_no_news() -> None:
    session = connected()
    frames = list(sent(1.0))
    stale = frames[5:9]
    events = heard(session, iter([*frames, *[(1.0, data) for _, data in stale], *sent(1.0, first=21)]))
    arrived = [event for event in events if isinstance(event, SnapshotArrived)]
    assert [event.snapshot.seq for event in arrived] == list(range(1, 41))
    assert not any(event.missed for event in arrived)


def test_a_hello_hides_no_gap() -> None:
    session = connected()
    session.receive(protocol.encode(snapshot(1)), 0.05)
    session.receive(protocol.encode(replace(HELLO, seq=4)), 0.2)
    (arrived,) = session.receive(protocol.encode(snapshot(5)), 0.25)
    assert isinstance(arrived, SnapshotArrived)
    assert arrived.missed
    (arrived,) = session.receive(protocol.encode(snapshot(6)), 0.3)
    assert isinstance(arrived, SnapshotArrived)
    assert not arrived.missed


def test_a_line_held_up_for_too_long_goes_on_without_a_hello() -> None:
    """All that the board sent meanwhile comes at once, with the times at which it was so."""
    session = connected()
    heard(session, sent(1.0))
    frames = [protocol.encode(snapshot(number)) for number in range(21, 40)]
    (lost,) = session.advance(1.9)
    assert isinstance(lost, Lost)
    events = session.receive(b"".join(frames), 1.95)
    assert isinstance(events[0], Connected)
    arrived = [event for event in events if isinstance(event, SnapshotArrived)]
    assert [event.time for event in arrived] == pytest.approx([number * 0.05 for number in range(21, 40)])
    assert not any(event.missed for event in arrived)


@pytest.mark.parametrize("first", [22, 1], ids=["a frame is missing", "the board was reset"])
def test_a_board_that_does_not_go_on_where_it_stopped_must_say_hello(first: int) -> None:
    session = connected()
    heard(session, sent(1.0))
    session.advance(1.9)
    assert session.receive(protocol.encode(snapshot(first)) + protocol.encode(snapshot(first + 1)), 1.95) == []


def test_frames_missed_in_one_pause_of_the_computer_are_no_bad_line() -> None:
    session = connected()
    frames = list(sent(20.0))
    assert qualities(heard(session, iter([*frames[:100], *frames[220:]]))) == []
    assert session.statistics.missing == 120


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_a_line_that_loses_frames_is_bad_within_seconds_and_well_when_it_is(share: float) -> None:
    session = connected()
    draw = random.Random(f"{share}")
    lossy = ((now, data) for now, data in sent(20.0) if draw.random() >= share)
    (bad,) = qualities(heard(session, lossy))
    assert bad.bad
    assert bad.time <= 12.0
    assert bad.lost == pytest.approx(share, abs=0.12)
    assert (bad.damaged, bad.doubled) == (0.0, 0.0)
    (well,) = qualities(heard(session, sent(20.0, first=401)))
    assert not well.bad
    assert 20.0 < well.time <= 30.0


def test_damaged_frames_are_told_from_those_that_never_came() -> None:
    session = connected()
    frames = (
        (now, data if number % 4 else bytes([data[0], data[1] ^ 0x10]) + data[2:])
        for number, (now, data) in enumerate(sent(10.0))
    )
    (bad,) = qualities(heard(session, frames))
    assert bad.bad
    assert bad.damaged == pytest.approx(0.25, abs=0.1)


def test_frames_of_all_types_are_counted_as_doubled_and_what_the_line_echoes_is_not_the_board_s() -> None:
    session = connected()
    settings = protocol.encode(protocol.SettingsReport(2, protocol.Settings()))
    for data in (
        protocol.encode(snapshot(1)),
        settings * 2,
        protocol.encode(protocol.Heartbeat(77)) + protocol.encode(protocol.Identify(78)),
        protocol.encode(snapshot(3)) + protocol.encode(snapshot(1)),
        settings,
        protocol.encode(snapshot(5)),
    ):
        session.receive(data, 1.0)
    statistics = session.statistics
    assert (statistics.gaps, statistics.missing, statistics.doubled) == (1, 1, 3)


def test_a_frame_that_cannot_be_read_hides_no_gap() -> None:
    """A later minor version's type: frames missing before it are missing before the next snapshot."""
    session = connected()
    session.receive(protocol.encode(snapshot(1)), 1.0)
    (arrived,) = session.receive(frame_of(bytes((0x0F, 4))) + protocol.encode(snapshot(5)), 1.1)
    assert isinstance(arrived, SnapshotArrived)
    assert arrived.missed
    assert (session.statistics.gaps, session.statistics.missing) == (1, 2)
