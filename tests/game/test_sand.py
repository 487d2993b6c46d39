"""Sand as physics (R6.1, R6.3, R6.4), against numbers worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.game import End
from tamsk_hw.game.sand import Sand, moment

THREE_MINUTES = (180.0, 180.0)


def test_r6_1_from_empty_the_first_turning_gives_a_full_glass() -> None:
    sand = Sand.empty(End.A, 0, THREE_MINUTES, 0).lifted(10).seated(11, End.B, True)
    assert sand.empty_at() == sand.possibly_empty_at() == 191


def test_r6_1_a_turned_glass_goes_on_with_the_rest() -> None:
    sand = Sand.full(End.B, 100, THREE_MINUTES, 0).lifted(160).seated(165, End.A, True)
    assert sand.empty_at() == 165 + 60  # 60 of 180 s had run, so a third is above


def test_r6_1_each_end_has_its_own_duration() -> None:
    sand = Sand.full(End.A, 0, (160.0, 200.0), 0).lifted(40).seated(40, End.B, True)
    assert sand.empty_at() == 40 + 50  # a quarter ran down, and now takes a quarter of 200 s
    assert sand.seconds(50) == pytest.approx((40, 40))


def test_r6_3_no_sand_runs_in_the_hand() -> None:
    sand = Sand.full(End.A, 0, THREE_MINUTES, 0).lifted(90)
    assert sand.above(500) == (0.5, 0.5)
    assert sand.seated(500, End.A, True).empty_at() == 590


def test_r6_4_tolerance_widens_with_the_time_run() -> None:
    sand = Sand.full(End.A, 0, (100.0, 100.0), 0.25)
    assert sand.above(40) == pytest.approx((0.5, 0.7))
    assert (sand.possibly_empty_at(), sand.empty_at()) == (80, pytest.approx(133.333333))
    assert sand.above(134) == (0, 0)  # certainly empty is known exactly again


def test_r6_4_time_in_the_hand_widens_both_ways() -> None:
    sand = Sand.full(End.A, 0, (100.0, 100.0), 0).lifted(50)
    assert sand.seated(60, End.A, False).above(60) == pytest.approx((0.4, 0.6))
    assert sand.seated(60, End.B, False).above(60) == pytest.approx((0.4, 0.6))
    assert sand.seated(60, End.B, True).above(60) == (0.5, 0.5)


def test_r6_4_a_glass_found_lifted_may_have_been_so_for_long() -> None:
    """Standing 50 of 100 s, the last 20 of them unseen, then 10 s in the hand; back it ran 30 s at most."""
    glass = Sand.full(End.A, 0, (100.0, 100.0), 0)
    exact = glass.lifted(50, 20, exact_hands=True).seated(60, End.A, True)
    assert (exact.low, exact.high) == pytest.approx((0.5, 0.7))
    assert glass.lifted(50, 5).high == pytest.approx(0.5 + 0.05 + 0.05)  # 5 s less run, 5 s run back in the hand
    hands = glass.lifted(50, 20).seated(60, End.A, False)
    assert (hands.low, hands.high) == pytest.approx((0.4, 1.0))


def test_r9_2_an_empty_glass_stands_and_has_nothing_above() -> None:
    sand = Sand.empty(End.A, 5, THREE_MINUTES, 0.1)
    assert (sand.low, sand.high, sand.standing) == (0, 0, True)
    assert sand.possibly_empty_at() == sand.empty_at() == 5


def test_times_are_rounded_to_the_microsecond() -> None:
    assert moment(1.00000051) == 1.000001
    assert moment(1.00000049) == 1.0


def test_r6_4_no_more_than_all_the_sand_is_above() -> None:
    full = Sand.full(End.A, 0, (100.0, 100.0), 0)
    assert full.lifted(5, 20).high == 1
    assert full.lifted(0).seated(50, End.A, False).above(50) == pytest.approx((0.5, 1))


def test_r6_4_a_glass_found_standing_may_have_run_faster_than_calibrated() -> None:
    stood = Sand.full(End.A, 0, (100.0, 100.0), 0.25).stood(20)
    assert (stood.low, stood.high) == pytest.approx((1 - 20 * 1.25 / 100, 1))


def test_r7_2_possibly_empty_is_judged_in_the_hand_too() -> None:
    timer = Sand.full(End.A, 0, (15.0, 15.0), 0).lifted(14)
    assert not timer.possibly_empty(20, True)
    assert timer.possibly_empty(15.5, False)
    assert not timer.possibly_empty(14.5, False)


def test_r6_4_time_unseen_has_run_for_between_its_bounds() -> None:
    sand = Sand.full(End.A, 0, (100.0, 100.0), 0).unseen(10, 20, 40)  # 90 % above, then 20 to 40 % less
    assert sand.above(10) == pytest.approx((0.5, 0.7))
    assert (sand.possibly_empty_at(), sand.empty_at()) == (60, 80)


def test_r6_4_the_tolerance_widens_time_unseen() -> None:
    sand = Sand.full(End.A, 0, (100.0, 100.0), 0.25).unseen(0, 20, 40)
    assert sand.above(0) == pytest.approx((0.5, 0.85))


def test_r6_4_after_long_enough_unseen_a_glass_is_certainly_empty() -> None:
    sand = Sand.full(End.A, 0, (100.0, 100.0), 0).unseen(10, 90, 10_000)
    assert sand.above(10) == (0, 0)
    assert sand.empty_at() == 10


def test_r6_4_time_unseen_in_the_hand_counts_as_held() -> None:
    sand = Sand.full(End.A, 0, (100.0, 100.0), 0).lifted(50).unseen(52, 3, 8)
    assert sand.seated(55, End.A, False).above(55) == pytest.approx((0.37, 0.63))  # 5 s seen and 8 s unseen
    assert sand.seated(55, End.A, True).above(55) == (0.5, 0.5)


@given(st.floats(0, 200), st.floats(0, 300), st.floats(0, 1), st.floats(0, 1), st.floats(0.95, 1.05))
def test_time_unseen_holds_the_truth(seen: float, most: float, share: float, way: float, pace: float) -> None:
    """However long it truly was between the bounds, what is above lies within the interval."""
    least = share * most
    gone = least + way * (most - least)
    low, high = Sand.full(End.A, 0, THREE_MINUTES, 0.0527).unseen(seen, least, most).above(seen)
    true = max(0.0, 1 - (seen + gone) * pace / 180)
    assert low - 1e-6 <= true <= high + 1e-6


handlings = st.lists(st.tuples(st.floats(0, 30), st.floats(0, 3), st.booleans()), max_size=12)


@given(handlings, st.floats(0.95, 1.05), st.floats(0, 1), st.floats(0, 1))
def test_the_interval_holds_the_truth(
    turns: list[tuple[float, float, bool]], pace: float, hold: float, way: float
) -> None:
    """Whatever a glass of 180 s ± 5 % does, standing or in a hand, what is really above lies within."""
    real = 180 / pace
    slack = 1e-6 + 0.06 * sum(held for _, held, _ in turns) / 180  # a hand's time is reckoned at the nominal pace
    sand, true, t, end = Sand.full(End.A, 0, THREE_MINUTES, 0.0527), 1.0, 0.0, End.A
    for standing, held, turned in turns:
        t += standing
        true = max(0.0, true - standing / real)
        sand = sand.lifted(t)
        t += held
        before = held * hold
        true = max(0.0, true - before / real) if way < 0.5 else min(1.0, true + before / real)
        if turned:
            end, true = end.other, 1 - true
        true = max(0.0, true - (held - before) * 0.5 / real)
        sand = sand.seated(t, end, False)
        low, high = sand.above(t)
        assert low - slack <= true <= high + slack
