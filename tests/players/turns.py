"""A player's turn, played by the rules: think, claim, lift, turn over, seat, ring, penalty ring."""

from tamsk_hw.referee.events import Press
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.people import Activity, Pause
from tests.players.choice import best_move, best_penalty_tube, possible_moves
from tests.players.glass_mischief import enter_full_tube
from tests.players.habits import Mischief
from tests.players.mending import put_back
from tests.players.mischief import MOVE_MISCHIEF, RING_MISCHIEF
from tests.players.person import BORDER, Attempt, Person
from tests.players.ring_mischief import ring_too_late, ring_too_many
from tests.players.story import RingIntent


class Plan:
    """The intentions of ``person`` for his turn ``number``, which was just called; times in simulated seconds."""

    def __init__(self, person: Person, number: int) -> None:
        habits, chance = person.habits, person.chance
        self.number = number
        self.dawdles = person.roll(habits.dawdles)
        ordinary = max(0.35, chance.triangular(0.5, 8.0, 2.0) * habits.pace)
        seconds = chance.uniform(16.0, 28.0) if self.dawdles else ordinary
        self.ponders_until = person.table.called_at + seconds
        self.watches_ring: float | None = None
        """The time at which he claims a ring that is still missing; None: he does not look."""
        entered = person.table.entered.get(person.other)
        if entered is not None and person.roll(habits.claims):
            if person.table.position.left(person.other) == 0:
                self.watches_ring = entered.t + chance.uniform(0.6, 2.0) * habits.pace
            else:
                # a ring that comes at all is on its way within 1.6 s
                self.watches_ring = entered.t + 0.5 + chance.uniform(2.0, 5.0) * habits.pace
        self.wakes = person.roll(habits.hurries)
        self.hesitates = person.roll(habits.hesitates)
        self.mischief = person.roll(habits.mischief)
        self.ring_mischief: Mischief | None = None
        self.careless = person.roll(habits.careless)
        self.resigns = person.roll(habits.resigns)
        self.enters_full_tube = person.roll(habits.enters_full_tube)


def take_turn(person: Person, plan: Plan) -> Activity:
    """Play the turn that was called, as planned; returns early when something else must be seen to."""
    table = person.table
    yield from _ponder(person, plan)
    if not _at_it(person, plan):
        return
    if plan.resigns:
        plan.resigns = False
        yield from person.press(Press.LONG)
        yield Pause(person.now + 2.0, attentive=True)
        return
    if not person.mine_in_hand():
        yield from _claim(person, plan)
        if not _at_it(person, plan):
            return
        if plan.enters_full_tube:
            plan.enters_full_tube = False
            done = yield from enter_full_tube(person)
            if done:
                return
        if plan.mischief:
            plan.mischief = False
            done = yield from _break_a_rule(person, plan)
            if done:
                return
    if not _at_it(person, plan) or _too_near_deadline(person) or person.other in table.claiming:
        yield Pause(person.now + 0.3)
        return
    if table.position.to_place(person.me):
        yield from _place(person, plan)
    else:
        yield from _move(person, plan)


def _break_a_rule(person: Person, plan: Plan) -> Attempt:
    """Break one of the rules that the player knows to break, as far as there is occasion."""
    kinds = [kind for kind in person.habits.mischief_kinds if kind in MOVE_MISCHIEF or kind in RING_MISCHIEF]
    kinds.sort(key=lambda kind: kind.value)
    person.chance.shuffle(kinds)
    for kind in kinds:
        if kind in RING_MISCHIEF:
            plan.ring_mischief = kind
            return False
        done = yield from MOVE_MISCHIEF[kind](person)
        if done:
            return True
    return False


def _at_it(person: Person, plan: Plan) -> bool:
    return person.my_turn() and person.table.number == plan.number and not person.table.over


def _ponder(person: Person, plan: Plan) -> Activity:
    table = person.table
    while _at_it(person, plan):
        until = plan.ponders_until
        if table.deadline is not None and table.deadline[0] is person.me and (not plan.dawdles or plan.wakes):
            # hurry: lifting and seating take up to three seconds
            until = min(until, table.deadline[1] - 3.0 - BORDER - 1.5 * person.habits.pace)
        if person.now >= until or any(deed.player is person.me for deed in table.deeds):
            return
        yield Pause(until, attentive=True)


def _too_near_deadline(person: Person) -> bool:
    """Lifting a glass now, nobody could say whether the move was started in time (R7.4, R7.5)."""
    deadline = person.table.deadline
    return deadline is not None and deadline[1] - 0.7 - BORDER < person.now < deadline[1] + BORDER


def _claim(person: Person, plan: Plan) -> Activity:
    """Claim the ring that the opponent forgot: announce it by button, then drop one's own (R4.3, R4.6)."""
    table = person.table
    takes = person.ring_takes() + 0.6
    if plan.watches_ring is None or not table.may_claim(person.me, takes):
        return
    while person.now < plan.watches_ring:
        if not _at_it(person, plan) or not table.may_claim(person.me, takes) or _hurried(person):
            return
        yield Pause(plan.watches_ring, attentive=True)
    yield from claim(person)


def _hurried(person: Person) -> bool:
    deadline = person.table.deadline
    return deadline is not None and deadline[1] < person.now + 8.0


def claim(person: Person) -> Activity:
    """Press the button and drop the ring, if the claim is still open."""
    table = person.table
    takes = person.ring_takes() + 0.6
    entered = table.entered.get(person.other)
    if entered is None or not table.may_claim(person.me, takes):
        return
    if table.is_reached_for(entered.tube):
        return
    table.claiming[person.me] = entered.tube
    try:
        yield from person.press(Press.SHORT)
        yield person.pause(0.1, 0.4)
        yield from person.drop(
            entered.tube, RingIntent.CLAIM, still=lambda seconds: table.may_claim(person.me, seconds)
        )
    finally:
        table.claiming.pop(person.me, None)


