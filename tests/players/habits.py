"""The behaviour of a simulated player: his pace, his habits, and the ways in which he breaks the rules."""

from dataclasses import dataclass
from enum import Enum


class Mischief(Enum):
    """A way of breaking the rules; the value is the code that a referee should rule, `full_tube` excepted."""

    NOT_ADJACENT = "not_adjacent"
    NOT_TURNED = "not_turned"
    TURNED_IN_PLACE = "turned_in_place"
    DEAD_GLASS = "dead_glass"
    NOT_YOUR_TURN = "not_your_turn"
    TWO_GLASSES = "two_glasses"
    ALREADY_MOVED = "already_moved"
    RING_WRONG_TUBE = "ring_wrong_tube"
    RING_TOO_MANY = "ring_too_many"
    RING_TOO_LATE = "ring_too_late"
    RING_REMOVED = "ring_removed"
    TIMER_RUNNING = "timer_running"
    OUT_OF_PLACE = "out_of_place"
    FULL_TUBE = "full_tube"
    """Entering a full tube: it ends the game (R3.2), so `Habits.enters_full_tube` alone decides about it."""


#: What a mischievous player chooses from; entering a full tube is a habit of its own.
MISCHIEF: frozenset[Mischief] = frozenset(Mischief) - {Mischief.FULL_TUBE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """A player's behaviour. All but ``pace``, ``mischief_kinds`` and ``sand_margin`` are probabilities, 0 … 1."""

    pace: float = 1.0
    """Factor on the human delays (thinking, reaching, noticing); the hands' own motions are the world's.
    Greater than 0; 0.2 makes a brisk game, above 1.5 rings come too late for the windows."""
    mischief: float = 0.0
    """Chance, for each turn of either player, that he breaks a rule in it."""
    mischief_kinds: frozenset[Mischief] = MISCHIEF
    """The ways of breaking rules that he knows."""
    forgets_ring: float = 0.04
    """Chance that he never drops the ring of a move."""
    delays_ring: float = 0.04
    """Chance, at level 1, that he drops the ring of a move only while the opponent thinks (R4.2)."""
    claims: float = 0.7
    """Chance that he sees a forgotten ring and claims it (R4.3)."""
    lifts_early: float = 0.05
    """Chance, for each turn of the opponent, that he lifts a glass before the opponent has finished (R2.8)."""
    uses_timer: float = 0.5
    """Chance that he turns the 15-second timer against an opponent whom he finds slow (R7.2)."""
    dawdles: float = 0.03
    """Chance that he thinks for 16 to 28 s about a move, whatever his pace."""
    hurries: float = 0.5
    """Chance that a dawdling player is woken by the timer turned against him."""
    hesitates: float = 0.08
    """Chance, with the timer running against him, that he holds his glass until it has run out (R7.5)."""
    completes_late: float = 0.7
    """Chance that a late move is completed; otherwise the glass is put back."""
    forgets_penalty: float = 0.1
    """Chance that he does not use a penalty ring (R7.6)."""
    careless: float = 0.12
    """Chance that a move is chosen without a look at the sand, so that glasses die."""
    resigns: float = 0.0
    """Chance, for each of his turns, that he resigns."""
    enters_full_tube: float = 0.0
    """Chance, for each of his turns with a full tube in reach, that he enters it and loses the game."""
    sand_margin: float = 1.5
    """A glass with less sand left above than this (seconds) is left alone: nobody could say what it was."""
