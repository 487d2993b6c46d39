"""Boards and halls over an MQTT broker (docs/hall.md)."""
