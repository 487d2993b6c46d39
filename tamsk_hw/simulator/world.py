"""The physical world of the simulated board: tubes, glasses with sand, rings, hands that take time.

Time is simulated seconds, moved by `World.advance`. Chance is drawn from the seed, so the same calls at the same
times give exactly the same world. The world refuses the physically impossible (`WorldError`), not the unlawful.

Actions of hands begin at `World.now` and return the instant at which they will be done (absolute seconds); advance
to it, or to any time before or after. Each player has two hands; a glass in the hand keeps one busy::

    world = World(7)
    done = world.lift(Player.RED, Tube.D1)
    world.advance(done)
    done = world.seat(Player.RED, Tube.D2, turned=True)
    world.advance(done)
    world.drop(Player.RED, Tube.D2)

When a board samples the world (`tamsk_hw.simulator.board.SimulatedBoard`), advance the board instead: it takes
the world along. Names, keys and docstrings of the actions are also those of the requests of `tamsk-hw simulate`
(`tamsk_hw.hands.actions`).
"""

from enum import Enum
from typing import Final

from tamsk_hw.game.tubes import CAPACITY, RINGS_EACH, TUBE_OF_NAME, End, Player, Tube
from tamsk_hw.referee.events import ButtonName, Press
from tamsk_hw.simulator import glasses, truth
from tamsk_hw.simulator.things import CRADLE, FIRST_PLACE, Hand, Things, TimerPlace
from tamsk_hw.simulator.truth import WorldError

#: Seconds from which on a press is a long one.
LONG_SECONDS: Final = 1.0

#: Seconds for which a long press is held, so that a program that wants more than a second takes it, too.
HELD_SECONDS: Final = 1.8

#: The least seconds in which a ring that is let go comes to rest.
LEAST_FALL: Final = 0.2


class PressKind(Enum):
    """The ways to press a button."""

    SHORT = "short"
    LONG = "long"
    DOWN = "down"
    UP = "up"


