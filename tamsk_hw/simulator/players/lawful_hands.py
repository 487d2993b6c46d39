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

    def _carry(self, home: Tube, tube: Tube) -> Generator[Pause, None, Tube | None]:
        """Lift a glass, turn it over and seat it; return the tube that was entered, if any."""
        world = self._world
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
                yield from self._bring(at, right, turned=view.level > 1)

    def _bring(self, at: Tube, right: Tube, *, turned: bool) -> Activity:
        """Bring a glass that stands wrongly to where it belongs."""
        self._manners.hand = self._me
        yield self._until(self._world.lift(self._me, at))
        yield self._until(self._world.seat(self._me, right, turned=turned))
        yield self._pause(0.2, 0.3)
        self._manners.hand = None

    def _drop_ring(self, tube: Tube) -> Activity:
        world = self._world
        if world.rings_in_holder(self._me) and world.can_drop(tube):
            yield self._until(world.take_up_ring(self._me))
            yield Pause(world.now + HOLDS_RING)
            yield self._until(world.drop_ring(self._me, tube))

    def _announce(self) -> Activity:
        """Announce a claim by button (R4.6)."""
        yield self._until(self._world.press(BUTTONS[self._me]))

    def _see_turn_end(self, number: int) -> Activity:
        """Wait until the move just made has been ruled on."""
        patience = self._world.now + 5.0
        while self._is_on(number) and self._world.now < patience:
            yield self._pause(0.2, 0.3)
