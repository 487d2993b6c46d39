"""The link, and time that nobody saw: while the board was out of reach the sand ran on (R9.5, R6.4).

Rights and deadlines stand still meanwhile: see `State.clock`.
"""

from __future__ import annotations

from math import inf

from tamsk_hw.referee.events import LinkState
from tamsk_hw.referee.glasses import Glass
from tamsk_hw.referee.rulings import Caution, Warned
from tamsk_hw.referee.state import State
from tamsk_hw.referee.time_span import TimeSpan

#: Seconds by which a connection may have been gone when it is reported lost.
NOTICED_LATE = 0.6


def on_link(state: State, link: LinkState, away: tuple[float, float] | None) -> None:
    """The board is out of reach, or in reach again (R9.5)."""
    was_lost, stood_still = state.watch.lost, state.stands_still
    # If the link is lost again before everything found was reported, it may have happened at any time since.
    state.watch.unreported = max(state.watch.unreported, state.unseen_by)
    state.watch.lost = link is LinkState.LOST
    if state.watch.lost:
        state.watch.lost_at = state.watch.lost_at if was_lost else state.now
        state.out.append(Warned(state.now, "R9.5", Caution.LINK_LOST, None, None))
        return
    state.watch.seen_again_at = state.now
    state.watch.unwatched, state.watch.unreported = state.watch.unreported, 0.0
    lost_for = state.now - state.watch.lost_at
    if stood_still:
        state.watch.stood_still += lost_for
    if was_lost and not state.header.sand.exact_hands:
        state.watch.unwatched += lost_for + NOTICED_LATE
    if away is not None:
        state.watch.unwatched += away[1]
        on_time_away(state, *away)


def on_time_away(state: State, least: float, most: float) -> None:
    """Let the sand run for ``least`` to ``most`` seconds that the stream's times do not count.

    Deadlines are times of the stream, so each keeps the seconds that it had left: nothing falls due in that time.
    """
    state.out.append(Warned(state.now, "R9.5", Caution.TIME_AWAY, None, None, detail=TimeSpan.of(least, most)))
    if state.timer is not None:
        state.timer = state.timer.unseen(state.now, least, most)
    room = 0.0
    for glass in state.glasses.every:
        if glass.sand is None:
            continue
        if glass.is_running and glass.standing is not None:
            room = max(room, min(most, glass.sand.empty_at() - state.now))
            _note_run_out(state, glass, least, most)
        glass.sand = glass.sand.unseen(state.now, least, most)
    state.watch.unseen += room


def _note_run_out(state: State, glass: Glass, least: float, most: float) -> None:
    """Note when ``glass`` may have run out unseen: the order of the glasses may decide the game (R5.3, R5.4)."""
    assert glass.sand is not None
    possibly, certainly = glass.sand.possibly_empty_at(), glass.sand.empty_at()
    if possibly - state.now > most:
        return
    earliest = possibly + state.watch.unseen
    if glass.run_out_unseen is not None:
        earliest = min(earliest, glass.run_out_unseen[0])
    latest = certainly + state.watch.unseen if certainly - state.now <= least else inf
    glass.run_out_unseen = (earliest, latest)
