"""The sensors of a board, as fault events and warnings name them.

Inside the program a sensor is a `SensorId`. Its ``name`` is the text of the streams: ``"glass D4"``,
``"ring D4.2"`` (the second level from the bottom), ``"timer"``, ``"holder red"``, ``"mux 1"``. Only
`SensorId.named` reads such a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import CAPACITY, TUBE_OF_NAME, TUBES, Tube

#: Multiplexers that a controller can have: one for each of its analog inputs.
MOST_MUXES = 8

_TUBE = re.compile(r"\b[A-G][1-7]\b")


class SensorKind(Enum):
    """The kinds of sensor; the value is how names begin."""

    GLASS = "glass"
    """The Hall sensor under a tube."""
    RING = "ring"
    """One level of a tube's ring sensors."""
    TIMER = "timer"
    """The Hall sensor of the timer's cradle."""
    HOLDER = "holder"
    """The load cell under a player's ring holder."""
    MUX = "mux"
    """A multiplexer of Hall sensors."""
    SELECT_LINES = "select lines"
    """The select lines, which all multiplexers share."""
    SUPPLY = "supply"
    """The controller's 5 V."""
    RING_LIGHT = "ring light"
    """Ring sensors dazzled by light from outside."""
    RING_CHAIN = "ring chain"
    """The chain of shift registers that reads the ring sensors."""
    OTHER = ""
    """A sensor of a stream that this version does not know."""


@dataclass(frozen=True, slots=True)
class SensorId:
    """One sensor.

    ``tube`` belongs to GLASS, RING and, where the name has one, OTHER; ``level`` (1 is the lowest) to RING;
    ``player`` to HOLDER; ``mux`` to MUX; ``other``, the whole name, to OTHER.
    """

    kind: SensorKind
    tube: Tube | None = None
    level: int | None = None
    player: Player | None = None
    mux: int | None = None
    other: str | None = None

    @classmethod
    def glass(cls, tube: Tube) -> SensorId:
        """The Hall sensor under ``tube``."""
        return cls(SensorKind.GLASS, tube=tube)

    @classmethod
    def ring(cls, tube: Tube, level: int) -> SensorId:
        """The ring sensor of ``tube`` at ``level``, counted from 1 at the bottom."""
        return cls(SensorKind.RING, tube=tube, level=level)

    @classmethod
    def holder(cls, player: Player) -> SensorId:
        """The load cell under ``player``'s ring holder."""
        return cls(SensorKind.HOLDER, player=player)

    @classmethod
    def multiplexer(cls, number: int) -> SensorId:
        """Multiplexer ``number``."""
        return cls(SensorKind.MUX, mux=number)

    @classmethod
    def named(cls, name: str) -> SensorId:
        """The sensor that a stream calls ``name``; every text is one."""
        known = _KNOWN.get(name)
        if known is not None:
            return known
        found = _TUBE.search(name)
        return cls(SensorKind.OTHER, tube=None if found is None else TUBE_OF_NAME.get(found[0]), other=name)

    @property
    def name(self) -> str:
        """The sensor in streams and messages; `named` gives the sensor back."""
        match self.kind:
            case SensorKind.GLASS:
                return f"glass {self.tube}"
            case SensorKind.RING:
                return f"ring {self.tube}.{self.level}"
            case SensorKind.HOLDER:
                return f"holder {self.player}"
            case SensorKind.MUX:
                return f"mux {self.mux}"
            case (
                SensorKind.TIMER
                | SensorKind.SELECT_LINES
                | SensorKind.SUPPLY
                | SensorKind.RING_LIGHT
                | SensorKind.RING_CHAIN
            ):
                return str(self.kind.value)
            case SensorKind.OTHER:
                return self.other or ""
            case _:
                assert_never(self.kind)

    def __str__(self) -> str:
        return self.name


TIMER = SensorId(SensorKind.TIMER)
SELECT_LINES = SensorId(SensorKind.SELECT_LINES)
SUPPLY = SensorId(SensorKind.SUPPLY)
RING_LIGHT = SensorId(SensorKind.RING_LIGHT)
RING_CHAIN = SensorId(SensorKind.RING_CHAIN)

_KNOWN = {
    sensor.name: sensor
    for sensor in (
        *map(SensorId.glass, TUBES),
        *(SensorId.ring(tube, level) for tube in TUBES for level in range(1, CAPACITY[tube] + 1)),
        *map(SensorId.holder, PLAYERS),
        *map(SensorId.multiplexer, range(MOST_MUXES)),
        TIMER,
        SELECT_LINES,
        SUPPLY,
        RING_LIGHT,
        RING_CHAIN,
    )
}
