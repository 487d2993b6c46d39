"""A demo's player, who sees the board and the referee's view and plays by the rules, with hands that take time."""

from __future__ import annotations

from collections.abc import Generator

from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.view import Phase
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.players.choice import best_move, best_penalty, best_place, prospect
from tamsk_hw.simulator.players.lawful_hands import LawfulHands

#: Chances in each turn: a player forgets his ring, claims one that his opponent forgot, moves without a look at
#: the sand, thinks for long, is woken from that by the timer, turns the timer against an opponent who thinks.
FORGETS, CLAIMS, CARELESS, DAWDLES, HURRIES, TURNS_TIMER = 0.04, 0.7, 0.12, 0.06, 0.5, 0.6

#: Seconds before the timer runs out in which no glass is lifted any more, and none taken to be placed.
TOO_LATE_TO_LIFT, TOO_LATE_TO_PLACE = 1.0, 3.0


class DemoPlayer(LawfulHands):
    """Plays ``me``, and makes what can happen happen: he forgets rings, dawdles, lets glasses run out."""

    _waited_in = 0

    def live(self) -> Activity:
        """The player's game."""
        while True:
            yield from self._put_right()
            view = self._view()
            if view.phase is Phase.SETUP:
                yield from self._start(view)
            elif view.turn is self._me:
                yield from self._take_turn(view.number)
            elif view.turn is not None and view.level == 3:
                yield from self._wait(view.number)
            yield self._pause(0.4, 0.6)

    def _take_turn(self, number: int) -> Activity:
        yield from self._think(number)
        while self._manners.hand is not None:
            yield self._pause(0.2, 0.3)
        if not self._is_on(number):
            return
        self._manners.hand = self._me
        yield from self._claim()
        entered = yield from self._move()
        if entered is not None:
            yield from self._see_turn_end(number)
            yield from self._drop_rings(entered)
        yield from self._put_back_ring()
        self._manners.hand = None

    def _think(self, number: int) -> Activity:
        """Think, for 16 to 28 s if he dawdles, unless the timer wakes him."""
        chance = self._chance
        dawdles = chance.random() < DAWDLES
        wakes = not dawdles or chance.random() < HURRIES
        until = self._world.now + (chance.uniform(16.0, 28.0) if dawdles else chance.triangular(0.5, 8.0, 2.0))
        while self._world.now < until and self._is_on(number):
            if wakes and self._view().deadline is not None:
                until = min(until, self._world.now + chance.uniform(0.5, 3.0))
                wakes = False
            yield Pause(min(until, self._world.now + 1.0), attentive=True)

    def _claim(self) -> Activity:
        """Claim the ring that the opponent forgot: announce it by button, then drop one (R4.3, R4.6)."""
        tube = self._manners.forgotten.pop(self._me.opponent, None)
        if tube is None or not self._world.rings_in_holder(self._me) or self._view().deadline is not None:
            return
        if self._chance.random() >= CLAIMS:
            return
        yield from self._claim_ring(tube)
        yield self._pause(0.5, 1.0)

    def _move(self) -> Generator[Pause, None, Tube | None]:
        """Lift a glass, turn it over and seat it, or place one; return the tube that was entered, if any."""
        world, view = self._world, self._view()
        left = float("inf") if view.deadline is None else view.deadline - world.now
        if world.in_box(self._me):
            tube = best_place(view, self._me, self._chance)
            if tube is not None and world.can_seat(tube) and left > TOO_LATE_TO_PLACE:
                yield self._until(world.place(self._me, tube))
                return tube
            return None
        # Whoever has dropped all his rings gains nothing by further moves: he lets the game end.
        if not view.left[self._me] and view.level > 1 and not prospect(view).moves(self._me.opponent):
            return None
        careless = not view.left[self._me] or self._chance.random() < CARELESS
        way = best_move(view, world, self._me, self._chance, careless=careless)
        if way is None or left < TOO_LATE_TO_LIFT:
            return None
        home, tube = way
        return (yield from self._carry(home, tube, ring=True))

    def _drop_rings(self, entered: Tube) -> Activity:
        """Drop the ring of the move, or forget it; then a penalty ring (R4.1, R7.6)."""
        self._manners.forgotten.pop(self._me, None)
        if self._chance.random() < FORGETS:
            self._manners.forgotten[self._me] = entered
        elif (ring := self._view().ring_open.get(entered)) is not None and ring.player is self._me:
            yield from self._drop_ring(entered)
        view = self._view()
        if view.penalty is self._me:
            tube = best_penalty(view, self._me, self._chance)
            if tube is not None:
                yield from self._drop_ring(tube)

    def _wait(self, number: int) -> Activity:
        """Turn the timer against an opponent who takes his time (R7.2)."""
        if self._waited_in == number:
            return
        self._waited_in = number
        if self._chance.random() >= TURNS_TIMER:
            return
        for _ in range(2):  # the timer must be seen empty twice
            yield self._pause(1.5, 4.0)
            if not self._may_turn_timer(number):
                return
        yield self._until(self._world.turn_timer(self._me))

    def _may_turn_timer(self, number: int) -> bool:
        world, view = self._world, self._view()
        if view.number != number or view.deadline is not None or self._manners.hand is not None:
            return False
        return world.timer_in_cradle() and world.timer_runs_out_at() is None
