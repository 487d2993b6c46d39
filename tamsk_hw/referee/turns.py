"""Turns (R2, R7.4, R7.5), the 15-second timer (R7), and the end of a game by rings, sand or decision (R5)."""

from typing import assert_never

from tamsk_hw.game.position import Termination
from tamsk_hw.game.ruleset import LatePenalty
from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.referee import rulings
from tamsk_hw.referee.events import TimerSeated
from tamsk_hw.referee.rings import close_claims, last_right, may_hide_rings, open_rights
from tamsk_hw.referee.state import Glass, State
from tamsk_hw.referee.view import Phase


def end_game(state: State, winner: Player | None, reason: rulings.Reason, rule: str) -> None:
    """End the game; nothing is ruled on any more."""
    over = rulings.GameOver(
        state.now, rule, winner, reason, {player: state.position.left(player) for player in PLAYERS}
    )
    state.out.append(over)
    state.over = over
    state.phase = Phase.OVER
    state.turn.end()


def stop_play(state: State) -> None:
    """End the turn as neither player has a legal move; rights to rings stay open (R5.1)."""
    state.turn.end()
    state.late.clear()


def check_rights(state: State) -> None:
    """End the game if nobody has a right to a ring any more; neither player has a legal move (R5.1)."""
    state.turn.rights_until = last_right(state)
    if state.turn.rights_until is None:
        end_unless_rings_hide(state)


def end_unless_rings_hide(state: State) -> None:
    """End by the score; ask once, and go on, where rings may lie on tubes that cannot be read (R9.8)."""
    if not may_hide_rings(state):
        end_by_score(state)
    elif not state.rings.is_end_asked:
        state.rings.is_end_asked = True
        question = rulings.Question(rulings.LateRing(None))
        state.out.append(rulings.ArbiterNeeded(state.now, "R9.8", question))


def end_by_score(state: State, rule: str = "R5.2") -> None:
    """End play: the fewest rings left win; equal ones are a tie, or the sand decides (R5.2, R5.3)."""
    result = state.position.result()
    if result.termination is Termination.FEWEST_RINGS:
        end_game(state, result.winner, rulings.Reason.FEWEST_RINGS, rule)
    elif result.termination is Termination.TIE:
        end_game(state, None, rulings.Reason.TIE, rule)
    elif state.phase is not Phase.SAND:
        stop_play(state)
        state.phase = Phase.SAND
        _put_back(state)
        decide_by_sand(state)


def _put_back(state: State) -> None:
    """Treat glasses in the hand as put back now, the way they stood (R5.3)."""
    for glass in state.glasses.in_hands():
        if glass.sand is not None:
            glass.standing = glass.tube
            glass.sand = glass.sand.seated(state.now, glass.sand.end, state.header.sand.exact_hands)


def decide_by_sand(state: State) -> None:
    """End the game if at most one player has a running glass; in doubt ask a person (R5.3, R5.4)."""
    glasses = [glass for glass in state.glasses.every if glass.is_running]
    running = {player: [glass for glass in glasses if glass.owner is player] for player in PLAYERS}
    if all(running.values()):
        return
    if not any(running.values()):
        _decide_by_order(state)
        return
    alive = next(player for player in PLAYERS if running[player])
    if any(not glass.doubtful for glass in running[alive]):
        end_game(state, alive, rulings.Reason.LAST_GLASS, "R5.3")
    else:
        ask_about_sand(state, rulings.Question(alive))


def ask_about_sand(state: State, question: rulings.Question) -> None:
    """Ask a person about the order of the sand; it is ruled once, and asked until it is settled (R5.4)."""
    state.question = question
    if state.sand_asked:
        return
    state.sand_asked = True
    state.out.append(rulings.ArbiterNeeded(state.now, "R5.4", question))


def _decide_by_order(state: State) -> None:
    """End the game, all glasses having run out: the last one wins; of equal ones the last but one (R5.3)."""
    order = {player: _last_first(state, player) for player in PLAYERS}
    red, black = order[Player.RED], order[Player.BLACK]
    while red and black:
        if len({*red[0].run_out, *black[0].run_out}) == 1:  # both known, and the same
            red, black = red[1:], black[1:]
        elif red[0].run_out[0] > max(glass.run_out[1] for glass in black) or black[0].run_out[0] > max(
            glass.run_out[1] for glass in red
        ):
            break
        else:
            ask_about_sand(state, rulings.Question())
            return
    if not red and not black:
        end_game(state, None, rulings.Reason.TIE, "R5.3")
    else:
        latest = max(red[:1] + black[:1], key=lambda glass: glass.run_out[0])
        end_game(state, latest.owner, rulings.Reason.LAST_GLASS, "R5.3")


def _last_first(state: State, player: Player) -> list[Glass]:
    """``player``'s glasses that ran out, the last one first. A glass that never started did not."""
    lost = [glass for glass in state.glasses.every if glass.owner is player and glass.lost]
    return sorted(lost, key=lambda glass: glass.run_out, reverse=True)


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
    if turned and not state.watch.paused and state.header.ruleset.has_timer and state.turn.player is not None:
        _turned(state, was_empty)


