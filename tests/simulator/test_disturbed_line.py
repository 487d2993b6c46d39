"""A disturbed line and a host that stands still: what arrives, and when."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from tamsk_hw.board.protocol import Identify, encode
from tests.disturbances.line import (
    Arrival,
    DelayedFrames,
    DoubledFrames,
    FlippedBits,
    Flood,
    Hiccups,
    LineDisturbance,
    LostFrames,
)
from tests.disturbances.stalls import Stalls

#: 20 frames a second, as a board at rest sends them, for 100 s.
FRAMES: list[Arrival] = [(0.05 * number, encode(Identify(number & 0xFF))) for number in range(2000)]


def carried(disturbance: LineDisturbance, step: float = 0.37) -> list[Arrival]:
    """All frames, in steps of time, and what is still under way at the end."""
    out: list[Arrival] = []
    t, left = 0.0, list(FRAMES)
    while left:
        t += step
        sent = [frame for frame in left if frame[0] <= t]
        left = left[len(sent) :]
        out += disturbance.carry(sent, t)
    return out + disturbance.carry([], t + 1000.0)


MAKERS: list[Callable[[int], LineDisturbance]] = [
    lambda seed: LostFrames(0.2, seed),
    lambda seed: FlippedBits(0.2, seed),
    lambda seed: FlippedBits(0.0, seed, rate=0.001),
    lambda seed: DoubledFrames(0.2, seed),
    lambda seed: DelayedFrames(0.06, seed),
    lambda seed: Hiccups(0.1, seed),
    lambda seed: Flood(100.0, seed, end=99.0),
]


@pytest.mark.parametrize("make", MAKERS)
def test_the_seed_decides_and_not_the_steps_of_time(make: Callable[[int], LineDisturbance]) -> None:
    assert carried(make(1)) == carried(make(1), step=0.011) != carried(make(2))


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_frames_are_lost(share: float) -> None:
    left = carried(LostFrames(share, 1))
    assert len(left) == pytest.approx(2000 * (1 - share), abs=60)
    assert set(left) <= set(FRAMES)


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_a_bit_is_flipped(share: float) -> None:
    flips = [
        flipped(was, frame) for (_, was), (_, frame) in zip(FRAMES, carried(FlippedBits(share, 1)), strict=True)
    ]
    assert set(flips) <= {0, 1}
    assert sum(flips) == pytest.approx(2000 * share, abs=60)


def flipped(was: bytes, frame: bytes) -> int:
    """The number of bits that differ."""
    return (int.from_bytes(was, "big") ^ int.from_bytes(frame, "big")).bit_count()


def test_frames_come_twice() -> None:
    doubled = carried(DoubledFrames(0.3, 1))
    assert len(doubled) == pytest.approx(2600, abs=60)
    assert list(dict.fromkeys(doubled)) == FRAMES
    assert sum(first == second for first, second in pairwise(doubled)) == len(doubled) - 2000


def test_frames_are_late_in_order() -> None:
    late = carried(DelayedFrames(0.06, 1))
    assert [frame for _, frame in late] == [frame for _, frame in FRAMES]
    assert [t for t, _ in late] == sorted(t for t, _ in late)
    delays = [t - sent for (t, _), (sent, _) in zip(late, FRAMES, strict=True)]
    assert min(delays) >= 0.0
    # those that wait for the one before them are later than by their own delay
    assert 0.06 < sum(delays) / len(delays) < 0.12


def test_a_host_that_stands_still() -> None:
    stalls = Stalls(0.5, 1, every=2.0)
    times = [0.01 * step for step in range(20_000)]
    runs = [stalls.runs_at(t) for t in times]
    stands = [(t, at) for t, at in zip(times, runs, strict=True) if at != t]
    assert all(0 < at - t <= 0.5 for t, at in stands)
    assert len(stands) / len(times) == pytest.approx(0.5 / 2.5, rel=0.3)
    assert [at for at in runs if at < 10.0] == [
        at for at in map(Stalls(0.5, 1, every=2.0).runs_at, times) if at < 10.0
    ]
    assert all(Stalls(0.0, 1).runs_at(t) == t for t in times[:1000])
