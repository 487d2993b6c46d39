"""A demo's player, who sees the board and the referee's view and plays by the rules, with hands that take time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.players.choice import best_move, best_penalty, best_place
from tamsk_hw.simulator.truth import PushButton
from tamsk_hw.simulator.world import World

#: Chances in each turn: a player forgets his ring, claims one that his opponent forgot, moves without a look at
#: the sand, thinks for long, is woken from that by the timer, turns the timer against an opponent who thinks.
FORGETS, CLAIMS, CARELESS, DAWDLES, HURRIES, TURNS_TIMER = 0.04, 0.7, 0.12, 0.06, 0.5, 0.6

#: Seconds for which a ring is held before it is dropped: a counted holder reports it before the tube does (R4.6).
HOLDS_RING = 0.9

#: Seconds before the timer runs out in which no glass is lifted any more, and none taken to be placed.
TOO_LATE_TO_LIFT, TOO_LATE_TO_PLACE = 1.0, 3.0

BUTTONS = {Player.RED: PushButton.RED, Player.BLACK: PushButton.BLACK}


@dataclass
class Manners:
    """The players keep out of each other's way, and see what the other leaves out."""

    hand: Player | None = None
    """The player whose hand is over the board; the other's stays away."""
    forgotten: dict[Player, Tube] = field(default_factory=dict)
    """The tube that a player entered with his last move, if he forgot its ring."""


class DemoPlayer:
    """Plays ``me``. All his chances come from ``chance``."""

    def __init__(
        self, me: Player, world: World, view: Callable[[], View], manners: Manners, chance: Random
    ) -> None:
        self._me = me
        self._world = world
        self._view = view
        self._manners = manners
        self._chance = chance
        self._waited_in = 0

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

    def _pause(self, least: float, most: float, *, attentive: bool = False) -> Pause:
        return Pause(self._world.now + self._chance.uniform(least, most), attentive)

    def _until(self, done: float) -> Pause:
        """The pause until a hand is done, and a moment longer."""
        return Pause(done + 0.02)

    def _start(self, view: View) -> Activity:
        """Red presses start when the board is ready (R1.5)."""
        if self._me is Player.RED and not view.wrong:
            yield self._pause(1.0, 2.0)
            yield self._until(self._world.press(PushButton.START))
            yield self._pause(3.0, 4.0, attentive=True)

    def _is_on(self, number: int) -> bool:
        """The player is still to move, in the turn of that number."""
        view = self._view()
        return view.turn is self._me and view.number == number

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
            yield from self._drop_rings(entered)
        self._manners.hand = None
        if entered is not None:
            yield from self._see_turn_end(number)

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
        yield self._until(self._world.press(BUTTONS[self._me]))
        yield from self._drop_ring(tube)
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
        careless = not view.left[self._me] or self._chance.random() < CARELESS
        way = best_move(view, world, self._me, self._chance, careless=careless)
        if way is None or left < TOO_LATE_TO_LIFT:
            return None
        home, tube = way
        yield self._until(world.lift(self._me, home))
        view = self._view()
        may_move = any(glass.tube is home and glass.may_move for glass in view.glasses)
        if self._me not in (view.turn, view.late) or not may_move:  # the timer, or an arbiter, was quicker
            yield self._until(world.seat(self._me, home, turned=False))
            return None
        yield self._until(world.seat(self._me, tube, turned=view.level > 1))
        return tube

    def _put_right(self) -> Activity:
        """Turn over a glass with the wrong end down; put back home, as it stood, one that moved wrongly (R2.6)."""
        view, world = self._view(), self._world
        to_turn = {mend.tube for mend in view.wrong if isinstance(mend.should, End)}
        for glass in view.glasses:
            at = glass.standing
            right = at if at in to_turn else glass.tube
            is_right = at is glass.tube and at not in to_turn
            if glass.owner is not self._me or at is None or is_right or self._manners.hand is not None:
                continue
            if view.phase is not Phase.PLAY or world.glass_at(at) is None:
                continue
            if right is at or world.can_seat(right):
                self._manners.hand = self._me
                yield self._until(world.lift(self._me, at))
                yield self._until(world.seat(self._me, right, turned=view.level > 1))
                yield self._pause(0.2, 0.3)
                self._manners.hand = None

    def _drop_rings(self, entered: Tube) -> Activity:
        """Drop the ring of the move, or forget it; then a penalty ring (R4.1, R7.6)."""
        self._manners.forgotten.pop(self._me, None)
        yield self._pause(0.6, 1.2)
        if self._chance.random() < FORGETS:
            self._manners.forgotten[self._me] = entered
        elif (ring := self._view().ring_open.get(entered)) is not None and ring.player is self._me:
            yield from self._drop_ring(entered)
        view = self._view()
        if view.penalty is self._me:
            tube = best_penalty(view, self._me, self._chance)
            if tube is not None:
                yield from self._drop_ring(tube)

    def _drop_ring(self, tube: Tube) -> Activity:
        world = self._world
        if world.rings_in_holder(self._me) and world.can_drop(tube):
            yield self._until(world.take_up_ring(self._me))
            yield Pause(world.now + HOLDS_RING)
            yield self._until(world.drop_ring(self._me, tube))

    def _see_turn_end(self, number: int) -> Activity:
        """Wait until the move just made has been ruled on."""
        patience = self._world.now + 5.0
        while self._is_on(number) and self._world.now < patience:
            yield self._pause(0.2, 0.3)

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
