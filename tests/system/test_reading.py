"""Bounded reading: what is no file is refused before it is opened, and nothing beyond the bound is held."""

import io
import os
import socket
from pathlib import Path

import pytest

from tamsk_hw.errors import InputError
from tamsk_hw.system.files import open_file, read_file, read_lines


def refused(path: Path, most: int = 10) -> str:
    with pytest.raises(InputError) as error:
        read_file(path, most)
    return str(error.value)


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    assert read_file(file, 10) == b"0123456789"
    assert refused(file, 9) == "larger than 9 bytes"
    file.write_bytes(bytes(2048))
    assert refused(file, 1024) == "larger than 1 KiB"


def test_what_is_no_file_is_refused_without_being_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
    # Opening a serial line resets its board, and opening a pipe waits.
    monkeypatch.setattr(os, "open", lambda *arguments: pytest.fail(f"{arguments} was opened"))
    assert refused(tmp_path) == "a folder, not a file"
    assert refused(tmp_path / "pipe") == "a pipe, not a file"
    assert refused(tmp_path / "socket") == "a socket, not a file"
    assert refused(Path("/dev/zero")) == "a device, not a file"
    assert refused(Path("/dev/tty")) == "a device, not a file"


def test_a_pipe_that_takes_a_files_place_is_refused_and_does_not_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    before = file.stat()
    file.unlink()
    os.mkfifo(file)
    monkeypatch.setattr(os, "stat", lambda path: before)
    assert refused(file) == "a pipe, not a file"


def test_the_null_device_is_an_empty_file_and_links_are_followed(tmp_path: Path) -> None:
    assert read_file(Path(os.devnull), 10) == b""
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "file").write_bytes(b"x")
    assert read_file(tmp_path / "link", 10) == b"x"


def test_other_failures_are_the_systems(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none", 10)
    assert refused(Path("a\0b")).startswith("no path: ")


def test_a_pipe_is_opened_where_it_may_be_one() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one\ntwo")
    os.close(writing)
    with open_file(Path(f"/dev/fd/{reading}"), pipe=True) as file:
        assert list(read_lines(file, longest=4, most=7)) == [b"one\n", b"two"]
    os.close(reading)
    with pytest.raises(InputError, match="a device, not a file"):
        open_file(Path("/dev/zero"), pipe=True)


class Endless(io.RawIOBase):
    """A line without an end, which counts what was taken of it."""

    taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        buffer[:] = b"x" * len(buffer)
        self.taken += len(buffer)
        return len(buffer)


def test_of_a_line_without_an_end_no_more_than_its_bound_is_read() -> None:
    endless = Endless()
    with pytest.raises(InputError, match=r"^line 1: longer than 64 KiB$"):
        list(read_lines(io.BufferedReader(endless), longest=64 * 1024, most=1 << 30))
    assert endless.taken <= 64 * 1024 + 2 * io.DEFAULT_BUFFER_SIZE


def test_lines_are_bounded_together() -> None:
    lines = read_lines(io.BytesIO(b"abc\n" * 4), longest=4, most=12)
    assert [next(lines) for _ in range(3)] == [b"abc\n"] * 3
    with pytest.raises(InputError, match=r"^line 4: larger than 12 bytes in all$"):
        next(lines)
