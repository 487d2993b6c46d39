"""Breaking the rules with a glass; every attempt is as `tests.players.mischief` says."""

from tamsk_hw.game.tubes import NEIGHBOUR_MASKS, Tube, tubes_in
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.people import Pause
from tests.players.habits import Mischief
from tests.players.mending import put_back
from tests.players.person import Attempt, Person


def is_quiet(person: Person) -> bool:
    """Nothing else goes on that one's mischief could be mixed up with."""
    table = person.table
    if table.deeds or table.late is not None or table.blocked() or table.in_hands() or table.aims:
        return False
    return table.deadline is None


def _room_for_mischief(person: Person, tube: Tube) -> bool:
    """A glass could be seated there, and it would not end the game."""
    table = person.table
    if table.position.is_full(tube) or table.position.owner(tube) is not None:
        return False
    return person.world.can_seat(tube) and not table.is_reached_for(tube)


def _live_glasses(person: Person) -> list[WorldGlass]:
    """My glasses that I may move now, with sand enough for a lengthy deed."""
    table = person.table
    fresh = table.position.fresh
    live = []
    for glass in table.own(person.me):
        home = table.belongs[glass]
        if home is None or not table.movable(glass) or not table.stands_right(glass):
            continue
        if not table.ruleset.has_sand or fresh >> home & 1 or glass.upper_seconds(person.world.now) > 8.0:
            live.append(glass)
    return live


def _seat_wrongly(
    person: Person, glass: WorldGlass, targets: list[Tube], kind: Mischief, *, turned: bool
) -> Attempt:
    """Lift ``glass`` and seat it in one of ``targets``, if that is still the mischief meant by then; else back."""
    table = person.table
    target = person.chance.choice(targets)
    lifted = yield from person.lift(table.home_of(glass))
    if not lifted:
        return False
    end = table.end[glass].other if turned else table.end[glass]

    def still() -> bool:
        if not _room_for_mischief(person, target):
            return False
        return table.fault_of(glass, target, end, table.turn, table.late) is kind

    seated = yield from person.seat(glass, target, end, still=still)
    if not seated and glass in table.grips and not person.my_turn():
        yield from put_back(person, glass)
    return True


def not_adjacent(person: Person) -> Attempt:
    """A move to a tube that does not touch the glass's own."""
    live = _live_glasses(person) if is_quiet(person) else []
    if not live:
        return False
    glass = person.chance.choice(live)
    home = person.table.home_of(glass)
    near = NEIGHBOUR_MASKS[home]
    targets = [
        t
        for t in person.table.ruleset.tubes
        if t is not home and not near >> t & 1 and _room_for_mischief(person, t)
    ]
    if not targets:
        return False
    return (yield from _seat_wrongly(person, glass, targets, Mischief.NOT_ADJACENT, turned=True))


def _legal_targets(person: Person, glass: WorldGlass) -> list[Tube]:
    home = person.table.belongs[glass]
    if home is None:
        return []
    near = tubes_in(person.table.position.destinations(home))
    return [tube for tube in near if _room_for_mischief(person, tube)]


def _move_wrongly(person: Person, glasses: list[WorldGlass], kind: Mischief, *, turned: bool = True) -> Attempt:
    """A move with one of ``glasses`` to where it might go if ``kind`` did not forbid the move."""
    able = [glass for glass in glasses if _legal_targets(person, glass)]
    if not able:
        return False
    glass = person.chance.choice(able)
    return (yield from _seat_wrongly(person, glass, _legal_targets(person, glass), kind, turned=turned))


def not_turned(person: Person) -> Attempt:
    """A move with the glass not turned over."""
    if not person.table.ruleset.has_sand or not is_quiet(person):
        return False
    return (yield from _move_wrongly(person, _live_glasses(person), Mischief.NOT_TURNED, turned=False))


def turned_in_place(person: Person) -> Attempt:
    """A glass turned over where it stands, on whoever's turn."""
    table = person.table
    if not table.ruleset.has_sand or not is_quiet(person):
        return False
    live = [glass for glass in _live_glasses(person) if glass.lower_seconds(person.world.now) > 8.0]
    if not live:
        return False
    glass = person.chance.choice(live)
    home = table.home_of(glass)
    lifted = yield from person.lift(home)
    if not lifted:
        return False
    yield from person.seat(glass, home, table.end[glass].other)
    return True


