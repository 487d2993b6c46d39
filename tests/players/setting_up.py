"""Starting the game, at a board on which everything stands where it belongs."""

from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.people import Activity, Pause
from tests.players.person import Person


def set_up(person: Person) -> Activity:
    """Red presses start once the board is said to be ready."""
    table = person.table
    yield person.pause(0.2, 0.8)
    if person.me is Player.BLACK:
        yield Pause(person.now + 1.0, attentive=True)
        return
    if person.now <= table.touched_at + 0.5 or table.ready_heard is False:
        yield Pause(person.now + 0.5, attentive=True)
        return
    if table.ready_heard is None and person.now < table.touched_at + 3.0:
        yield Pause(person.now + 0.5, attentive=True)  # no word yet on whether the board is ready
        return
    yield person.pause(0.3, 1.2)
    yield Pause(person.world.press(ButtonName.START))
    yield Pause(person.now + 4.0, attentive=True)
