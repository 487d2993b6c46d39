"""``tamsk-hw calibrate glasses``: how long each glass runs, from full, in both directions.

`session` and what it stands on are pure; `run` drives it.
"""
