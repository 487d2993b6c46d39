"""The 15-second timer (R7)."""

from __future__ import annotations

from tamsk_hw.game.sand import Sand
from tamsk_hw.referee.events import TimerSeated
from tamsk_hw.referee.rulings import Code, TimerStarted, Violation
from tamsk_hw.referee.state import State


def on_timer_lifted(state: State) -> None:
    """The timer left its cradle; a deadline runs on (R7.2)."""
    if state.timer is not None and state.timer.standing:
        exact = state.header.sand.exact_hands
        state.timer = state.timer.lifted(state.now, state.unseen_by, exact_hands=exact)


def on_timer_seated(state: State, event: TimerSeated) -> None:
    """The timer stands in its cradle, turned over or not (R7.2)."""
    sand = state.header.sand
    timer = state.timer
    if timer is None:
        state.timer = Sand.empty(event.end, state.now, sand.timer, sand.tolerance)
        return
    if timer.standing and timer.end is event.end:
        return
    was_empty = timer.possibly_empty(state.now, sand.exact_hands)
    turned = timer.end is not event.end
    if timer.standing:
        timer = timer.lifted(state.now, state.unseen_by, exact_hands=sand.exact_hands)
    state.timer = timer.seated(state.now, event.end, sand.exact_hands, state.unseen_by)
    if turned and state.header.ruleset.has_timer and state.turn.player is not None:
        _turned(state, was_empty)


def _turned(state: State, was_empty: bool) -> None:
    """The timer was turned over in a player's turn at level 3 (R7.2)."""
    assert state.timer is not None
    assert state.turn.player is not None
    if not was_empty:
        state.out.append(Violation(state.now, "R7.2", None, Code.TIMER_RUNNING, None, ()))
    elif state.turn.deadline is None:
        runs_out = state.timer.empty_at()
        state.turn.deadline = runs_out - (state.now - state.clock)
        state.out.append(TimerStarted(state.now, "R7.2", state.turn.player, runs_out))
