"""A sensor's place, as people know it."""

from __future__ import annotations

from tamsk_hw.referee.sensor_id import SensorId, SensorKind


def place_words(sensor: SensorId) -> str:
    """The place alone: ``"D4"``, ``"D4.2"`` (the second level from the bottom), ``"timer"``; else the name."""
    if sensor.kind is SensorKind.GLASS:
        return str(sensor.tube)
    if sensor.kind is SensorKind.RING:
        return f"{sensor.tube}.{sensor.level}"
    return sensor.name
