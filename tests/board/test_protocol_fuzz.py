"""The codec under random messages, random bytes, random damage and random cuts."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.board.protocol import (
    FIELDS,
    MAX_FRAME,
    REFERENCES,
    RING_BITS,
    RING_CHIPS,
    RING_INPUTS,
    Decoder,
    Heartbeat,
    Hello,
    Identify,
    Message,
    ResetCause,
    RingSignal,
    RingSignals,
    SelfTest,
    Set,
    SetBoardId,
    SetThresholds,
    Settings,
    SettingsReport,
    Snapshot,
    encode,
)
from tamsk_hw.errors import MisuseError

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow

BYTE = st.integers(0, 0xFF)
WORD = st.integers(0, 0xFFFFFFFF)
CHAIN = st.integers(0, (1 << RING_BITS) - 1)
READING = st.integers(-(1 << 23), (1 << 23) - 1)

SNAPSHOTS = st.builds(
    Snapshot,
    seq=BYTE,
    time=WORD,
    rings=CHAIN,
    unknown=CHAIN,
    fields=st.binary(min_size=FIELDS, max_size=FIELDS),
    references=st.binary(min_size=REFERENCES, max_size=REFERENCES),
    holders=st.tuples(READING, READING),
    faults=st.integers(0, 0xFFFF),
)
HELLOS = st.builds(
    Hello,
    seq=BYTE,
    protocol=st.tuples(BYTE, BYTE),
    firmware=st.tuples(BYTE, BYTE, BYTE),
    board_id=WORD,
    boot_id=WORD,
    reset_cause=st.integers(0, 15).map(ResetCause),
    wiring_hash=WORD,
    ring_bits=BYTE,
    fields=BYTE,
    references=BYTE,
    holders=BYTE,
    silent_chips=BYTE,
)
SIGNALS = st.builds(RingSignal, mean=st.integers(-32768, 32767), deviation=BYTE, threshold=BYTE, dark=BYTE)
THRESHOLDS = st.lists(st.just(0) | st.integers(5, 255), min_size=RING_INPUTS, max_size=RING_INPUTS).map(bytes)
SETTINGS = st.builds(
    Settings,
    field_deadband=BYTE,
    holder_deadband=st.integers(0, 65535),
    shortest_interval=st.integers(2500, 50000),
    longest_interval=st.integers(50000, 60000),
)
MESSAGES = st.one_of(
    SNAPSHOTS,
    HELLOS,
    st.builds(SettingsReport, BYTE, SETTINGS),
    st.builds(Set, BYTE, SETTINGS),
    st.builds(RingSignals, BYTE, BYTE, st.tuples(*[SIGNALS] * RING_INPUTS)),
    st.builds(SetThresholds, BYTE, st.integers(0, RING_CHIPS - 1), THRESHOLDS),
    st.builds(Identify, BYTE),
    st.builds(SelfTest, BYTE),
    st.builds(Heartbeat, BYTE),
    st.builds(SetBoardId, BYTE, st.integers(1, 0xFFFFFFFE)),
)


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    """``data`` in pieces, cut at ``places`` (taken modulo its length)."""
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


@given(messages=st.lists(MESSAGES, max_size=8), places=st.lists(st.integers(0, 2000), max_size=12))
def test_what_is_encoded_is_decoded_however_it_is_cut(messages: list[Message], places: list[int]) -> None:
    frames = [encode(message) for message in messages]
    assert all(len(frame) <= MAX_FRAME and frame.count(0) == 1 and frame[-1] == 0 for frame in frames)
    decoder = Decoder()
    decoded = [message for piece in cut(b"".join(frames), places) for message in decoder.feed(piece)]
    assert decoded == messages
    counters = decoder.counters
    assert counters.frames == len(messages)
    assert counters.crc_errors == counters.malformed == counters.unknown == counters.misshapen == 0


@given(pieces=st.lists(st.binary(max_size=400), max_size=8), message=MESSAGES)
def test_random_bytes_never_raise_and_the_next_good_frame_is_read(pieces: list[bytes], message: Message) -> None:
    decoder = Decoder()
    for piece in pieces:
        decoder.feed(piece)
    # Whatever went before ends at this zero byte, a frame by chance included.
    decoder.feed(b"\0")
    assert decoder.feed(encode(message)) == [message]


@given(st.binary(max_size=4000), st.integers(1, 300))
def test_random_bytes_are_counted_alike_however_they_are_cut(data: bytes, length: int) -> None:
    whole, pieces = Decoder(), Decoder()
    found = whole.feed(data)
    assert [
        message for at in range(0, len(data), length) for message in pieces.feed(data[at : at + length])
    ] == found
    # A frame too long that never ended is counted as soon as it is seen, by both.
    assert pieces.counters == whole.counters


@given(snapshots=st.lists(SNAPSHOTS, min_size=3, max_size=6), data=st.data())
def test_a_burst_of_up_to_16_bits_costs_its_frame_and_no_other(
    snapshots: list[Snapshot], data: st.DataObject
) -> None:
    # A 16-bit CRC finds every burst of 16 bits that stays within the content of a frame: here two bytes next to
    # each other, neither a COBS code nor the closing zero, and neither becoming a zero byte.
    frames = [encode(snapshot) for snapshot in snapshots]
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
    decoder = Decoder()
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
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x01" * 1000) == []
        assert len(decoder._rest) < MAX_FRAME
    assert decoder.counters.malformed == 1
    assert decoder.feed(b"\0" + encode(Identify(3))) == [Identify(3)]


def test_restart_forgets_the_unfinished_frame_and_the_seq() -> None:
    decoder = Decoder()
    frame = encode(Heartbeat(7))
    assert decoder.feed(frame + frame[:3]) == [Heartbeat(7)]
    decoder.restart()
    assert decoder.feed(encode(Heartbeat(100))) == [Heartbeat(100)]
    counters = decoder.counters
    assert (counters.frames, counters.gaps, counters.malformed) == (2, 0, 0)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (Snapshot(0, 1 << 32, 0, 0, bytes(FIELDS), bytes(REFERENCES), (0, 0), 0), "Snapshot"),
        (Snapshot(0, 0, 0, 0, bytes(FIELDS - 1), bytes(REFERENCES), (0, 0), 0), "fields has 37 bytes"),
        (Snapshot(0, 0, 0, 0, bytes(FIELDS), bytes(4), (0, 0), 0), "references has 4 bytes"),
        (Snapshot(0, 0, 0, 0, bytes(FIELDS), bytes(REFERENCES), (1 << 23, 0), 0), "holder reading 8388608"),
        (SetThresholds(0, 0, bytes(7)), "thresholds has 7 bytes"),
        (SetThresholds(0, 8, bytes(8)), "chip: 8; allowed are 0 to 7"),
        (SetThresholds(0, 0, bytes((0, 4, 5, 0, 0, 0, 0, 0))), "threshold: 4; allowed are 0 and 5 to 255"),
        (Set(0, Settings(shortest_interval=2499)), "shortest_interval: 2499; allowed are 2500 to 50000"),
        (Set(0, Settings(shortest_interval=9000, longest_interval=8000)), "longest_interval: 8000"),
    ],
)
def test_a_message_that_no_frame_can_hold_is_refused(message: Message, words: str) -> None:
    with pytest.raises(MisuseError, match=words) as caught:
        encode(message)
    assert "\n" not in str(caught.value)
