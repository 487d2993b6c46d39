"""The partner, a program that plays: its intention from the referee's view.

It is asked again and again, with the newest view; the answer stays the same until it is done or something
happens. Hands are somebody else's: a person's, or those of the simulated board. It remembers what a person at the
board remembers (`Memory`): where the other went last and whether he dropped his ring, when the 15-second timer
was turned, and how long turns take.
"""

from random import Random

from tamsk_hw.game.position import Move, Position
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, End, Player, Tube
from tamsk_hw.partner.intention import (
    Await,
    Intention,
    MoveGlass,
    MoveRing,
    PutRight,
    RingAct,
    Strength,
    TurnTimerOver,
)
from tamsk_hw.partner.search import Search, SearchResult, judged, position_of, search_start
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
        """The time of that (seconds)."""
        self.dropped: tuple[Tube, int] | None = None
        """The tube for which a ring was last meant, and the rings that lay there; None once one has counted."""
        self._me = me
        self._has_timer = ruleset.has_timer
        self._view: View | None = None
        self._turn_since = 0.0
        self._timer_until = 0.0
        self._claim_since: float | None = None

    def feed(self, view: View) -> None:
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
                self.unringed = None  # after a move nothing may be claimed any more (R4.5)
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


#: Seconds that hands take to lift a glass and seat it.
HANDS = 2.0

#: Seconds that a claim takes: button, ring, and hands out of the way.
CLAIM = 4.0

#: Seconds of sand or of the 15-second timer that must be left after waiting for a ring, or claiming one.
SPARE = 6.0

#: Seconds between two looks at the board while there is nothing to do.
LOOK = 0.5

#: Turns of both players in which the weakest does not turn the 15-second timer: the first three of each.
CALM = 6

#: Tubes for a penalty ring that are searched; those that look best at once.
CANDIDATES = 4


