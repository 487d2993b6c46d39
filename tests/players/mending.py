"""A player's reaction to a violation: he puts right what is wrong (R2.6, R4.7, R9.2)."""

from tamsk_hw.game.tubes import End
from tamsk_hw.simulator.glasses import WorldGlass
from tamsk_hw.simulator.people import Activity, Pause
from tests.players.choice import best_move, possible_moves
from tests.players.deeds import Deed
from tests.players.habits import Mischief
from tests.players.person import Attempt, Person

#: How often a player tries before he gives up and waits for help.
TRIES = 6

#: Seconds after which a player whose wrong nobody noticed puts it right all the same.
CONSCIENCE = 8.0

#: Seconds that a player gives the others to make sense of a ruling that nobody expected.
WONDERING = 4.0


def due_at(person: Person, deed: Deed) -> float:
    """The time at which the person would begin to put ``deed`` right; infinity when he has given up."""
    if deed.tries >= TRIES:
        return float("inf")
    if deed.acted_at is not None:
        return deed.acted_at + 4.0
    if deed.surprise:
        return deed.t + WONDERING
    return deed.t + CONSCIENCE if deed.ruled_at is None else deed.ruled_at


def put_right(person: Person, deed: Deed) -> Activity:
    """Put ``deed`` right after a human delay, and listen whether that is ruled."""
    if deed.tries == 0:
        yield person.pause(0.8, 2.8)
    if deed not in person.table.deeds:
        return
    deed.tries += 1
    if deed.is_of_rings:
        yield from _mend_rings(person, deed)
    elif deed.kind is Mischief.TWO_GLASSES:
        yield from _lay_down_second(person, deed)
    elif deed.glass is not None:
        yield from _mend_glass(person, deed, deed.glass)
    deed.acted_at = person.now
    if deed in person.table.deeds:
        yield Pause(person.now + 1.0, attentive=True)


def _mend_rings(person: Person, deed: Deed) -> Activity:
    tube, world, table = deed.tube, person.world, person.table
    for _ in range(6):
        missing = table.position.rings[tube] - world.rings[tube]
        if missing == 0:
            return
        done = yield from (person.drop(tube, None) if missing > 0 else person.take_off_ring(tube))
        if not done:
            yield Pause(person.now + 0.5)


def _lay_down_second(person: Person, deed: Deed) -> Activity:
    """Of two glasses in the hands the one taken second goes back."""
    held = person.mine_in_hand()
    if len(held) < 2:
        return
    second = deed.glass if deed.glass in held else held[-1]
    yield from put_back(person, second)


def put_back(person: Person, glass: WorldGlass) -> Attempt:
    """Seat a glass in the hand where and as it belongs."""
    home = person.table.belongs[glass]
    if home is None:
        yield Pause(person.world.put_away(person.me, glass=glass))
        return True
    end = person.table.end[glass] if person.table.ruleset.has_sand else None
    return (yield from person.seat(glass, home, end))


def _mend_glass(person: Person, deed: Deed, glass: WorldGlass) -> Activity:
    world, table = person.world, person.table
    standing = glass.tube
    if standing is not None and glass.leaning:
        yield Pause(world.straighten(person.me, standing) + 0.02)
        return
    if standing is not None and table.stands_right(glass) and deed.tries < 2:
        return  # it looks right; if nobody says so, it is taken out and seated once more
    if standing is not None:
        lifted = yield from person.lift(standing)
        if not lifted:
            yield Pause(person.now + 0.5)
            return
        yield person.pause(0.1, 0.5)
    if glass not in table.grips:
        return
    moved = yield from _move_on(person, deed, glass)
    if not moved:
        yield from put_back(person, glass)


def _move_on(person: Person, deed: Deed, glass: WorldGlass) -> Attempt:
    """On his own turn a player may put a wrongly seated glass right by a lawful move with it (R2.6)."""
    table = person.table
    if deed.surprise or deed.kind is Mischief.TURNED_IN_PLACE or not table.may_move(person.me):
        return False
    if table.late is person.me or not table.movable(glass) or not person.roll(0.5):
        return False
    moves = possible_moves(table, person.me, sand_margin=0.0, glass=glass)
    if deed.kind is Mischief.NOT_TURNED and table.position.destinations(table.home_of(glass)) >> deed.tube & 1:
        target = deed.tube  # turned over, it may stay where it is
    elif moves:
        target = best_move(table, person.me, moves, person.chance, careless=False).to_tube
    else:
        return False
    end: End | None = person.turned_end(glass)
    number = table.number

    def still() -> bool:
        if table.number != number or not table.may_move(person.me):
            return False
        down = end if end is not None else glass.down
        return table.fault_of(glass, target, down, table.turn, table.late) is None

    return (yield from person.seat(glass, target, end, still=still))
