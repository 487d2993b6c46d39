"""Presses: edges of a contact with their times in, presses out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.panel.buttons import LONG_SECONDS, SETTLE_SECONDS, STUCK_SECONDS, Pressed, PressReader, Stuck
from tamsk_hw.referee.events import Press

SHORT, LONG = Press.SHORT, Press.LONG

#: How often the caller looks, in seconds.
LOOK = 0.005


def read(
    edges: list[tuple[float, bool]], until: float, *, at_start: bool = False, look: float = LOOK
) -> list[Pressed | Stuck]:
    """Presses of a reader shown the edges as they come and looks at its clock every ``look`` seconds."""
    reader = PressReader(0.0, at_start)
    said: list[Pressed | Stuck] = []
    waiting = list(edges)
    looks = 0
    while (now := looks * look) <= until:
        looks += 1
        while waiting and waiting[0][0] <= now:
            said += reader.edge(*waiting.pop(0))
        said += reader.advance(now)
    return said


def contact(*changes: float) -> list[tuple[float, bool]]:
    """Edges at these times, from open on: closed, open, closed …"""
    return [(t, place % 2 == 0) for place, t in enumerate(changes)]


def test_a_short_press_counts_when_the_button_is_let_go() -> None:
    assert read(contact(1.0, 1.2), 1.225) == []
    assert read(contact(1.0, 1.2), 5.0) == [Pressed(1.2, SHORT)]


def test_a_long_press_counts_while_it_is_still_held() -> None:
    assert read(contact(1.0), 1.0 + LONG_SECONDS - LOOK) == []
    assert read(contact(1.0), 1.0 + LONG_SECONDS + LOOK) == [Pressed(1.0 + LONG_SECONDS, LONG)]


def test_letting_go_after_a_long_press_says_no_more() -> None:
    assert read(contact(1.0, 4.0), 9.0) == [Pressed(1.0 + LONG_SECONDS, LONG)]


def test_a_press_may_follow_another() -> None:
    assert read(contact(1.0, 1.1, 1.2, 1.3, 2.0, 2.1), 5.0) == [
        Pressed(1.1, SHORT),
        Pressed(1.3, SHORT),
        Pressed(2.1, SHORT),
    ]


def test_bounce_makes_no_second_press() -> None:
    edges = contact(1.0, 1.001, 1.003, 1.0035, 1.006, 1.2, 1.2005, 1.203, 1.204, 1.207)
    assert read(edges, 5.0) == [Pressed(1.207, SHORT)]


def test_bounce_within_a_hold_does_not_end_it() -> None:
    edges = contact(1.0, 1.5, 1.51)
    assert read(edges, 5.0) == [Pressed(1.0 + LONG_SECONDS, LONG)]


@pytest.mark.parametrize("look", [0.0005, 0.005, 0.05])
def test_a_contact_that_opens_just_before_the_long_press_was_let_go(look: float) -> None:
    """Not yet known at 1.5 s: it may bounce. Whoever lets go in time must not have resigned."""
    late = 1.0 + LONG_SECONDS - 0.004
    assert read(contact(1.0, late), 5.0, look=look) == [Pressed(late, SHORT)]


def test_a_contact_that_bounces_as_the_long_press_is_due_is_long() -> None:
    due = 1.0 + LONG_SECONDS
    assert read(contact(1.0, due - 0.004, due + 0.003), 5.0) == [Pressed(due + 0.003, LONG)]


def test_both_edges_within_the_debounce_are_no_press() -> None:
    assert read(contact(1.0, 1.0 + SETTLE_SECONDS - 0.002), 5.0) == []


def test_a_release_just_after_the_press_settled_is_not_missed() -> None:
    """A debounce that goes deaf after an edge would take this button for held."""
    assert read(contact(1.0, 1.0 + SETTLE_SECONDS), 60.0) == [Pressed(1.0 + SETTLE_SECONDS, SHORT)]


def test_a_press_between_two_looks_is_read() -> None:
    assert read(contact(1.01, 1.2), 5.0, look=1.0) == [Pressed(1.2, SHORT)]


def test_a_button_held_from_the_start_is_pressed_only_after_it_was_let_go() -> None:
    edges = [(4.0, False), (5.0, True), (5.2, False)]
    assert read(edges, 9.0, at_start=True) == [Pressed(5.2, SHORT)]


def test_a_stuck_button_is_said_once_and_for_its_hold_nothing_but_one_long_press() -> None:
    assert read(contact(1.0), 90.0, look=0.1) == [
        Pressed(1.0 + LONG_SECONDS, LONG),
        Stuck(1.0 + STUCK_SECONDS),
    ]


def test_a_button_stuck_from_the_start_is_no_press() -> None:
    assert read([], 90.0, at_start=True, look=0.1) == [Stuck(STUCK_SECONDS)]


def test_a_button_that_sticks_again_is_not_said_again() -> None:
    stuck = read(contact(1.0, 30.0, 31.0), 90.0, look=0.1)
    assert [each for each in stuck if isinstance(each, Stuck)] == [Stuck(1.0 + STUCK_SECONDS)]


def test_a_doubled_or_late_edge_does_no_harm() -> None:
    edges = [(1.0, True), (1.05, True), (1.04, True), (1.2, False), (1.1, False)]
    reader = PressReader(0.0, False)
    said = [each for edge in edges for each in reader.edge(*edge)]
    assert said + reader.advance(5.0) == [Pressed(1.2, SHORT)]


@given(st.lists(st.floats(0.0005, 3.0), max_size=20), st.floats(0.001, 0.4))
def test_whatever_the_contact_does(gaps: list[float], look: float) -> None:
    """Against the definition: the times for which the contact keeps a level, bounces of either level left out."""
    t, changes = 0.5, []
    for gap in gaps:
        changes.append(t)
        t += gap
    end = t + LONG_SECONDS + STUCK_SECONDS + 1.0
    # The settled levels: those that were kept long enough, and differ from the one before.
    settled: list[tuple[float, bool]] = [(0.0, False)]
    for place, (began, pressed) in enumerate(contact(*changes)):
        ended = changes[place + 1] if place + 1 < len(changes) else end
        if ended >= began + SETTLE_SECONDS and pressed is not settled[-1][1]:
            settled.append((began, pressed))
    shorts = []
    for (began, pressed), (ended, _) in pairwise(settled):
        if pressed and ended - began < LONG_SECONDS - SETTLE_SECONDS:
            shorts.append(Pressed(ended, SHORT))
    said = read(contact(*changes), end, look=look)
    presses = [each for each in said if isinstance(each, Pressed)]
    assert [each.t for each in presses] == sorted(each.t for each in presses)
    # Holds that end within a bounce of the long press may go either way; all others are certain.
    assert set(shorts) <= set(presses)
    holds = sum(pressed for _, pressed in settled)
    assert len(presses) == holds


def test_the_times_are_the_callers_to_choose() -> None:
    reader = PressReader(0.0, False, settle=0.2, long=3.0, stuck=5.0)
    reader.edge(1.0, True)
    assert reader.advance(1.19) == []
    assert not reader.is_down
    assert reader.advance(1.2) == []
    assert reader.is_down
    assert reader.advance(3.99) == []
    assert reader.advance(9.0) == [Pressed(4.0, LONG), Stuck(6.0)]


@given(st.lists(st.floats(0.001, 2.5), max_size=12))
def test_a_reader_looked_at_only_when_it_asks_to_be_says_the_same(gaps: list[float]) -> None:
    """`next_wakeup` misses nothing that would be said before the next edge."""
    t, edges = 0.5, []
    for place, gap in enumerate(gaps):
        edges.append((t, place % 2 == 0))
        t += gap
    ends = t + 2 * STUCK_SECONDS
    asked = PressReader(0.0, False)
    said: list[Pressed | Stuck] = []
    for due, pressed in [*edges, (ends, asked.level)]:
        while (wakeup := asked.next_wakeup) < due:
            heard = asked.advance(wakeup)
            said += heard
            assert heard or asked.next_wakeup > wakeup
        if due < ends:
            said += asked.edge(due, pressed)
    assert said == read(edges, ends, look=0.01)
