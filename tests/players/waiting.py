"""A player while the other is to move: he lifts early, turns the timer, makes mischief, claims at the end."""

from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.things import TimerPlace
from tests.players.choice import possible_moves
from tests.players.mending import put_back
from tests.players.mischief import WAITING_MISCHIEF
from tests.players.person import Person
from tests.players.turns import claim

NEVER = float("inf")


class WaitingPlan:
    """The intentions of ``person`` for the other's turn ``number``, which was just called; times in seconds."""

    def __init__(self, person: Person, number: int) -> None:
        habits, chance, called = person.habits, person.chance, person.table.called_at
        self.number = number
        self.lifts_early_at = self.turns_timer_at = self.mischief_at = self.claims_at = NEVER
        if person.roll(habits.lifts_early):
            self.lifts_early_at = called + chance.uniform(0.5, 4.0) * habits.pace
        if person.table.ruleset.has_timer and person.roll(habits.uses_timer):
            self.turns_timer_at = called + chance.uniform(3.0, 8.0) * max(habits.pace, 0.3)
        if person.roll(habits.mischief):
            self.mischief_at = called + chance.uniform(0.3, 2.5) * habits.pace
        entered = person.table.entered.get(person.other)
        if entered is not None and person.me in person.table.sitting_out and person.roll(habits.claims):
            self.claims_at = max(called + 0.4, entered.t + 0.5 + chance.uniform(1.8, 3.0) * habits.pace)


def wait(person: Person, plan: WaitingPlan) -> Activity:
    """Do what falls due of the plan, or pause until something does."""
    now = person.now
    if now >= plan.claims_at:
        plan.claims_at = NEVER
        if not person.table.in_hands():
            yield from claim(person)
    if now >= plan.mischief_at:
        plan.mischief_at = NEVER
        kinds = sorted(person.habits.mischief_kinds & WAITING_MISCHIEF.keys(), key=lambda kind: kind.value)
        person.chance.shuffle(kinds)
        for kind in kinds:
            done = yield from WAITING_MISCHIEF[kind](person)
            if done:
                return
    if now >= plan.lifts_early_at:
        plan.lifts_early_at = NEVER
        yield from _lift_early(person)
        return
    if now >= plan.turns_timer_at:
        if _timer_is_free(person):
            plan.turns_timer_at = NEVER
            yield from turn_timer(person)
            return
        plan.turns_timer_at = now + 0.5
    due = min(plan.claims_at, plan.mischief_at, plan.lifts_early_at, plan.turns_timer_at, now + 1.5)
    yield Pause(due, attentive=True)


def _timer_is_free(person: Person) -> bool:
    """It may be turned, and has been empty long enough that nobody could think otherwise."""
    table, world = person.table, person.world
    if table.called is not person.other or table.deadline is not None or table.blocked():
        return False
    if world.timer_place is not TimerPlace.CRADLE or world.timer.runs_out_at(world.now) is not None:
        return False
    return len(world.free_hands(person.me)) > 0 and person.now > table.timer_empty_since + 1.2


def turn_timer(person: Person) -> Activity:
    """Turn the 15-second timer against the other, who is slow (R7.2)."""
    if person.reach_for_timer():
        yield Pause(person.world.turn_timer(person.me) + 0.02)
        person.table.at_timer = None


def _lift_early(person: Person) -> Activity:
    """Lift a glass before the other has finished; put it back, or keep it for the own turn (R2.8)."""
    table = person.table
    if table.called is not person.other or table.deeds or table.late is not None or table.deadline is not None:
        return
    if table.position.to_place(person.me) or table.blocked():
        return
    moves = possible_moves(table, person.me, sand_margin=max(12.0, person.habits.sand_margin))
    if not moves:
        return
    home = person.chance.choice(moves).from_tube
    if home is None:
        return
    lifted = yield from person.lift(home)
    if not lifted:
        return
    patience = person.now + person.chance.uniform(1.0, 8.0) * person.habits.pace
    while person.mine_in_hand() and table.called is not person.me and person.now < patience and not table.over:
        yield Pause(patience, attentive=True)
    if person.mine_in_hand() and not person.my_turn():
        yield from put_back(person, person.mine_in_hand()[0])


def claim_at_the_end(person: Person) -> Activity:
    """With no move left to either, a forgotten ring may be claimed until the final window is over (R4.3, R5.1)."""
    yield person.pause(0.3, 1.5)
    yield from claim(person)
