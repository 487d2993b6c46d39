"""The physical world of the simulated board: tubes, glasses with sand, rings, hands that take time.

Physics only: no I/O, no clock, no rules of the game. Time is simulated seconds, moved by `World.advance`. Chance
is drawn from the seed, so the same calls at the same times give exactly the same world. The world refuses what is
physically impossible (`WorldError`), not what is unlawful.

Hand primitives begin at `World.now` and return the instant at which they will be done (absolute seconds);
advance to it, or to any time before or after. Each player has two hands; a glass in the hand keeps one busy::

    world = World(7)
    done = world.lift(Player.RED, Tube.D1)
    world.advance(done)
    done = world.seat(Player.RED, Tube.D2, turned=True)
    world.advance(done)
    world.drop_ring(Player.RED, Tube.D2)

When a board samples the world (`tamsk_hw.simulator.board.SimulatedBoard`), advance the board instead: it takes
the world along. `Matter` has what can be seen, and `GlassMoves`, `RingMoves`, `TimerMoves` and
`ButtonMoves` what hands can do.
"""

from __future__ import annotations

from collections.abc import Mapping

from tamsk_hw.game.players import Player
from tamsk_hw.simulator.button_moves import ButtonMoves
from tamsk_hw.simulator.glass_moves import GlassMoves
from tamsk_hw.simulator.matter import WorldStart
from tamsk_hw.simulator.ring_moves import RingMoves
from tamsk_hw.simulator.timer_moves import TimerMoves
from tamsk_hw.simulator.truth import WorldError

__all__ = ["World", "WorldError", "WorldStart"]


class World(GlassMoves, RingMoves, TimerMoves, ButtonMoves):
    """A TAMSK board with its material and two people's hands, in simulated seconds."""

    def __init__(
        self,
        seed: int,
        *,
        setup: WorldStart = WorldStart.CORNERS,
        glass_seconds: float | Mapping[str, tuple[float, float]] = 180.0,
        timer_seconds: float | tuple[float, float] = 15.0,
        spread: float = 0.015,
    ) -> None:
        """Begin a world at time 0.

        ``glass_seconds``: nominal seconds from full, each glass and end then differing by N(0, ``spread``); or
        the exact seconds ``(end A down, end B down)`` of each glass by name. ``timer_seconds``: alike, a
        nominal number or the exact pair. Raises `WorldError` for a missing glass or seconds that are not above
        0.
        """
        super().__init__(seed, setup, glass_seconds, timer_seconds, spread)

    def lamp(self, on: bool) -> None:
        """Switch a strong lamp over the board on or off: it blinds some of the ring sensors that lie bare."""
        self.lamp_on = on
        self.version += 1

    def knock(self, player: Player) -> None:
        """Knock against a player's ring holder: its load cell swings by grams for a tenth of a second."""
        self._swing(player, self._chance.choice((-1.0, 1.0)) * self._chance.uniform(5.0, 20.0), 0.1)