def _place(person: Person, plan: Plan) -> Activity:
    """Bring a glass from off the board (R8 free start)."""
    table, world = person.table, person.world
    moves = possible_moves(table, person.me, sand_margin=0.0)
    if not moves or not world.in_box(person.me) or person.until_free_to_seat() is not None:
        yield Pause(person.now + 0.4, attentive=True)
        return
    move = best_move(table, person.me, moves, person.chance, careless=True)
    glass = world.in_box(person.me)[0]
    table.aim(person.me, glass, move.to_tube)
    yield Pause(world.place(person.me, move.to_tube, full=True, glass=glass) + 0.02)
    yield from after_move(person, plan)


def _move(person: Person, plan: Plan) -> Activity:
    table = person.table
    held = person.mine_in_hand()
    moves = possible_moves(
        table, person.me, sand_margin=person.habits.sand_margin, glass=held[0] if held else None
    )
    if not moves:
        if held:
            yield from put_back(person, held[0])
        else:
            yield Pause(person.now + 0.8, attentive=True)
        return
    move = best_move(table, person.me, moves, person.chance, careless=plan.careless)
    assert move.from_tube is not None
    glass = table.glass_of(move.from_tube)
    assert glass is not None
    if not held:
        lifted = yield from person.lift(move.from_tube)
        if not lifted:
            yield Pause(person.now + 0.3)
            return
    deadline = table.deadline
    if plan.hesitates and deadline is not None and deadline[0] is person.me:
        plan.hesitates = False
        yield Pause(deadline[1] + person.chance.uniform(BORDER, 3.0))
        if table.late is person.me and not person.roll(person.habits.completes_late):
            yield from put_back(person, glass)
            return
    moved = yield from finish(person, glass)
    if moved:
        yield from after_move(person, plan)


def finish(person: Person, glass: WorldGlass) -> Attempt:
    """Bring a glass in the hand to a lawful destination, the best there is by now, or put it back."""
    table = person.table
    for _ in range(8):
        if glass not in table.grips or table.over:
            return False
        if not table.may_move(person.me) or not table.movable(glass):
            break
        moves = possible_moves(table, person.me, sand_margin=0.0, glass=glass)
        if not moves:
            break
        move = best_move(table, person.me, moves, person.chance, careless=False)
        end = person.turned_end(glass)

        def still(tube: int = move.to_tube) -> bool:
            position = table.position
            home = table.belongs[glass]
            free = home is not None and position.destinations(home) >> tube & 1
            return bool(free) and table.may_move(person.me) and table.movable(glass)

        before = table.entered.get(person.me)
        seated = yield from person.seat(glass, move.to_tube, end, still=still)
        if seated:
            return table.entered.get(person.me) is not before
        yield Pause(person.now + 0.1)
    if glass in table.grips:
        yield from put_back(person, glass)
    return False


def after_move(person: Person, plan: Plan) -> Activity:
    """Drop the ring of the move just finished (R4.1), or not; then a penalty ring (R7.6)."""
    table, habits = person.table, person.habits
    entered = table.entered.get(person.me)
    if entered is None:
        return
    mischief, plan.ring_mischief = plan.ring_mischief, None
    if mischief is Mischief.RING_TOO_LATE:
        yield from ring_too_late(person)
    elif person.roll(habits.forgets_ring):
        pass
    elif not table.ruleset.has_sand and person.roll(habits.delays_ring):
        yield from _drop_late(person)
    else:
        longest = table.ruleset.ring_window - person.ring_takes() - BORDER
        delay = min(person.chance.uniform(0.05, 1.6) * habits.pace, longest)
        if delay >= 0 or not table.ruleset.has_sand:
            yield Pause(person.now + max(delay, 0.05))
            yield from person.drop(
                entered.tube, RingIntent.MOVE, still=lambda seconds: table.may_drop_own(person.me, seconds)
            )
    if mischief is Mischief.RING_TOO_MANY:
        yield from ring_too_many(person)
    yield from _use_penalty(person)


def _drop_late(person: Person) -> Activity:
    """At level 1 a ring may come while the opponent thinks, until his move is finished (R4.2)."""
    table = person.table
    yield person.pause(4.0, 9.0)
    while table.aims.get(person.other) is not None:
        yield Pause(person.now + 0.2)
    entered = table.entered.get(person.me)
    if entered is None or not table.may_drop_own(person.me, person.ring_takes()):
        return
    if any(glass.owner is person.other for glass in table.grips):
        return  # his move is nearly finished: too near to call
    yield from person.drop(
        entered.tube, RingIntent.MOVE, still=lambda seconds: table.may_drop_own(person.me, seconds)
    )


def _use_penalty(person: Person) -> Activity:
    """Drop the second ring that the opponent's lateness allows."""
    table = person.table
    if person.me not in table.penalty_until:
        return
    if person.roll(person.habits.forgets_penalty) or not table.position.left(person.me):
        return
    yield person.pause(0.4, 2.0)

    def still(seconds: float) -> bool:
        until = table.penalty_until.get(person.me)
        if person.other in table.penalty_until or person.other in table.penalty:
            return False  # with two such rights nobody could say whose ring it was
        if until is None or table.position.left(person.me) < 1:
            return False
        return person.now + seconds + BORDER < until

    for _ in range(4):
        tube = best_penalty_tube(table, person.me, person.chance)
        if tube is None or not still(person.ring_takes()):
            return
        done = yield from person.drop(tube, RingIntent.PENALTY, still=still)
        if done:
            return
        yield Pause(person.now + 0.3)
