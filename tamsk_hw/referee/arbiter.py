"""Decisions of the arbiter (R9.6, R9.7)."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.ending import decide_by_sand, end_by_score, end_game
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.referee.rings import count_ring, restore_rings, uncount_ring
from tamsk_hw.referee.rulings import Authority, Reason, RingCounted, RingKind
from tamsk_hw.referee.sands import lose, revive, rule_sand
from tamsk_hw.referee.state import State
from tamsk_hw.referee.view import Phase


def on_arbiter(state: State, event: Arbiter) -> None:
    """Carry out a decision; one that does not apply changes nothing."""
    state.question = None
    match event.action:
        case Action.AWARD:
            end_game(state, event.player, Reason.AWARDED, "R9.6")
        case Action.ABANDON:
            end_game(state, None, Reason.ABANDONED, "R9.6")
        case Action.RING:
            assert event.tube is not None
            assert event.player is not None
            _give_ring(state, event.tube, event.player)
            _take_score_again(state)
        case Action.UNCOUNT:
            assert event.tube is not None
            uncount_ring(state, event.tube)
            _take_score_again(state)
        case Action.EXPIRE | Action.REVIVE:
            assert event.tube is not None
            _decide_glass(state, event.tube, event.action)
        case _:
            assert_never(event.action)


def _decide_glass(state: State, tube: Tube, action: Action) -> None:
    """Declare the glass that lawfully stands in ``tube`` lost, or revive it."""
    glass = state.glasses.home_at(tube)
    if glass is None or glass.sand is None or not glass.started:
        return
    if action is Action.REVIVE:
        if glass.lost:
            revive(state, glass)
            rule_sand(state)  # it is doubtful from now on
    elif not glass.lost:
        possibly = glass.sand.possibly_empty_at() if glass.standing is not None else state.now
        lose(state, glass, possibly, "R9.6")
    if state.phase is Phase.SAND:
        decide_by_sand(state)


def _give_ring(state: State, tube: Tube, player: Player) -> None:
    """Count an uncounted ring for ``player``; in a full tube, or without one, the last counted one is his."""
    if not state.position.left(player):
        return
    kind = RingKind.MOVE if state.rights.entered_last.get(tube) is player else RingKind.CLAIM
    counted = state.rings.counted[tube]
    if state.rings.seen[tube] > state.position.rings[tube] and not state.position.is_full(tube):
        count_ring(state, tube, player, kind, Authority.ARBITER)
        restore_rings(state, tube)
    elif counted and counted[-1].owner is not player:
        counted[-1] = replace(counted[-1], owner=player)
        state.position = state.position.ring_given(player)
        left = state.position.left(player)
        ring = RingCounted(state.now, "R9.6", player, tube, kind, left, given_by=Authority.ARBITER)
        state.out.append(ring)


def _take_score_again(state: State) -> None:
    """End the game if the sand has no longer to decide it (R5.3, R9.7)."""
    if state.phase is Phase.SAND:
        end_by_score(state)
