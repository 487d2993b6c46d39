"""The emulator's pseudo-terminal as a serial port, in time that moves on command: exact to the byte."""

from __future__ import annotations

import os
import termios
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from tamsk_hw.board.protocol import Decoder, Hello, Identify, ResetCause, Snapshot, encode
from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import SECOND, Emulator, Refused, running
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


def write_as_much_as_it_takes(descriptor: int, data: bytes) -> int:
    os.set_blocking(descriptor, False)
    written = 0
    try:
        while written < len(data):
            written += os.write(descriptor, data[written:])
    except BlockingIOError:
        pass
    return written


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


def test_a_long_run_is_the_same_as_many_short_ones(firmware: Path, emulator_binary: Path, tmp_path: Path) -> None:
    """A run is cut into slices, so that the port is served and a client that goes away ends it."""
    sent = []
    for count in (1, 977):
        folder = tmp_path / str(count)
        folder.mkdir()
        with running(emulator_binary, firmware, folder) as board:
            a_board_at_rest(board)
            for part in range(1, count + 1):
                board.run_to(part * SECOND // count)
            sent.append(board.sent())
    whole, pieces = sent
    assert len(whole) > 19 * 75
    assert whole == pieces


def test_what_was_sent_before_there_was_a_port_is_kept(start: Start, port: Path) -> None:
    emulator = start("uart_flood")
    emulator.run(100 * BYTE)
    emulator.ask(f"pty {port}")
    emulator.run(100 * BYTE)
    numbers = [byte for _, byte in emulator.sent()]
    assert len(numbers) in range(95, 100)
    assert numbers == list(range(len(numbers)))
    assert emulator.sent() == []


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


def test_a_terminal_that_nobody_has_open_loses_everything(start: Start, port: Path) -> None:
    emulator = start("uart_flood")
    emulator.run(1000)
    first = emulator.sent()[0][0]
    emulator.ask(f"pty {port}")
    assert emulator.ask("port") == "closed 0"
    emulator.run(SECOND // 10)
    for _ in range(2):  # the second time, what the first program left unread is lost, too
        with open(port, "rb", buffering=0) as line:
            opened = emulator.time()
            end = emulator.run(SECOND // 2)
            assert line.read(1) == bytes([((opened - first) // BYTE + 1) & 0xFF])
            assert end - opened > 20_000 * BYTE  # more than a terminal holds
        assert emulator.ask("port") == "closed 0"
        emulator.run(SECOND // 10)


def test_the_next_program_finds_the_terminal_raw_again(start: Start, port: Path) -> None:
    emulator = start("uart_echo")
    emulator.ask(f"pty {port}")
    emulator.run(5000)
    with open_port(port) as line:
        settings = termios.tcgetattr(line.fileno())
        settings[0] |= termios.ICRNL
        settings[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(line.fileno(), termios.TCSANOW, settings)
        emulator.run(BYTE)
    emulator.run(BYTE)
    with open(port, "r+b", buffering=0) as plain:
        plain.write(b"\x0c")
        emulator.run(10 * BYTE)
        assert read_all(plain.fileno()) == b"\x0d"
        emulator.run(10 * BYTE)
        assert read_all(plain.fileno()) == b""


def test_a_host_that_writes_too_much_waits(start: Start, port: Path) -> None:
    emulator = start("uart_echo")
    emulator.ask(f"pty {port}")
    emulator.run(5000)
    data = bytes(number * 7 & 0xFF for number in range(2 * QUEUE))
    with open_port(port) as line:
        written, last = 0, -1
        while written != last:  # until the line's queue and the terminal are full
            last = written
            written += write_as_much_as_it_takes(line.fileno(), data[written:])
            emulator.time()
        assert QUEUE < written < len(data)
        heard = b""
        while len(heard) < written:
            emulator.run(10_000 * BYTE)
            piece = read_all(line.fileno())
            assert piece
            heard += piece
    assert heard == bytes((byte + 1) & 0xFF for byte in data[:written])
    assert emulator.check_names() == []


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


def test_a_cable_without_a_port_is_refused(start: Start) -> None:
    emulator = start("uart_echo")
    assert emulator.ask("port") == "none 0"
    for command in ("unplug", "replug"):
        with pytest.raises(Refused, match="there is no port: make one with pty PATH"):
            emulator.ask(command)


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


def test_a_symlink_that_was_left_behind_is_replaced_and_ours_removed(
    firmware: Path, emulator_binary: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    port = folder / "port"
    port.symlink_to(tmp_path / "left-behind-by-a-killed-program")
    with running(emulator_binary, firmware, tmp_path) as board:
        board.ask(f"pty {port}")
        assert os.readlink(port).startswith("/dev/pts/")
        assert os.listdir(folder) == ["port"]
    assert os.listdir(folder) == []


def test_another_boards_symlink_is_left_alone(start: Start, port: Path) -> None:
    first, second = start("uart_echo"), start("uart_flood")
    first.ask(f"pty {port}")
    second.ask(f"pty {port}")
    first.ask("unplug")
    with open_port(port) as line:
        second.run(10 * BYTE)
        assert line.read(1) == b"\x00"
    second.ask("unplug")
    assert not port.is_symlink()


def test_a_name_that_is_taken_is_refused(start: Start, port: Path) -> None:
    emulator = start("uart_echo")
    port.write_text("somebody's file")
    with pytest.raises(Refused, match=r"port: is no symlink; allowed is a name that is free"):
        emulator.ask(f"pty {port}")
    with pytest.raises(Refused, match=r"port cannot be made: No such file"):
        emulator.ask(f"pty {port.parent / 'nowhere' / 'board'}")
    assert port.read_text() == "somebody's file"
    assert emulator.ask("port") == "none 0"
    # a name that is taken while the cable is out
    port.unlink()
    emulator.ask(f"pty {port}")
    emulator.ask("unplug")
    port.write_text("somebody's file")
    with pytest.raises(Refused, match="is no symlink"):
        emulator.ask("replug")
    assert emulator.ask("port") == "unplugged 0"
    port.unlink()
    emulator.ask("replug")
    assert emulator.ask("port") == "closed 0"


@pytest.mark.parametrize("words", ["", "{port} twice", "{port} reset twice"])
def test_a_port_of_other_words_is_refused(start: Start, port: Path, words: str) -> None:
    emulator = start("uart_echo")
    with pytest.raises(Refused, match="pty takes PATH or PATH reset"):
        emulator.ask(f"pty {words.format(port=port)}")
    assert not port.is_symlink()


def test_a_board_has_one_port(start: Start, port: Path) -> None:
    emulator = start("uart_echo")
    emulator.ask(f"pty {port}")
    with pytest.raises(Refused, match="the line ends at a port already"):
        emulator.ask(f"pty {port}2")