def dead_glass(person: Person) -> Attempt:
    """A move with a glass that has run out."""
    table = person.table
    # without a legal move that lasts, his turn could end while he carries the dead glass
    if not is_quiet(person) or not any(_legal_targets(person, glass) for glass in _live_glasses(person)):
        return False
    dead = []
    for glass in table.own(person.me):
        home = table.belongs[glass]
        lost = home is not None and bool(table.position.lost >> home & 1)
        if lost and glass in table.ruled_lost and table.stands_right(glass):
            dead.append(glass)
    if not dead:
        return False
    glass = person.chance.choice(dead)
    targets = _legal_targets(person, glass) or [
        tube for tube in table.ruleset.tubes if _room_for_mischief(person, tube)
    ]
    if not targets:
        return False
    return (yield from _seat_wrongly(person, glass, targets, Mischief.DEAD_GLASS, turned=person.roll(0.5)))


def already_moved(person: Person) -> Attempt:
    """A second move of the same glass in the first three turns, or a move while glasses are to be placed (R8)."""
    table = person.table
    if not is_quiet(person):
        return False
    placing = table.position.to_place(person.me) > 0
    fresh = table.position.fresh & table.position.glasses(person.me)
    if not fresh and not placing:
        return False
    moved = []
    for glass in table.own(person.me):
        home = table.belongs[glass]
        if home is None or fresh >> home & 1 or not table.stands_right(glass) or glass in table.ruled_lost:
            continue
        if not table.ruleset.has_sand or glass.upper_seconds(person.world.now) > 8.0:
            moved.append(glass)
    return (yield from _move_wrongly(person, moved, Mischief.ALREADY_MOVED))


def two_glasses(person: Person) -> Attempt:
    """A second glass lifted while the first is in the hand (R2.9)."""
    table = person.table
    live = _live_glasses(person) if is_quiet(person) else []
    if not live or len(person.world.free_hands(person.me)) < 2:
        return False
    first = person.chance.choice(live)
    seconds = [glass for glass in table.own(person.me) if glass is not first and table.stands_right(glass)]
    seconds = [glass for glass in seconds if table.belongs[glass] is not None]
    if not seconds:
        return False
    lifted = yield from person.lift(table.home_of(first))
    if not lifted:
        return False
    yield person.pause(0.2, 0.8)
    second = person.chance.choice(seconds)
    there = table.home_of(second)
    if first not in table.grips or not table.stands_right(second) or table.over or not person.my_turn():
        return True
    deed = person.did(Mischief.TWO_GLASSES, there, second)
    lifted = yield from person.lift(there)
    if not lifted:
        table.undo(deed)
    return True


def not_your_turn(person: Person) -> Attempt:
    """A move on the other's turn (R2.8)."""
    table = person.table
    if not is_quiet(person) or table.turn is person.me or table.position.to_place(person.other):
        return False
    return (yield from _move_wrongly(person, _live_glasses(person), Mischief.NOT_YOUR_TURN))


def enter_full_tube(person: Person) -> Attempt:
    """A move to a full tube: the game is lost at once (R3.2)."""
    table = person.table
    if not is_quiet(person):
        return False
    ways = []
    for glass in _live_glasses(person):
        home = table.belongs[glass]
        if home is not None:
            full = tubes_in(NEIGHBOUR_MASKS[home] & table.position.full)
            ways += [(glass, tube) for tube in full if person.world.can_seat(tube)]
    if not ways:
        return False
    glass, target = person.chance.choice(ways)
    lifted = yield from person.lift(table.home_of(glass))
    if not lifted:
        return False
    seated = yield from person.seat(
        glass, target, table.end[glass].other, still=lambda: person.my_turn() and table.in_hands() == [glass]
    )
    if not seated and glass in table.grips:
        yield from put_back(person, glass)
    return True


def out_of_place(person: Person) -> Attempt:
    """One's own glass pulled half out, so that it leans (R9.2)."""
    table, world = person.table, person.world
    if not is_quiet(person) or not len(world.free_hands(person.me)):
        return False
    upright = []
    for glass in table.own(person.me):
        home = table.belongs[glass]
        runs = not table.ruleset.has_sand or glass.upper_seconds(world.now) != 0.0
        if home is not None and table.stands_right(glass) and runs:
            upright.append((glass, home))
    if not upright:
        return False
    glass, home = person.chance.choice(upright)
    person.did(Mischief.OUT_OF_PLACE, home, glass)
    yield Pause(world.lean(person.me, home) + 0.02)
    return True
