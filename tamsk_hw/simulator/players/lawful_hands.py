"""Lawful hands: what a player's hands do at the board, whoever decides on it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.simulator.people import Activity, Pause
from tamsk_hw.simulator.truth import PushButton
from tamsk_hw.simulator.world import World

#: Seconds for which a ring is held before it is dropped: a counted holder reports it before the tube does (R4.6).
HOLDS_RING = 0.9

#: Seconds in which a ring that is held over its tube comes to rest there.
FALLS = 0.2

#: Seconds for which a player waits until the referee has seen what he did.
PATIENCE = 5.0

BUTTONS = {Player.RED: PushButton.RED, Player.BLACK: PushButton.BLACK}


@dataclass
class Manners:
    """The players keep out of each other's way, and see what the other leaves out."""

    hand: Player | None = None
    """The player whose hand is over the board; the other's stays away."""
    forgotten: dict[Player, Tube] = field(default_factory=dict)
    """The tube that a player entered with his last move, if he forgot its ring."""


class LawfulHands:
    """The hands of ``me``, which keep out of the other's way. All their chances come from ``chance``."""

    def __init__(
        self, me: Player, world: World, view: Callable[[], View], manners: Manners, chance: Random
    ) -> None:
        self._me = me
        self._world = world
        self._view = view
        self._manners = manners
        self._chance = chance

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

    def _carry(self, home: Tube, tube: Tube, *, ring: bool) -> Generator[Pause, None, Tube | None]:
        """Lift a glass, turn it over and seat it; return the tube that was entered, if any.

        ``ring``: its ring is taken up meanwhile, by the other hand.
        """
        world = self._world
        yield self._until(world.lift(self._me, home))
        view = self._view()
        may_move = any(glass.tube is home and glass.may_move for glass in view.glasses)
        if self._me not in (view.turn, view.late) or not may_move:  # the timer, or an arbiter, was quicker
            yield self._until(world.seat(self._me, home, turned=False))
            return None
        if ring and world.rings_in_holder(self._me):  # not before the lift, which ends all claims (R4.3)
            world.take_up_ring(self._me)
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
                yield from self._bring(at, right, turned=view.level > 1)

    def _bring(self, at: Tube, right: Tube, *, turned: bool) -> Activity:
        """Bring a glass that stands wrongly to where it belongs."""
        self._manners.hand = self._me
        yield self._until(self._world.lift(self._me, at))
        yield self._until(self._world.seat(self._me, right, turned=turned))
        yield self._pause(0.2, 0.3)
        self._manners.hand = None

    def _take_up_ring(self) -> Activity:
        """Take a ring into the hand, unless one is there already or the holder is empty."""
        if self._world.rings_in_holder(self._me) and not self._world.rings_in_hand(self._me):
            yield self._until(self._world.take_up_ring(self._me))

    def _put_back_ring(self) -> Activity:
        """Put a ring that was not dropped back into the holder."""
        if self._world.rings_in_hand(self._me):
            yield self._until(self._world.put_back_ring(self._me))

    def _drop_ring(self, tube: Tube) -> Activity:
        """Drop the ring in the hand, else one from the holder."""
        if not self._world.rings_in_hand(self._me):
            yield from self._take_up_ring()
            yield Pause(self._world.now + HOLDS_RING)
        if self._world.rings_in_hand(self._me) and self._world.can_drop(tube):
            yield self._until(self._world.drop_ring(self._me, tube, within=FALLS))
            yield from self._see(lambda: self._view().rings_seen[tube] == self._world.rings(tube))
        yield from self._put_back_ring()

    def _claim_ring(self, tube: Tube) -> Activity:
        """Take a ring up, announce a claim by button and drop the ring at once (R4.3, R4.6).

        Not while the other has a ring in his hand: that could count as this player's.
        """
        world, lying = self._world, self._world.rings(tube)
        if world.rings_in_hand(self._me.opponent):
            return
        yield from self._take_up_ring()
        is_his = tube in self._view().ring_open and world.rings_in_hand(self._me.opponent)
        if world.rings_in_hand(self._me) and not is_his and world.rings(tube) == lying:
            yield self._until(world.press(BUTTONS[self._me]))
            if world.rings(tube) == lying:
                yield from self._drop_ring(tube)
        yield from self._put_back_ring()

    def _see_turn_end(self, number: int) -> Activity:
        """Wait until the move just made has been ruled on."""
        yield from self._see(lambda: not self._is_on(number))

    def _see(self, is_seen: Callable[[], bool]) -> Activity:
        """Wait until the referee has seen what was done; not for long, since he may never see it."""
        patience = self._world.now + PATIENCE
        while not is_seen() and self._world.now < patience:
            yield self._pause(0.04, 0.08)
