"""The serial line on a real pty: opening, losing, opening anew, never blocking. Host time is made up."""

import fcntl
import os
import pty
import select
import termios
import tty
from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import monotonic

import pytest
import serial

from tamsk_hw.board.link_events import (
    Connected,
    LinkEvent,
    Lost,
    NoAnswer,
    PortFailed,
    PortNotOpened,
    PortTrouble,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol import Decoder, Heartbeat, Identify, Message, encode
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.words.hardware import link_words
from tests.board.test_link_session import HASH, HELLO, snapshot


class Board:
    """The far end of a pty, with a symlink to its near end as a stable name."""

    def __init__(self, link: Path) -> None:
        self.far, near = pty.openpty()
        # Raw from the beginning: what waits to be read must not be echoed or cooked.
        tty.setraw(near)
        self.name = os.ttyname(near)
        # Kept open, so that the pty lives on while the host closes and opens it.
        self.near = near
        link.unlink(missing_ok=True)
        link.symlink_to(self.name)
        self.decoder = Decoder()
        self.plugged = True

    def say(self, *messages: Message) -> int:
        """Write messages to the line; how many bytes they are."""
        return self.write(b"".join(map(encode, messages)))

    def write(self, data: bytes) -> int:
        assert os.write(self.far, data) == len(data)
        return len(data)

    def hear(self) -> list[Message]:
        """Bytes that the host wrote since the last time."""
        heard: list[Message] = []
        while select.select([self.far], [], [], 0)[0]:
            heard += self.decoder.feed(os.read(self.far, 4096))
        return heard

    def unplug(self) -> None:
        if self.plugged:
            os.close(self.near)
            os.close(self.far)
            self.plugged = False


def wait_for(link: SerialLink, length: int = 1) -> None:
    """Wait until ``length`` bytes lie on the line: what is written at the far end takes a moment to come."""
    descriptor = link.fileno()
    assert descriptor is not None
    waiting = array("i", [0])
    deadline = monotonic() + 30
    while waiting[0] < length:
        readable, _, _ = select.select([descriptor], [], [], max(0, deadline - monotonic()))
        assert readable, "nothing arrived"
        try:
            fcntl.ioctl(descriptor, termios.FIONREAD, waiting)
        except OSError:
            # The far end is closed.
            break


def heard_by(link: SerialLink, now: float, length: int = 1) -> list[LinkEvent]:
    """Poll once ``length`` bytes lie on the line."""
    wait_for(link, length)
    return link.poll(now)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "board"


@pytest.fixture
def board(path: Path) -> Iterator[Board]:
    made = Board(path)
    yield made
    made.unplug()


@pytest.fixture
def link(path: Path) -> Iterator[SerialLink]:
    made = SerialLink(path, HASH)
    yield made
    made.close()


def connect(link: SerialLink, board: Board, now: float) -> None:
    assert link.poll(now) == []
    assert link.fileno() is not None
    length = board.say(HELLO)
    assert heard_by(link, now, length) == [Connected(now, HELLO, False)]
    assert link.connected


def test_it_opens_asks_connects_and_reads(link: SerialLink, board: Board) -> None:
    assert link.fileno() is None
    assert link.next_wakeup(10.0) == 10.0
    assert link.poll(10.0) == []
    assert board.hear() == [Identify(0)]
    length = board.say(HELLO, snapshot(1, 1000))
    assert heard_by(link, 10.1, length) == [
        Connected(10.1, HELLO, False),
        SnapshotArrived(10.1, 10.1, snapshot(1, 1000)),
    ]
    assert board.hear() == [Heartbeat(1)]
    assert link.poll(10.15) == []
    assert link.next_wakeup(10.15) == pytest.approx(10.6)
    assert link.statistics.opens == 1


def test_nobody_else_gets_the_port(link: SerialLink, board: Board, path: Path) -> None:
    connect(link, board, 10.0)
    with pytest.raises(serial.SerialException, match="exclusively lock"):
        serial.Serial(str(path), 500_000, exclusive=True)
    second = SerialLink(path, HASH)
    (event,) = second.poll(10.0)
    assert isinstance(event, Unreachable)
    assert link_words(event.reason) == f"{path}: in use by another program: end the other program"
    second.close()
    link.close()
    assert link.poll(11.0) == []
    assert link.next_wakeup(11.0) == float("inf")
    third = SerialLink(path, HASH)
    assert third.poll(12.0) == []
    assert third.fileno() is not None
    third.close()


def test_a_missing_port_is_tried_for_ever_ever_more_seldom(link: SerialLink, path: Path) -> None:
    tried = []
    now = 0.0
    events: list[LinkEvent] = []
    for _ in range(12):
        tried.append(now)
        events += link.poll(now)
        # Too early a call does not try.
        assert link.poll(now) == []
        now = link.next_wakeup(now)
    waits = [later - earlier for earlier, later in pairwise(tried)]
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 2, 2, 2, 2, 2, 2])
    # Said once.
    assert events == [Unreachable(0.0, PortNotOpened(str(path), PortTrouble.MISSING, "no such file or directory"))]
    board = Board(path)
    connect(link, board, now)
    # A link that was connected is tried anew at once.
    board.unplug()
    assert [type(event) for event in link.poll(now)] == [Lost]
    assert link.next_wakeup(now) == pytest.approx(now + 0.1)


