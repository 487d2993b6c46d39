"""The referee's state turned into the one value that others see (`View`)."""

from tamsk_hw.game.sand import moment
from tamsk_hw.game.tubes import PLAYERS, Player, Tube, tubes_in
from tamsk_hw.referee.glasses_in_hand import STARTERS, problems
from tamsk_hw.referee.rings import announced_for, own_right, own_right_seconds, penalty_right
from tamsk_hw.referee.rulings import Correction
from tamsk_hw.referee.state import Glass, State
from tamsk_hw.referee.view import GlassState, GlassView, OpenRing, Phase, View

_NOTHING = (0.0, 0.0)


def view_of(state: State, t: float) -> View:
    """The view at ``t`` (seconds), if nothing happens between ``state.now`` and then."""
    position, ruleset = state.position, state.header.ruleset
    ring_open = {
        tube: OpenRing(player, own_right_seconds(state, player, t))
        for player in PLAYERS
        if state.phase is Phase.PLAY and (tube := own_right(state, player, t)) is not None
    }
    announced = {player: announced_for(state, player, t) for player in PLAYERS}
    penalty = next(
        (player for player in PLAYERS if state.phase is Phase.PLAY and penalty_right(state, player, t)), None
    )
    if state.phase is Phase.SETUP:
        glasses = _set_up(state)
    else:
        movable = position.movable(Player.RED) | position.movable(Player.BLACK)
        glasses = tuple(_glass(glass, t, bool(movable >> glass.tube & 1)) for glass in state.glasses.every)
    return View(
        t=t,
        level=ruleset.level,
        phase=state.phase,
        turn=state.turn.player,
        number=state.turn.number,
        move_started=state.turn.move_started,
        glasses=glasses,
        rings=tuple(position.rings),
        rings_seen=tuple(state.rings.seen),
        full=frozenset(tubes_in(position.full)),
        destinations=_destinations(state),
        left={player: position.left(player) for player in PLAYERS},
        ring_open=ring_open,
        penalty=penalty,
        late=state.late_player,
        deadline=None if state.turn.deadline is None else moment(t + state.seconds_to(state.turn.deadline, t)),
        timer_side=ruleset.timer_side,
        wrong=_wrong(state),
        link_lost=state.watch.lost,
        question=state.question,
        over=state.over,
        tubes=ruleset.tubes,
        paused=state.watch.paused,
        announced={player: moment(t + each) for player, each in announced.items() if each > 0},
        unread={sensor: frozenset(tubes) for sensor, tubes in state.rings.unread.items()},
    )


def _glass(glass: Glass, t: float, may_move: bool) -> GlassView:
    if glass.sand is None:
        kind = GlassState.NO_SAND
    elif not glass.started:
        kind = GlassState.UNSTARTED
    elif glass.lost:
        kind = GlassState.LOST
    else:
        kind = GlassState.DOUBTFUL if glass.doubtful else GlassState.RUNNING
    shown = glass.sand if glass.is_running else None
    return GlassView(
        owner=glass.owner,
        tube=glass.tube,
        standing=glass.standing,
        end=glass.end if glass.sand is None else glass.sand.end,
        state=kind,
        seconds=_NOTHING if shown is None else shown.seconds(t),
        fraction=_NOTHING if shown is None else shown.above(t),
        may_move=may_move,
    )


def _set_up(state: State) -> tuple[GlassView, ...]:
    """The glasses that stand where they belong before the start; the tube tells the owner (R1.3)."""
    kind = GlassState.UNSTARTED if state.has_sand else GlassState.NO_SAND
    wrong = {mend.tube for mend in problems(state)}
    return tuple(
        GlassView(
            owner=owner,
            tube=tube,
            standing=tube,
            end=seen.end,
            state=kind,
            seconds=_NOTHING,
            fraction=_NOTHING,
            may_move=False,
        )
        for tube, seen in sorted(state.set_up.items())
        if (owner := STARTERS.get(tube)) is not None and tube not in wrong
    )


def _destinations(state: State) -> frozenset[Tube]:
    """The legal destinations of the glasses in the hand, or of one that must be placed."""
    position = state.position
    mask = 0
    for glass in state.glasses.every:
        if glass.off and state.may_be_moved(glass) and state.is_on_move(glass):
            mask |= position.destinations(glass.tube)
    if state.turn.player is not None and position.to_place(state.turn.player):
        mask |= position.vacant
    return frozenset(tubes_in(mask))


def _wrong(state: State) -> tuple[Correction, ...]:
    """All that must be put right, without repetition."""
    if state.phase is Phase.SETUP:
        return problems(state)
    found: list[Correction] = []
    if state.phase is Phase.PLAY:
        for glass in state.glasses.every:
            if glass.wrong is not None:
                found += state.mend_wrong(glass)
        for player in sorted(state.glasses.two_off, key=lambda player: player.value):
            # Those to be put back were lifted while another was in the hand (R2.9).
            second = [glass for glass in state.glasses.off_tubes(player)[1:] if glass.wrong is None]
            found += [state.mend_glass(glass.tube) for glass in second]
        found += [state.mend_glass(tube) for tube in state.glasses.unknown]
        found += [state.mend_glass(tube) for tube, lean in state.glasses.leaning.items() if lean.ruled]
        found += [state.mend_rings(tube) for tube in sorted(state.rings.wrong)]
    return tuple(dict.fromkeys(found))
