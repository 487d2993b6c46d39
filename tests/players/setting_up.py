"""Setting the board up from the box, and pressing start."""

from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.tubes import START_TUBES, Player
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.things import TimerPlace
from tests.players.person import Person


def set_up(person: Person) -> Activity:
    """One step towards a board that is ready; red presses start, black sets the timer in its cradle (R7.1)."""
    table, world = person.table, person.world
    yield person.pause(0.2, 0.8)
    if table.ruleset.start is Start.CORNERS:
        for tube in START_TUBES[person.me]:
            if world.glass_at[tube] is None and world.in_box(person.me) and world.can_seat(tube):
                home = next((g for g in world.in_box(person.me) if table.belongs[g] is tube), None)
                yield Pause(world.place(person.me, tube, full=False, glass=home) + 0.02)
                return
    if person.me is Player.BLACK:
        if world.timer_place is not TimerPlace.CRADLE and table.at_timer is None:
            table.at_timer = person.me
            yield Pause(world.place_timer(person.me) + 0.02)
            table.at_timer = None
            return
        yield Pause(person.now + 1.0, attentive=True)
        return
    if not _looks_ready(person) or table.ready_heard is False:
        yield Pause(person.now + 0.5, attentive=True)
        return
    if table.ready_heard is None and person.now < table.touched_at + 3.0:
        yield Pause(person.now + 0.5, attentive=True)  # no word yet on whether the board is ready
        return
    yield person.pause(0.3, 1.2)
    yield Pause(world.press(ButtonName.START))
    yield Pause(person.now + 4.0, attentive=True)


def _looks_ready(person: Person) -> bool:
    world = person.world
    if world.timer_place is not TimerPlace.CRADLE:
        return False
    if person.table.ruleset.start is not Start.CORNERS:
        return person.now > person.table.touched_at + 0.5
    for player, tubes in START_TUBES.items():
        for tube in tubes:
            glass = world.glass_at[tube]
            if glass is None or glass.owner is not player or glass.leaning:
                return False
    return person.now > person.table.touched_at + 0.5
