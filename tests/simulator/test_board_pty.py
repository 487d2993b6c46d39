"""The simulated board as a serial port, read with plain pyserial. Simulated time is stepped by the tests."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tamsk_hw.board.protocol import Decoder, Hello, Message, ResetCause, Snapshot
from tamsk_hw.errors import LinkError
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import KEPT_FRAMES, PtyBoard
from tamsk_hw.simulator.world import World


@pytest.fixture
def pty_board(tmp_path: Path) -> Iterator[PtyBoard]:
    with PtyBoard(SimulatedBoard(World(1)), tmp_path / "board") as board:
        yield board


def open_port(board: PtyBoard) -> serial.Serial:
    """As a program would open it; the timeout only ends a test that would never end."""
    return serial.Serial(board.port, 500_000, timeout=10, exclusive=True)


def run(board: PtyBoard, line: serial.Serial, seconds: float, decoder: Decoder) -> list[Message]:
    """Step simulated time by hundredths of a second and read along, all that was sent."""
    messages: list[Message] = []
    end = board.board.now + seconds
    while board.board.now < end:
        before = board.sent
        board.step(board.board.now + 0.01)
        messages += decoder.feed(line.read(board.sent - before))
    return messages


def test_no_byte_comes_back_to_the_board(pty_board: PtyBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal is raw before anybody opens it: no echo, and no byte changed on its way."""
    with open(pty_board.port, "rb", buffering=0) as plain:  # no program sets it raw here
        pty_board.step(0.2)
        data = b""
        while len(data) < pty_board.sent:
            data += plain.read(65536)
    assert data == b"".join(frame for _, frame in SimulatedBoard(World(1)).advance(0.2))
    heard: list[bytes] = []
    monkeypatch.setattr(pty_board.board, "receive", heard.append)
    pty_board.step(0.3)
    assert heard == []


def test_closed_and_opened_again_it_goes_on_with_the_present(pty_board: PtyBoard) -> None:
    for turn in range(3):
        decoder = Decoder()
        with open_port(pty_board) as line:
            messages = run(pty_board, line, 1.0, decoder)
        assert len(messages) > 15
        oldest = next(message for message in messages if isinstance(message, Snapshot))
        # what was sent while nobody listened is lost, as on a real line
        assert oldest.time / 1e6 >= 6.0 * turn - 0.1
        assert decoder.counters.crc_errors == decoder.counters.malformed == 0
        pty_board.step(6.0 * (turn + 1))


def test_who_does_not_read_loses_old_whole_frames(pty_board: PtyBoard) -> None:
    decoder = Decoder()
    with open_port(pty_board) as line:
        for step in range(1, 3000):
            pty_board.step(step * 0.05)  # far more than the line holds
        assert pty_board.dropped > 500
        # read what the line holds, then what the board has kept
        messages = decoder.feed(line.read(pty_board.sent))
        held = pty_board.sent
        pty_board.step(pty_board.board.now)
        messages += decoder.feed(line.read(pty_board.sent - held))
    counters = decoder.counters
    assert (counters.crc_errors, counters.malformed) == (0, 0)
    assert counters.gaps >= 1
    times = [message.time for message in messages if isinstance(message, Snapshot)]
    assert times == sorted(times)
    # the newest are kept: the last is the present one, the ones before it follow closely
    newest = times[-KEPT_FRAMES // 2 :]
    assert newest[-1] / 1e6 == pytest.approx(pty_board.board.now, abs=0.1)
    assert all(later - earlier <= 50_001 for earlier, later in itertools.pairwise(newest))


def test_the_cable_pulled_and_put_back(pty_board: PtyBoard) -> None:
    link, decoder = Path(pty_board.port), Decoder()
    line = open_port(pty_board)
    run(pty_board, line, 0.5, decoder)
    pty_board.unplug()
    assert not link.is_symlink()
    with pytest.raises((serial.SerialException, OSError)):
        line.read(100)
    line.close()
    pty_board.step(3.0)  # the board plays on
    pty_board.replug()
    with open_port(pty_board) as again:
        messages = run(pty_board, again, 0.5, Decoder())
    first = messages[0]
    assert isinstance(first, Snapshot), "no reset: the board has its own supply"
    assert first.time / 1e6 == pytest.approx(3.0, abs=0.1)


def test_opening_resets_a_board_that_does_so(tmp_path: Path) -> None:
    with PtyBoard(SimulatedBoard(World(1)), tmp_path / "board", reset_on_open=True) as board:
        boot_ids = set()
        for _ in range(2):
            board.step(board.board.now + 1.0)
            with open_port(board) as line:
                hello = run(board, line, 0.3, Decoder())[0]
            assert isinstance(hello, Hello)
            assert hello.reset_cause is ResetCause.EXTERNAL
            boot_ids.add(hello.boot_id)
        assert len(boot_ids) == 2


def test_a_link_left_behind_is_made_anew_and_another_boards_is_left_alone(tmp_path: Path) -> None:
    link = tmp_path / "board"
    link.symlink_to(tmp_path / "left-behind-by-a-killed-program")
    first = PtyBoard(SimulatedBoard(World(1)), link)
    assert os.readlink(link).startswith("/dev/pts/")
    second = PtyBoard(SimulatedBoard(World(2)), link)
    first.close()
    assert link.is_symlink()
    second.close()
    second.close()
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    (tmp_path / "board").write_text("somebody's file")
    with pytest.raises(LinkError, match="is no symlink"):
        PtyBoard(SimulatedBoard(World(1)), tmp_path / "board")
    with pytest.raises(LinkError, match="cannot be made"):
        PtyBoard(SimulatedBoard(World(1)), tmp_path / "nowhere" / "board")
    assert (tmp_path / "board").read_text() == "somebody's file"


def test_in_a_thread_it_follows_the_clock(pty_board: PtyBoard) -> None:
    with pytest.raises(LinkError, match="does not run"):
        pty_board.wait_until(1.0)
    ticks = itertools.count()
    pty_board.run_in_thread(lambda: next(ticks) * 0.5)
    with pytest.raises(LinkError, match="already runs"):
        pty_board.run_in_thread(lambda: 0.0)
    pty_board.wait_until(5.0)
    pty_board.stop()
    assert pty_board.board.now >= 5.0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_the_thread_dies_of_is_told(pty_board: PtyBoard) -> None:
    def broken() -> float:
        raise ZeroDivisionError("the clock is broken")

    pty_board.run_in_thread(broken)
    with pytest.raises(LinkError, match="the clock is broken"):
        pty_board.wait_until(1.0)
