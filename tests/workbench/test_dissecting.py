"""Bytes taken apart: the golden streams' counters, and the bytes of what was damaged."""

import pytest

from tamsk_hw.board.protocol import Snapshot
from tamsk_hw.workbench.frames import DAMAGES, Damaged, Dissector, Missing, Piece
from tests.workbench.golden_bytes import FRAMES, STREAMS, stream


def taken_apart(*chunks: bytes) -> list[Piece]:
    dissector = Dissector()
    pieces = [piece for chunk in chunks for piece in dissector.feed(chunk)]
    return [*pieces, *dissector.restart()]


def in_bytes(data: bytes) -> list[bytes]:
    return [data[place : place + 1] for place in range(len(data))]


@pytest.mark.parametrize("name", STREAMS)
def test_each_thing_counted_is_told_once(name: str) -> None:
    pieces = taken_apart(stream(name))
    expected = STREAMS[name]["counters"]
    for counter, (why, _) in DAMAGES.items():
        assert sum(isinstance(each, Damaged) and each.why == why for each in pieces) == expected[counter]
    missing = [each.count for each in pieces if isinstance(each, Missing)]
    assert (len(missing), sum(missing)) == (expected["gaps"], expected["missing"])
    messages = [each for each in pieces if not isinstance(each, Damaged | Missing)]
    assert len(messages) == len(STREAMS[name]["messages"])


@pytest.mark.parametrize("name", STREAMS)
def test_how_the_bytes_are_cut_up_makes_no_difference(name: str) -> None:
    data = stream(name)
    assert taken_apart(*in_bytes(data)) == taken_apart(data)


def test_a_damaged_frame_is_given_with_its_bytes_and_no_others() -> None:
    good = FRAMES["settings"]
    wrong = bytes([good[0], good[1], good[2], good[3] ^ 0x10, *good[4:]])
    before, damaged, after = taken_apart(FRAMES["heartbeat"] + wrong + FRAMES["heartbeat"])[:3]
    assert damaged == Damaged("crc_error", wrong[:-1])
    assert type(before) is not Damaged
    assert type(after) is not Damaged


def test_what_is_too_long_is_told_at_once_by_its_beginning() -> None:
    dissector = Dissector()
    endless = bytes([1, 2, 3]) * 40
    assert list(dissector.feed(endless)) == [Damaged("malformed", endless[:90], cut=True)]
    assert list(dissector.feed(endless)) == []
    (after,) = dissector.feed(b"\x07\0" + FRAMES["snapshot_1"])
    assert isinstance(after, Snapshot)


def test_missing_frames_come_before_the_one_that_tells_of_them() -> None:
    first, missing, second = taken_apart(stream("frames missing"))
    assert isinstance(first, Snapshot)
    assert missing == Missing(2)
    assert isinstance(second, Snapshot)


def test_what_has_no_end_is_unfinished() -> None:
    assert taken_apart(FRAMES["heartbeat"], b"\x05\x02")[-1] == Damaged("unfinished", b"\x05\x02")


def test_a_line_opened_anew_joins_no_halves() -> None:
    frame = FRAMES["snapshot_1"]
    dissector = Dissector()
    assert list(dissector.feed(frame[:20])) == []
    assert list(dissector.restart()) == [Damaged("unfinished", frame[:20])]
    (message,) = dissector.feed(frame)
    assert isinstance(message, Snapshot)
