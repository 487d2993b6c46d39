"""Breaking the rules: each kind of mischief as an attempt that is made only where its meaning is beyond doubt.

An attempt that is out of the question (no dead glass, no ring to take) returns False at once, with nothing done.
What is wrong afterwards is noted at the table (`tests.players.deeds`) and put right by
`tests.players.mending` once it has been ruled.
"""

from collections.abc import Callable

from tests.players import glass_mischief, ring_mischief
from tests.players.habits import Mischief
from tests.players.person import Attempt, Person

Kind = Callable[[Person], Attempt]

#: What can go wrong with a move, on one's own turn.
MOVE_MISCHIEF: dict[Mischief, Kind] = {
    Mischief.NOT_ADJACENT: glass_mischief.not_adjacent,
    Mischief.NOT_TURNED: glass_mischief.not_turned,
    Mischief.TURNED_IN_PLACE: glass_mischief.turned_in_place,
    Mischief.DEAD_GLASS: glass_mischief.dead_glass,
    Mischief.TWO_GLASSES: glass_mischief.two_glasses,
    Mischief.ALREADY_MOVED: glass_mischief.already_moved,
}

#: What can go wrong with its ring.
RING_MISCHIEF: dict[Mischief, Kind] = {
    Mischief.RING_TOO_MANY: ring_mischief.ring_too_many,
    Mischief.RING_TOO_LATE: ring_mischief.ring_too_late,
}

#: What can go wrong while the other thinks.
WAITING_MISCHIEF: dict[Mischief, Kind] = {
    Mischief.NOT_YOUR_TURN: glass_mischief.not_your_turn,
    Mischief.TURNED_IN_PLACE: glass_mischief.turned_in_place,
    Mischief.RING_WRONG_TUBE: ring_mischief.ring_wrong_tube,
    Mischief.RING_REMOVED: ring_mischief.ring_removed,
    Mischief.TIMER_RUNNING: ring_mischief.timer_running,
    Mischief.OUT_OF_PLACE: glass_mischief.out_of_place,
}
