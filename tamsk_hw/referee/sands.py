"""Glasses that run out: lost, doubtful, revived (R6)."""

from __future__ import annotations

from tamsk_hw.game.sand import Sand
from tamsk_hw.referee.glasses import Glass
from tamsk_hw.referee.rulings import GlassDoubtful, GlassLost
from tamsk_hw.referee.state import State
from tamsk_hw.referee.turns import recheck_start


def rule_sand(state: State) -> bool:
    """Rule on glasses that have run out, or may have; True when there are any (R6.2, R6.4)."""
    due = [glass for glass in state.glasses.every if (at := glass.due()) is not None and at <= state.now]
    for glass in sorted(due, key=lambda glass: glass.tube):
        assert glass.sand is not None
        if glass.sand.empty_at() <= state.now:
            lose(state, glass, glass.sand.possibly_empty_at(), "R6.2")
        else:
            glass.doubtful = True
            state.out.append(GlassDoubtful(state.now, "R6.4", glass.owner, glass.tube))
    return bool(due)


def lose(state: State, glass: Glass, possibly_since: float, rule: str) -> None:
    """Rule ``glass`` lost, now at the latest (R6.2); a move started with it ends (R2.5)."""
    glass.lost = True
    glass.doubtful = False
    earliest, latest = min(possibly_since, state.now) + state.watch.unseen, state.now + state.watch.unseen
    if glass.run_out_unseen is not None:
        earliest, latest = min(earliest, glass.run_out_unseen[0]), min(latest, glass.run_out_unseen[1])
    glass.run_out = (earliest, latest)
    state.position = state.position.lose(glass.tube)
    state.out.append(GlassLost(state.now, rule, glass.owner, glass.tube))
    state.late.drop(glass)
    recheck_start(state)


def revive(state: State, glass: Glass) -> None:
    """Take back the loss of ``glass``; any amount of sand may be above (R6.4, R9.6)."""
    assert glass.sand is not None
    sand = glass.sand
    glass.lost = False
    glass.run_out_unseen = None
    glass.sand = Sand(0.0, 1.0, sand.end, state.now, sand.standing, sand.durations, sand.tolerance)
    state.position = state.position.revive(glass.tube)
