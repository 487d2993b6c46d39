"""Glasses: set up (R1.3, R1.5), lifted, seated, put right (R2, R3, R9.2, R9.3, R9.4), and run out (R6)."""

from collections.abc import Callable
from typing import assert_never

from tamsk_hw.game.position import Illegality, Move
from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.sand import Sand, moment
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, TUBES, End, Player, Tube
from tamsk_hw.referee import rulings
from tamsk_hw.referee.events import Lift, Rings, Seat, Tilt, TubeEvent
from tamsk_hw.referee.rings import close_claims
from tamsk_hw.referee.state import Glass, Lean, State
from tamsk_hw.referee.turns import begin_turn, end_game, finish_move, recheck_start, start_move
from tamsk_hw.referee.view import Phase

#: The owner of the glass that starts on a tube (R1.3).
STARTERS: dict[Tube, Player] = {tube: player for player in PLAYERS for tube in START_TUBES[player]}


def on_setup_event(state: State, event: TubeEvent) -> None:
    """Note an event before the start; rule ``setup`` when the board becomes ready."""
    match event:
        case Seat(_, tube):
            state.glasses.leaning.pop(tube, None)
            state.set_up[tube] = event
        case Lift(_, tube):
            leaned = state.glasses.leaning.pop(tube, None) is not None
            if state.set_up.pop(tube, None) is None and not leaned:
                state.out.append(rulings.Warned(state.now, "R9.4", rulings.Caution.SENSOR_FAULT, None, tube))
        case Tilt(_, tube):
            state.glasses.leaning.setdefault(tube, Lean(state.now))
        case Rings(_, tube, count):
            state.rings.seen[tube] = count
        case _:
            assert_never(event)
    was_ready, state.is_ready = state.is_ready, not problems(state)
    if state.is_ready and not was_ready:
        state.out.append(rulings.Setup(state.now, "R1.3", ()))


def problems(state: State) -> tuple[rulings.Correction, ...]:
    """The problems that keep the game from starting, in board order."""
    starters = {} if state.header.ruleset.start is Start.FREE else STARTERS
    found: list[rulings.Correction] = []
    for tube in TUBES:
        should = starters.get(tube)
        seen = state.set_up.get(tube)
        has: rulings.Content
        if tube in state.glasses.leaning:
            found.append(rulings.Correction(tube, None, should or rulings.Empty()))
        elif seen is None:
            if should is not None:
                found.append(rulings.Correction(tube, rulings.Empty(), should))
        else:
            has = seen.colour
            if should is None or has not in (None, should):
                found.append(rulings.Correction(tube, has, should or rulings.Empty()))
        if state.rings.seen[tube]:
            found.append(rulings.Correction(tube, state.rings.seen[tube], 0))
    return tuple(found)


def press_start(state: State) -> None:
    """Begin the game, or rule on the problems (R1.5, R9.2)."""
    wrong = problems(state)
    if wrong:
        state.out.append(rulings.Setup(state.now, "R9.2", wrong))
        return
    state.phase = Phase.PLAY
    if state.header.ruleset.start is Start.CORNERS:
        for player in PLAYERS:
            for tube in START_TUBES[player]:
                _stand(state, player, tube)
    state.out.append(rulings.Started(state.now, "R1.5", state.header.ruleset.level, Player.RED))
    begin_turn(state, Player.RED)


def _stand(state: State, player: Player, tube: Tube) -> None:
    """Add the glass of a start tube, empty above (R9.2)."""
    end = state.set_up[tube].end
    settings = state.header.sand
    sand = None
    if state.has_sand:
        sand = Sand.empty(end, state.now, settings.of(tube.name), settings.tolerance)
    glass = Glass(owner=player, tube=tube, end=end, standing=tube, sand=sand)
    state.glasses.every.append(glass)
    state.glasses.at[tube] = glass


def rule_sand(state: State) -> bool:
    """Rule on glasses that have run out, or may have; True when there are any (R6.2, R6.4)."""
    due = [glass for glass in state.glasses.every if (at := glass.due()) is not None and at <= state.now]
    for glass in sorted(due, key=lambda glass: glass.tube):
        assert glass.sand is not None
        if glass.sand.empty_at() <= state.now:
            lose(state, glass, glass.sand.possibly_empty_at(), "R6.2")
        else:
            glass.doubtful = True
            state.out.append(rulings.GlassDoubtful(state.now, "R6.4", glass.owner, glass.tube))
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
    state.out.append(rulings.GlassLost(state.now, rule, glass.owner, glass.tube))
    _give_up_late(state, glass)
    recheck_start(state)