def _turned(state: State, was_empty: bool) -> None:
    """The timer was turned over in a player's turn at level 3 (R7.2)."""
    assert state.timer is not None
    assert state.turn.player is not None
    if not was_empty:
        state.out.append(rulings.Violation(state.now, "R7.2", None, rulings.Code.TIMER_RUNNING, None, ()))
    elif state.turn.deadline is None:
        runs_out = state.timer.empty_at()
        state.turn.deadline = runs_out - (state.now - state.clock)
        state.out.append(rulings.TimerStarted(state.now, "R7.2", state.turn.player, runs_out))


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
        state.out.append(rulings.Turn(state.now, "R2.1", player, state.turn.number))
        if player in state.turn.skips:
            state.turn.skips.discard(player)
            state.out.append(rulings.Skip(state.now, "R8", player))
        else:
            if state.late_player is player:  # the late move has lapsed, the glass counts as lifted early (R7.5)
                state.late.clear()
            if state.position.has_move(player):
                break
            state.out.append(rulings.Passed(state.now, "R2.7", player))
        player = player.opponent
    if state.header.ruleset.level == 2:
        state.turn.overtime_due = state.clock + OVERTIME_SECONDS
    for glass in state.glasses.off_tubes(player):
        in_pause = state.watch.paused and glass.lift_order > state.watch.lifts
        if state.may_be_moved(glass) and not in_pause:
            start_move(state, glass, "R2.8")
            return


def start_move(state: State, glass: Glass, rule: str) -> None:
    """Start the move of the player to move, who has lifted ``glass`` and may move it (R2.1, R2.8)."""
    state.turn.move_started = True
    state.turn.had_started = True
    close_claims(state)
    state.out.append(rulings.MoveStarted(state.now, rule, glass.owner, glass.tube))
    if state.position.repetitions() >= 3:
        end_by_score(state, "R5.1")  # nobody tries to change the score


def recheck_start(state: State) -> None:
    """After a glass was put back or lost: the move is no longer started, unless with another glass (R2.5)."""
    turn = state.turn
    if turn.move_started and turn.player is not None:
        turn.move_started = any(map(state.may_be_moved, state.glasses.off_tubes(turn.player)))


def finish_move(state: State, player: Player, tube: Tube, late: bool) -> None:
    """Begin the rights of ``player``'s move into ``tube`` and, unless it was late, the next turn."""
    open_rights(state, player, tube, late)
    if late:
        state.late.clear()
    else:
        begin_turn(state, player.opponent)


def expire(state: State) -> None:
    """Rule on the 15 seconds, which ran out against the player to move (R7.4, R7.5, R7.6, R8)."""
    player, started = state.turn.player, state.turn.move_started
    assert player is not None
    state.out.append(rulings.TimerExpired(state.now, "R7.5" if started else "R7.4", player, started))
    if started:
        state.late = [glass for glass in state.glasses.off_tubes(player) if state.may_be_moved(glass)]
    else:
        state.out.append(rulings.Forfeit(state.now, "R7.4", player))
    if started or state.header.ruleset.forfeit_penalised:
        _penalise(state, player)
    begin_turn(state, player.opponent)


def _penalise(state: State, late: Player) -> None:
    """Give the opponent a second ring with his next move (R7.6), or two moves in a row (R8)."""
    other = late.opponent
    match state.header.ruleset.late_penalty:
        case LatePenalty.TWO_RINGS:
            state.rights.penalty_due.add(other)
            state.out.append(rulings.Penalty(state.now, "R7.6", other))
        case LatePenalty.LOSE_TURN:
            state.turn.skips.add(late)
            state.out.append(rulings.Penalty(state.now, "R8", other))
        case never:
            assert_never(never)


def warn_overtime(state: State) -> None:
    """Warn of a turn longer than 15 seconds, at level 2 (R7.8)."""
    state.turn.overtime_due = None
    state.out.append(rulings.Warned(state.now, "R7.8", rulings.Caution.OVERTIME, state.turn.player, None))


def settle(state: State) -> None:
    """Draw the consequences of what has just been ruled: passes and the end of play (R2.7, R5.1)."""
    if state.phase is not Phase.PLAY:
        return
    if not state.position.red_left and not state.position.black_left:  # nothing can change the score any more
        end_unless_rings_hide(state)
        return
    if state.turn.player is not None:
        if state.position.has_move(state.turn.player):
            return
        if state.position.is_blocked():
            stop_play(state)
        else:
            state.out.append(rulings.Passed(state.now, "R2.7", state.turn.player))
            begin_turn(state, state.turn.player.opponent)
    elif not state.position.is_blocked():  # a glass was revived
        begin_turn(state, state.turn.next_player)
    if state.turn.player is None and state.phase is Phase.PLAY:
        check_rights(state)
