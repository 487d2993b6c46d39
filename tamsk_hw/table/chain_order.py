"""Do the ring sensors' chips sit in each other's place in the chain? The rings themselves tell, in a game.

Two 74HC165 that are swapped look sound to the controller. But a ring dropped where a move has just ended then
shows at another tube, at the same input of another chip. One such ring may be a player's mistake; two for the
same chips are said. No score rests on this: a ring that shows at a wrong tube is not counted (R4.7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tamsk_hw.board.wiring import INPUTS_PER_CHIP, Wiring
from tamsk_hw.facts.notices import ChipsSwapped
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.rulings import Code, Moved, RingCounted, Ruling, Uncounted, Violation, Warned
from tamsk_hw.referee.sensor_id import SensorId, SensorKind

#: Rings that must point to the same two chips before it is said.
ENOUGH = 2


class ChainOrder:
    """Watches the rulings of one game for rings that show at the wrong chip."""

    def __init__(self, wiring: Wiring) -> None:
        self._bits = wiring.ring_bits
        self._counted = [0] * len(TUBES)
        self._wanted: tuple[Tube, int] | None = None
        """The ring that may come next, and its level from 0: that of the last move."""
        self._evidence: Counter[tuple[int, int]] = Counter()
        self._said: set[tuple[int, int]] = set()

    def hear(self, rulings: Iterable[Ruling]) -> list[ChipsSwapped]:
        """Take rulings; give the chips that they show to be swapped, mostly none."""
        said: list[ChipsSwapped] = []
        for ruling in rulings:
            match ruling:
                case Moved():
                    self._wanted = ruling.to, self._counted[ruling.to]
                case RingCounted():
                    self._counted[ruling.tube] += 1
                    self._wanted = None
                case Uncounted():
                    self._counted[ruling.tube] -= 1
                case Violation(code=Code.RING_WRONG_TUBE, tube=tube, ground=None) if tube is not None:
                    said += self._see([self._bits[tube][min(self._counted[tube], len(self._bits[tube]) - 1)]])
                case Warned(sensor=SensorId(kind=SensorKind.RING, tube=Tube() as tube, level=int(level))):
                    said += self._see(self._bits[tube][level:])
                case _:
                    pass
        return said

    def _see(self, bits: Iterable[int]) -> list[ChipsSwapped]:
        """A ring shows at one of these chain bits, where none should come."""
        if self._wanted is None:
            return []
        tube, level = self._wanted
        if level >= len(self._bits[tube]):
            return []
        chip, place = divmod(self._bits[tube][level], INPUTS_PER_CHIP)
        for bit in bits:
            other, same = divmod(bit, INPUTS_PER_CHIP)
            if same != place or other == chip:
                continue
            self._wanted = None
            pair = min(chip, other), max(chip, other)
            self._evidence[pair] += 1
            if self._evidence[pair] >= ENOUGH and pair not in self._said:
                self._said.add(pair)
                return [ChipsSwapped(*pair)]
        return []