def _give_up_late(state: State, glass: Glass) -> bool:
    """Let ``glass`` complete no late move any more; True when it was the last one that could (R7.5)."""
    if glass not in state.late:
        return False
    state.late.remove(glass)
    return not state.late


def revive(state: State, glass: Glass) -> None:
    """Take back the loss of ``glass``; any amount of sand may be above (R6.4, R9.6)."""
    assert glass.sand is not None
    sand = glass.sand
    glass.lost = False
    glass.run_out_unseen = None
    glass.sand = Sand(0.0, 1.0, sand.end, state.now, sand.standing, sand.durations, sand.tolerance)
    state.position = state.position.revive(glass.tube)


# Lifting


def on_lift(state: State, event: Lift) -> None:
    """A glass left a tube."""
    tube = event.tube
    lean = state.glasses.leaning.pop(tube, None)
    glass = state.glasses.at.get(tube)
    if glass is not None:
        if lean is not None and lean.ruled and not glass.off:
            glass.wrong = rulings.Code.OUT_OF_PLACE
        lift(state, glass)
    elif tube in state.glasses.unknown:
        _, rule = state.glasses.unknown.pop(tube)
        state.out.append(rulings.Restored(state.now, rule))
    elif lean is None:
        state.out.append(rulings.Warned(state.now, "R9.4", rulings.Caution.SENSOR_FAULT, None, tube))
    elif lean.ruled:
        state.out.append(rulings.Restored(state.now, "R9.2"))


def lift(state: State, glass: Glass) -> None:
    """Take ``glass`` into a hand. From its own tube that may start a move or be a fault (R2.1, R2.8, R2.9)."""
    assert glass.standing is not None
    del state.glasses.at[glass.standing]
    glass.standing = None
    state.glasses.lifts += 1
    glass.hand_order = state.glasses.lifts
    if glass.sand is not None:
        unseen = state.unseen_by if glass.started else 0.0
        glass.sand = glass.sand.lifted(state.now, unseen, exact_hands=state.header.sand.exact_hands)
    if glass.off:
        return  # it counted as in the hand already (R2.6)
    owner = glass.owner
    others = state.glasses.off_tubes(owner)
    glass.off = True
    glass.lift_order = state.glasses.lifts
    if state.watch.paused:
        return  # nobody's move (R9.5)
    if state.may_be_moved(glass):
        if owner is not state.turn.player:
            state.out.append(rulings.Warned(state.now, "R2.8", rulings.Caution.EARLY_START, owner, glass.tube))
        elif not state.turn.move_started:
            start_move(state, glass, "R2.1")
            if state.over is not None or state.turn.player is None:
                return
    if others:
        state.glasses.two_off.add(owner)
        mend = (state.mend_glass(glass.tube),)
        state.out.append(rulings.Violation(state.now, "R2.9", owner, rulings.Code.TWO_GLASSES, glass.tube, mend))


# Seating


def on_seat(state: State, event: Seat) -> None:
    """A glass stands firm in a tube. Find out which one (R9.3, R9.4, R8), then judge it."""
    tube = event.tube
    lean = state.glasses.leaning.pop(tube, None)
    held = state.glasses.at.get(tube)
    if held is not None:
        if held.sand is not None and held.sand.end is not event.end:
            if lean is not None and lean.ruled and not held.off:
                held.wrong = rulings.Code.OUT_OF_PLACE
            lift(state, held)
            if state.over is None:
                put(state, held, tube, event.end, certain=True)
        elif lean is not None and lean.ruled and not held.off:
            state.out.append(rulings.Restored(state.now, "R9.2"))
        return
    if tube in state.glasses.unknown:
        return
    # One `restored` serves both what leaned here and the glass that now stands here.
    leaned = lean is not None and lean.ruled
    hands = state.glasses.in_hands()
    if _is_placing(state, tube, event.colour, hands):
        _place(state, event, certain=event.colour is not None or not hands, leaned=leaned)
    else:
        candidates = [glass for glass in hands if event.colour in (None, glass.owner)]
        if candidates:
            one_player = len({glass.owner for glass in hands}) == 1
            glass = _which(state, candidates, tube, event.end)
            if leaned and glass.wrong is None:
                glass.wrong = rulings.Code.OUT_OF_PLACE
            put(state, glass, tube, event.end, certain=one_player or event.colour is not None)
        else:
            _unknown(state, tube, event.colour, rulings.Code.OUT_OF_PLACE, "R9.2")


def _which(state: State, candidates: list[Glass], tube: Tube, end: End) -> Glass:
    """The glass in the hand that was seated (R9.3)."""
    steps: tuple[Callable[[Glass], bool], ...] = (
        lambda glass: glass.tube is tube,
        lambda glass: _is_lawful(state, glass, tube, end),
        lambda glass: glass.owner is state.turn.player,
    )
    for step in steps:
        candidates = [glass for glass in candidates if step(glass)] or candidates
    return max(candidates, key=lambda glass: glass.hand_order)


