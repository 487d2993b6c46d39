"""Bytes from a client cut into lines, however they arrive."""

import pytest

from tamsk_hw.system.line_server import LONGEST_LINE, LineCutter


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_the_same_in_whatever_pieces_they_arrive(size: int) -> None:
    data = b'{"a": 1}\n\n  \n\xff\x00\nlast\nno end'
    cutter = LineCutter()
    found = [line for start in range(0, len(data), size) for line in cutter.feed(data[start : start + size])]
    assert found == [b'{"a": 1}', b"\xff\x00", b"last"]


@pytest.mark.parametrize("size", [1000, LONGEST_LINE, 10 * LONGEST_LINE])
def test_a_line_that_is_too_long_is_passed_over_once(size: int) -> None:
    data = b"first\n" + b"x" * (3 * LONGEST_LINE) + b"\nnext\n"
    cutter = LineCutter()
    found = [line for start in range(0, len(data), size) for line in cutter.feed(data[start : start + size])]
    assert found == [b"first", None, b"next"]


def test_a_line_of_the_greatest_length_is_taken() -> None:
    assert LineCutter().feed(b"x" * LONGEST_LINE + b"\n") == [b"x" * LONGEST_LINE]
