"""The hall of a club: all its boards over one MQTT broker (docs/hall.md)."""