def _is_lawful(state: State, glass: Glass, tube: Tube, end: End) -> bool:
    """Seating ``glass`` in ``tube`` finishes a move (R2.1 to R2.4)."""
    return (
        state.is_on_move(glass)
        and state.position.obstacle(glass.owner, Move(glass.tube, tube)) is None
        and not (state.has_sand and end is glass.end)
    )


#: The violation, and its clause, when a glass is seated in another tube against what a move may do.
_OBSTRUCTED = {
    Illegality.DEAD_GLASS: (rulings.Code.DEAD_GLASS, "R2.3"),
    Illegality.ALREADY_MOVED: (rulings.Code.ALREADY_MOVED, "R2.4"),
    Illegality.MUST_PLACE: (rulings.Code.ALREADY_MOVED, "R8"),
    Illegality.NOT_ADJACENT: (rulings.Code.NOT_ADJACENT, "R2.1"),
    Illegality.NO_TUBE: (rulings.Code.NOT_ADJACENT, "R2.1"),
    Illegality.OCCUPIED: (rulings.Code.NOT_ADJACENT, "R2.1"),
}


def put(state: State, glass: Glass, tube: Tube, end: End, *, certain: bool) -> None:
    """Judge ``glass``, seated in ``tube``; ``certain``: surely by its owner (R9.3)."""
    glass.standing = tube
    state.glasses.at[tube] = glass
    if glass.sand is not None:
        glass.sand = glass.sand.seated(state.now, end, state.header.sand.exact_hands, state.unseen_by)
        glass.doubtful = glass.doubtful and glass.sand.possibly_empty_at() <= state.now
        if not glass.doubtful:
            glass.run_out_unseen = None
    if tube is glass.tube:
        if state.has_sand and end is not glass.end:
            _wrong(state, glass, rulings.Code.TURNED_IN_PLACE, "R2.5")
        else:
            _put_back(state, glass)
        return
    if state.watch.paused:
        _wrong(state, glass, rulings.Code.OUT_OF_PLACE, "R9.5")
        return
    if not state.is_on_move(glass):
        _wrong(state, glass, rulings.Code.NOT_YOUR_TURN, "R2.8")
        return
    if state.position.is_full(tube):
        if certain:
            end_game(state, glass.owner.opponent, rulings.Reason.FULL_TUBE, "R3.2")
            return
        _ask_who(state, tube)
        _wrong(state, glass, rulings.Code.NOT_ADJACENT, "R9.3")
        return
    obstacle = state.position.obstacle(glass.owner, Move(glass.tube, tube))
    if obstacle is not None:
        _wrong(state, glass, *_OBSTRUCTED[obstacle])
    elif state.has_sand and end is glass.end:
        _wrong(state, glass, rulings.Code.NOT_TURNED, "R2.2")
    else:
        _move(state, glass, tube, end)


def _ask_who(state: State, tube: Tube) -> None:
    state.question = rulings.Question(tube)
    state.out.append(rulings.ArbiterNeeded(state.now, "R9.3", state.question))


def _wrong(state: State, glass: Glass, code: rulings.Code, rule: str) -> None:
    """Rule on ``glass``, which stands where or how it may not: it still counts as in the hand (R2.6)."""
    glass.wrong = code
    corrections = state.mend_wrong(glass)
    state.out.append(rulings.Violation(state.now, rule, glass.owner, code, corrections[0].tube, corrections))


def _right(state: State, glass: Glass) -> None:
    """Take ``glass`` as lawfully seated; one ``restored`` serves all that this puts right (R2.6, R2.9)."""
    glass.off = False
    two_right = glass.owner in state.glasses.two_off and len(state.glasses.off_tubes(glass.owner)) <= 1
    if glass.wrong is not None or two_right:
        rule = "R2.9" if glass.wrong is None else "R9.2" if glass.wrong is rulings.Code.OUT_OF_PLACE else "R2.6"
        state.out.append(rulings.Restored(state.now, rule))
    glass.wrong = None
    if two_right:
        state.glasses.two_off.discard(glass.owner)


def _put_back(state: State, glass: Glass) -> None:
    """``glass`` stands again as before its lift: no move (R2.5), or a late move is given up (R7.5)."""
    _right(state, glass)
    if not state.watch.paused and _give_up_late(state, glass):
        state.out.append(rulings.Forfeit(state.now, "R7.5", glass.owner))
    recheck_start(state)


