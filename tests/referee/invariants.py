"""The tables of the referee's state as assertions, which hold after every event."""

from collections import Counter

from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, TUBES
from tamsk_hw.referee import Referee
from tamsk_hw.referee.state import Glass, State
from tamsk_hw.referee.view import Phase


def check(referee: Referee) -> None:
    """Assert that the referee's state is one that its documentation describes."""
    state = referee._state
    assert (state.over is not None) == (state.phase is Phase.OVER)
    assert not state.out
    for glass in state.glasses.every:
        _check_sand(state, glass)
        if state.phase is Phase.PLAY:
            _check_place(state, glass)
        if state.phase is Phase.SAND:
            assert glass.standing is not None
    if state.phase is Phase.PLAY:
        _check_board(state)
    _check_turn(state)
    _check_late(state)


def _check_sand(state: State, glass: Glass) -> None:
    known = (glass.sand is not None, glass.started, glass.lost, glass.doubtful)
    assert known in {
        (False, False, False, False),  # level 1
        (True, False, False, False),  # not started
        (True, True, False, False),  # running
        (True, True, False, True),  # doubtful
        (True, True, True, False),  # lost
    }
    assert known[0] == state.has_sand
    bit = 1 << glass.tube
    assert glass.lost == bool(state.position.lost & bit)
    assert bool(state.position.fresh & bit) == (state.has_sand and not glass.started)
    if glass.lost:
        assert glass.run_out[0] <= glass.run_out[1]


def _check_place(state: State, glass: Glass) -> None:
    stands_right = glass.standing is glass.tube
    place = (glass.off, glass.standing is not None, glass.wrong is not None)
    assert place in {
        (False, True, False),  # stands
        (True, False, False),  # in the hand
        (True, True, True),  # stands wrong
        (True, False, True),  # wrong, in the hand
    }
    assert glass.off or stands_right
    assert state.position.owner(glass.tube) is glass.owner
    if glass.standing is not None:
        assert state.glasses.at[glass.standing] is glass
    if glass.off:
        assert 0 < glass.lift_order <= glass.hand_order <= state.glasses.lifts


def _check_board(state: State) -> None:
    glasses, rings = state.glasses, state.rings
    assert all(glass.standing is tube for tube, glass in glasses.at.items())
    assert not glasses.at.keys() & glasses.unknown.keys()
    assert all(len(glasses.off_tubes(player)) > 1 for player in glasses.two_off)
    counted = state.position.rings
    assert rings.wrong == {tube for tube in TUBES if rings.seen[tube] != counted[tube]}
    assert [len(each) for each in rings.counted] == list(counted)
    owners = Counter(owner for each in rings.counted for owner, _ in each)
    assert all(owners[player] == RINGS_EACH - state.position.left(player) for player in PLAYERS)


def _check_turn(state: State) -> None:
    turn = state.turn
    if turn.player is None:
        assert not turn.move_started
        assert turn.deadline is None
        assert turn.overtime_due is None
        assert (turn.rights_until is not None) == (state.phase is Phase.PLAY)
        return
    assert state.phase is Phase.PLAY
    assert turn.player is turn.next_player is state.position.turn
    assert turn.rights_until is None
    assert turn.deadline is None or state.header.ruleset.has_timer
    assert turn.overtime_due is None or state.header.ruleset.level == 2
    if turn.move_started:
        assert turn.had_started
        assert any(map(state.may_be_moved, state.glasses.off_tubes(turn.player)))


def _check_late(state: State) -> None:
    if state.phase is Phase.PLAY:
        for glass in state.late:
            assert glass.owner is state.late_player is not state.turn.player
            assert glass.off
            assert not glass.lost
