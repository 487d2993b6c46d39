"""``tamsk-hw selftest``: lights, buzzer, buttons and each sensor, tried step by step.

The steps are pure: fed with snapshots, presses and time, they give what to ask, to light and to sound; `run`
drives them.
"""
