"""The choice of a demo's player: he keeps his glasses running, and himself more mobile than his opponent."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, Tube
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.world import World

#: A glass with less sand than this (seconds) makes its owner uneasy.
UNEASY = 50.0

#: A glass with less sand than this (seconds) is left alone: it could run out on the way to it.
TOO_LITTLE = 3.0

#: A glass's tube and the tube it goes to.
Way = tuple[Tube, Tube]


@dataclass(frozen=True)
class Prospect:
    """The board as a player imagines it: the glasses that may move, and the tubes that may be entered."""

    glasses: dict[Tube, Player]
    vacant: frozenset[Tube]

    def destinations(self, tube: Tube) -> list[Tube]:
        """The tubes to which the glass in ``tube`` may go."""
        return [near for near in NEIGHBOURS[tube] if near in self.vacant]

    def moves(self, player: Player) -> int:
        """The number of moves of ``player``."""
        return sum(len(self.destinations(tube)) for tube, owner in self.glasses.items() if owner is player)

    def lead(self, player: Player) -> int:
        """The number of moves of ``player`` less those of his opponent."""
        return self.moves(player) - self.moves(player.opponent)

    def entered(self, tube: Tube, player: Player, home: Tube | None = None) -> Prospect:
        """The board with a glass of ``player`` in ``tube``, from ``home`` or from off the board."""
        glasses = {other: owner for other, owner in self.glasses.items() if other is not home}
        left = frozenset() if home is None else {home}
        return Prospect(glasses | {tube: player}, (self.vacant | left) - {tube})


def prospect(view: View) -> Prospect:
    """The board as it is."""
    movable = {glass.tube: glass.owner for glass in view.glasses if glass.may_move}
    return Prospect(movable, frozenset(view.tubes) - view.full - {glass.tube for glass in view.glasses})


def best_move(view: View, world: World, player: Player, chance: Random, *, careless: bool) -> Way | None:
    """The move that leaves ``player`` best off, None without one; ``careless``: his glasses may run out."""
    board = prospect(view)
    #: seconds above and below in each of the player's glasses
    sand = {
        glass.tube: (world.upper_seconds(there), world.lower_seconds(there))
        for glass in view.glasses
        if glass.owner is player and (there := world.glass_at(glass.tube)) is not None
    }
    runs = {glass.tube for glass in view.glasses if glass.state.may_run}

    def fear(home: Tube) -> float:
        """The player's unease once the glass of ``home`` has been turned over."""
        if careless:
            return 0.0
        seconds = [sand[tube][tube is home] for tube in sand if tube is home or tube in runs]
        return sum(7.0 * (1.0 - left / UNEASY) for left in seconds if left < UNEASY)

    values = {
        (home, to): board.entered(to, player, home).lead(player) - fear(home) + chance.uniform(0.0, 1.5)
        for home in sand
        if board.glasses.get(home) is player and not (home in runs and sand[home][0] < TOO_LITTLE)
        for to in board.destinations(home)
        if world.can_seat(to)
    }
    return max(values, key=lambda way: values[way], default=None)


def best_place(view: View, player: Player, chance: Random) -> Tube | None:
    """The tube in which ``player`` places a glass from off the board (R8)."""
    board = prospect(view)
    values = {
        tube: board.entered(tube, player).lead(player) + chance.uniform(0.0, 1.5)
        for tube in sorted(view.destinations)
    }
    return max(values, key=lambda tube: values[tube], default=None)


def best_penalty(view: View, player: Player, chance: Random) -> Tube | None:
    """The tube in which a penalty ring (R7.6) hurts the opponent of ``player`` most."""
    board = prospect(view)

    def value(tube: Tube) -> float:
        fills = view.rings[tube] + 1 == CAPACITY[tube]
        after = Prospect(board.glasses, board.vacant - {tube}) if fills else board
        return after.lead(player) + chance.uniform(0.0, 0.9)

    open_tubes = [tube for tube in view.tubes if tube not in view.full and tube not in view.ring_open]
    return max(open_tubes, key=value, default=None)
