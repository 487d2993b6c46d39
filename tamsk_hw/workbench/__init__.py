"""Everything done to a board between games: calibration, self-test, diagnosis, flashing, bug reports."""