class Partner:
    """Plays ``me`` in one game. The same views, strength and seed give the same intentions."""

    def __init__(self, me: Player, ruleset: Ruleset, strength: Strength = Strength.STRONG, seed: int = 0) -> None:
        """Sit down at a game of that ruleset."""
        self.me = me
        self.nodes = 0
        """Positions looked at for the latest decision."""
        self._ruleset = ruleset
        self._strength = strength
        self._seed = seed
        self._memory = Memory(me, ruleset)
        self._decided: tuple[Position, MoveGlass] | None = None
        self._penalty: tuple[Position, Tube] | None = None

    def intend(self, view: View) -> Intention:
        """The next thing to do, as the board stands in ``view``; views are shown in the order of their times."""
        self._memory.feed(view)
        if view.phase is not Phase.PLAY:
            return Await(LOOK)
        return (
            self._put_right(view)
            or self._drop(view)
            or self._claim(view)
            or (self._move(view) if view.turn is self.me else None)
            or self._hurry(view)
            or Await(LOOK)
        )

    # Mistakes

    def _put_right(self, view: View) -> Intention | None:
        """A glass of his to put right, or a ring of his to take back (R2.6, R4.7)."""
        to_turn = {mend.tube for mend in view.wrong if isinstance(mend.should, End)}
        for glass in view.glasses:
            if glass.owner is not self.me or glass.standing is None:
                continue
            if glass.standing in to_turn:
                return PutRight(glass.standing, glass.standing, turned=True)
            if glass.standing is not glass.tube:
                return PutRight(glass.standing, glass.tube, turned=view.level > 1)
        for mend in view.wrong:
            match mend.has, mend.should:
                case int(lie), int(count) if lie > count and self._memory.dropped is not None:
                    tube, lay = self._memory.dropped
                    if mend.tube is tube and lie > lay:  # else the ring is the other's
                        self._memory.unringed = None
                        return MoveRing(RingAct.TAKE, tube)
        return None

    # Rings

    def _drop(self, view: View) -> Intention | None:
        """The ring of his move, unless he forgets it (R4.3); then a penalty ring."""
        if not view.left[self.me]:
            return None
        for tube, ring in view.ring_open.items():
            if ring.player is self.me and not self._forgets(view, tube):
                self._memory.dropped = tube, view.rings_seen[tube]
                return MoveRing(RingAct.DROP, tube)
        if view.penalty is self.me:
            tube = self._penalty_tube(view)
            self._memory.dropped = tube, view.rings_seen[tube]
            return MoveRing(RingAct.DROP_PENALTY, tube)
        return None

    def _forgets(self, view: View, tube: Tube) -> bool:
        """The ring of a move into ``tube`` is left out: the same answer until one of his rings counts."""
        return Random(f"{self._seed}/{view.left[self.me]}/{tube}").random() < self._strength.lapse

    def _claim(self, view: View) -> Intention | None:
        """Claim the ring that the other has left out, once he has had his time for it (R4.3, R4.4)."""
        tube = self._memory.unringed
        if tube is None or not view.left[self.me] or tube in view.full or view.move_started:
            return None
        right = view.ring_open.get(tube)
        if right is None:
            wait = 0.0
        elif right.seconds is None:  # level 1: his right outlasts mine, but he has been slow
            wait = self._memory.entered_at + max(self._ruleset.ring_window, self._strength.grace) - view.t
        else:
            wait = right.seconds
        if not self._has_time(view, max(0.0, wait) + CLAIM):
            return None
        if wait > 0:
            return Await(min(LOOK, wait + 0.05))
        if not self._memory.may_claim(view.t):
            return None
        self._memory.dropped = tube, view.rings_seen[tube]
        return MoveRing(RingAct.CLAIM, tube)

    def _has_time(self, view: View, seconds: float) -> bool:
        """The player can wait ``seconds`` and still move before the timer and his sand have run out."""
        if view.turn is not self.me:
            return True
        if view.deadline is not None and view.deadline - view.t < seconds + SPARE:
            return False
        return all(
            glass.seconds[0] > seconds + SPARE
            for glass in view.glasses
            if glass.owner is self.me and glass.state.may_run
        )

    def _penalty_tube(self, view: View) -> Tube:
        """The tube in which a penalty ring does most good."""
        turn = view.turn or self.me.opponent
        position = position_of(view, self._ruleset, turn)
        if self._penalty is not None and self._penalty[0] == position:
            return self._penalty[1]
        sign, cycle = (1.0 if turn is self.me else -1.0), sum(self._memory.paces.values())
        outset = search_start(view, position, self.me, first=HANDS, paces=self._memory.paces)
        values = {
            tube: sign * judged(position.ringed(tube, self.me), outset.sand, 0.0, cycle)
            for tube in view.tubes
            if tube not in view.full
        }
        best = sorted(values, key=lambda tube: -values[tube])[:CANDIDATES]
        self.nodes = len(values)
        for tube in best:
            after = search_start(
                view, position.ringed(tube, self.me), self.me, first=HANDS, paces=self._memory.paces
            )
            found = Search(after, max(1, (self._strength.nodes - len(values)) // CANDIDATES)).best(
                self._strength.depth
            )
            self.nodes += found.nodes
            if found.moves:
                values[tube] = sign * found.moves[0][1]
        tube = max(best, key=lambda tube: values[tube])
        self._penalty = position, tube
        return tube

    # Moves

    def _move(self, view: View) -> Intention | None:
        """The best move that is found."""
        position = position_of(view, self._ruleset, self.me)
        if not view.left[self.me] and not position.has_move(self.me.opponent):
            return self._end(view, position)
        if self._decided is not None and self._decided[0] == position:
            return self._decided[1]
        outset = search_start(view, position, self.me, first=HANDS, paces=self._memory.paces)
        chance = Random(f"{self._seed}/{view.number}")
        strength = self._strength
        found = Search(outset, strength.nodes, chance=chance).best(strength.depth, exact=strength.error > 0)
        self.nodes = found.nodes
        if not found.moves:
            return None
        move = self._chosen(found, chance)
        turned = view.level > 1 and move.from_tube is not None
        ring = view.left[self.me] > 0 and not self._forgets(view, move.to_tube)
        intention = MoveGlass(move.from_tube, move.to_tube, turned, ring)
        self._decided = position, intention
        return intention

    def _end(self, view: View, position: Position) -> Intention | None:
        """Bring a game to its end that is won, as the other can drop no ring any more.

        Glasses are left to run out. Without sand the same way is gone again and again (R5.1).
        """
        moves = position.legal_moves()
        if view.level > 1 or not moves:
            return Await(LOOK)
        return MoveGlass(moves[0].from_tube, moves[0].to_tube, turned=False, ring=False)

    def _chosen(self, found: SearchResult, chance: Random) -> Move:
        """The best move, by values that a weaker player misjudges."""
        error = self._strength.error
        if not error:
            return found.moves[0][0]
        return max(found.moves, key=lambda entry: entry[1] + chance.gauss(0.0, error))[0]

    # The timer

    def _hurry(self, view: View) -> Intention | None:
        """Turn the timer against an opponent who is to move, when it has run out (R7.2)."""
        if (
            view.level < 3
            or view.turn is not self.me.opponent
            or view.deadline is not None
            or view.late is not None
            or (self._strength is Strength.EASY and view.number <= CALM)
        ):
            return None
        return TurnTimerOver() if self._memory.timer_is_empty(view.t) else None
