"""A sensor's name and its place, as people know them."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.referee.sensor_id import SensorId, SensorKind
from tamsk_hw.words.translating import tr_in


def sensor_words(sensor: SensorId) -> str:
    """The sensor's name in the language that is spoken; in English that of the streams."""
    match sensor.kind:
        case SensorKind.GLASS:
            return tr_in("sensor", "glass {tube}", tube=sensor.tube)
        case SensorKind.RING:
            return tr_in("sensor", "ring {place}", place=place_words(sensor))
        case SensorKind.HOLDER:
            return tr_in("sensor", "holder {player}", player=sensor.player)
        case SensorKind.MUX:
            return tr_in("sensor", "mux {number}", number=sensor.mux)
        case SensorKind.TIMER:
            return tr_in("sensor", "timer")
        case SensorKind.SELECT_LINES:
            return tr_in("sensor", "select lines")
        case SensorKind.SUPPLY:
            return tr_in("sensor", "supply")
        case SensorKind.RING_LIGHT:
            return tr_in("sensor", "ring light")
        case SensorKind.RING_CHAIN:
            return tr_in("sensor", "ring chain")
        case SensorKind.OTHER:
            return sensor.name
        case _:
            assert_never(sensor.kind)


def place_words(sensor: SensorId) -> str:
    """The place alone: ``"D4"``, ``"D4.2"`` (the second level from the bottom), ``"timer"``; else the name."""
    if sensor.kind is SensorKind.GLASS:
        return str(sensor.tube)
    if sensor.kind is SensorKind.RING:
        return f"{sensor.tube}.{sensor.level}"
    return sensor.name
