"""What a player at the board remembers, since a view does not show it."""

from __future__ import annotations

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.view import Phase, View

#: Seconds of a turn before any was seen, and the least and most that are counted with.
PACE, QUICKEST, SLOWEST = 7.0, 4.0, 16.0

#: The share of the newest turn in the pace.
NEWEST = 0.25

#: Seconds that the 15-second timer may run longer than the referee's deadline says.
TIMER_MARGIN = 0.5

#: Seconds for which a claim is meant; a longer one is beyond these hands.
CLAIM_PATIENCE = 8.0


class Memory:
    """The memory of ``me``, from the views that he was shown."""

    def __init__(self, me: Player, ruleset: Ruleset) -> None:
        self.paces: dict[Player, float] = dict.fromkeys(PLAYERS, PACE)
        """Seconds of each player's turns, the newest count most."""
        self.unringed: Tube | None = None
        """The tube that the opponent entered last, while it has no ring of that move and may be claimed."""
        self.entered_at = 0.0
        """When he did (seconds)."""
        self.dropped: tuple[Tube, int] | None = None
        """The tube for which a ring was last meant, and the rings that lay there; None once one has counted."""
        self._me = me
        self._has_timer = ruleset.has_timer
        self._view: View | None = None
        self._turn_since = 0.0
        self._timer_until = 0.0
        self._claim_since: float | None = None

    def see(self, view: View) -> None:
        """Take notice of a view, not older than the last."""
        last, self._view = self._view, view if view.phase is Phase.PLAY else None
        if self._view is None:
            return  # glasses that are set up make no moves
        if view.deadline is not None:
            self._timer_until = view.deadline + TIMER_MARGIN
        if last is None:
            self._turn_since = self.entered_at = view.t
            theirs = [tube for tube, ring in view.ring_open.items() if ring.player is not self._me]
            self.unringed = theirs[0] if theirs and not view.move_started else None
            return
        if view.left[self._me] < last.left[self._me]:
            self.dropped = None
        if view.number != last.number:
            self._count(last, view)
            self._turn_since = view.t
        self._follow(last, view)

    def _count(self, last: View, view: View) -> None:
        """Count the turns that have ended since the last view; passes take no time."""
        if last.turn is not None:
            seconds = min(max(view.t - self._turn_since, QUICKEST), SLOWEST)
            pace = self.paces[last.turn]
            self.paces[last.turn] = pace + NEWEST * (seconds - pace)

    def _follow(self, last: View, view: View) -> None:
        """Notice where the opponent went, and whether his ring came."""
        gone = {glass.tube for glass in last.glasses}
        for glass in view.glasses:
            if glass.tube in gone:
                continue
            if glass.owner is self._me:
                self.unringed = None  # whoever has moved may not claim any more (R4.5)
            else:
                self.unringed, self.entered_at, self._claim_since = glass.tube, view.t, None
        tube = self.unringed
        if tube is not None and (view.rings[tube] > last.rings[tube] or view.move_started):
            self.unringed = None

    def may_claim(self, t: float) -> bool:
        """The claim has not been meant in vain for too long."""
        if self._claim_since is None:
            self._claim_since = t
        return t - self._claim_since < CLAIM_PATIENCE

    def timer_is_empty(self, t: float) -> bool:
        """The 15-second timer has run out, as far as its deadlines tell."""
        return self._has_timer and t >= self._timer_until
