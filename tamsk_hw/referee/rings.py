"""Rings: the rights to them, which of them count and for whom (R4, R7.6), also of those seen late (R9.8)."""

from collections.abc import Iterator, Sequence
from math import inf

from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Player, Tube
from tamsk_hw.referee import rulings
from tamsk_hw.referee.events import Fault, Rings, SensorKind
from tamsk_hw.referee.state import EnteredTube, Right, Rights, State
from tamsk_hw.referee.view import Phase

#: An announcement by button is good for a claim in the 5 seconds after it (R4.6).
ANNOUNCEMENT_SECONDS = 5.0


def open_rights(state: State, player: Player, tube: Tube, late: bool) -> None:
    """Replace ``player``'s rights by those of the move that he finished in ``tube`` (R4.1, R4.5, R7.6)."""
    ruleset = state.header.ruleset
    # A player who has started a move in this turn may not claim any more, even against a late move (R4.5).
    claim_open = not (late and state.turn.had_started)
    state.rights.entries[player] = EnteredTube(tube, state.clock, claim_open=claim_open, opened=state.now)
    state.rights.entered_last[tube] = player
    state.rights.last_finish = state.clock
    state.rights.moved_last = player
    other = state.rights.entries.get(player.opponent)
    if ruleset.level == 1 and other is not None:
        other.own_open = False  # R4.2
    state.rights.penalty_until.pop(player, None)
    if player in state.rights.penalty_due:
        state.rights.penalty_due.discard(player)
        state.rights.penalty_until[player] = state.clock + ruleset.penalty_window


def close_claims(state: State) -> None:
    """End all claims, as a move was started (R4.3, R4.5)."""
    for entry in state.rights.entries.values():
        entry.claim_open = False


def announce(state: State, player: Player) -> None:
    """Note or renew ``player``'s announcement of a claim, made by his button (R4.6)."""
    state.rights.announced[player] = state.clock


def announced_for(state: State, player: Player, t: float) -> float:
    """Seconds from ``t`` on for which an announced claim of ``player`` holds; 0 and less for none (R4.6)."""
    pressed = state.rights.announced.get(player)
    return 0.0 if pressed is None else state.seconds_to(pressed + ANNOUNCEMENT_SECONDS, t)


def _final(state: State) -> float | None:
    """The time at which rights lapse with no turn to follow, by `State.clock`; None during a turn (R5.1)."""
    return None if state.turn.player else state.rights.last_finish + state.header.ruleset.final_window


def _own_until(state: State, entry: EnteredTube) -> float | None:
    """The time at which the mover's own right lapses, by `State.clock`; None when it does not."""
    ruleset = state.header.ruleset
    return _final(state) if ruleset.level == 1 else entry.t + ruleset.ring_window


def _is_open(state: State, until: float | None, t: float | None = None) -> bool:
    """A right that lapses at ``until`` (by `State.clock`) has not lapsed now, or at ``t`` (of the stream)."""
    return until is None or state.seconds_to(until, state.now if t is None else t) > 0


def _usable(state: State, entry: EnteredTube) -> bool:
    """True while the entered tube has no ring of that move and is not full."""
    return not entry.ring and not state.position.is_full(entry.tube)


def own_right(state: State, player: Player, t: float | None = None) -> Tube | None:
    """The tube where ``player`` may now, or at ``t``, drop the ring of his own move (R4.1, R4.2, R4.4)."""
    entry = state.rights.entries.get(player)
    if entry is None or not entry.own_open or not _usable(state, entry) or not state.position.left(player):
        return None
    return entry.tube if _is_open(state, _own_until(state, entry), t) else None


def own_right_seconds(state: State, player: Player, t: float) -> float | None:
    """Seconds from ``t`` until the open right of ``player``'s own move lapses; None if only a move can end it."""
    until = _own_until(state, state.rights.entries[player])
    return None if until is None else state.seconds_to(until, t)


