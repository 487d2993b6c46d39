"""Rings: the rights to them, which of them count and for whom (R4, R7.6)."""

from collections.abc import Iterator
from math import inf

from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Player, Tube
from tamsk_hw.referee.events import Rings
from tamsk_hw.referee.rulings import Code, Restored, RingCounted, Uncounted, Violation
from tamsk_hw.referee.state import EnteredTube, State
from tamsk_hw.referee.view import Phase

#: An announcement by button is good for a claim in the 5 seconds after it (R4.6).
ANNOUNCEMENT_SECONDS = 5.0


def open_rights(state: State, player: Player, tube: Tube, late: bool) -> None:
    """Replace ``player``'s rights by those of the move that he finished in ``tube`` (R4.1, R4.5, R7.6)."""
    ruleset = state.header.ruleset
    # A player who has started a move in this turn may not claim any more, even against a late move (R4.5).
    claim_open = not (late and state.turn.had_started)
    state.rights.entries[player] = EnteredTube(tube, state.clock, claim_open=claim_open)
    state.rights.entries[player].opened = state.now
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


def _has_announced(state: State, player: Player) -> bool:
    """``player`` has announced a claim in the last 5 seconds, which is not used up (R4.6)."""
    pressed = state.rights.announced.get(player)
    return pressed is not None and state.seconds_to(pressed + ANNOUNCEMENT_SECONDS, state.now) > 0


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


def last_right(state: State) -> float | None:
    """The time at which the last usable right to a ring lapses, by `State.clock`; None without one (R5.1)."""
    lapses = []
    for player in PLAYERS:
        if own_right(state, player) is not None:
            lapses.append(_own_until(state, state.rights.entries[player]))
        if claim_right(state, player) is not None:
            lapses.append(_final(state))
        if penalty_right(state, player) and state.position.full != state.header.ruleset.tube_mask:
            lapses.append(state.rights.penalty_until[player])
    return max((until for until in lapses if until is not None), default=None)


def rings_due(state: State) -> dict[Tube, tuple[float, float]]:
    """The tubes where either player may drop a ring now, with the times when the right opened and lapses."""
    due: dict[Tube, tuple[float, float]] = {}

    def note(tube: Tube, since: float, until: float | None) -> None:
        first, last = due.get(tube, (since, since))
        due[tube] = (min(first, since), max(last, inf if until is None else until))

    if state.phase is not Phase.PLAY:
        return due
    for player in PLAYERS:
        own, claim, entries = own_right(state, player), claim_right(state, player), state.rights.entries
        if own is not None:
            note(own, entries[player].opened, state.due(_own_until(state, entries[player])))
        if claim is not None:
            note(claim, entries[player.opponent].opened, state.due(_final(state)))
        if penalty_right(state, player):
            for tube in state.header.ruleset.tubes:
                if not state.position.is_full(tube):
                    note(tube, entries[player].opened, state.due(state.rights.penalty_until[player]))
    return due


def _has_ring_in_hand(state: State, player: Player) -> bool:
    """True if ``player`` may hold a ring; counted holders tell (R4.6)."""
    if not state.holders_counted:
        return True
    return RINGS_EACH - state.rings.in_holders[player] - state.position.on_board(player) >= 1


def _owner(state: State, tube: Tube) -> tuple[Player, RingKind] | None:
    """The owner of a ring newly dropped in ``tube``, and the first right that allows it (R4.6)."""
    hands = [player for player in PLAYERS if _has_ring_in_hand(state, player)]
    for player in hands:
        if claim_right(state, player) is tube and _has_announced(state, player):
            return player, RingKind.CLAIM
    for player in hands:
        if own_right(state, player) is tube:
            return player, RingKind.MOVE
    if not state.position.is_full(tube):
        penalties = [player for player in hands if penalty_right(state, player)]
        if penalties:
            last = state.rights.moved_last
            return last if last in penalties else penalties[0], RingKind.PENALTY
    if state.holders_counted:
        for player in hands:
            if claim_right(state, player) is tube:
                return player, RingKind.CLAIM
    return None


#: The clauses of the rights by which rings count.
_CLAUSES = {RingKind.MOVE: "R4.1", RingKind.CLAIM: "R4.3", RingKind.PENALTY: "R7.6"}


def count_ring(state: State, tube: Tube, player: Player, kind: RingKind, *, by_arbiter: bool = False) -> None:
    """Count a ring of ``player`` on ``tube``, by the rules or by the arbiter's decision (R9.6)."""
    state.position = state.position.ringed(tube, player)
    state.rings.counted[tube].append((player, kind))
    if kind is RingKind.CLAIM:
        state.rights.announced.pop(player, None)  # a claim uses it up (R4.6)
    if kind is RingKind.PENALTY:
        state.rights.penalty_until.pop(player, None)
    else:
        for entry in state.rights.entries.values():
            if entry.tube is tube:
                entry.ring = True
    left = state.position.left(player)
    rule = "R9.6" if by_arbiter else _CLAUSES[kind]
    state.out.append(RingCounted(state.now, rule, player, tube, kind, left))


def _refuse(state: State, tube: Tube) -> None:
    """Rule on a ring that no right allows (R4.7)."""
    code, player = Code.RING_WRONG_TUBE, None
    for mover, entry in state.rights.entries.items():
        if entry.tube is tube:
            code = Code.RING_TOO_MANY if entry.ring else Code.RING_TOO_LATE
            player = mover if entry.ring else None
    state.rings.wrong.add(tube)
    state.out.append(Violation(state.now, "R4.7", player, code, tube, (state.mend_rings(tube),)))


def uncount_ring(state: State, tube: Tube) -> None:
    """Take the last counted ring of ``tube`` back; no right returns with it (R9.7)."""
    if not state.rings.counted[tube]:
        return
    player, kind = state.rings.counted[tube].pop()
    for entry in state.rights.entries.values():
        if entry.tube is tube and entry.ring and kind is not RingKind.PENALTY:
            entry.ring = entry.own_open = entry.claim_open = False
    state.position = state.position.unringed(tube, player)
    state.out.append(Uncounted(state.now, "R9.7", player, tube, state.position.left(player)))
    if state.rings.seen[tube] > state.position.rings[tube]:
        state.rings.wrong.add(tube)
        mend = (state.mend_rings(tube),)
        wrong = Violation(state.now, "R9.7", None, Code.RING_WRONG_TUBE, tube, mend)
        state.out.append(wrong)
    restore_rings(state, tube)


def restore_rings(state: State, tube: Tube) -> None:
    """Rule ``restored`` when a tube's rings were wrong and are right again."""
    if tube in state.rings.wrong and state.rings.seen[tube] == state.position.rings[tube]:
        state.rings.wrong.discard(tube)
        state.out.append(Restored(state.now, "R4.7"))


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
        owner = _owner(state, tube)
        if owner is None:
            _refuse(state, tube)
        else:
            count_ring(state, tube, *owner)
            yield
    if seen[tube] < state.position.rings[tube]:
        state.rings.wrong.add(tube)
        mend = (state.mend_rings(tube),)
        state.out.append(Violation(state.now, "R4.7", None, Code.RING_REMOVED, tube, mend))
