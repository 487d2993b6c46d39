"""The worth of a position whose end is not in sight, in hundredths of a ring, for the player to move.

Who has dropped more rings wins (R5.2), and who can still move drops more. The terms, each for one player less the
same for the other:

- **rings**: those dropped so far;
- **reach**: tubes that his glasses come to sooner than his opponent's, where rings will be his;
- **room**: tubes that his glasses can enter at once; without one he passes while the other goes on;
- **sand**: fear for each glass that must soon be moved, the greater the less it has left and the more of his must
  be moved before it; and the loss of those that have run out, which is missed the more the earlier it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tamsk_hw.game.players import RINGS_EACH, Player
from tamsk_hw.game.position import Position
from tamsk_hw.game.tubes import NEIGHBOUR_MASKS, TUBES, Tube

#: The value of a game that is won; the rings by which it is won are added.
WIN = 100_000.0


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each term."""

    reach: float = 14.0
    """Of a tube that is reached first."""
    room: float = 6.0
    """Of a tube that can be entered at once."""
    fear: float = 200.0
    """Of a glass that runs out now."""
    uneasy: float = 50.0
    """Seconds of sand with which there is no fear."""
    loss: float = 500.0
    """Of a glass that is lost with all rings yet to be dropped."""


WEIGHTS = Weights()


def _spread_table(first: int, bits: int) -> list[int]:
    """The neighbours of each set of the tubes from ``first`` on, as many as there are bits."""
    table = [0] * (1 << bits)
    for tubes in range(1, 1 << bits):
        low = tubes & -tubes
        tube = first + low.bit_length() - 1
        table[tubes] = table[tubes ^ low] | (NEIGHBOUR_MASKS[tube] if tube < len(TUBES) else 0)
    return table


_SPREAD = (_spread_table(0, 10), _spread_table(10, 9), _spread_table(19, 9), _spread_table(28, 9))


def spread(tubes: int) -> int:
    """The tubes that touch one of ``tubes``."""
    first, second, third, fourth = _SPREAD
    return first[tubes & 1023] | second[tubes >> 10 & 511] | third[tubes >> 19 & 511] | fourth[tubes >> 28]


def reach(mine: int, theirs: int, vacant: int) -> int:
    """The vacant tubes that ``mine`` reach first, less those that ``theirs`` reach first."""
    lead = 0
    while vacant and (mine or theirs):
        mine, theirs = spread(mine) & vacant, spread(theirs) & vacant
        lead += (mine & ~theirs).bit_count() - (theirs & ~mine).bit_count()
        vacant &= ~(mine | theirs)
    return lead


def judged(
    position: Position, sand: Mapping[Tube, float], t: float, cycle: float, weights: Weights = WEIGHTS
) -> float:
    """The worth for the player to move at ``t`` (seconds).

    ``sand``: when each running glass will run out. ``cycle``: seconds from one turn of a player to his next.
    """
    turn = position.turn
    if turn is Player.RED:
        mine, theirs, lead = position.red, position.black, position.black_left - position.red_left
    else:
        mine, theirs, lead = position.black, position.red, position.red_left - position.black_left
    lost = position.lost
    vacant = position.ruleset.tube_mask & ~(mine | theirs | position.full)
    live_mine, live_theirs = mine & ~lost, theirs & ~lost
    my_room, their_room = spread(live_mine) & vacant, spread(live_theirs) & vacant
    blocked = not my_room and not their_room and not position.red_off and not position.black_off
    if blocked or not (position.red_left or position.black_left):
        return settled(position, sand)
    value = 100.0 * lead
    value += weights.room * (my_room.bit_count() - their_room.bit_count())
    value += weights.reach * reach(live_mine, live_theirs, vacant)
    if sand or lost:
        value += weights.fear * (
            fear(sand, live_theirs, t, cycle, weights.uneasy) - fear(sand, live_mine, t, cycle, weights.uneasy)
        )
        if lost:
            loss = weights.loss * (position.red_left + position.black_left) / (2 * RINGS_EACH)
            value += loss * ((theirs & lost).bit_count() - (mine & lost).bit_count())
    return value


def fear(sand: Mapping[Tube, float], glasses: int, t: float, cycle: float, uneasy: float) -> float:
    """The fear for some glasses of one player: each has to wait for those that run out before it."""
    fears, safe = 0.0, t + uneasy
    for end in sorted(end for tube, end in sand.items() if glasses >> tube & 1):
        if end < safe:
            fears += (safe - end) / uneasy
        safe += cycle
    return fears


def settled(position: Position, sand: Mapping[Tube, float]) -> float:
    """The value of a game that is over, for the player to move: by rings, then by the sand (R5.2, R5.3)."""
    lead: float = position.black_left - position.red_left
    if not lead and sand:
        last = max(sand, key=lambda tube: sand[tube])
        lead = 0.5 if position.red >> last & 1 else -0.5
    if not lead:
        return 0.0
    value = 100.0 * lead + (WIN if lead > 0 else -WIN)
    return value if position.turn is Player.RED else -value