def claim_right(state: State, player: Player) -> Tube | None:
    """The tube where ``player`` may now claim his opponent's ring (R4.3)."""
    entry = state.rights.entries.get(player.opponent)
    if entry is None or not entry.claim_open or not _usable(state, entry) or not state.position.left(player):
        return None
    return entry.tube if _is_open(state, _final(state)) else None


def penalty_right(state: State, player: Player, t: float | None = None) -> bool:
    """``player`` may now, or at ``t``, drop a penalty ring in any tube that is not full (R7.6)."""
    until = state.rights.penalty_until.get(player)
    return until is not None and _is_open(state, until, t) and bool(state.position.left(player))


def _rights_now(state: State) -> Iterator[tuple[Player, RingKind, EnteredTube | float, float | None]]:
    """The rights that allow a ring now, each with its source (`Right`) and until when, by `State.clock`."""
    rights = state.rights
    for player in PLAYERS:
        if own_right(state, player) is not None:
            entry = rights.entries[player]
            yield player, RingKind.MOVE, entry, _own_until(state, entry)
        if claim_right(state, player) is not None:
            yield player, RingKind.CLAIM, rights.entries[player.opponent], _final(state)
        if penalty_right(state, player) and state.position.full != state.header.ruleset.tube_mask:
            until = rights.penalty_until[player]
            yield player, RingKind.PENALTY, until, until


def last_right(state: State) -> float | None:
    """The time at which the last usable right to a ring lapses, by `State.clock`; None without one (R5.1)."""
    return max((until for *_, until in _rights_now(state) if until is not None), default=None)


def rings_due(state: State) -> dict[Tube, tuple[float, float]]:
    """The tubes where either player may drop a ring now, with the times when the right opened and lapses."""
    due: dict[Tube, tuple[float, float]] = {}
    if state.phase is not Phase.PLAY:
        return due
    for player, _, source, until in _rights_now(state):
        entry = source if isinstance(source, EnteredTube) else state.rights.entries[player]
        tubes = (entry.tube,) if entry is source else state.header.ruleset.tubes
        for tube in tubes:
            if not state.position.is_full(tube):
                first, last = due.get(tube, (entry.opened, entry.opened))
                due[tube] = (min(first, entry.opened), max(last, _lapses(state, until)))
    return due


def _lapses(state: State, until: float | None) -> float:
    """The stream's time at ``until`` (by `State.clock`); infinite when only a move can end the right."""
    due = state.due(until)
    return inf if due is None else due


def _has_ring_in_hand(state: State, player: Player) -> bool:
    """True if ``player`` may hold a ring; counted holders tell (R4.6)."""
    if not state.holders_counted:
        return True
    return RINGS_EACH - state.rings.in_holders[player] - state.position.on_board(player) >= 1


def remember_rights(state: State) -> None:
    """Note which rights are open now, and when others closed: a ring may be seen later (R9.8)."""
    rights = state.rights
    before = {right.key: right for right in rights.open}
    rights.open = []
    for right in _open_rights(state) if state.phase is Phase.PLAY else ():
        known = before.pop(right.key, right)
        known.lapses = right.lapses
        rights.open.append(known)
    for right in before.values():
        right.lapses = min(right.lapses, state.now)
    rights.past += before.values()


def _open_rights(state: State) -> Iterator[Right]:
    """The rights that allow a ring now; a claim needs an announcement, or counted holders (R4.6)."""
    for player, kind, source, until in _rights_now(state):
        lapses = _lapses(state, until)
        if kind is RingKind.CLAIM and announced_for(state, player, state.now) > 0:
            pressed = state.rights.announced[player]
            ends = min(lapses, _lapses(state, pressed + ANNOUNCEMENT_SECONDS))
            yield Right(player, kind, source, pressed, state.now, ends)
        if kind is not RingKind.CLAIM or state.holders_counted:
            yield Right(player, kind, source, None, state.now, lapses)


#: The order in which rights are asked (R4.6), those to a claim by whether it was announced.
_ORDER = {
    (RingKind.CLAIM, True): 0,
    (RingKind.MOVE, False): 1,
    (RingKind.PENALTY, False): 2,
    (RingKind.CLAIM, False): 3,
}


