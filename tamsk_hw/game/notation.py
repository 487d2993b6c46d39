"""The notation of the score sheet: numbered moves as in Wikipedia's example, with additions.

::

      1.  (R)D1→D2          red moves from D1 to D2 and drops his ring
      2.  (B)G1→F1x         black too, and his ring fills F1: it is blocked from now on
      3.  (R)D2→E2°         no ring was dropped
      4.  (B)F1→E1cx        black dropped none, red claimed the tube; red's ring filled it
      5.  (R)E2→E3+D4       red also dropped a penalty ring, in D4 (+D4x: it filled D4)
      6.  (B)pass           black had no legal move (R2.7)
      7.  (R)forfeit        the turn was lost: the 15 seconds ran out (R7.4), or the late glass was put back (R7.5)
      8.  (B)late           the 15 seconds ran out on a move that was never finished (R7.5)
      9.  (R)E3→E4 late     finished after the 15 seconds ran out; ``late, after 10``: after the move of turn 10
     10.  (B)skip           the turn was skipped (R8 lose_turn)
     11.  (R)*→C3           a glass placed from off the board (R8 free start)
     12.  (B)E1→D1 †G4      during this turn the glass on G4 ran out
     13.  (R)C3→#           the glass was seated in a full tube, which loses (R3.2)
     14.  (B)…              the turn had not ended

Numbers count both players' turns from 1.
"""

from dataclasses import dataclass, field
from enum import Enum

from tamsk_hw.game.tubes import Player, Tube


class PlyKind(Enum):
    """The outcome of a turn."""

    MOVE = "move"
    PASS = "pass"
    FORFEIT = "forfeit"
    TIMEOUT = "late"
    """The time ran out on a started move that was never finished."""
    SKIP = "skip"
    OPEN = "…"
    """Not ended."""


class RingKind(Enum):
    """The right by which a ring counts (R4.6)."""

    MOVE = "move"
    """The mover's, in the tube that he entered (R4.1)."""
    CLAIM = "claim"
    """The opponent's, who claimed (R4.3)."""
    PENALTY = "penalty"
    """The mover's second one (R7.6)."""


@dataclass(frozen=True, slots=True)
class SheetRing:
    """A ring dropped with a move; ``fills``: it fills its tube."""

    right: RingKind
    tube: Tube
    fills: bool


@dataclass(slots=True, kw_only=True)
class Ply:
    """One turn of one player, and all that belongs to it.

    ``number`` counts both players' turns from 1; it lasted from ``began`` to its move or its other end, ``ended``
    (seconds). ``from_tube`` is None for a glass placed from off the board, ``to`` for a turn without a move, and
    for one that was lost in a full tube. ``late``: finished after the 15 seconds ran out; ``late_after`` is the
    number of the later turn whose move was finished before it, if one was. ``lost`` are the tubes whose glasses
    ran out during the turn, ``violations`` is the number of those that were ruled during it.
    """

    number: int
    player: Player
    began: float = 0.0
    ended: float | None = None
    kind: PlyKind = PlyKind.OPEN
    from_tube: Tube | None = None
    to: Tube | None = None
    late: bool = False
    late_after: int | None = None
    rings: list[SheetRing] = field(default_factory=list)
    lost: list[Tube] = field(default_factory=list)
    violations: int = 0

    @property
    def seconds(self) -> float | None:
        """The length of the turn; None while it is open."""
        return None if self.ended is None else self.ended - self.began


def _mark(ring: SheetRing) -> str:
    """The mark behind a move for the ring in the tube that it entered."""
    return ("c" if ring.right is RingKind.CLAIM else "") + ("x" if ring.fills else "")


def moved(ply: Ply) -> str:
    """A finished move with its rings: ``G1→F1x``."""
    origin = "*" if ply.from_tube is None else ply.from_tube.name
    to = ply.to
    if to is None:
        return f"{origin}→#"
    of_move = next((r for r in ply.rings if r.tube is to and r.right is not RingKind.PENALTY), None)
    text = f"{origin}→{to.name}" + ("°" if of_move is None else _mark(of_move))
    for ring in ply.rings:
        if ring is not of_move:
            claimed = "c" if ring.right is RingKind.CLAIM else ""
            text += f"+{claimed}{ring.tube.name}" + ("x" if ring.fills else "")
    return text
