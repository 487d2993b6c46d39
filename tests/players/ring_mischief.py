"""Breaking the rules with a ring or the timer; every attempt is as `tests.players.mischief` says."""

from collections.abc import Callable

from tamsk_hw.game.tubes import CAPACITY, RINGS_EACH, Tube
from tamsk_hw.simulator.people import Pause
from tamsk_hw.simulator.things import TimerPlace
from tests.players.glass_mischief import is_quiet
from tests.players.habits import Mischief
from tests.players.person import BORDER, Attempt, Person
from tests.players.story import RingIntent


def _no_right_about(person: Person) -> bool:
    """Nobody has a penalty ring to drop, which a wrong one could be taken for."""
    return not person.table.may_drop_penalty()


def _hands_off_rings(person: Person, tube: Tube) -> bool:
    table = person.table
    if person.world.rings_in_hand(person.other) or table.claiming or not person.world.can_drop(tube):
        return False
    return not table.is_reached_for(tube)


def _drop_wrongly(person: Person, tube: Tube, kind: Mischief, still: Callable[[float], bool]) -> Attempt:
    deed = person.did(kind, tube)
    dropped = yield from person.drop(tube, RingIntent.MISCHIEF, still=still)
    if not dropped:
        person.table.undo(deed)
    return dropped


def _untouched(person: Person, tube: Tube) -> bool:
    """Nothing is wrong at the tube and no glass is on its way there or near it."""
    table = person.table
    if tube in table.wrong_tubes() or any(aim.tube is tube for aim in table.aims.values()):
        return False
    return person.world.rings[tube] == table.position.rings[tube]


def ring_wrong_tube(person: Person) -> Attempt:
    """A ring in a tube that no right opens."""
    table = person.table
    if not is_quiet(person) or not _no_right_about(person) or not person.world.holders[person.me].rings:
        return False
    tubes = [
        tube
        for tube in table.ruleset.tubes
        if table.position.rings[tube] < CAPACITY[tube]
        and not table.has_open_right(tube)
        and _untouched(person, tube)
        and _hands_off_rings(person, tube)
    ]
    if not tubes:
        return False
    tube = person.chance.choice(tubes)

    def still(seconds: float) -> bool:
        return _no_right_about(person) and not table.has_open_right(tube) and person.world.can_drop(tube)

    return (yield from _drop_wrongly(person, tube, Mischief.RING_WRONG_TUBE, still))


def ring_too_many(person: Person) -> Attempt:
    """A second ring in the tube just entered."""
    table = person.table
    entered = table.entered.get(person.me)
    if entered is None or entered.ring is None or not _no_right_about(person) or table.deeds:
        return False
    tube = entered.tube
    if table.position.rings[tube] >= CAPACITY[tube] or not person.world.holders[person.me].rings:
        return False
    yield person.pause(0.5, 1.5)

    def still(seconds: float) -> bool:
        same = table.entered.get(person.me) is entered and _no_right_about(person) and not table.over
        return same and _untouched_but_for_me(person, tube) and person.world.can_drop(tube)

    if not still(0.0) or not _hands_off_rings(person, tube) or table.blocked():
        return False
    return (yield from _drop_wrongly(person, tube, Mischief.RING_TOO_MANY, still))


def _untouched_but_for_me(person: Person, tube: Tube) -> bool:
    return all(aim.tube is not tube for aim in person.table.aims.values())


def ring_too_late(person: Person) -> Attempt:
    """The ring of one's own move, when the right to it has lapsed (R4.2, R4.4)."""
    table = person.table
    entered = table.entered.get(person.me)
    if entered is None or table.position.left(person.me) < 1 or not person.world.can_drop(entered.tube):
        return False
    tube = entered.tube
    patience = person.now + 25.0
    while True:
        if table.over or person.now > patience or table.entered.get(person.me) is not entered:
            return False
        if entered.ring is not None or table.blocked():
            return False
        lapsed = entered.t + table.ruleset.ring_window + BORDER if table.ruleset.has_sand else None
        if (lapsed is not None and person.now >= lapsed) or (lapsed is None and entered.answered):
            break
        yield Pause(lapsed if lapsed is not None else person.now + 0.5)
    yield person.pause(0.2, 1.0)

    def still(seconds: float) -> bool:
        same = table.entered.get(person.me) is entered and entered.ring is None and not table.over
        quiet = _no_right_about(person) and not table.is_claimed(tube, person.other)
        return same and quiet and person.world.can_drop(tube) and not person.world.rings_in_hand(person.other)

    if not still(0.0) or not _hands_off_rings(person, tube) or table.deeds:
        return False
    return (yield from _drop_wrongly(person, tube, Mischief.RING_TOO_LATE, still))


def ring_removed(person: Person) -> Attempt:
    """A ring that counts taken off the board."""
    table = person.table
    if not is_quiet(person) or not _no_right_about(person):
        return False
    if person.world.holders[person.me].rings >= RINGS_EACH or person.world.rings_in_hand(person.me):
        return False
    tubes = [
        tube
        for tube in table.ruleset.tubes
        if table.position.rings[tube] > 0 and not table.has_open_right(tube) and _untouched(person, tube)
    ]
    tubes = [tube for tube in tubes if not table.is_reached_for(tube)]
    if not tubes:
        return False
    tube = person.chance.choice(tubes)
    deed = person.did(Mischief.RING_REMOVED, tube)
    taken = yield from person.take_off_ring(tube)
    if not taken:
        table.undo(deed)
    return taken


def timer_running(person: Person) -> Attempt:
    """The 15-second timer turned while its sand runs (R7.2)."""
    world = person.world
    if (
        not person.table.ruleset.has_timer
        or world.timer_place is not TimerPlace.CRADLE
        or not len(world.free_hands(person.me))
    ):
        return False
    # Where the referee may doubt that sand is left, turning it breaks no rule (R7.2).
    doubtful = 3.0 + 2.0 * person.table.timer_cut_short
    if world.timer.upper_seconds(world.now) <= doubtful or not person.reach_for_timer():
        return False
    person.table.timer_misdeed(person.me)
    yield Pause(world.turn_timer(person.me) + 0.02)
    person.table.at_timer = None
    return True