def _allowing(state: State, tube: Tube, since: float) -> list[Right]:
    """The unused rights to a ring in ``tube`` that were open after ``since``; the first has it (R4.6, R9.8)."""
    if state.position.is_full(tube):
        return []

    def order(right: Right) -> tuple[int, bool, float]:
        is_other = right.kind is RingKind.PENALTY and right.player is not state.rights.moved_last
        return _ORDER[right.kind, right.announced is not None], is_other, -right.opened

    found = [
        right
        for right in state.rights.every
        if right.tube in (None, tube) and not right.used and max(since, right.opened) < right.lapses
        if state.position.left(right.player) and _has_ring_in_hand(state, right.player)
    ]
    return sorted(found, key=order)


def on_ring_sensor(state: State, fault: Fault) -> None:
    """The rings of some tubes cannot be read any more, or can again (R9.8).

    A ring sensor's fault that names none hides those of its tube, or of the whole board.
    """
    sensor, tubes = fault.sensor, fault.unread
    if not tubes and sensor.kind in (SensorKind.RING, SensorKind.RING_LIGHT, SensorKind.RING_CONVERTERS):
        tubes = frozenset(state.header.ruleset.tubes if sensor.tube is None else (sensor.tube,))
    before = state.rings.unread.pop(sensor, {})
    if tubes and not fault.cleared:
        state.rings.unread[sensor] = {tube: before.get(tube, state.now) for tube in sorted(tubes)}


def may_hide_rings(state: State) -> bool:
    """A ring may lie unseen on a tube that cannot be read: a right to it was open there (R9.8)."""
    return any(
        not right.used and right.lapses > since and right.tube in (None, tube)
        for tubes in state.rings.unread.values()
        for tube, since in tubes.items()
        for right in state.rights.every
    )


def keep_asking(state: State) -> None:
    """Keep a question open until its ring has an owner or is taken away, or until the end is certain (R9.8)."""
    rings = state.rings
    rings.disputed = [tube for tube in rings.disputed if rings.seen[tube] > state.position.rings[tube]]
    open_now = [rulings.LateRing(tube) for tube in rings.disputed] if state.phase is Phase.PLAY else []
    if state.phase is Phase.PLAY and rings.is_end_asked and may_hide_rings(state):
        open_now.append(rulings.LateRing(None))
    if state.question is None or isinstance(state.question.about, rulings.LateRing):
        state.question = rulings.Question(open_now[0]) if open_now else None


#: The clauses of the rights by which rings count.
_CLAUSES = {RingKind.MOVE: "R4.1", RingKind.CLAIM: "R4.3", RingKind.PENALTY: "R7.6"}


def count_ring(
    state: State,
    tube: Tube,
    player: Player,
    kind: RingKind,
    right: Right | None = None,
    *,
    by_arbiter: bool = False,
) -> None:
    """Count a ring of ``player`` on ``tube`` by a present right, by ``right``, or by the arbiter (R9.6)."""
    state.position = state.position.ringed(tube, player)
    state.rings.counted[tube].append((player, kind))
    rights = state.rights
    if right is not None:
        _use_up(rights, player, kind, [right.source], right.announced)
    elif kind is RingKind.PENALTY:
        _use_up(rights, player, kind, [rights.penalty_until.get(player)], None)
    else:
        entered = [entry for entry in rights.entries.values() if entry.tube is tube]
        announced = rights.announced.get(player)
        if by_arbiter and not any(each.tube is tube and each.announced == announced for each in rights.every):
            announced = None  # it was for a ring in another tube, which may still be seen late
        _use_up(rights, player, kind, entered, announced)
    rule = "R9.6" if by_arbiter else _CLAUSES[kind]
    left = state.position.left(player)
    state.out.append(rulings.RingCounted(state.now, rule, player, tube, kind, left))


