"""Controller time to host time: never decreasing, never after arrival, and close once the rate is learned."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.board.link_events import WRAP, TimeMap

Delay = Callable[[random.Random], float]


def usb(chance: random.Random) -> float:
    """A bridge: 1 ms at least, 2 ms more on the mean, now and then a stall."""
    return 0.001 + chance.expovariate(500) + (0.08 if chance.random() < 0.01 else 0)


def frames(
    *, seconds: float, interval: float, clock_error: float, delay: Delay, start: int = 0, seed: int = 1
) -> Iterator[tuple[int, float, float]]:
    """(stamp, arrival, true host time) of frames; the host's clock begins at 1000 s.

    ``clock_error``: by how much a controller second is longer than the host's.
    """
    chance = random.Random(seed)
    arrival = 0.0
    true = 0.0
    while true < seconds:
        stamp = (start + round(true / (1 + clock_error) * 1e6)) % WRAP
        # A line delivers in order: a frame never overtakes the one before.
        arrival = max(arrival, true + delay(chance))
        yield stamp, 1000 + arrival, 1000 + true
        true += interval * chance.uniform(0.8, 1.2)


@pytest.mark.parametrize("clock_error", [-0.005, 0.0, 0.005])
@pytest.mark.parametrize("interval", [0.0025, 0.05])
def test_after_ten_seconds_times_are_close(clock_error: float, interval: float) -> None:
    time_map = TimeMap()
    errors = []
    for stamp, arrival, true in frames(
        seconds=40, interval=interval, clock_error=clock_error, delay=usb, start=WRAP - 20_000_000
    ):
        error = time_map.place(stamp, arrival) - true
        if true > 1010:
            errors.append(error)
    # The least delay, 1 ms, cannot be told from an offset. 20 frames a second come within 0.5 ms of it.
    assert min(errors) > 0
    assert max(errors) < 0.001 + 0.002
    assert time_map.rate - 1 == pytest.approx(clock_error, abs=0.0001)
    assert time_map.jumps == 0


@pytest.mark.parametrize("clock_error", [-0.005, 0.005])
def test_from_the_first_frame_on_times_are_within_the_drift_of_two_spans(clock_error: float) -> None:
    time_map = TimeMap()
    for stamp, arrival, true in frames(
        seconds=10, interval=0.01, clock_error=clock_error, delay=lambda chance: 0.001 + chance.expovariate(1000)
    ):
        # The first frame may have been late itself; then 0.5 % of the at most 2.1 s before the rate is known.
        assert -0.0105 < time_map.place(stamp, arrival) - true < 0.006


@given(
    clock_error=st.floats(-0.005, 0.005),
    start=st.integers(0, WRAP - 1),
    seed=st.integers(0, 1 << 32),
    interval=st.sampled_from([0.0025, 0.02, 0.05]),
    worst=st.floats(0, 0.3),
)
def test_times_never_decrease_and_never_lie_after_arrival(
    clock_error: float, start: int, seed: int, interval: float, worst: float
) -> None:
    time_map = TimeMap()
    last = 0.0
    for stamp, arrival, true in frames(
        seconds=200 * interval,
        interval=interval,
        clock_error=clock_error,
        delay=lambda chance: chance.uniform(0, worst),
        start=start,
        seed=seed,
    ):
        placed = time_map.place(stamp, arrival)
        assert last <= placed <= arrival
        # No worse than the first frame's delay allows, and the drift of the time until the rate is known.
        assert placed >= true - 0.01 * 200 * interval - 1e-9
        last = placed
    assert time_map.jumps == 0


@given(st.lists(st.tuples(st.integers(0, WRAP - 1), st.floats(0, 1e4)), max_size=200))
def test_nonsense_stamps_and_arrivals_break_neither(pairs: list[tuple[int, float]]) -> None:
    time_map = TimeMap()
    last = float("-inf")
    latest = float("-inf")
    for stamp, arrival in pairs:
        latest = max(latest, arrival)
        placed = time_map.place(stamp, arrival)
        assert last <= placed <= latest
        last = placed


def test_a_late_first_frame_does_not_spoil_those_after_it() -> None:
    time_map = TimeMap()
    assert time_map.place(0, 100.08) == 100.08
    assert time_map.place(100_000, 100.1) == pytest.approx(100.1)
    assert time_map.place(150_000, 100.17) == pytest.approx(100.15)


def test_after_a_silence_in_which_the_count_may_have_wrapped_it_begins_anew() -> None:
    time_map = TimeMap()
    time_map.place(0, 100.0)
    # 80 minutes later: one wrap and 505 s.
    assert time_map.place(4_800_000_000 % WRAP, 4900.0) == 4900.0
    assert time_map.jumps == 1
