"""From the wire to events: wiring map, protocol, link, calibration, sensing."""