def _use_up(
    rights: Rights,
    player: Player,
    kind: RingKind,
    sources: Sequence[EnteredTube | float | None],
    announced: float | None,
) -> None:
    """Note what a ring used up: the rights from ``sources``, and of a claim its announcement (R4.6)."""
    if kind is RingKind.CLAIM and rights.announced.get(player) == announced:
        rights.announced.pop(player, None)
    if kind is RingKind.PENALTY and rights.penalty_until.get(player) in sources:
        rights.penalty_until.pop(player, None)
    for source in sources:
        if isinstance(source, EnteredTube):
            source.ring = True
    for each in rights.every:
        is_of_source = each.source in sources and (each.player is player or kind is not RingKind.PENALTY)
        is_announced = kind is each.kind is RingKind.CLAIM and each.announced == announced is not None
        if is_of_source or (is_announced and each.player is player):
            each.used = True


def _refuse(state: State, tube: Tube) -> None:
    """Rule on a ring that no right allows (R4.7)."""
    code, player = rulings.Code.RING_WRONG_TUBE, None
    for mover, entry in state.rights.entries.items():
        if entry.tube is tube:
            code = rulings.Code.RING_TOO_MANY if entry.ring else rulings.Code.RING_TOO_LATE
            player = mover if entry.ring else None
    state.rings.wrong.add(tube)
    state.out.append(rulings.Violation(state.now, "R4.7", player, code, tube, (state.mend_rings(tube),)))


def uncount_ring(state: State, tube: Tube) -> None:
    """Take the last counted ring of ``tube`` back; no right returns with it (R9.7)."""
    if not state.rings.counted[tube]:
        return
    player, kind = state.rings.counted[tube].pop()
    for entry in state.rights.entries.values():
        if entry.tube is tube and entry.ring and kind is not RingKind.PENALTY:
            entry.ring = entry.own_open = entry.claim_open = False
    state.position = state.position.unringed(tube, player)
    state.out.append(rulings.Uncounted(state.now, "R9.7", player, tube, state.position.left(player)))
    if state.rings.seen[tube] > state.position.rings[tube]:
        state.rings.wrong.add(tube)
        mend = (state.mend_rings(tube),)
        wrong = rulings.Violation(state.now, "R9.7", None, rulings.Code.RING_WRONG_TUBE, tube, mend)
        state.out.append(wrong)
    restore_rings(state, tube)


def restore_rings(state: State, tube: Tube) -> None:
    """Rule ``restored`` when a tube's rings were wrong and are right again."""
    if tube in state.rings.wrong and state.rings.seen[tube] == state.position.rings[tube]:
        state.rings.wrong.discard(tube)
        state.out.append(rulings.Restored(state.now, "R4.7"))


def on_rings(state: State, event: Rings) -> Iterator[None]:
    """Rule on a changed ring count, ring by ring (R4.7).

    Yields after each ring that counts, so that its consequences are ruled on before the next ring.
    """
    tube, seen = event.tube, state.rings.seen
    if event.count < seen[tube]:
        seen[tube] = event.count
        restore_rings(state, tube)
    while seen[tube] < event.count:
        seen[tube] += 1
        if seen[tube] <= state.position.rings[tube]:
            restore_rings(state, tube)  # a missing ring is put back before a new one counts
            continue
        is_late = event.since not in (None, event.t)
        allowing = _allowing(state, tube, state.now if event.since is None else event.since)
        if not allowing:
            _refuse(state, tube)
        elif is_late and len({right.player for right in allowing}) > 1:
            state.rings.disputed.append(tube)
            question = rulings.Question(rulings.LateRing(tube))
            state.out.append(rulings.ArbiterNeeded(state.now, "R9.8", question, tube))
        else:
            first = allowing[0]
            count_ring(state, tube, first.player, first.kind, first if is_late else None)
            yield
    if seen[tube] < state.position.rings[tube]:
        state.rings.wrong.add(tube)
        mend = (state.mend_rings(tube),)
        state.out.append(rulings.Violation(state.now, "R4.7", None, rulings.Code.RING_REMOVED, tube, mend))
