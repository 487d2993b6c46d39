"""A program that comes back tells of the board only what has changed since it was last reported."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.tubes import CAPACITY, TUBES, End, Tube
from tamsk_hw.referee.events import (
    RING_LIGHT,
    Event,
    Fault,
    Lift,
    Link,
    LinkState,
    Rings,
    Seat,
    SensorId,
    Tilt,
    TimerLifted,
    TimerSeated,
)
from tests.board.sensing_board import LEANING, TIMER, Board, play, told, wired
from tests.board.test_sensing_properties import PERIOD, _without_time, actions, world_of
from tests.soak import in_soak

WAIT = 1.5


LEAN = (Tube.A4, Tube.C4, Tube.E4)


def told_before() -> Board:
    """A reported board: glasses on D1 and D7 (end A) and G4 (B), leaning on A4, C4 and E4, 2 rings, the timer."""
    board = Board()
    for tube in (Tube.D1, Tube.D7, *LEAN):
        board.stand(tube)
    board.stand(Tube.G4, End.B)
    board.stand(TIMER, End.B)
    board.rings(Tube.D4, 2)
    board.run(0.4)
    for tube in LEAN:
        board.stand(tube, End.A, LEANING[8])
    board.run(0.4)
    return board


def begin_again(board: Board, before: Sequence[Event] | None = None, *, holders: bool = False) -> None:
    """The program ends and begins again; the board knows nothing of that."""
    board.sensing = Sensing(wired(board.bits), board.calibration, SensingSettings(), holders)
    board.sensing.restore(board.events if before is None else before)
    board.events.clear()


def last_words(events: Sequence[Event]) -> dict[object, object]:
    """The last report of glasses (the end that stands, None for what leans), timer, and rings above 0."""
    known: dict[object, object] = {}
    for event in events:
        match event:
            case Seat(_, tube, end):
                known["glass", tube] = end
            case Tilt(_, tube):
                known["glass", tube] = None
            case Lift(_, tube):
                del known["glass", tube]
            case TimerSeated(_, end):
                known["timer"] = end
            case TimerLifted():
                del known["timer"]
            case Rings(_, tube, count):
                known["rings", tube] = count
            case Fault(_, sensor, _, cleared):
                known[sensor] = not cleared
    return {key: value for key, value in known.items() if value not in (0, False)}


# What the first snapshots tell


def test_just_what_changed_while_nobody_looked_is_told() -> None:
    """Of glasses that leaned: upright it is seated, turned it was lifted first."""
    board = told_before()
    begin = board.t + board.period
    board.clear(Tube.D1)
    board.stand(Tube.E1, End.B)
    board.stand(Tube.G4, End.A)
    board.stand(Tube.A4, End.A)
    board.stand(Tube.C4, End.B)
    board.clear(Tube.E4)
    board.clear(TIMER)
    board.rings(Tube.D4, 1)
    board.rings(Tube.A1, 1)
    undone = [Seat(0, Tube.B2, End.A), Lift(0, Tube.B2), TimerSeated(0, End.A), TimerLifted(0)]
    begin_again(board, [*undone, Link(0, LinkState.LOST), *board.events])
    board.run(WAIT)
    assert told(board.events) == [
        *("rings A1 1", "rings D4 1", "lift C4", "lift D1", "lift E4", "lift G4", "timer lifted"),
        *("seat A4 A", "seat C4 B", "seat E1 B", "seat G4 A"),
    ]
    assert {event.t for event in board.events} == {begin}


@pytest.mark.parametrize(("now", "counts"), [(20, []), (17, [17]), (22, [22])])
def test_a_holder_is_told_only_when_its_count_differs(now: int, counts: list[int]) -> None:
    board = Board(holders=True)
    calibration = board.calibration.holders[0]
    board.weights = [calibration.zero + rings * calibration.per_ring for rings in (21, 32)]
    board.run(1.0)
    board.weights[0] -= calibration.per_ring
    assert play(board, 1.0) == ["holder red 21", "holder black 32", "holder red 20"]
    board.weights[0] = calibration.zero + now * calibration.per_ring
    begin_again(board, holders=True)
    board.run(WAIT)
    board.weights[1] -= calibration.per_ring
    assert play(board, WAIT) == [*(f"holder red {count}" for count in counts), "holder black 31"]


# Faults that were told in the earlier life


def test_a_fault_that_stays_is_not_told_again_and_one_that_has_gone_is_cleared() -> None:
    board = told_before()
    board.readings[Tube.B2] = 0
    board.readings[Tube.D1] = 255
    board.patterns[Tube.D3] = 0b10
    board.run(2.0)
    before = list(board.events)
    assert sorted(told(before))[:3] == ["glass B2 bad", "glass D1 bad", "ring D3.1 bad"]
    begin_again(board)
    assert board.run(2.0) == []
    del board.readings[Tube.D1]
    board.patterns[Tube.D3] = 0
    gone_since = SensorId.glass(Tube.B4)
    begin_again(board, [Fault(0, gone_since, "as it was"), Fault(0, gone_since, "", cleared=True), *before])
    assert sorted(play(board, 2.0)) == ["glass D1 well", "ring D3.1 well"]


def test_faults_of_the_board_as_a_whole_are_cleared_too() -> None:
    names = ["supply", "fields", "select lines", "ring light", "ring converters", "holder red", "no such sensor"]
    board = Board(holders=True)
    begin_again(board, [Fault(0, SensorId.named(name), "as it was") for name in names], holders=True)
    board.run(11.0)
    faults = [event for event in board.events if isinstance(event, Fault)]
    assert sorted(told(faults)) == sorted(f"{name} well" for name in names[:-1])


def test_light_that_still_falls_on_tubes_after_a_restart_is_named_where_it_changed() -> None:
    for before, after in (({Tube.C3}, []), ({Tube.C3, Tube.D4}, [{Tube.C3}]), (set(), [{Tube.C3}])):
        board = Board()
        board.period = 0.02
        begin_again(board, [Fault(0, RING_LIGHT, "as it was", unread=frozenset(before))])
        board.unknown = {board.bits[Tube.C3][0]}
        board.run(8.0)
        assert [set(event.unread) for event in board.events if isinstance(event, Fault)] == after


# Random boards


@settings(max_examples=in_soak(400, otherwise=15))
@given(st.lists(actions, min_size=1, max_size=12), st.integers(0, 10**6), st.floats(0, 1))
def test_a_second_life_from_any_moment_on_tells_nothing_else(
    script: list[tuple[str, int, float, float]], seed: int, moment: float
) -> None:
    """Hands at work, the program gone at any moment: the new one ends where the old one would have."""
    world = world_of(script, seed)
    end = max(channel.free_at for channel in [*world.fields, *world.rings]) + WAIT
    cut = moment * end

    board = Board(seed=seed)
    second: Sensing | None = None
    before: list[Event] = []
    after: list[Event] = []
    again: list[Event] = []
    while board.t < end:
        board.t += PERIOD
        for index, channel in enumerate(world.fields):
            if channel.signals:
                board.shares[index] = channel.at(board.t)
        for tube, channel in zip(TUBES, world.rings, strict=True):
            if channel.signals:
                board.rings(tube, int(channel.at(board.t)))
        if second is None and board.t >= cut:
            second = Sensing(wired(board.bits), board.calibration, SensingSettings(), False)
            second.restore(before)
        snapshot = board.snapshot()
        events = board.sensing.feed(snapshot, board.t)
        if second is None:
            before += events
        else:
            after += events
            again += second.feed(snapshot, board.t)
    assert last_words([*before, *again]) == last_words([*before, *after])
    for sensor in {_sensor(event) for event in again}:
        of_first = iter([_without_time(event) for event in after if _sensor(event) == sensor])
        mine = [_without_time(event) for event in again if _sensor(event) == sensor]
        assert all(event in of_first for event in mine), (sensor, mine)  # a part of the first's, in its order


def _sensor(event: Event) -> tuple[bool, object]:
    return isinstance(event, Rings), getattr(event, "tube", TIMER)


#: A glass by its end and its share of the field.
Glass = tuple[End, float] | None

#: What stands in the tubes and in the cradle, and how full of rings the tubes are (0 … 1).
Standing = tuple[list[Glass], Glass, list[float]]

glasses = st.sampled_from([None, None, None, (End.A, 1.0), (End.B, 1.0), (End.A, LEANING[8]), (End.B, LEANING[8])])
boards = st.tuples(
    st.lists(glasses, min_size=37, max_size=37),
    st.sampled_from([None, (End.A, 1.0), (End.B, 1.0)]),
    st.lists(st.floats(0, 1), min_size=37, max_size=37),
)


def _set_up(board: Board, what: Standing) -> None:
    tubes, timer, rings = what
    for index, glass in enumerate([*tubes, timer]):
        if glass is None:
            board.clear(index)
        else:
            board.stand(index, *glass)
    for tube, share in zip(TUBES, rings, strict=True):
        board.rings(tube, round(share * CAPACITY[tube]))


@settings(max_examples=in_soak(400, otherwise=15))
@given(boards, boards, st.sets(st.integers(0, 36)), st.integers(0, 10**6))
def test_a_board_rearranged_while_nobody_looked(
    former: Standing, latter: Standing, left_alone: set[int], seed: int
) -> None:
    """Both sides agree on what stands where, and of tubes left alone nothing is told."""
    keep = [index in left_alone for index in range(37)]
    latter = (
        [a if kept else b for a, b, kept in zip(former[0], latter[0], keep, strict=True)],
        latter[1],
        [a if kept else b for a, b, kept in zip(former[2], latter[2], keep, strict=True)],
    )
    board = Board(seed=seed)
    _set_up(board, former)
    board.run(WAIT)
    before = list(board.events)
    _set_up(board, latter)
    begin_again(board)
    board.run(WAIT)
    now = last_words([*before, *board.events])
    glasses = {tube: glass for tube, glass in zip(TUBES, latter[0], strict=True) if glass is not None}
    rings = {tube: round(share * CAPACITY[tube]) for tube, share in zip(TUBES, latter[2], strict=True)}
    assert now == {
        **{("glass", tube): end if share == 1 else None for tube, (end, share) in glasses.items()},
        **({} if latter[1] is None else {"timer": latter[1][0]}),
        **{("rings", tube): count for tube, count in rings.items() if count},
    }
    assert not {event.tube for event in board.events if isinstance(event, Seat | Lift | Tilt | Rings)} & {
        TUBES[index] for index in left_alone
    }
    times = [event.t for event in board.events]
    assert times == sorted(times)