class World(Things):
    """A TAMSK board with its material and two people's hands, in simulated seconds."""

    bounce = 1.0
    """The time for which a ring that bounces is out of its sensor's sight, in the 3 … 20 ms of an ordinary one."""

    # ---- glasses

    def lift(self, player: Player, tube: Tube) -> float:
        """Lift the glass, anyone's, that stands or leans in the tube."""
        glass = self._standing_in(tube)
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        out = start + self._chance.uniform(0.10, 0.28)
        self._reserved[tube] = glass
        hand.ready = out
        self._brush(tube, self.now, start)

        def lifted() -> None:
            self.glass_at[tube] = glass.tube = None
            glass.leaning = False
            self._move(tube, glasses.rise(start, out - start, share=self._share_of(tube, glass)), glass.strength)
            self._take(hand, glass)
            self.note(truth.GlassLifted(self.now, player, glass, tube))

        self._at(start, lifted)
        self._at(out, lambda: self._release(tube))
        return out

    def seat(
        self,
        player: Player,
        tube: Tube,
        *,
        turned: bool = False,
        glass: glasses.WorldGlass | None = None,
        travel: float | None = None,
    ) -> float:
        """Seat a glass in the tube; `turned`: turn it over on the way.

        The hand takes `travel` seconds to get there, else as long as people do.
        """
        hand, glass = self._hand_with(player, glass)
        self._need_room(tube)
        arrives = self.now + (self._chance.uniform(0.3, 1.2) if travel is None else max(0.05, travel))
        if turned:
            self._turn_between(self.now, arrives, glass)
        return self._set_down(hand, player, glass, tube, arrives, turned is not hand.turned)

    def turn(self, player: Player, *, glass: glasses.WorldGlass | None = None) -> float:
        """Turn a glass over in the hand."""
        hand, glass = self._hand_with(player, glass)
        hand.ready = done = self.now + self._chance.uniform(0.2, 0.5)
        hand.turned = not hand.turned
        self._turn_between(self.now, done, glass)
        return done

    def place(
        self,
        player: Player,
        tube: Tube,
        *,
        glass: glasses.WorldGlass | None = None,
        full: bool = True,
        end: End | None = None,
    ) -> float:
        """Take a glass that lies off the board, by default the player's first, and seat it, its sand above.

        With `full` false its sand is below; with `end` that end is down, and the sand where it then lies.
        """
        self._need_room(tube)
        if glass is None:
            mine = self.in_box(player)
            if not mine:
                raise WorldError(f"{player} has no glass off the board to place in {tube}")
            glass = mine[0]
        if glass not in self._off_board or glass in self._reached:
            raise WorldError(f"{glass} is not off the board; it cannot be placed in {tube}")
        hand = self._free_hand(player)
        taken = self.now + self._chance.uniform(0.2, 0.5)
        arrives = taken + self._chance.uniform(0.3, 1.2)
        chosen = glass
        self._reached[chosen] = player

        def grasp() -> None:
            self._off_board.remove(chosen)
            del self._reached[chosen]
            chosen.stand_up(self.now, full=full if end is None else None, end=end)
            self._watch_sand(chosen)
            self._take(hand, chosen)

        self._at(taken, grasp)
        return self._set_down(hand, player, chosen, tube, arrives, False)

    def put_away(self, player: Player, *, glass: glasses.WorldGlass | None = None) -> float:
        """Lay a glass in the hand down off the board; its sand stands still."""
        hand, chosen = self._hand_with(player, glass)
        hand.ready = done = self.now + self._chance.uniform(0.3, 0.8)

        def away() -> None:
            chosen.lay_down(self.now)
            hand.glass = None
            self._off_board.append(chosen)

        self._at(done, away)
        return done

    def lean(self, player: Player, tube: Tube, *, glass: glasses.WorldGlass | None = None) -> float:
        """Put the glass in the hand half into the tube; with none in the hand pull the one there half out."""
        # 7 … 11 degrees: between 46 and 61 % of its field
        share = glasses.between(glasses.SHARE_AT_ANGLE, self._chance.uniform(7.0, 11.0))
        if glass is None and not self.held(player):
            leaning = self._standing_in(tube)
            hand = self._free_hand(player)
            start = self.now + self._chance.uniform(0.12, 0.35)
            rest = start + self._chance.uniform(0.1, 0.3)
            knots = [(start, 0.0), (rest, share)]
        else:
            hand, leaning = self._hand_with(player, glass)
            self._need_room(tube)
            start = self.now + self._chance.uniform(0.3, 1.2)
            rest = start + self._chance.uniform(0.15, 0.4)
            knots = [knot for knot in glasses.sink(start, rest - start) if knot[1] < share] + [(rest, share)]
        hand.ready = rest
        self._reserved[tube] = leaning

        def begins() -> None:
            if leaning.tube is tube:
                knots[0] = (start, self._share_of(tube, leaning))
            self._move(tube, knots, leaning.strength)

        def leans() -> None:
            if leaning.tube is not tube:
                self._stand(leaning, tube, hand)
            leaning.leaning = True
            self._release(tube)
            self.note(truth.GlassLeaning(self.now, player, leaning, tube))

        self._at(start, begins)
        self._at(rest, leans)
        return rest

    def straighten(self, player: Player, tube: Tube) -> float:
        """Push the leaning glass in the tube home."""
        glass = self._standing_in(tube)
        if not glass.leaning:
            raise WorldError(f"{glass} in {tube} does not lean; there is nothing to straighten")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        touch = start + self._chance.uniform(0.03, 0.1)
        knots: glasses.Knots = [(start, self._share_of(tube, glass)), (touch, 0.98)]
        glasses.settle(knots, self._chance, self._chance.uniform(0.08, 0.25), share=self._play())
        hand.ready = knots[-1][0]
        self._reserved[tube] = glass

        def home() -> None:
            glass.leaning = False
            self._release(tube)
            self.note(truth.GlassSeated(self.now, player, glass, tube, glass.down, False))

        self._at(start, lambda: self._move(tube, knots, glass.strength))
        self._at(hand.ready, home)
        return hand.ready

    def knock(self, tube: Tube) -> float:
        """Knock against the tube: the glass in it shakes and stays."""
        glass = self._standing_in(tube)
        if glass.leaning or tube in self.moving:
            raise WorldError(f"{glass} in {tube} does not stand still; it cannot be made to wobble")
        knots = glasses.shake(self.now, self._chance, share=self._share_of(tube, glass))
        self._move(tube, knots, glass.strength)
        return knots[-1][0]

    # ---- the 15-second timer

    def turn_timer(self, player: Player) -> float:
        """Turn the 15-second timer over in its cradle."""
        hand, out, empty = self._lift_timer(player)
        arrives = out + self._chance.uniform(0.15, 0.5)
        self._turn_between(out, arrives, self.timer)
        return self._set_timer_down(hand, player, arrives, True, empty)

    def put_timer_away(self, player: Player) -> float:
        """Take the timer out of its cradle and lay it down off the board."""
        hand, out, _ = self._lift_timer(player)
        hand.ready = done = out + self._chance.uniform(0.3, 0.8)

        def away() -> None:
            self.timer.lay_down(self.now)
            self.timer_place = TimerPlace.OFF
            self._timer_busy = False

        self._at(done, away)
        return done

    def place_timer(self, player: Player, *, end: End | None = None) -> float:
        """Set the timer, which lies off the board, into its cradle, empty above.

        With `end` that end is down, and the sand where it then lies.
        """
        if self.timer_place is not TimerPlace.OFF:
            raise WorldError("the 15-second glass is not in the box; it cannot be placed")
        hand = self._free_hand(player)
        self.timer_place = TimerPlace.HAND
        self._timer_busy = True
        arrives = self.now + self._chance.uniform(0.5, 1.2)
        full = False if end is None else None
        self._at(arrives, lambda: self.timer.stand_up(self.now, full=full, end=end))
        self._at(arrives, lambda: self._watch_sand(self.timer))
        return self._set_timer_down(hand, player, arrives, False, [False])

    # ---- rings

    def drop(self, player: Player, tube: Tube, *, within: float | None = None) -> float:
        """Drop a ring over the tube: one in the hand, else one from the player's holder.

        It lies `within` seconds after it is in the hand, else after as long as people take.
        """
        if not self.can_drop(tube):
            there = self.rings[tube] + self._coming[tube]
            raise WorldError(f"no ring fits on {tube}: {there} of {CAPACITY[tube]} are there")
        hand, taken = self._ring_hand(player), self.now
        if hand is None:
            hand, taken = self._fetch_ring(player)
        if within is None:
            # it leaves the hand 0.5 … 1.2 s after it was taken and bounces for 0.15 … 0.5 s
            falls = taken + self._chance.uniform(0.5, 1.2)
            rest = falls + self._chance.uniform(0.15, 0.5)
        else:
            within = max(within, LEAST_FALL)
            falls, rest = taken + within / 2, taken + within
        hand.ready = rest
        self._coming[tube] += 1
        used = hand

        def rests() -> None:
            used.ring = False
            self._coming[tube] -= 1
            self._shade(FIRST_PLACE[tube] + self.rings[tube], 1)
            self.rings[tube] += 1
            self.note(truth.RingDropped(self.now, player, tube, self.rings[tube]))

        self._at(falls, lambda: self._ring_falls(tube, rest))
        self._at(rest, rests)
        return rest

    def take_up(self, player: Player) -> float:
        """Take a ring from the player's holder into the hand."""
        return self._fetch_ring(player)[1]

    def put_back(self, player: Player, *, to: Player | None = None) -> float:
        """Lay the ring in the hand back into the player's holder, or into that of `to`."""
        hand = self._ring_hand(player)
        if hand is None:
            raise WorldError(f"{player} has no ring in his hand to put back")
        return self._lay_ring(hand, to or player, self.now)

    def take(self, player: Player, tube: Tube, *, to: Player | None = None) -> float:
        """Take the top ring off the tube and lay it into the player's holder, or into that of `to`."""
        if not self.rings[tube]:
            raise WorldError(f"there is no ring on {tube} to take")
        if self._coming[tube] or tube in self._going:
            raise WorldError(f"another hand is at the rings of {tube}; wait until it is done")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.15, 0.4)
        self._going.add(tube)
        clear = start + self._chance.uniform(0.06, 0.15)

        def lifts() -> None:
            self.rings[tube] -= 1
            level = self.rings[tube]
            place = FIRST_PLACE[tube] + level
            self._shade(place, -1)
            # it scrapes along the tube: its own sensor flickers, then those above see it pass
            self._cover(place, start + 0.006, start + self._chance.uniform(0.012, 0.04))
            for step, above in enumerate(range(level + 1, CAPACITY[tube])):
                self._cover(FIRST_PLACE[tube] + above, start + 0.03 + 0.008 * step, start + 0.045 + 0.008 * step)
            hand.ring = True
            self.note(truth.RingLifted(self.now, player, tube, level))

        self._at(start, lifts)
        self._at(clear, lambda: self._going.discard(tube))
        return self._lay_ring(hand, to or player, clear)

    def put_aside(self, player: Player) -> float:
        """Take all rings out of the player's holder and lay them on the table."""
        if not self.holders[player].rings:
            raise WorldError(f"{player} has no ring left in his holder")
        return self._shift_rings(player, out=True)

    def fetch(self, player: Player) -> float:
        """Put the player's rings that lie on the table into his holder."""
        if not self.holders[player].aside:
            raise WorldError(f"no rings of {player} lie aside")
        return self._shift_rings(player, out=False)

    def touch(self, player: Player, tube: Tube) -> float:
        """Lay fingers over the tube's bare ring sensors for a moment."""
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.15, 0.4)
        hand.ready = self._finger(tube, start)
        return hand.ready

    def tidy(self) -> float:
        """Set everything up as before a game, by many hands at once, in about a second.

        Glasses go to their start tubes run down (with a free start off the board), the timer into its cradle,
        rings into the holders. Hands that are under way finish first, and none does anything else meanwhile.
        """
        hands = [hand for both in self.hands.values() for hand in both]
        start = max([self.now, *(hand.ready for hand in hands)]) + 0.1
        self._at(start, lambda: self._clear(hands))
        at_rest = [self._set_timer_down(Hand(), Player.RED, start + 0.3, False, [False])]
        for glass in self.glasses:
            if (home := TUBE_OF_NAME.get(glass.name)) is not None:
                at_rest.append(self._set_down(Hand(), glass.owner, glass, home, start + 0.3, False))
        for hand in hands:
            hand.ready = max(at_rest)
        return max(at_rest)

    def _clear(self, hands: list[Hand]) -> None:
        """Take everything off the board and out of the hands, rings into the holders; glasses are run down."""
        for tube in Tube:
            if (standing := self.glass_at[tube]) is not None:
                self._pull_out(tube, standing)
                self.glass_at[tube] = None
                self.note(truth.GlassLifted(self.now, standing.owner, standing, tube))
            for level in range(self.rings[tube]):
                self._shade(FIRST_PLACE[tube] + level, -1)
            self.rings[tube] = 0
        if self.timer_place is TimerPlace.CRADLE:
            self._pull_out(CRADLE, self.timer)
        self.timer_place = TimerPlace.HAND
        self.timer.stand_up(self.now, full=False)
        self._off_board = []
        for glass in self.glasses:
            glass.tube, glass.leaning = None, False
            if glass.name in TUBE_OF_NAME:
                glass.stand_up(self.now, full=False)
            else:
                glass.lay_down(self.now)
                self._off_board.append(glass)
        for hand in hands:
            hand.glass, hand.ring = None, False
        for player, holder in self.holders.items():
            holder.aside = 0
            self._load(player, RINGS_EACH - holder.rings)

    def _pull_out(self, field: int, glass: glasses.SandGlass) -> None:
        """Pull a glass out of its seat now."""
        self._move(field, glasses.rise(self.now, 0.2, share=self._share_of(field, glass)), glass.strength)

    # ---- buttons, and what is beside the board

    def press(self, button: ButtonName, press: PressKind = PressKind.SHORT) -> float:
        """Press a button; `down` keeps it there until `up`, or until the client that holds it has gone."""
        match press:
            case PressKind.SHORT:
                noted = released = self.now + self._chance.uniform(0.08, 0.25)
            case PressKind.LONG:
                noted, released = self.now + LONG_SECONDS, self.now + HELD_SECONDS
            case PressKind.DOWN:
                if button in self._held_down:
                    raise WorldError(f"the {button.value} button is held down already")
                self._held_down[button] = self.now
                self._fingers_on[button] += 1
                return self.now
            case PressKind.UP:
                if not self.let_go(button):
                    raise WorldError(f"nobody holds the {button.value} button down")
                return self.now
        kind = Press(press.value)
        self._fingers_on[button] += 1
        self._at(noted, lambda: self.note(truth.ButtonPressed(self.now, button, kind)))
        self._at(released, lambda: self._finger_off(button))
        return released

    def let_go(self, button: ButtonName) -> bool:
        """Let a button go that is held down; whether it was."""
        since = self._held_down.pop(button, None)
        if since is None:
            return False
        self._finger_off(button)
        press = Press.LONG if self.now - since >= LONG_SECONDS else Press.SHORT
        self.note(truth.ButtonPressed(self.now, button, press))
        return True

    def knock_holder(self, player: Player) -> float:
        """Knock against the player's ring holder: its load cell swings."""
        self._swing(player, self._chance.choice((-1.0, 1.0)) * self._chance.uniform(5.0, 20.0), 0.1)
        return self.now

    def lamp(self, on: bool) -> float:
        """Switch a strong lamp over the board on or off: it blinds ring sensors that lie bare."""
        self.lamp_on = on
        self.version += 1
        return self.now

    def wait(self, seconds: float) -> float:
        """Do nothing for these seconds."""
        return self.now + seconds

    # ---- parts

    def _turn_between(self, start: float, end: float, glass: glasses.SandGlass) -> None:
        """Turn a glass over at a random instant of its way."""

        def turn() -> None:
            glass.turn(self.now)
            self._watch_sand(glass)

        self._at(start + (end - start) * self._chance.uniform(0.2, 0.8), turn)

    def _set_down(
        self, hand: Hand, player: Player, glass: glasses.WorldGlass, tube: Tube, arrives: float, turned: bool
    ) -> float:
        """Let a glass down into a tube at ``arrives``; when it will be at rest."""
        falls = self._chance.uniform(0.06, 0.15)
        share = self._play()
        knots = glasses.sink(arrives, falls, share=share)
        glasses.settle(knots, self._chance, self._chance.uniform(0.08, 0.25), share=share)
        hand.ready = rest = knots[-1][0]
        self._reserved[tube] = glass

        def seated() -> None:
            self._release(tube)
            self.note(truth.GlassSeated(self.now, player, glass, tube, glass.down, turned))

        self._at(arrives, lambda: self._move(tube, knots, glass.strength))
        self._at(arrives + falls, lambda: self._stand(glass, tube, hand))
        self._at(rest, seated)
        self._brush(tube, arrives, rest)
        return rest

    def _lift_timer(self, player: Player) -> tuple[Hand, float, list[bool]]:
        """Lift the timer: the hand, when it is out, and then whether its upper part was empty."""
        if self.timer_place is not TimerPlace.CRADLE or self._timer_busy:
            raise WorldError("the 15-second glass is not in its cradle, or a hand is at it")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        out = start + self._chance.uniform(0.10, 0.2)
        hand.ready, self._timer_busy = out, True
        empty: list[bool] = []

        def lifted() -> None:
            empty.append(self.timer.runs_out_at(self.now) is None)
            self.timer_place = TimerPlace.HAND
            share = self._share_of(CRADLE, self.timer)
            self._move(CRADLE, glasses.rise(start, out - start, share=share), self.timer.strength)
            self.note(truth.TimerTaken(self.now, player, empty[0]))

        self._at(start, lifted)
        return hand, out, empty

    def _set_timer_down(
        self, hand: Hand, player: Player, arrives: float, turned: bool, empty: list[bool]
    ) -> float:
        """Let the timer down into its cradle at ``arrives``; when it will be at rest."""
        share = self._play()
        knots = glasses.sink(arrives, self._chance.uniform(0.06, 0.15), share=share)
        glasses.settle(knots, self._chance, self._chance.uniform(0.08, 0.25), share=share)
        hand.ready = rest = knots[-1][0]

        def seated() -> None:
            self.timer_place = TimerPlace.CRADLE
            self._timer_busy = False
            self.note(truth.TimerSet(self.now, player, self.timer.down, turned, empty[0]))

        self._at(arrives, lambda: self._move(CRADLE, knots, self.timer.strength))
        self._at(rest, seated)
        return rest

    def _shift_rings(self, player: Player, *, out: bool) -> float:
        """Move all rings from the table into the holder, or ``out`` of it."""
        holder = self.holders[player]
        if holder.promised:
            raise WorldError(f"another hand is at the holder of {player}; wait until it is done")
        hand = self._free_hand(player)
        hand.ready = done = self.now + self._chance.uniform(0.8, 1.5)

        def shifted() -> None:
            rings = -holder.rings if out else holder.aside
            holder.aside -= rings
            self._load(player, rings)

        self._at(done, shifted)
        return done

    def _fetch_ring(self, player: Player) -> tuple[Hand, float]:
        """A free hand takes a ring from its owner's holder: the hand, and when it will have it."""
        holder = self.holders[player]
        if holder.rings - holder.promised < 1:
            raise WorldError(f"{player} has no ring left in his holder")
        hand = self._free_hand(player)
        hand.ready = taken = self.now + self._chance.uniform(0.15, 0.4)
        holder.promised += 1

        def takes() -> None:
            holder.promised -= 1
            hand.ring = True
            self._load(player, -1)

        self._at(taken, takes)
        return hand, taken

    def _lay_ring(self, hand: Hand, to: Player, start: float) -> float:
        """A hand carries its ring to a holder, from ``start`` on; when it will lie there."""
        hand.ready = done = start + self._chance.uniform(0.4, 1.0)

        def lies() -> None:
            hand.ring = False
            self._load(to, 1)

        self._at(done, lies)
        return done

    def _ring_falls(self, tube: Tube, rest: float) -> None:
        """A ring leaves the hand over a tube: what its sensors see until it lies at ``rest``."""
        chance = self._chance
        first, level, top = FIRST_PLACE[tube], self.rings[tube], CAPACITY[tube]
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
            at += seen + chance.uniform(0.003, 0.02) * self.bounce
            seen *= 2.0
        # what bounces is never away for longer than it takes to fall a few millimetres: at last it stays
        if at < bounce_ends:
            self._cover(first + level, at, bounce_ends)
