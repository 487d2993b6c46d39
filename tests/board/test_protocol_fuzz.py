"""The codec under random messages, random bytes, random damage and random cuts."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.board import protocol
from tamsk_hw.errors import MisuseError

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow

BYTE = st.integers(0, 0xFF)
WORD = st.integers(0, 0xFFFFFFFF)
CHAIN = st.integers(0, (1 << protocol.RING_BITS) - 1)
READING = st.integers(-(1 << 23), (1 << 23) - 1)

SNAPSHOTS = st.builds(
    protocol.Snapshot,
    seq=BYTE,
    time=WORD,
    rings=CHAIN,
    unknown=CHAIN,
    fields=st.binary(min_size=protocol.FIELDS, max_size=protocol.FIELDS),
    references=st.binary(min_size=protocol.REFERENCES, max_size=protocol.REFERENCES),
    holders=st.tuples(READING, READING),
    faults=st.integers(0, 0xFFFF),
)
HELLOS = st.builds(
    protocol.Hello,
    seq=BYTE,
    protocol=st.tuples(BYTE, BYTE),
    firmware=st.tuples(BYTE, BYTE, BYTE),
    board_id=WORD,
    boot_id=WORD,
    reset_cause=st.integers(0, 15).map(protocol.ResetCause),
    wiring_hash=WORD,
    ring_bits=BYTE,
    fields=BYTE,
    references=BYTE,
    holders=BYTE,
    silent_chips=BYTE,
)
SIGNALS = st.builds(
    protocol.RingSignal, mean=st.integers(-32768, 32767), deviation=BYTE, threshold=BYTE, dark=BYTE
)
THRESHOLDS = st.lists(
    st.just(0) | st.integers(5, 255), min_size=protocol.RING_INPUTS, max_size=protocol.RING_INPUTS
).map(bytes)
SETTINGS = st.builds(
    protocol.Settings,
    field_deadband=BYTE,
    holder_deadband=st.integers(0, 65535),
    shortest_interval=st.integers(2500, 50000),
    longest_interval=st.integers(50000, 60000),
)
MESSAGES = st.one_of(
    SNAPSHOTS,
    HELLOS,
    st.builds(protocol.SettingsReport, BYTE, SETTINGS),
    st.builds(protocol.Set, BYTE, SETTINGS),
    st.builds(protocol.RingSignals, BYTE, BYTE, st.tuples(*[SIGNALS] * protocol.RING_INPUTS)),
    st.builds(protocol.SetThresholds, BYTE, st.integers(0, protocol.RING_CHIPS - 1), THRESHOLDS),
    st.builds(protocol.Identify, BYTE),
    st.builds(protocol.SelfTest, BYTE),
    st.builds(protocol.Heartbeat, BYTE),
    st.builds(protocol.SetBoardId, BYTE, st.integers(1, 0xFFFFFFFE)),
)


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    """``data`` in pieces, cut at ``places`` (taken modulo its length)."""
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


@given(messages=st.lists(MESSAGES, max_size=8), places=st.lists(st.integers(0, 2000), max_size=12))
def test_what_is_encoded_is_decoded_however_it_is_cut(messages: list[protocol.Message], places: list[int]) -> None:
    frames = [protocol.encode(message) for message in messages]
    assert all(len(frame) <= protocol.MAX_FRAME and frame.count(0) == 1 and frame[-1] == 0 for frame in frames)
    decoder = protocol.Decoder()
    decoded = [message for piece in cut(b"".join(frames), places) for message in decoder.feed(piece)]
    assert decoded == messages
    counters = decoder.counters
    assert counters.frames == len(messages)
    assert counters.crc_errors == counters.malformed == counters.unknown == counters.misshapen == 0


@given(pieces=st.lists(st.binary(max_size=400), max_size=8), message=MESSAGES)
def test_random_bytes_never_raise_and_the_next_good_frame_is_read(
    pieces: list[bytes], message: protocol.Message
) -> None:
    decoder = protocol.Decoder()
    for piece in pieces:
        decoder.feed(piece)
    # Whatever went before ends at this zero byte, a frame by chance included.
    decoder.feed(b"\0")
    assert decoder.feed(protocol.encode(message)) == [message]


@given(st.binary(max_size=4000), st.integers(1, 300))
def test_random_bytes_are_counted_alike_however_they_are_cut(data: bytes, length: int) -> None:
    whole, pieces = protocol.Decoder(), protocol.Decoder()
    found = whole.feed(data)
    assert [
        message for at in range(0, len(data), length) for message in pieces.feed(data[at : at + length])
    ] == found
    # A frame too long that never ended is counted as soon as it is seen, by both.
    assert pieces.counters == whole.counters


@given(snapshots=st.lists(SNAPSHOTS, min_size=3, max_size=6), data=st.data())
def test_a_burst_of_up_to_16_bits_costs_its_frame_and_no_other(
    snapshots: list[protocol.Snapshot], data: st.DataObject
) -> None:
    # A 16-bit CRC finds every burst of 16 bits that stays within the content of a frame: here two bytes next to
    # each other, neither a COBS code nor the closing zero, and neither becoming a zero byte.
    frames = [protocol.encode(snapshot) for snapshot in snapshots]
    hit = data.draw(st.integers(0, len(frames) - 1))
    frame = bytearray(frames[hit])
    codes = code_places(frames[hit])
    places = [at for at in range(len(frame) - 2) if at not in codes and at + 1 not in codes and frame[at + 1]]
    at = data.draw(st.sampled_from(places)) if places else None
    if at is None:
        return
    first = data.draw(st.integers(1, 255).filter(lambda value: value != frame[at]))
    second = data.draw(st.integers(1, 255))
    frame[at], frame[at + 1] = first, second
    decoder = protocol.Decoder()
    decoded = decoder.feed(b"".join([*frames[:hit], bytes(frame), *frames[hit + 1 :]]))
    assert decoded == snapshots[:hit] + snapshots[hit + 1 :]
    assert decoder.counters.crc_errors == 1


def code_places(frame: bytes) -> set[int]:
    """Where in a frame the COBS codes and the closing zero stand."""
    places = {len(frame) - 1}
    at = 0
    while at < len(frame) - 1:
        places.add(at)
        at += frame[at]
    return places


def test_an_endless_frame_is_not_kept() -> None:
    decoder = protocol.Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x01" * 1000) == []
        assert len(decoder._rest) < protocol.MAX_FRAME
    assert decoder.counters.malformed == 1
    assert decoder.feed(b"\0" + protocol.encode(protocol.Identify(3))) == [protocol.Identify(3)]


def test_restart_forgets_the_unfinished_frame_and_the_seq() -> None:
    decoder = protocol.Decoder()
    frame = protocol.encode(protocol.Heartbeat(7))
    assert decoder.feed(frame + frame[:3]) == [protocol.Heartbeat(7)]
    decoder.restart()
    assert decoder.feed(protocol.encode(protocol.Heartbeat(100))) == [protocol.Heartbeat(100)]
    counters = decoder.counters
    assert (counters.frames, counters.gaps, counters.malformed) == (2, 0, 0)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            protocol.Snapshot(0, 1 << 32, 0, 0, bytes(protocol.FIELDS), bytes(protocol.REFERENCES), (0, 0), 0),
            "Snapshot",
        ),
        (
            protocol.Snapshot(0, 0, 0, 0, bytes(protocol.FIELDS - 1), bytes(protocol.REFERENCES), (0, 0), 0),
            "fields has 37 bytes",
        ),
        (protocol.Snapshot(0, 0, 0, 0, bytes(protocol.FIELDS), bytes(4), (0, 0), 0), "references has 4 bytes"),
        (
            protocol.Snapshot(0, 0, 0, 0, bytes(protocol.FIELDS), bytes(protocol.REFERENCES), (1 << 23, 0), 0),
            "holder reading 8388608",
        ),
        (protocol.SetThresholds(0, 0, bytes(7)), "thresholds has 7 bytes"),
        (protocol.SetThresholds(0, 8, bytes(8)), "chip: 8; allowed are 0 to 7"),
        (
            protocol.SetThresholds(0, 0, bytes((0, 4, 5, 0, 0, 0, 0, 0))),
            "threshold: 4; allowed are 0 and 5 to 255",
        ),
        (
            protocol.Set(0, protocol.Settings(shortest_interval=2499)),
            "shortest_interval: 2499; allowed are 2500 to 50000",
        ),
        (
            protocol.Set(0, protocol.Settings(shortest_interval=9000, longest_interval=8000)),
            "longest_interval: 8000",
        ),
    ],
)
def test_a_message_that_no_frame_can_hold_is_refused(message: protocol.Message, words: str) -> None:
    with pytest.raises(MisuseError, match=words) as caught:
        protocol.encode(message)
    assert "\n" not in str(caught.value)
