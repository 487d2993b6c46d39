"""Actions of hands on glasses: lift, seat, turn, place, lean, wobble, hover; each returns when it will be done."""

from __future__ import annotations

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.simulator.hands import Hands
from tamsk_hw.simulator.matter import Hand
from tamsk_hw.simulator.motions import Knots, rise, settle, shake, share_at_angle, share_at_height, sink
from tamsk_hw.simulator.truth import (
    GlassId,
    GlassLeaning,
    GlassLifted,
    GlassPutAway,
    GlassSeated,
    GlassTakenFromBox,
    GlassTurned,
    WorldError,
)


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
