"""Bytes from a client cut into lines, however they arrive."""

import asyncio

import pytest

from tamsk_hw.system.line_server import LONGEST_LINE, cut_lines


def lines_of(data: bytes, size: int) -> list[bytes | None]:
    """The lines of ``data`` that arrives in pieces of this size."""

    async def cut(incoming: asyncio.StreamReader) -> list[bytes | None]:
        return [line async for line in cut_lines(incoming)]

    async def arrive() -> list[bytes | None]:
        incoming = asyncio.StreamReader(LONGEST_LINE)
        cutting = asyncio.create_task(cut(incoming))
        for start in range(0, len(data), size):
            incoming.feed_data(data[start : start + size])
            await asyncio.sleep(0)
        incoming.feed_eof()
        return await cutting

    return asyncio.run(arrive())


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_the_same_in_whatever_pieces_they_arrive(size: int) -> None:
    data = b'{"a": 1}\n\n  \n\xff\x00\nlast\nno end'
    assert lines_of(data, size) == [b'{"a": 1}', b"\xff\x00", b"last"]


@pytest.mark.parametrize("size", [1000, LONGEST_LINE, 10 * LONGEST_LINE])
def test_a_line_that_is_too_long_is_passed_over_once(size: int) -> None:
    data = b"first\n" + b"x" * (3 * LONGEST_LINE) + b"\nnext\n"
    assert lines_of(data, size) == [b"first", None, b"next"]


def test_a_line_of_the_greatest_length_is_taken() -> None:
    assert lines_of(b"x" * LONGEST_LINE + b"\n", 1 << 20) == [b"x" * LONGEST_LINE]
