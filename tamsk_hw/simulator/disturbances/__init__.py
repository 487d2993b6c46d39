"""Disturbances that a real board suffers, each with a strength and a seed, in simulated time.

The same seed and strength disturb the same board alike, whatever the steps of time. `line` and `stalls` lie
between controller and host, `opening` at their port, `light`, `fields` and `holders` before the sensors, `fingers`
in the players' hands.
"""
