"""Actions of hands on rings: take, drop, put back; and fingers on ring sensors."""

from __future__ import annotations

from collections.abc import Callable

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.simulator.hands import Hands
from tamsk_hw.simulator.matter import FIRST_PLACE, Hand
from tamsk_hw.simulator.truth import RingDropped, RingLifted, RingPutBack, RingTaken, WorldError


class RingMoves(Hands):
    """Rings in the hand; see `tamsk_hw.simulator.world.World`."""

    def touch(self, player: Player, tube: Tube) -> float:
        """Lay fingers over some of the tube's bare ring sensors for a moment.

        A finger on the place where the next ring would lie stays less than 45 ms, one higher up up to 0.3 s.
        """
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.15, 0.4)
        hand.ready = self._finger(tube, start)
        return hand.ready

    def take_up_ring(self, player: Player) -> float:
        """Take a ring from the player's holder and keep it in the hand, ready to be dropped."""
        return self._fetch_ring(player)[1]

    def drop_ring(
        self,
        player: Player,
        tube: Tube,
        *,
        within: float | None = None,
        bounce: float = 1.0,
        lowered: float | None = None,
    ) -> float:
        """Drop a ring over ``tube``: one in the player's hand, or else one taken from his holder now.

        It leaves the hand 0.5 … 1.2 s after it was taken and bounces for 0.15 … 0.5 s; it is out of its sensor's
        sight for 3 … 20 ms between two bounces, times ``bounce``. ``within``: it lies so many seconds after it was
        taken. ``lowered``: it is not dropped, but let down so slowly that it takes so many seconds.
        """
        if not self.can_drop(tube):
            raise WorldError(
                f"no ring fits on {tube}: {self._rings[tube] + self._coming[tube]} of {CAPACITY[tube]} are there"
            )
        hand = next((hand for hand in self._hands[player] if hand.ring and hand.ready <= self.now), None)
        taken = self.now
        if hand is None:
            hand, taken = self._fetch_ring(player)
        if within is None:
            falls = taken + self._chance.uniform(0.5, 1.2)
            rest = falls + (self._chance.uniform(0.15, 0.5) if lowered is None else lowered)
        else:
            falls, rest = taken + within / 2, taken + within
        hand.ready = rest
        self._coming[tube] += 1
        used = hand

        def fall() -> None:
            if lowered is None:
                self._ring_falls(tube, rest, bounce)
            else:
                self._ring_sinks(tube, rest)

        def rests() -> None:
            used.ring = False
            self._coming[tube] -= 1
            self._shade(FIRST_PLACE[tube] + self._rings[tube], 1)
            self._rings[tube] += 1
            self.note(RingDropped(self.now, player, tube, self._rings[tube]))

        self._at(falls, fall)
        self._at(rest, rests)
        return rest

    def put_back_ring(self, player: Player, *, to: Player | None = None) -> float:
        """Lay a ring kept in the hand into the holder of ``to`` (by default the player's own)."""
        hand = next((hand for hand in self._hands[player] if hand.ring and hand.ready <= self.now), None)
        if hand is None:
            raise WorldError(f"{player} has no ring in his hand to put back")
        return self._lay_ring(hand, to or player, self.now)

    def take_ring(self, player: Player, tube: Tube, *, to: Player | None = None) -> float:
        """Take the top ring off a tube and lay it into the holder of ``to`` (by default the player's own)."""
        if not self._rings[tube]:
            raise WorldError(f"there is no ring on {tube} to take")
        if self._coming[tube] or tube in self._going:
            raise WorldError(f"another hand is at the rings of {tube}; wait until it is done")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.15, 0.4)
        self._going.add(tube)
        clear = start + self._chance.uniform(0.06, 0.15)

        def lifts() -> None:
            self._rings[tube] -= 1
            level = self._rings[tube]
            place = FIRST_PLACE[tube] + level
            self._shade(place, -1)
            # it scrapes along the tube: its own sensor flickers, then those above see it pass
            self._cover(place, start + 0.006, start + self._chance.uniform(0.012, 0.04))
            for step, above in enumerate(range(level + 1, CAPACITY[tube])):
                self._cover(FIRST_PLACE[tube] + above, start + 0.03 + 0.008 * step, start + 0.045 + 0.008 * step)
            hand.ring = True
            self.note(RingLifted(self.now, player, tube, level))

        self._at(start, lifts)
        self._at(clear, lambda: self._going.discard(tube))
        return self._lay_ring(hand, to or player, clear)

    def put_rings_aside(self, player: Player) -> float:
        """Take all rings out of the player's holder and lay them on the table, off the board."""
        if not self._holders[player]:
            raise WorldError(f"{player} has no ring left in his holder")
        return self._shift_rings(player, lambda: -self._holders[player])

    def fetch_rings(self, player: Player) -> float:
        """Put the player's rings that lie on the table into his holder."""
        if not self._aside[player]:
            raise WorldError(f"no rings of {player} lie aside")
        return self._shift_rings(player, lambda: self._aside[player])

    # ---- parts

    def _shift_rings(self, player: Player, count: Callable[[], int]) -> float:
        """Move ``count`` rings from the table into a holder, or out of it if there are fewer than none."""
        if self._promised[player]:
            raise WorldError(f"another hand is at the holder of {player}; wait until it is done")
        hand = self._free_hand(player)
        done = self.now + self._chance.uniform(0.8, 1.5)
        hand.ready = done

        def shifted() -> None:
            rings = count()
            self._aside[player] -= rings
            self._holders[player] += rings
            self._load(player, rings)

        self._at(done, shifted)
        return done

    def _fetch_ring(self, player: Player) -> tuple[Hand, float]:
        """A free hand takes a ring from its owner's holder: the hand, and when it will have it."""
        if self._holders[player] - self._promised[player] < 1:
            raise WorldError(f"{player} has no ring left in his holder")
        hand = self._free_hand(player)
        taken = self.now + self._chance.uniform(0.15, 0.4)
        self._promised[player] += 1
        hand.ready = taken

        def takes() -> None:
            self._promised[player] -= 1
            self._holders[player] -= 1
            hand.ring = True
            self._load(player, -1)
            self.note(RingTaken(self.now, player, self._holders[player]))

        self._at(taken, takes)
        return hand, taken

    def _lay_ring(self, hand: Hand, to: Player, start: float) -> float:
        """A hand carries its ring to a holder, from ``start`` on; when it will lie there."""
        done = start + self._chance.uniform(0.4, 1.0)
        hand.ready = done

        def lies() -> None:
            hand.ring = False
            self._holders[to] += 1
            self._load(to, 1)
            self.note(RingPutBack(self.now, to, self._holders[to]))

        self._at(done, lies)
        return done

    def _ring_sinks(self, tube: Tube, rest: float) -> None:
        """A hand lets a ring down evenly from above a tube: each sensor from the top sees it pass."""
        first, level, top = FIRST_PLACE[tube], self._rings[tube], CAPACITY[tube]
        passing = (rest - self.now) / (top - level + 1)
        for step, place in enumerate(range(top - 1, level - 1, -1), 1):
            self._cover(first + place, self.now + step * passing, self.now + (step + 1) * passing)

    def _ring_falls(self, tube: Tube, rest: float, bounce: float = 1.0) -> None:
        """A ring leaves the hand over a tube: what its sensors see until it lies at ``rest``."""
        chance = self._chance
        first, level, top = FIRST_PLACE[tube], self._rings[tube], CAPACITY[tube]
        at = self.now
        for above in range(top - 1, level, -1):
            passing = chance.uniform(0.004, 0.009)
            self._cover(first + above, at, at + passing * 1.5)
            at += passing
        bounce_ends = rest
        if level + 1 < top and chance.random() < 0.2:
            # it catches, lies half on, one side a level too high, and then drops flat
            bounce_ends = at + (rest - at) * chance.uniform(0.5, 0.9)
            self._cover(first + level + 1, at, bounce_ends)
            at = bounce_ends
            bounce_ends = rest
        # it bounces: seen and lost again, seen for longer every time
        seen = 0.004
        while at + seen < bounce_ends - 0.002:
            self._cover(first + level, at, min(at + seen, bounce_ends))
            at += seen + chance.uniform(0.003, 0.02) * bounce
            seen *= 2.0
        # what bounces is never away for longer than it takes to fall a few millimetres: at last it stays
        if at < bounce_ends:
            self._cover(first + level, at, bounce_ends)