def _move(state: State, glass: Glass, tube: Tube, end: End) -> None:
    """Finish a lawful move (R2.1)."""
    late = glass in state.late
    _right(state, glass)
    left = glass.tube
    state.position = state.position.moved(left, tube)
    glass.tube, glass.end = tube, end
    glass.started = state.has_sand
    glass.doubtful = False
    glass.run_out_unseen = None
    state.out.append(rulings.Moved(state.now, "R7.5" if late else "R2.1", glass.owner, left, tube, late))
    finish_move(state, glass.owner, tube, late)


def rule_missing(state: State) -> None:
    """Ask for each glass that was lifted in the pause and is missing at its end (R9.5)."""
    for glass in sorted(state.glasses.every, key=lambda glass: glass.tube):
        if glass.off and glass.wrong is None and glass.lift_order > state.watch.lifts:
            _wrong(state, glass, rulings.Code.OUT_OF_PLACE, "R9.5")


# From off the board


def _is_placing(state: State, tube: Tube, colour: Player | None, hands: list[Glass]) -> bool:
    """True if the glass seated in ``tube`` came from off the board (R8 free start)."""
    player = state.turn.player
    if player is None or state.watch.paused or not state.position.to_place(player):
        return False
    return not any(
        glass.owner is player or glass.tube is tube or (colour is not None and glass.owner is colour)
        for glass in hands
    )


def _place(state: State, event: Seat, *, certain: bool, leaned: bool) -> None:
    """Judge a glass from off the board, placed by the player to move (R8)."""
    player, tube = state.turn.player, event.tube
    assert player is not None
    if event.colour not in (None, player):
        _unknown(state, tube, event.colour, rulings.Code.NOT_YOUR_TURN, "R8")
    elif state.position.is_full(tube):
        if certain:
            end_game(state, player.opponent, rulings.Reason.FULL_TUBE, "R3.2")
        else:
            _ask_who(state, tube)
            _unknown(state, tube, player, rulings.Code.NOT_ADJACENT, "R8")
    elif state.position.obstacle(player, Move(None, tube)) is not None:
        _unknown(state, tube, player, rulings.Code.NOT_ADJACENT, "R8")
    else:
        if leaned:
            state.out.append(rulings.Restored(state.now, "R9.2"))
        number = 1 + sum(glass.owner is player for glass in state.glasses.every)
        state.position = state.position.placed(player, tube)
        sand = None
        if state.has_sand:
            settings = state.header.sand
            full = Sand.full(event.end, state.now, settings.of(f"{player}-{number}"), settings.tolerance)
            sand = full.stood(state.unseen_by)
        glass = Glass(owner=player, tube=tube, end=event.end, standing=tube, sand=sand, started=state.has_sand)
        state.glasses.every.append(glass)
        state.glasses.at[tube] = glass
        close_claims(state)  # nobody saw the move start, but it has (R4.3)
        state.out.append(rulings.Moved(state.now, "R8", player, None, tube, False))
        finish_move(state, player, tube, late=False)


def _unknown(state: State, tube: Tube, owner: Player | None, code: rulings.Code, rule: str) -> None:
    """Rule on a glass to be taken away: placed wrongly from off the board (R8), or held by nobody (R9.2)."""
    state.glasses.unknown[tube] = (owner, rule)
    state.out.append(rulings.Violation(state.now, rule, owner, code, tube, (state.mend_glass(tube),)))


# Leaning


def on_tilt(state: State, event: Tilt) -> None:
    """Something leans in a tube. That changes nothing until it is lifted or seated (R9.2).

    After time that nobody saw it may have been in a hand (R6.4).
    """
    glass = state.glasses.at.get(event.tube)
    if glass is not None and glass.sand is not None and glass.started and state.unseen_by:
        exact = state.header.sand.exact_hands
        held = glass.sand.lifted(state.now, state.unseen_by, exact_hands=exact)
        glass.sand = held.seated(state.now, glass.sand.end, exact)
    state.glasses.leaning.setdefault(event.tube, Lean(state.now))


def lean_due(state: State, lean: Lean) -> float:
    """The time at which a lean becomes a fault (R9.2, ``settle`` seconds)."""
    return moment(lean.since + state.header.ruleset.settle)


def rule_leaning(state: State) -> None:
    """Rule ``out_of_place`` on what has leaned for ``settle`` seconds (R9.2)."""
    for tube in sorted(state.glasses.leaning):
        lean = state.glasses.leaning[tube]
        if not lean.ruled and lean_due(state, lean) <= state.now:
            lean.ruled = True
            owner = state.position.owner(tube)
            mend = (state.mend_glass(tube),)
            state.out.append(rulings.Violation(state.now, "R9.2", owner, rulings.Code.OUT_OF_PLACE, tube, mend))
