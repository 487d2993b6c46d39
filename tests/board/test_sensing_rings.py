"""Ring counts: the thermometer code, bounce, fingers, light, gaps."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tamsk_hw.game.tubes import CAPACITY, TUBES, End, Tube
from tamsk_hw.referee.events import Fault, Lift, Rings
from tests.board.sensing_board import Board, play, share_at, standing_board, told, unread_of


def test_every_count_of_every_tube() -> None:
    board = standing_board()
    expected = []
    for tube in TUBES:
        for count in [*range(1, CAPACITY[tube] + 1), *reversed(range(CAPACITY[tube]))]:
            board.rings(tube, count)
            expected.append(Rings(board.t + board.period, tube, count))
            board.run(0.1)
    assert board.events == expected


def rings(tube: Tube, count: int) -> Callable[[Board], None]:
    return lambda board: board.rings(tube, count)


def pattern(tube: Tube, bits: int) -> Callable[[Board], None]:
    return lambda board: board.patterns.__setitem__(tube, bits)


def light(tube: Tube, *levels: int) -> Callable[[Board], None]:
    return lambda board: board.unknown.update(board.bits[tube][level - 1] for level in levels)


def unknown(*bits: int) -> Callable[[Board], None]:
    """Light hides just these sensors."""
    return lambda board: setattr(board, "unknown", set(bits))


def silent(*converters: int) -> Callable[[Board], None]:
    """Just these converters do not answer."""
    return lambda board: setattr(board, "silent", set(converters))


STORIES: list[tuple[str, list[float | Callable[[Board], object]], list[str]]] = [
    (
        "half on, it shakes at its sensor",
        [*(pattern(Tube.E4, 1), 0.040, pattern(Tube.E4, 0), 0.040) * 30, 1.0],
        [],
    ),
    (
        "lowered by a slow hand it counts where it comes to rest",
        [
            *(rings(Tube.D4, 1), 0.2, pattern(Tube.D4, 0b1001), 0.25, pattern(Tube.D4, 0b1101), 0.25),
            *(pattern(Tube.D4, 0b0101), 0.25, rings(Tube.D4, 2), 0.2),
        ],
        ["rings D4 1", "rings D4 2"],
    ),
    (
        "a lamp that flickers",
        [*(rings(Tube.C3, 3), light(Tube.C3, 3), 0.01, unknown(), 0.15) * 6, rings(Tube.C3, 0), 1.0],
        [],
    ),
    (
        "light that stays, and the rest of the board plays on",
        [light(Tube.C3, 2), 1.4, rings(Tube.A1, 1), 1.0, unknown(), 3.0],
        ["rings A1 1", "ring light bad", "ring light well"],
    ),
    (
        "converter 7, which has a sensor of D4, does not answer",
        [rings(Tube.D4, 2), 0.2, silent(7), 0.1, rings(Tube.D4, 3), rings(Tube.A1, 1), 10.0, silent(), 3.0],
        ["rings D4 2", "rings A1 1", "ring converters bad", "rings D4 3", "ring converters well"],
    ),
    (
        "light that grows over the whole board",
        [
            *(step for level in range(0, 65, 4) for step in (unknown(*range(level)), 0.5)),
            *(10.0, unknown(), 2.2, rings(Tube.A1, 1), 1.0),
        ],
        [*["ring light bad"] * 5, "ring light well", "rings A1 1"],  # more tubes each time, every 2 s at most
    ),
    (
        "a gap is a fault and no count, and clears with the new count",
        [rings(Tube.D4, 1), 0.2, pattern(Tube.D4, 0b0101), 2.0, rings(Tube.G2, 1), 0.2, rings(Tube.D4, 3), 0.2],
        ["rings D4 1", "ring D4.2 bad", "rings G2 1", "ring D4.2 well", "rings D4 3"],
    ),
    (
        "another gap in the same tube clears the first",
        [pattern(Tube.D4, 0b1011), 2.0, pattern(Tube.D4, 0b1101), 2.0],
        ["ring D4.3 bad", "ring D4.3 well", "ring D4.2 bad"],
    ),
]


@pytest.mark.parametrize(("steps", "events"), [each[1:] for each in STORIES], ids=[each[0] for each in STORIES])
def test_rings_and_light(steps: list[float | Callable[[Board], object]], events: list[str]) -> None:
    assert play(standing_board(), *steps) == events


@pytest.mark.parametrize(("count", "covered"), [(0, False), (2, True), (2, False)])
def test_a_lamp_switched_on_and_off_is_nothing(count: int, covered: bool) -> None:
    board = standing_board()
    board.rings(Tube.D4, count)
    board.run(0.2)
    board.events.clear()
    for _ in range(2):
        for level in range(count + 1 if covered else 1, 5):
            board.light(Tube.D4, level)
        board.run(1.0)
        board.unknown.clear()
        board.run(8.0)
    assert board.events == []


@contextmanager
def lamp(board: Board) -> Iterator[None]:
    """A lamp shines on C3 for half a second, and until what follows was done."""
    board.light(Tube.C3, 1)
    board.run(0.5)
    yield
    board.unknown.clear()


@pytest.mark.parametrize("scans", [1, 8])
def test_a_ring_seen_too_shortly_between_two_lights_was_dropped_since_the_first(scans: int) -> None:
    """A glimpse of a count is neither a count nor a reading (R9.8)."""
    board = standing_board()
    read_last = board.t
    with lamp(board):
        if scans > 1:
            board.rings(Tube.C3, 1)
    board.run(scans * board.period)
    with lamp(board):
        board.rings(Tube.C3, 1)
    board.run(1.0)
    (ring,) = board.events
    assert (ring.count, ring.since) == (1, read_last)


def test_a_ring_dropped_in_light_counts_when_it_is_seen_and_was_dropped_since_the_tube_showed_its_count() -> None:
    board = standing_board()
    for _ in range(2):
        with lamp(board):
            pass
        board.run(0.1)
    read_last = board.t
    with lamp(board):
        board.rings(Tube.C3, 2)
    seen = board.t + board.period
    board.run(1.0)
    assert board.events == [Rings(seen, Tube.C3, 2, since=read_last)]
    board.events.clear()
    board.rings(Tube.C3, 1)
    board.run(0.5)
    board.rings(Tube.C3, 2)
    board.run(1.0)
    assert [event.since for event in board.events] == [None, None], "seen as they came"


def test_a_ring_that_settles_after_a_glass_was_reported_says_when_it_was_seen_first() -> None:
    """It cannot be dated before the report of that glass, but it lay there before (R9.8)."""
    board = standing_board()
    board.sensing.expect_rings({})
    board.run(0.1)
    board.rings(Tube.C3, 1)
    seen_first = board.t + board.period
    board.run(0.1)
    board.clear(Tube.D1)
    board.run(1.0)
    lift, ring = board.events
    assert isinstance(lift, Lift)
    assert (ring.t, ring.since) == (lift.t, pytest.approx(seen_first))


def test_a_ring_dropped_while_frames_were_missed_says_since_when() -> None:
    board = standing_board()
    read_last = board.t
    board.rings(Tube.C3, 1)
    board.t += 0.2
    board.events += board.sensing.feed(board.snapshot(), board.t, missed=True)
    begin = board.t
    board.run(1.0)
    assert board.events == [Rings(begin, Tube.C3, 1, since=read_last)]
    board.t += 0.2
    board.sensing.feed(board.snapshot(), board.t, missed=True)
    board.rings(Tube.B2, 1)
    board.run(1.0)
    assert board.events[1].since is None, "the tube was read when the frames came again"


def test_a_fault_names_the_tubes_whose_rings_cannot_be_read_whenever_they_change() -> None:
    board = standing_board()
    board.period = 0.02
    c3, d4 = board.bits[Tube.C3][1], board.bits[Tube.D4][0]
    for bits in ({c3}, {c3, d4}, {d4}, set()):
        board.unknown = bits
        board.run(8.0)
    board.unknown = {d4}
    board.run(1.0)
    board.unknown = set()
    board.run(8.0)
    assert unread_of(board.events) == [
        ("ring light", {Tube.C3}),
        ("ring light", {Tube.C3, Tube.D4}),
        ("ring light", {Tube.D4}),
        ("ring light", set()),
    ]


def tubes_of(board: Board, converter: int) -> set[Tube]:
    """The tubes with a sensor at a converter."""
    return {tube for tube in TUBES if any(bit // 8 == converter for bit in board.bits[tube])}


def test_a_gap_a_silent_converter_and_a_lamp_are_told_apart() -> None:
    board = standing_board()
    board.patterns[Tube.D3] = 0b101
    board.run(2.0)
    board.light(Tube.D4, 1)
    board.silent = {board.bits[Tube.C3][0] // 8}
    board.run(4.0)
    silent = tubes_of(board, *board.silent)
    assert Tube.D4 not in silent
    assert unread_of(board.events) == [
        ("ring D3.2", {Tube.D3}),
        ("ring converters", silent),
        ("ring light", {Tube.D4}),
    ]


@pytest.mark.parametrize(
    ("ring", "counts", "threshold", "is_told"),
    [
        (True, 64, 0, False),
        (True, 14.5, 0, True),  # 12 counts, and 3 to spare
        (True, 16, 0, False),
        (True, 38, 32, True),  # a calibrated sensor that lost four tenths of its light
        (True, 44, 32, False),
        (False, 11, 0, True),  # dirt before it: nearly a ring
        (False, 8.7, 0, False),  # the most stray light of a sound board
        (False, 4, 5, True),
    ],
)
def test_a_sensor_near_to_its_threshold_is_told_before_it_errs(
    ring: bool, counts: float, threshold: int, is_told: bool
) -> None:
    board = standing_board()
    board.rings(Tube.A1, int(ring))
    board.run(0.5)
    board.events.clear()
    board.period = 0.02
    (bit,) = board.bits[Tube.A1]
    board.counts[bit], board.thresholds[bit] = counts, threshold
    board.run(8.0)
    assert told(board.events) == ["ring signals bad"] * is_told
    assert all("A1.1" in event.detail and not event.unread for event in board.events if isinstance(event, Fault))
    board.counts[bit], board.thresholds[bit] = (64 if ring else 2), 0
    board.run(8.0)
    assert told(board.events) == ["ring signals bad", "ring signals well"] * is_told


def test_after_a_lost_link_the_tubes_that_are_still_blinded_are_named_once() -> None:
    board = standing_board()
    c3, d4 = board.bits[Tube.C3][1], board.bits[Tube.D4][0]
    board.unknown = {c3, d4}
    board.run(8.0)
    board.events.clear()
    board.sensing.link_lost(board.t)
    board.unknown = {d4}
    board.sensing.link_restored(board.t)
    board.run(8.0)
    assert unread_of(board.events) == [("ring light", {Tube.D4})]


def test_a_sensor_that_cannot_decide_for_dust_is_no_light() -> None:
    board = standing_board()
    board.rings(Tube.A1, 1)
    board.run(0.5)
    board.events.clear()
    (bit,) = board.bits[Tube.A1]
    board.unknown, board.bright = {bit}, False
    board.counts[bit], board.thresholds[bit] = 12.5, 0
    board.run(4.0)
    assert unread_of(board.events) == [("ring signals", {Tube.A1})]
    board.unknown = set()
    board.counts[bit] = 60
    board.run(4.0)
    assert unread_of(board.events)[1:] == [("ring signals", set())]


def test_a_ring_does_not_wait_for_ever_for_a_glass_that_never_settles() -> None:
    board = standing_board()
    board.rings(Tube.D1, 1)
    begin = board.t
    while not board.events:
        board.stand(Tube.D1, End.A, share_at(1.5))
        board.run(0.1)
        board.stand(Tube.D1, End.A, share_at(6))
        board.run(0.1)
        assert board.t < begin + 0.6
    assert board.events == [Rings(begin + board.period, Tube.D1, 1)]
