"""The end of the game: by the rings left, by the sand, or by a decision (R5)."""

from __future__ import annotations

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.position import Termination
from tamsk_hw.referee.glasses import Glass
from tamsk_hw.referee.questions import LastGlass, Question, StillRunning
from tamsk_hw.referee.rings import last_right
from tamsk_hw.referee.rulings import ArbiterNeeded, GameOver, Reason
from tamsk_hw.referee.state import State
from tamsk_hw.referee.view import Phase


def end_game(state: State, winner: Player | None, reason: Reason, rule: str, *, by_sand: bool = False) -> None:
    """End the game; nothing is ruled on any more."""
    left = state.position.left
    over = GameOver(state.now, rule, winner, reason, left(Player.RED), left(Player.BLACK), by_sand=by_sand)
    state.out.append(over)
    state.over = over
    state.phase = Phase.OVER
    state.turn.end()


def no_rings_left(state: State) -> bool:
    """Neither player has a ring left: nothing can change the score any more (R5.1)."""
    return not state.position.red_left and not state.position.black_left


def stop_play(state: State) -> None:
    """End the turn as neither player has a legal move; rights to rings stay open (R5.1)."""
    state.turn.end()
    state.late.forget()


def check_rights(state: State) -> None:
    """End the game if nobody has a right to a ring any more; neither player has a legal move (R5.1)."""
    state.turn.rights_until = last_right(state)
    if state.turn.rights_until is None:
        end_by_score(state)


def end_by_score(state: State) -> None:
    """End play: the fewest rings left win; equal ones are a tie, or the sand decides (R5.2, R5.3)."""
    result = state.position.result()
    if result.termination is Termination.FEWEST_RINGS:
        end_game(state, result.winner, Reason.FEWEST_RINGS, "R5.2")
    elif result.termination is Termination.TIE:
        end_game(state, None, Reason.TIE, "R5.2")
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
        end_game(state, alive, Reason.LAST_GLASS, "R5.3", by_sand=True)
    else:
        ask_about_sand(state, StillRunning(alive))


def ask_about_sand(state: State, question: Question) -> None:
    """Ask a person about the order of the sand; it is ruled once, and asked until it is settled (R5.4)."""
    state.question = question
    if state.sand_asked:
        return
    state.sand_asked = True
    state.out.append(ArbiterNeeded(state.now, "R5.4", question))


def _decide_by_order(state: State) -> None:
    """End the game, all glasses having run out: the last one wins; of equal ones the last but one (R5.3)."""
    order = {player: _last_first(state, player) for player in PLAYERS}
    red, black = order[Player.RED], order[Player.BLACK]
    while red and black:
        if _is_known(red[0]) and red[0].run_out == black[0].run_out:
            red, black = red[1:], black[1:]
        elif red[0].run_out[0] > max(glass.run_out[1] for glass in black) or black[0].run_out[0] > max(
            glass.run_out[1] for glass in red
        ):
            break
        else:
            ask_about_sand(state, LastGlass())
            return
    if not red and not black:
        end_game(state, None, Reason.TIE, "R5.3", by_sand=True)
    else:
        latest = max(red[:1] + black[:1], key=lambda glass: glass.run_out[0])
        end_game(state, latest.owner, Reason.LAST_GLASS, "R5.3", by_sand=True)


def _last_first(state: State, player: Player) -> list[Glass]:
    """``player``'s glasses that ran out, the last one first. A glass that never started did not."""
    lost = [glass for glass in state.glasses.every if glass.owner is player and glass.lost]
    return sorted(lost, key=lambda glass: glass.run_out, reverse=True)


def _is_known(glass: Glass) -> bool:
    return glass.run_out[0] == glass.run_out[1]
