"""``tamsk-hw calibrate glasses``: measures how long each glass runs from full, in both directions.

`session` and the modules below it are pure.
"""
