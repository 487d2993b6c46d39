"""Moves of the hands.

Parts of the actions of hands: a free hand, a glass in reach, room in a tube, fingers in the way.

Actions of hands on glasses: lift, seat, turn, place, lean, wobble, hover; each returns when it will be done.

Actions of hands on rings: take, drop, put back; and fingers on ring sensors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tamsk_hw.game.tubes import CAPACITY, End, Player, Tube
from tamsk_hw.simulator.matter import FIRST_PLACE, Hand, Matter
from tamsk_hw.simulator.truth import (
    GlassId,
    GlassLeaning,
    GlassLifted,
    GlassPutAway,
    GlassSeated,
    GlassTakenFromBox,
    GlassTurned,
    Knots,
    RingDropped,
    RingLifted,
    RingPutBack,
    RingTaken,
    WorldError,
    rise,
    settle,
    shake,
    share_at_angle,
    share_at_height,
    sink,
)


@dataclass(frozen=True, slots=True)
class Fingers:
    """At a glass that comes or goes, fingers brush the tube's ring sensors with probability ``share``.

    On the place where the next ring would lie they stay for ``least`` to ``most`` seconds. By default that is
    sooner than a ring would be accepted; people's fingers stay for 0.02 to 0.5 s.
    """

    share: float = 0.3
    least: float = 0.01
    most: float = 0.045


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


class GlassMoves(Hands):
    """Glasses in the hand; see `tamsk_hw.simulator.world.World`."""

    def lift(self, player: Player, tube: Tube) -> float:
        """Reach for the glass (anyone's) that stands or leans in ``tube`` and lift it out into the hand."""
        glass = self._standing_in(tube)
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        out = start + self._chance.uniform(0.10, 0.28)
        self._reserved[tube] = glass
        hand.ready = out
        self._brush(tube, self.now, start)

        def lifted() -> None:
            self._glass_at[tube] = None
            self._tube_of[glass.index] = None
            self._leaning.discard(glass)
            self._move(tube, rise(start, out - start, share=self._share_of(tube, glass)), self._strength(glass))
            self._take(hand, glass)
            self.note(GlassLifted(self.now, player, glass, tube))

        self._at(start, lifted)
        self._at(out, lambda: self._release(tube))
        return out

    def seat(
        self,
        player: Player,
        tube: Tube,
        *,
        turned: bool,
        glass: GlassId | None = None,
        travel: float | None = None,
    ) -> float:
        """Carry a glass in the hand to ``tube``, turned over on the way or not, and seat it.

        ``turned`` is against the end that is down in the hand (as last lifted, or as taken from the box).
        ``glass`` names one of several in the hands. ``travel`` sets the way's seconds (drawn: 0.3 … 1.2). The
        tube may be the one it left.
        """
        hand, glass = self._hand_with(player, glass)
        self._need_room(tube)
        arrives = self.now + (self._chance.uniform(0.3, 1.2) if travel is None else max(0.05, travel))
        if turned:
            self._turn_between(self.now, arrives, player, glass)
        return self._set_down(hand, player, glass, tube, arrives, turned is not hand.turned)

    def turn_glass(self, player: Player, *, glass: GlassId | None = None) -> float:
        """Turn a glass over in the hand and keep it there."""
        hand, chosen = self._hand_with(player, glass)
        done = self.now + self._chance.uniform(0.2, 0.5)
        hand.ready = done
        hand.turned = not hand.turned
        self._turn_between(self.now, done, player, chosen)
        return done

    def place(
        self,
        player: Player,
        tube: Tube,
        *,
        full: bool = True,
        end: End | None = None,
        glass: GlassId | None = None,
    ) -> float:
        """Take a glass from off the board and seat it with its sand above (``full``) or below.

        With ``end`` that end is down, and the sand where it then lies. ``glass`` may be anyone's; without it the
        player's first one off the board.
        """
        self._need_room(tube)
        if glass is None:
            mine = self.in_box(player)
            if not mine:
                raise WorldError(f"{player} has no glass off the board to place in {tube}")
            glass = mine[0]
        if glass not in self._boxed or glass in self._reached:
            raise WorldError(f"{glass} is not off the board; it cannot be placed in {tube}")
        hand = self._free_hand(player)
        taken = self.now + self._chance.uniform(0.2, 0.5)
        arrives = taken + self._chance.uniform(0.3, 1.2)
        chosen = glass
        self._reached[chosen] = player

        def grasp() -> None:
            self._boxed.remove(chosen)
            del self._reached[chosen]
            self._sand[chosen.index].stand_up(self.now, full=full if end is None else None, end=end)
            self._watch_sand(chosen)
            self._take(hand, chosen)
            self.note(GlassTakenFromBox(self.now, player, chosen))

        self._at(taken, grasp)
        return self._set_down(hand, player, chosen, tube, arrives, False)

    def put_away(self, player: Player, *, glass: GlassId | None = None) -> float:
        """Lay a glass in the hand down off the board."""
        hand, chosen = self._hand_with(player, glass)
        done = self.now + self._chance.uniform(0.3, 0.8)
        hand.ready = done

        def away() -> None:
            self._sand[chosen.index].lay_down(self.now)
            hand.glass = None
            self._boxed.append(chosen)
            self.note(GlassPutAway(self.now, player, chosen))

        self._at(done, away)
        return done

    def lean(self, player: Player, tube: Tube, *, glass: GlassId | None = None) -> float:
        """Put a glass in the hand half into ``tube``, leaning; with none in the hand pull the one there half
        out.

        It leans 7 … 11 degrees: between 46 and 61 % of its field, and stays so until lifted or straightened.
        """
        share = share_at_angle(self._chance.uniform(7.0, 11.0))
        if glass is None and not self.held(player):
            standing = self._standing_in(tube)
            hand = self._free_hand(player)
            start = self.now + self._chance.uniform(0.12, 0.35)
            rest = start + self._chance.uniform(0.1, 0.3)
            hand.ready = rest
            self._reserved[tube] = standing

            def pull() -> None:
                knots = [(start, self._share_of(tube, standing)), (rest, share)]
                self._move(tube, knots, self._strength(standing))

            def pulled() -> None:
                self._leaning.add(standing)
                self._release(tube)
                self.note(GlassLeaning(self.now, player, standing, tube))

            self._at(start, pull)
            self._at(rest, pulled)
            return rest
        hand, chosen = self._hand_with(player, glass)
        self._need_room(tube)
        arrives = self.now + self._chance.uniform(0.3, 1.2)
        rest = arrives + self._chance.uniform(0.15, 0.4)
        hand.ready = rest
        self._reserved[tube] = chosen

        def descend() -> None:
            knots = [knot for knot in sink(arrives, rest - arrives) if knot[1] < share]
            self._move(tube, [*knots, (rest, share)], self._strength(chosen))

        def leans() -> None:
            self._stand(chosen, tube, hand)
            self._leaning.add(chosen)
            self._release(tube)
            self.note(GlassLeaning(self.now, player, chosen, tube))

        self._at(arrives, descend)
        self._at(rest, leans)
        return rest

    def straighten(self, player: Player, tube: Tube) -> float:
        """Push a leaning glass home: it is seated as it leaned."""
        glass = self._standing_in(tube)
        if glass not in self._leaning:
            raise WorldError(f"{glass} in {tube} does not lean; there is nothing to straighten")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        touch = start + self._chance.uniform(0.03, 0.1)
        knots: Knots = [(start, self._share_of(tube, glass)), (touch, 0.98)]
        settle(knots, self._chance, self._chance.uniform(0.08, 0.25), share=self._play())
        hand.ready = knots[-1][0]
        self._reserved[tube] = glass

        def home() -> None:
            self._leaning.discard(glass)
            self._release(tube)
            self.note(GlassSeated(self.now, player, glass, tube, self.end_down(glass), False))

        self._at(start, lambda: self._move(tube, knots, self._strength(glass)))
        self._at(hand.ready, home)
        return hand.ready

    def wobble(self, tube: Tube) -> float:
        """Knock against the tube: the glass in it shakes a moment without leaving its seat."""
        glass = self._standing_in(tube)
        if glass in self._leaning or tube in self.moving:
            raise WorldError(f"{glass} in {tube} does not stand still; it cannot be made to wobble")
        knots = shake(self.now, self._chance, share=self._share_of(tube, glass))
        self._move(tube, knots, self._strength(glass))
        return knots[-1][0]

    def hover(self, player: Player, tube: Tube, *, glass: GlassId | None = None) -> float:
        """Hold a glass in the hand 9 … 18 mm over ``tube`` for a moment, then take it away again."""
        hand, chosen = self._hand_with(player, glass)
        self._need_room(tube)
        arrives = self.now + self._chance.uniform(0.3, 0.8)
        leaves = arrives + self._chance.uniform(0.3, 0.9)
        near = share_at_height(self._chance.uniform(9.0, 18.0))
        done = leaves + self._chance.uniform(0.1, 0.2)
        hand.ready = done
        self._reserved[tube] = chosen
        knots: Knots = [(arrives, 0.0), (arrives + 0.1, near), (leaves, near), (done, 0.0)]
        self._at(arrives, lambda: self._move(tube, knots, self._strength(chosen)))
        self._at(done, lambda: self._release(tube))
        return done

    # ---- parts

    def _turn_between(self, start: float, end: float, player: Player, glass: GlassId) -> None:
        """Turn a glass over at a random instant of its way."""

        def turn() -> None:
            self._sand[glass.index].turn(self.now)
            self.note(GlassTurned(self.now, player, glass))
            self._watch_sand(glass)

        self._at(start + (end - start) * self._chance.uniform(0.2, 0.8), turn)

    def _set_down(
        self, hand: Hand, player: Player, glass: GlassId, tube: Tube, arrives: float, turned: bool
    ) -> float:
        """Let a glass down into a tube at ``arrives``; when it will be at rest."""
        falls = self._chance.uniform(0.06, 0.15)
        share = self._play()
        knots = sink(arrives, falls, share=share)
        settle(knots, self._chance, self._chance.uniform(0.08, 0.25), share=share)
        rest = knots[-1][0]
        hand.ready = rest
        self._reserved[tube] = glass

        def seated() -> None:
            self._release(tube)
            self.note(GlassSeated(self.now, player, glass, tube, self.end_down(glass), turned))

        self._at(arrives, lambda: self._move(tube, knots, self._strength(glass)))
        self._at(arrives + falls, lambda: self._stand(glass, tube, hand))
        self._at(rest, seated)
        self._brush(tube, arrives, rest)
        return rest


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