def test_a_port_that_opens_but_dies_is_tried_ever_more_seldom(link: SerialLink, path: Path) -> None:
    now = 0.0
    waits = []
    for _ in range(4):
        board = Board(path)
        assert link.poll(now) == []
        assert link.fileno() is not None
        assert link.poll(now) == []
        board.unplug()
        assert link.poll(now) == []
        assert link.fileno() is None
        waits.append(link.next_wakeup(now) - now)
        now = link.next_wakeup(now)
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8])


def test_unplugged_and_plugged_in_again_under_another_name(link: SerialLink, board: Board, path: Path) -> None:
    connect(link, board, 10.0)
    assert len(heard_by(link, 10.1, board.say(snapshot(1, 1000)))) == 1
    # A second pty exists before the first goes, so that it has another name.
    other = Board(path.with_name("other"))
    assert other.name != board.name
    board.unplug()
    (lost,) = link.poll(10.2)
    assert isinstance(lost, Lost)
    assert lost.last_heard == 10.1
    assert isinstance(lost.reason, PortFailed)
    assert lost.reason.port == str(path)
    assert link.fileno() is None
    path.unlink()
    path.symlink_to(other.name)
    due = link.next_wakeup(10.2)
    assert due == pytest.approx(10.3)
    assert link.poll(due) == []
    restarted = replace(HELLO, boot_id=8)
    length = other.say(restarted)
    assert heard_by(link, due, length) == [Connected(due, restarted, True)]
    statistics = link.statistics
    assert (statistics.opens, statistics.connections, statistics.board_resets) == (2, 2, 1)
    other.unplug()


@pytest.mark.parametrize(
    ("talk", "heard"),
    [
        (b"", False),
        (b"start\r\nMarlin 2.1\r\n\0" * 40, False),
        (bytes(4000), False),
        (encode(Identify(0)) * 40, False),
        (encode(snapshot(1, 0)) * 40, True),
    ],
    ids=["silent", "marlin", "zeros", "echo", "no HELLO"],
)
def test_a_port_on_which_no_board_answers_is_reported_once(
    link: SerialLink, board: Board, talk: bytes, heard: bool
) -> None:
    now, events = 0.0, link.poll(0.0)
    if talk:
        wait_for(link, board.write(talk))
    while now < 3600:
        events += link.poll(now)
        now = link.next_wakeup(now)
    assert events == [Unreachable(5.0, NoAnswer(5.0, len(talk), heard))]
    # A board that is there at last is connected, whenever it comes.
    length = board.say(replace(HELLO, seq=7))
    while not events or not isinstance(events[-1], Connected):
        if link.fileno() is not None:
            wait_for(link, length)
        events += link.poll(now)
        now = link.next_wakeup(now)


