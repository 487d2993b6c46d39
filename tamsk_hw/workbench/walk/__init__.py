"""The engine of the guided walks at a board: self-test, calibration of the sensors, calibration of the glasses.

A walk is pure: link events, presses, keys and the time come in; words, a picture, lights and tones come out.
`leading` gives it a board, a panel, a keyboard and a screen.
"""
