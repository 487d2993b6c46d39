"""The content of a single snapshot: each field's standing, each tube's ring code, the flags' names."""

from __future__ import annotations

from enum import Enum

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.field_levels import ABOVE, LEANING, RAIL, SEATED, WEAK, Bands, Level
from tamsk_hw.board.protocol import TIMER_FIELD, FaultFlag, Snapshot
from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.events import TIMER, SensorId

#: One level of a ring code: a ring, none, and light seen while dark (the ring is then unknown).
RING, NO_RING, DARK = "1", "0", "?"


class Standing(Enum):
    """The meaning of one field reading; the value is its sign. A, B: the end that is down."""

    GONE = ""
    ABOVE = "~"
    """Felt, but not in the tube: held over it, or a neighbour."""
    LEANING_A = "a"
    LEANING_B = "b"
    SEATED_A = "A"
    SEATED_B = "B"
    RAIL = "!"
    """At an end of the scale: a sensor that is broken, shorted or not connected."""


def standing(reading: int, calibration: FieldCalibration, settings: SensingSettings) -> Standing:
    """The meaning of a single reading (0 … 255); the referee's sensing adds hysteresis and dwell."""
    level = Bands(calibration, settings).fresh(reading)
    if level in RAIL:
        return Standing.RAIL
    if level in ABOVE:
        return Standing.ABOVE
    if level in LEANING or level in WEAK:
        return Standing.LEANING_A if level in (Level.LEANING_A, Level.WEAK_A) else Standing.LEANING_B
    if level in SEATED:
        return Standing.SEATED_A if level is Level.SEATED_A else Standing.SEATED_B
    return Standing.GONE  # also what is faint: neighbours and noise reach as far


def ring_code(snapshot: Snapshot, wiring: Wiring, tube: Tube) -> str:
    """A tube's ring sensors from the bottom up: `RING`, `NO_RING` or `DARK` for each."""
    return "".join(
        DARK if snapshot.dark >> bit & 1 else RING if snapshot.rings >> bit & 1 else NO_RING
        for bit in wiring.ring_bits[tube]
    )


def ring_codes(snapshot: Snapshot, wiring: Wiring) -> tuple[str, ...]:
    """The ring codes of all 37 tubes in board order; those of tubes that are not fitted are empty."""
    return tuple(ring_code(snapshot, wiring, tube) for tube in TUBES)


def field_sensor(index: int) -> SensorId:
    """The Hall sensor of a field."""
    return TIMER if index == TIMER_FIELD else SensorId.glass(TUBES[index])


def ring_sensors(wiring: Wiring) -> dict[int, SensorId]:
    """The ring sensors that are fitted, by their bits of the chain."""
    return {
        bit: SensorId.ring(sensor[0], sensor[1] + 1)
        for bit, sensor in enumerate(wiring.ring_sensors)
        if sensor is not None
    }


def gaps(code: str) -> tuple[int, ...]:
    """The levels (from 0 at the bottom) of a ring code that see no ring below one that is seen."""
    top = code.rfind(RING)
    return tuple(level for level, sign in enumerate(code[: top + 1]) if sign == NO_RING)


def flag_names(faults: int) -> list[str]:
    """The names of the controller's fault flags; a bit without a name is given as its number."""
    names = []
    for place in range(16):
        bit = 1 << place
        if faults & bit:
            known = any(flag.value == bit for flag in FaultFlag)
            names.append(FaultFlag(bit).name or "" if known else f"0x{bit:04x}")
    return names
