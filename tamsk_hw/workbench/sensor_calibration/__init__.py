"""``tamsk-hw calibrate sensors``: the walk over the board that measures every sensor.

`walk` and its steps are pure; `run` drives them.
"""