def test_a_port_that_stays_silent_is_opened_more_and_more_rarely(link: SerialLink, board: Board) -> None:
    opened, now = [], 0.0
    while now < 3600:
        before = link.statistics.opens
        link.poll(now)
        opened += [now] * (link.statistics.opens - before)
        now = link.next_wakeup(now)
    waits = [later - earlier for earlier, later in pairwise(opened)]
    assert waits[:7] == pytest.approx([5, 10, 20, 40, 80, 160, 300], abs=2.1)
    assert waits[7:] == pytest.approx([300] * len(waits[7:]), abs=2.1)
    # Once a board has been heard, its next silence is short again.
    while link.fileno() is None:
        now = link.next_wakeup(now)
        link.poll(now)
    heard_by(link, now, board.say(HELLO))
    began = now
    while link.fileno() is not None:
        now = link.next_wakeup(now)
        link.poll(now)
    assert now - began == pytest.approx(5.0)


def test_another_silent_device_is_reported_again(link: SerialLink, board: Board, path: Path) -> None:
    def silences(now: float, until: float) -> list[float]:
        found = []
        while now < until:
            found += [each.time for each in link.poll(now) if isinstance(each, Unreachable)]
            now = link.next_wakeup(now)
        return found

    assert silences(0.0, 100.0) == [5.0]
    board.unplug()
    other = Board(path)
    (said,) = silences(100.0, 200.0)
    assert said == pytest.approx(105.0, abs=2.1)
    other.unplug()


def test_a_port_that_takes_nothing_does_not_block_and_reading_goes_on(link: SerialLink, board: Board) -> None:
    connect(link, board, 0.0)
    # Nobody reads at the far end, and the line is full.
    link_descriptor = link.fileno()
    assert link_descriptor is not None
    filler = b"\x01" * 4096
    while True:
        try:
            os.write(link_descriptor, filler)
        except BlockingIOError:
            break
    for step in range(1, 400):
        now = step * 0.4
        heard_by(link, now, board.say(replace(HELLO, seq=step & 0xFF)))
        link.session.set_board_id(step)
        link.poll(now)
        assert len(link._unsent) < 1100
    assert link.connected


def test_whatever_lies_at_the_path_is_refused_in_words(tmp_path: Path) -> None:
    plain = tmp_path / "file"
    plain.write_bytes(b"not a port")
    for place in (plain, tmp_path):
        link = SerialLink(place, HASH)
        (event,) = link.poll(0.0)
        assert isinstance(event, Unreachable)
        words = link_words(event.reason)
        assert words.startswith(f"{place}: ")
        assert "\n" not in words
        link.close()
    assert plain.read_bytes() == b"not a port"


def test_a_host_that_is_behind_takes_the_newest(path: Path, board: Board) -> None:
    link = SerialLink(path, HASH, backlog=5)
    connect(link, board, 10.0)
    length = board.say(*(snapshot(step, step * 2500) for step in range(1, 31)))
    events = heard_by(link, 10.1, length)
    assert [event.snapshot.seq for event in events if isinstance(event, SnapshotArrived)] == [26, 27, 28, 29, 30]
    assert link.statistics.skipped == 25
    assert link.statistics.snapshots == 30
    link.close()


def test_noise_on_the_line_costs_nothing_but_itself(link: SerialLink, board: Board) -> None:
    connect(link, board, 10.0)
    frame = encode(snapshot(1, 0))
    assert heard_by(link, 10.1, board.write(frame[:30])) == []
    # What a line that is not raw would eat or answer to: flow control, interrupt, end of file, line ends.
    noise = b"\xff\x11\x13\x03\x04\x7f\x1a\n\r\x00"
    events = heard_by(link, 10.2, board.write(frame[30:] + noise + encode(snapshot(2, 2500))))
    assert [event.snapshot.seq for event in events if isinstance(event, SnapshotArrived)] == [1, 2]
    assert link.statistics.malformed == 1


def test_frames_that_come_after_the_look_at_the_clock_are_not_read_before_the_next(
    link: SerialLink, board: Board
) -> None:
    """The program is stopped for 5 s between its look at the clock and its poll; the board sends on."""
    connect(link, board, 10.0)
    wait_for(link, board.say(snapshot(1, 0)))
    link.listen()
    length = board.say(snapshot(2, 5_000_000))
    early = link.poll(10.0)
    assert not any(isinstance(event, SnapshotArrived) and event.snapshot.seq == 2 for event in early)
    wait_for(link, length)
    link.listen()
    late = link.poll(15.0)
    times = [event.time for event in [*early, *late] if isinstance(event, SnapshotArrived)]
    assert times[-1] == 15.0
