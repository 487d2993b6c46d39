"""Presses: edges of a contact with their times in, presses out."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.panel.buttons import LONG_SECONDS, SETTLE_SECONDS, STUCK_SECONDS, Pressed, PressReader
from tamsk_hw.referee.events import Press
from tests.soak import in_soak

SHORT, LONG = Press.SHORT, Press.LONG

#: How often the caller looks, in seconds.
LOOK = 0.005

#: When a button that was pressed at 1.0 has been held for a long press.
DUE = 1.0 + LONG_SECONDS


def read(
    edges: list[tuple[float, bool]], until: float, *, at_start: bool = False, look: float = LOOK
) -> list[Pressed]:
    """Presses of a reader shown the edges as they come and looks at its clock every ``look`` seconds."""
    reader = PressReader(0.0, at_start)
    said: list[Pressed] = []
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


def pressed(*ends: float) -> list[Pressed]:
    return [(end, SHORT) for end in ends]


@pytest.mark.parametrize(
    ("edges", "until", "presses"),
    [
        # A short press counts when the button is let go, a long one while it is still held.
        (contact(1.0, 1.2), 5.0, pressed(1.2)),
        (contact(1.0), 1.0 + LONG_SECONDS - LOOK, []),
        (contact(1.0, 4.0), 9.0, [(DUE, LONG)]),
        (contact(1.0, 1.1, 1.2, 1.3, 2.0, 2.1), 5.0, pressed(1.1, 1.3, 2.1)),
        # Bounces: of both edges, within a hold, and as the long press is due.
        (contact(1.0, 1.001, 1.003, 1.0035, 1.006, 1.2, 1.2005, 1.203, 1.204, 1.207), 5.0, pressed(1.207)),
        (contact(1.0, DUE - 0.004, DUE + 0.003), 5.0, [(DUE + 0.003, LONG)]),
        # A debounce that goes deaf after an edge would take this button for held.
        (contact(1.0, 1.0 + SETTLE_SECONDS), 60.0, pressed(1.0 + SETTLE_SECONDS)),
    ],
)
def test_presses_by_hand(edges: list[tuple[float, bool]], until: float, presses: list[Pressed]) -> None:
    assert read(edges, until) == presses


@pytest.mark.parametrize("look", [0.0005, 0.005, 0.05])
def test_a_contact_that_opens_just_before_the_long_press_was_let_go(look: float) -> None:
    """Not yet known at 1.5 s: it may bounce. Whoever lets go in time must not have resigned."""
    late = 1.0 + LONG_SECONDS - 0.004
    assert read(contact(1.0, late), 5.0, look=look) == [(late, SHORT)]


def test_a_stuck_button_is_said_once_and_its_hold_brings_one_long_press_at_most() -> None:
    stuck = (1.0 + STUCK_SECONDS, None)
    assert read(contact(1.0), 90.0, look=0.1) == [(DUE, LONG), stuck]
    assert read([], 90.0, at_start=True, look=0.1) == [(STUCK_SECONDS, None)]
    assert read(contact(1.0, 30.0, 31.0), 90.0, look=0.1) == [(DUE, LONG), stuck, (31.0 + LONG_SECONDS, LONG)]


def test_a_doubled_or_late_edge_does_no_harm() -> None:
    edges = [(1.0, True), (1.05, True), (1.04, True), (1.2, False), (1.1, False)]
    reader = PressReader(0.0, False)
    said = [each for edge in edges for each in reader.edge(*edge)]
    assert said + reader.advance(5.0) == pressed(1.2)


@settings(max_examples=in_soak(200, otherwise=40))
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
    for place, (began, closed) in enumerate(contact(*changes)):
        ended = changes[place + 1] if place + 1 < len(changes) else end
        if ended >= began + SETTLE_SECONDS and closed is not settled[-1][1]:
            settled.append((began, closed))
    shorts = []
    for (began, closed), (ended, _) in pairwise(settled):
        if closed and ended - began < LONG_SECONDS - SETTLE_SECONDS:
            shorts.append((ended, SHORT))
    said = read(contact(*changes), end, look=look)
    presses = [each for each in said if each[1] is not None]
    assert presses == sorted(presses, key=lambda each: each[0])
    # Holds that end within a bounce of the long press may go either way; all others are certain.
    assert set(shorts) <= set(presses)
    holds = sum(closed for _, closed in settled)
    assert len(presses) == holds


@settings(max_examples=in_soak(200, otherwise=30))
@given(st.lists(st.floats(0.001, 2.5), max_size=12))
def test_a_reader_looked_at_only_when_it_asks_to_be_says_the_same(gaps: list[float]) -> None:
    """`next_wakeup` misses nothing that would be said before the next edge."""
    t, edges = 0.5, []
    for place, gap in enumerate(gaps):
        edges.append((t, place % 2 == 0))
        t += gap
    ends = t + 2 * STUCK_SECONDS
    asked = PressReader(0.0, False)
    said: list[Pressed] = []
    for due, closed in [*edges, (ends, asked.level)]:
        while (wakeup := asked.next_wakeup) < due:
            heard = asked.advance(wakeup)
            said += heard
            assert heard or asked.next_wakeup > wakeup
        if due < ends:
            said += asked.edge(due, closed)
    assert said == read(edges, ends, look=0.01)
