"""Output that nobody reads: real pipes, and nothing that waits for them."""

import os
import re
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tamsk_hw.system.background import BackgroundWriter, write_all
from tamsk_hw.system.output import output_in_background

#: Seconds after which a test fails that waits for a thread.
PATIENCE = 30.0


def left_out(lines: int) -> str:
    return f"<{lines} left out>"


@dataclass
class Pipe:
    """A pipe whose reader reads when the test says so."""

    reader: int
    writer: int

    def read_to_the_end(self) -> str:
        """All that was written, once the writing end is closed."""
        os.close(self.writer)
        with os.fdopen(self.reader, "rb") as stream:
            return stream.read().decode()

    def read_until(self, words: str) -> str:
        """Text written until the words come."""
        read = b""
        while words.encode() not in read:
            read += os.read(self.reader, 4096)
        return read.decode()


@pytest.fixture
def pipe() -> Pipe:
    return Pipe(*os.pipe())


def writer_to(pipe: Pipe, most_waiting: int = 10_000) -> BackgroundWriter:
    def gap(lines: int) -> bytes:
        return f"{left_out(lines)}\n".encode()

    return BackgroundWriter(partial(write_all, pipe.writer), gap, most_waiting=most_waiting)


def test_a_reader_who_does_not_read_stops_nobody_and_misses_whole_lines_which_is_said(pipe: Pipe) -> None:
    writer = writer_to(pipe)
    count = 100_000  # a pipe takes 64 KiB
    for number in range(count):
        writer.write(f"line {number:06}\n".encode())
    writer.write(b"the end\n")
    lines = pipe.read_until("the end\n").splitlines()
    missing, seen = 0, []
    for line in lines[:-1]:
        if gap := re.fullmatch(r"<(\d+) left out>", line):
            missing += int(gap[1])
            seen += [None] * int(gap[1])
        else:
            assert line == f"line {len(seen):06}"
            seen.append(line)
    assert len(seen) == count
    assert missing > 0
    assert seen[-1] is not None  # the newest are kept


def test_a_piece_is_left_out_whole_or_not_at_all(pipe: Pipe) -> None:
    writer = writer_to(pipe, most_waiting=100)
    for number in range(5000):
        writer.write(f"{number}a\n{number}b\n{number}c\n".encode())
    writer.write(b"the end\n")
    lines = [line for line in pipe.read_until("the end\n").splitlines()[:-1] if "left out" not in line]
    assert [line[-1] for line in lines] == ["a", "b", "c"] * (len(lines) // 3)


def test_the_end_waits_for_a_reader_but_not_for_ever(pipe: Pipe) -> None:
    writer = writer_to(pipe, most_waiting=10_000_000)
    writer.write(b"x" * 1_000_000)
    assert not writer.wait_until_written(0.0)
    writer.close(0.01)
    os.close(pipe.reader)


def test_what_cannot_be_written_is_an_error_of_the_next_write(pipe: Pipe) -> None:
    writer = writer_to(pipe)
    os.close(pipe.reader)
    writer.write(b"nobody\n")
    assert writer.wait_until_written(PATIENCE)
    with pytest.raises(BrokenPipeError):
        writer.write(b"is there\n")
    writer.write(b"any more\n")
    with pytest.raises(BrokenPipeError):
        writer.close(PATIENCE)


class Streams:
    """Standard output and error on descriptors of the test's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, out: int, err: int) -> None:
        self._streams = [os.fdopen(os.dup(each), "w", encoding="latin-1") for each in (out, err)]
        monkeypatch.setattr(sys, "stdout", self._streams[0])
        monkeypatch.setattr(sys, "stderr", self._streams[1])

    def close(self) -> None:
        for each in self._streams:
            each.close()


def test_lines_of_both_streams_keep_their_order_where_they_are_one(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = Streams(monkeypatch, pipe.writer, pipe.writer)
    print("before")
    with output_in_background(left_out) as output:
        for number in range(500):
            print("out", number)
            print("err", number, file=sys.stderr)
        assert output.wait_until_read(PATIENCE)
    print("after")
    streams.close()
    between = [f"{name} {number}" for number in range(500) for name in ("out", "err")]
    assert pipe.read_to_the_end().splitlines() == ["before", *between, "after"]


def test_a_stream_that_nobody_reads_holds_up_no_other(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    unread = Pipe(*os.pipe())
    streams = Streams(monkeypatch, unread.writer, pipe.writer)
    with output_in_background(left_out) as output:
        print("x" * 1_000_000)
        print("é", file=sys.stderr, flush=True)
        assert os.read(pipe.reader, 100) == "é\n".encode("latin-1")
        assert not output.wait_until_read(0.0)
        os.close(unread.reader)
        assert output.wait_until_read(PATIENCE)
        with pytest.raises(BrokenPipeError):
            print("nobody is there")
    os.close(unread.writer)
    streams.close()


def test_a_disk_that_takes_nothing_is_an_error_at_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full, (tmp_path / "err").open("w") as err:
        monkeypatch.setattr(sys, "stdout", full)
        monkeypatch.setattr(sys, "stderr", err)
        with pytest.raises(OSError, match="No space left"), output_in_background(left_out):
            print("a score sheet")
