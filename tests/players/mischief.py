"""Breaking the rules: each kind of mischief as an attempt that is made only where its meaning is beyond doubt.

An attempt that is out of the question (no dead glass, no ring to take) returns False at once, with nothing done.
What is wrong afterwards is noted at the table (`tests.players.deeds`) and put right by
`tests.players.mending` once it has been ruled.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.players.glass_mischief import (
    already_moved,
    dead_glass,
    not_adjacent,
    not_turned,
    not_your_turn,
    out_of_place,
    turned_in_place,
    two_glasses,
)
from tests.players.habits import Mischief
from tests.players.person import Attempt, Person
from tests.players.ring_mischief import (
    ring_removed,
    ring_too_late,
    ring_too_many,
    ring_wrong_tube,
    timer_running,
)

Kind = Callable[[Person], Attempt]

#: What can go wrong with a move, on one's own turn.
MOVE_MISCHIEF: dict[Mischief, Kind] = {
    Mischief.NOT_ADJACENT: not_adjacent,
    Mischief.NOT_TURNED: not_turned,
    Mischief.TURNED_IN_PLACE: turned_in_place,
    Mischief.DEAD_GLASS: dead_glass,
    Mischief.TWO_GLASSES: two_glasses,
    Mischief.ALREADY_MOVED: already_moved,
}

#: What can go wrong with its ring.
RING_MISCHIEF: dict[Mischief, Kind] = {
    Mischief.RING_TOO_MANY: ring_too_many,
    Mischief.RING_TOO_LATE: ring_too_late,
}

#: What can go wrong while the other thinks.
WAITING_MISCHIEF: dict[Mischief, Kind] = {
    Mischief.NOT_YOUR_TURN: not_your_turn,
    Mischief.TURNED_IN_PLACE: turned_in_place,
    Mischief.RING_WRONG_TUBE: ring_wrong_tube,
    Mischief.RING_REMOVED: ring_removed,
    Mischief.TIMER_RUNNING: timer_running,
    Mischief.OUT_OF_PLACE: out_of_place,
}
