"""The emulator's pseudo-terminal as a serial port, in time that moves on command: exact to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from tamsk_hw.board.protocol import Decoder, Hello, Identify, ResetCause, Snapshot, encode
from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import SECOND, Emulator, running
from tests.firmware.emulator.host_side import a_board_at_rest, open_port

BYTE = 320  # cycles at 500 000 baud
QUEUE = 65536  # bytes that wait for the line to the controller, and for a reader that is behind


@pytest.fixture
def board(firmware: Path, emulator_binary: Path, tmp_path: Path) -> Iterator[Emulator]:
    """The real firmware on a board at rest."""
    with running(emulator_binary, firmware, tmp_path) as emulator:
        a_board_at_rest(emulator)
        yield emulator


@pytest.fixture
def port(tmp_path: Path) -> Path:
    return tmp_path / "port"


def read_all(descriptor: int) -> bytes:
    """Bytes there, without waiting for more. Linux hands on what it holds before it says that there is none."""
    os.set_blocking(descriptor, False)
    data = b""
    try:
        while piece := os.read(descriptor, 65536):
            data += piece
    except BlockingIOError:
        pass
    return data


# ---- the bytes


def test_every_byte_goes_both_ways_unchanged_and_none_comes_back(start: Start, port: Path) -> None:
    emulator = start("uart_echo")
    emulator.ask(f"pty {port}")
    emulator.run(5000)
    sent = bytes(range(256))
    with open(port, "r+b", buffering=0) as line:  # no program sets it raw here
        assert line.write(sent) == len(sent)
        emulator.run(300 * BYTE)
        heard = read_all(line.fileno())
    assert heard == bytes((byte + 1) & 0xFF for byte in sent)
    assert emulator.check_names() == []


def test_host_bytes_are_on_the_line_from_the_cycle_that_it_is(start: Start, port: Path) -> None:
    over_the_socket, over_the_port = (start("uart_receive", DIVISOR=3, LATE=0) for _ in range(2))
    over_the_socket.run(1000)
    over_the_socket.send(b"\x5a")
    over_the_socket.run(1000)
    over_the_port.ask(f"pty {port}")
    over_the_port.run(1000)
    with open_port(port) as line:
        line.write(b"\x5a")
        over_the_port.run(1000)
    marks = over_the_socket.marks()
    assert [value for _, value in marks] == [0xAA, 0x00, 0x5A]
    assert over_the_port.marks() == marks


def played(board: Emulator, line: serial.Serial | None) -> bytes:
    """Rings come and go, the host asks who is there; what the controller says."""
    heard = b""
    for step in range(60):
        if step % 20 == 5:
            board.ask(f"reflect {step} 300")
        if step % 20 == 9:
            board.ask(f"reflect {step - 4} 9")
        if step % 20 == 15:
            question = b"\0" + encode(Identify(step))
            if line is None:
                board.send(question)
            else:
                line.write(question)
        board.run(SECOND // 100 + step)
        if line is None:
            heard += bytes(byte for _, byte in board.sent())
        else:
            assert board.sent() == []
            heard += read_all(line.fileno())
    return heard


def test_in_stepped_time_the_ports_bytes_are_those_of_sent(
    firmware: Path, emulator_binary: Path, tmp_path: Path, port: Path
) -> None:
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    with running(emulator_binary, firmware, tmp_path / "without") as board:
        a_board_at_rest(board)
        expected = played(board, None)
        end = board.time()
    with running(emulator_binary, firmware, tmp_path / "with") as board:
        a_board_at_rest(board)
        board.ask(f"pty {port}")
        with open_port(port) as line:
            heard = played(board, line)
        assert board.time() == end
    messages = Decoder().feed(expected)
    assert len([message for message in messages if isinstance(message, Hello)]) == 4
    rings = {message.rings for message in messages if isinstance(message, Snapshot)}
    assert rings == {0, 1 << 5, 1 << 25, 1 << 45}
    assert heard == expected


# ---- readers


def test_who_does_not_read_loses_whole_oldest_bytes(start: Start, port: Path) -> None:
    emulator = start("uart_flood")
    emulator.run(1000)
    first = emulator.sent()[0][0]
    emulator.ask(f"pty {port}")
    with open_port(port) as line:
        begin = emulator.time()
        end = emulator.run(150_000 * BYTE)
        state, lost = emulator.ask("port").split()
        heard = b""
        while piece := read_all(line.fileno()):
            heard += piece
            emulator.time()  # it gives what it has kept as soon as there is room; at the latest now
    sent = (end - first) // BYTE - (begin - first) // BYTE
    assert state == "open"
    assert int(lost) == sent - len(heard)
    assert int(lost) > 50_000
    # what the terminal took, and behind the gap the newest that were kept
    left_out = [(after - before - 1) & 0xFF for before, after in pairwise(heard)]
    assert any(left_out[: len(heard) - QUEUE])
    assert not any(left_out[len(heard) - QUEUE :])
    assert sum(left_out) & 0xFF == int(lost) & 0xFF
    assert heard[-1] == ((end - first) // BYTE) & 0xFF


# ---- the cable


def test_the_cable_pulled_and_put_back(board: Emulator, port: Path) -> None:
    board.ask(f"pty {port}")
    line = open_port(port)
    board.run(SECOND // 2)
    board.ask("unplug")
    board.ask("unplug")
    assert not port.is_symlink()
    assert board.ask("port") == "unplugged 0"
    with pytest.raises((serial.SerialException, OSError)):
        line.read(2 * QUEUE)
    line.close()
    board.run(2 * SECOND)  # the board runs on
    assert board.sent() == []
    board.ask("replug")
    board.ask("replug")
    with open_port(port) as line:
        board.run(SECOND // 2)
        messages = Decoder().feed(read_all(line.fileno()))
    snapshots = [message for message in messages if isinstance(message, Snapshot)]
    assert snapshots == messages, "no reset: the board has its own supply"
    assert snapshots[0].time in range(2_500_000, 2_550_000)  # what was sent meanwhile is lost
    assert snapshots[-1].time in range(2_950_000, 3_000_000)


def hellos(board: Emulator, port: Path) -> list[Hello]:
    """Open the port for half a second, without a word."""
    with open_port(port) as line:
        board.run(SECOND // 2)
        messages = Decoder().feed(read_all(line.fileno()))
    assert board.ask("port") == "closed 0"
    return [message for message in messages if isinstance(message, Hello)]


def test_opening_resets_a_board_that_was_made_so(board: Emulator, port: Path) -> None:
    board.ask(f"pty {port} reset")
    board.run(SECOND // 2)
    heard = [hellos(board, port) for _ in range(3)]
    assert [len(each) for each in heard] == [1, 1, 1]
    assert len({hello.boot_id for (hello,) in heard}) == 3
    assert all(ResetCause.EXTERNAL in hello.reset_cause for (hello,) in heard)


def test_opening_resets_no_other_board(board: Emulator, port: Path) -> None:
    board.ask(f"pty {port}")
    board.run(SECOND // 2)
    assert [hellos(board, port) for _ in range(2)] == [[], []]


# ---- its name
