"""tamsk-hw: a sensing TAMSK board that referees the game, and everything to run it without hardware."""

__version__ = "0.1.0"
