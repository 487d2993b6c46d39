"""The game of TAMSK: tubes, players, ruleset, position, sand, notation. Pure values, no clock, no hardware."""

from tamsk_hw.game.position import Illegality, Move, Outcome, Position, Termination
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import End, Player, Tube

__all__ = ["End", "Illegality", "Move", "Outcome", "Player", "Position", "Ruleset", "Termination", "Tube"]
