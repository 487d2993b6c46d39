"""Parts of the actions of hands: a free hand, a glass in reach, room in a tube, fingers in the way."""

from __future__ import annotations

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.simulator.disturbances.fingers import Fingers
from tamsk_hw.simulator.matter import FIRST_PLACE, Hand, Matter
from tamsk_hw.simulator.truth import GlassId, WorldError


class Hands(Matter):
    """The parts of which actions are made; see `tamsk_hw.simulator.world.World`."""

    fingers = Fingers()
    """Fingers at a glass that comes or goes; another pair of hands may be clumsier."""

    def _free_hand(self, player: Player) -> Hand:
        for hand in self._hands[player]:
            if hand.is_free(self.now):
                return hand
        raise WorldError(f"{player} has no free hand at {self.now:.3f} s; each player has two")

    def _hand_with(self, player: Player, glass: GlassId | None) -> tuple[Hand, GlassId]:
        """The hand that holds the glass (by default the one taken first) and is not busy with it."""
        holding = [
            (hand, hand.glass)
            for hand in self._hands[player]
            if hand.glass is not None and glass in (None, hand.glass)
        ]
        ready = [pair for pair in holding if pair[0].ready <= self.now]
        if not ready:
            what = "no glass" if glass is None else f"not {glass}"
            detail = "his hand is still under way with it" if holding else f"he has {what} in his hands"
            raise WorldError(f"{player} cannot do that at {self.now:.3f} s: {detail}")
        return min(ready, key=lambda pair: pair[0].taken)

    def _standing_in(self, tube: Tube) -> GlassId:
        glass = self._glass_at[tube]
        if glass is None:
            raise WorldError(f"no glass is in {tube}")
        if tube in self._reserved:
            raise WorldError(f"a hand is already at {glass} in {tube}")
        return glass

    def _need_room(self, tube: Tube) -> None:
        if not self.can_seat(tube):
            there = self._glass_at[tube] or self._reserved.get(tube)
            raise WorldError(f"no glass fits into {tube}: {there} is there, or on its way")

    def _take(self, hand: Hand, glass: GlassId) -> None:
        hand.glass = glass
        hand.taken = self.now
        hand.turned = False

    def _release(self, tube: Tube) -> None:
        self._reserved.pop(tube, None)

    def _stand(self, glass: GlassId, tube: Tube, hand: Hand) -> None:
        hand.glass = None
        self._glass_at[tube] = glass
        self._tube_of[glass.index] = tube

    def _share_of(self, field: int, glass: GlassId) -> float:
        """Share of its full field that a glass has over a sensor now."""
        motion = self.moving.get(field)
        value = motion.field(self.now) if motion else self.still[field]
        return abs(value / self._strength(glass))

    def _play(self) -> float:
        """Share of the full field at rest: a glass stands up to 1 mm beside the axis."""
        return self._chance.uniform(0.965, 1.0)

    def _finger(self, tube: Tube, start: float) -> float:
        """Cover a tube's upper sensors with fingers from ``start`` on; return when the last is gone."""
        chance = self._chance
        bare = range(self._rings[tube] + self._coming[tube], CAPACITY[tube])
        end = start + chance.uniform(0.05, 0.3)
        for level in bare:
            if level == self._rings[tube]:
                # a finger here looks like a ring
                gone = start + chance.uniform(self.fingers.least, self.fingers.most)
                self._cover(FIRST_PLACE[tube] + level, start, gone)
                end = max(end, gone)
            elif chance.random() < 0.6 and level > self._rings[tube] + self._coming[tube]:
                self._cover(FIRST_PLACE[tube] + level, start + 0.05, max(start + 0.06, end))
        return end

    def _brush(self, tube: Tube, start: float, end: float) -> None:
        """Now and then brush over the tube's ring sensors with the fingers that hold a glass."""
        if self._chance.random() < self.fingers.share and tube not in self._going and not self._coming[tube]:
            self._finger(tube, start + (end - start) * self._chance.uniform(0.0, 0.5))
