"""Turns: they begin, are passed, skipped and forfeited; moves start and finish (R2, R7.4, R7.5)."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.game.ruleset import LatePenalty
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.ending import check_rights, end_by_score, no_rings_left, stop_play
from tamsk_hw.referee.glasses import Glass
from tamsk_hw.referee.rings import close_claims, open_rights
from tamsk_hw.referee.rulings import (
    Caution,
    Forfeit,
    MoveStarted,
    Passed,
    Penalty,
    PenaltyKind,
    Skip,
    TimerExpired,
    Turn,
    Warned,
)
from tamsk_hw.referee.state import State
from tamsk_hw.referee.view import Phase

#: The gentlemen's agreement of level 2, in seconds from the turn (R7.8).
OVERTIME_SECONDS = 15.0


def begin_turn(state: State, player: Player) -> None:
    """Begin ``player``'s turn; pass or skip it, and the next ones, if need be (R2.7, R8)."""
    while True:
        state.turn.end()
        state.turn.next_player = player
        if state.position.is_blocked():
            stop_play(state)
            return
        if state.turn.number:
            state.position = state.position.turned_to(player)
        state.turn.player = player
        state.turn.number += 1
        state.turn.had_started = False
        state.out.append(Turn(state.now, "R2.1", player, state.turn.number))
        if player in state.turn.skips:
            state.turn.skips.discard(player)
            state.out.append(Skip(state.now, "R8", player))
        else:
            if state.late.player is player:  # the late move has lapsed, the glass counts as lifted early (R7.5)
                state.late.forget()
            if state.position.has_move(player):
                break
            state.out.append(Passed(state.now, "R2.7", player))
        player = player.opponent
    if state.header.ruleset.level == 2:
        state.turn.overtime_due = state.clock + OVERTIME_SECONDS
    for glass in state.glasses.off_tubes(player):
        if state.may_be_moved(glass):
            start_move(state, glass, "R2.8")
            return


def start_move(state: State, glass: Glass, rule: str) -> None:
    """Start the move of the player to move, who has lifted ``glass`` and may move it (R2.1, R2.8)."""
    state.turn.move_started = True
    state.turn.had_started = True
    close_claims(state)
    state.out.append(MoveStarted(state.now, rule, glass.owner, glass.tube))
    if state.position.repetitions() >= 3:
        end_by_score(state)  # R5.1: nobody tries to change the score


def recheck_start(state: State) -> None:
    """After a glass was put back or lost: the move is no longer started, unless with another glass (R2.5)."""
    turn = state.turn
    if turn.move_started and turn.player is not None:
        turn.move_started = any(map(state.may_be_moved, state.glasses.off_tubes(turn.player)))


def finish_move(state: State, player: Player, tube: Tube, late: bool) -> None:
    """Begin the rights of ``player``'s move into ``tube`` and, unless it was late, the next turn."""
    open_rights(state, player, tube, late)
    if late:
        state.late.forget()
    else:
        begin_turn(state, player.opponent)


def expire(state: State) -> None:
    """Rule on the 15 seconds, which ran out against the player to move (R7.4, R7.5, R7.6, R8)."""
    player, started = state.turn.player, state.turn.move_started
    assert player is not None
    state.out.append(TimerExpired(state.now, "R7.5" if started else "R7.4", player, started))
    if started:
        state.late.player = player
        state.late.glasses = [glass for glass in state.glasses.off_tubes(player) if state.may_be_moved(glass)]
    else:
        state.out.append(Forfeit(state.now, "R7.4", player))
    if started or state.header.ruleset.forfeit_penalised:
        _penalise(state, player)
    begin_turn(state, player.opponent)


def _penalise(state: State, late: Player) -> None:
    """Give the opponent a second ring with his next move (R7.6), or two moves in a row (R8)."""
    other = late.opponent
    match state.header.ruleset.late_penalty:
        case LatePenalty.TWO_RINGS:
            state.rights.penalty_due.add(other)
            state.out.append(Penalty(state.now, "R7.6", other, kind=PenaltyKind.SECOND_RING))
        case LatePenalty.LOSE_TURN:
            state.turn.skips.add(late)
            state.out.append(Penalty(state.now, "R8", other, kind=PenaltyKind.TWO_MOVES))
        case never:
            assert_never(never)


def warn_overtime(state: State) -> None:
    """Warn of a turn longer than 15 seconds, at level 2 (R7.8)."""
    state.turn.overtime_due = None
    state.out.append(Warned(state.now, "R7.8", Caution.OVERTIME, state.turn.player, None))


def settle(state: State) -> None:
    """Draw the consequences of what has just been ruled: passes and the end of play (R2.7, R5.1)."""
    if state.phase is not Phase.PLAY:
        return
    if no_rings_left(state):
        end_by_score(state)
        return
    if state.turn.player is not None:
        if state.position.has_move(state.turn.player):
            return
        if state.position.is_blocked():
            stop_play(state)
        else:
            state.out.append(Passed(state.now, "R2.7", state.turn.player))
            begin_turn(state, state.turn.player.opponent)
    elif not state.position.is_blocked():  # a glass was revived
        begin_turn(state, state.turn.next_player)
    if state.turn.player is None and state.phase is Phase.PLAY:
        check_rights(state)
