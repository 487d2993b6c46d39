"""``tamsk-hw selftest``: tests lights, buzzer, buttons and each sensor, step by step.

The steps are pure: snapshots, presses and the time come in; questions, lights, tones and findings come out.
"""
