"""Ring holders whose load cells scatter and creep."""

from __future__ import annotations

from random import Random

from tamsk_hw.game.tubes import PLAYERS

_ROWS = 1021


class HolderNoise:
    """Weighing is off by ``deviation`` (standard) and by ``creep`` an hour, both in shares of a ring's weight."""

    def __init__(self, deviation: float, seed: int, *, creep: float = 0.0) -> None:
        chance = Random(f"{seed}/holder noise")
        self._rows = [deviation * chance.gauss(0.0, 1.0) for _ in range(_ROWS)]
        self._creep = [creep * chance.choice((-1.0, 1.0)) for _ in PLAYERS]

    def rings(self, index: int, conversion: int, t: float) -> float:
        """Rings by which a conversion, by number and time (seconds), of red's (0) or black's cell is off."""
        return self._rows[(conversion * 3 + index * 487) % _ROWS] + self._creep[index] * t / 3600
