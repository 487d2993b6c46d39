"""The simulated world.

Actions of fingers on the three buttons: press, hold, let go; which of them are down can be seen.

Actions of hands on the 15-second glass: turn it over in its cradle, set it there, or put it away.

The physical world of the simulated board: tubes, glasses with sand, rings, hands that take time.

Physics only: no I/O, no clock, no rules of the game. Time is simulated seconds, moved by `World.advance`. Chance
is drawn from the seed, so the same calls at the same times give exactly the same world. The world refuses what is
physically impossible (`WorldError`), not what is unlawful.

Hand primitives begin at `World.now` and return the instant at which they will be done (absolute seconds);
advance to it, or to any time before or after. Each player has two hands; a glass in the hand keeps one busy::

    world = World(7)
    done = world.lift(Player.RED, Tube.D1)
    world.advance(done)
    done = world.seat(Player.RED, Tube.D2, turned=True)
    world.advance(done)
    world.drop_ring(Player.RED, Tube.D2)

When a board samples the world (`tamsk_hw.simulator.board.SimulatedBoard`), advance the board instead: it takes
the world along. `Matter` has what can be seen, and `GlassMoves`, `RingMoves`, `TimerMoves` and
`ButtonMoves` what hands can do.
"""

from __future__ import annotations

from collections.abc import Mapping

from tamsk_hw.game.tubes import End, Player
from tamsk_hw.simulator.matter import CRADLE, Hand, Matter, WorldStart
from tamsk_hw.simulator.moves import GlassMoves, Hands, RingMoves
from tamsk_hw.simulator.truth import (
    ButtonPressed,
    PressLength,
    PushButton,
    TimerSet,
    TimerTaken,
    WorldError,
    rise,
    settle,
    sink,
)

#: Seconds from which on a press is a long one.
LONG_SECONDS = 1.0

#: Seconds for which a long press is held, so that a program that wants more than a second takes it, too.
HELD_SECONDS = 1.8


class ButtonMoves(Matter):
    """The buttons; see `tamsk_hw.simulator.world.World`."""

    def press(self, button: PushButton, press: PressLength = PressLength.SHORT) -> float:
        """Press a button: a short press takes 0.08 … 0.25 s, a long one counts from 1 s on and is held for 1.8 s.

        One that is held already is pressed all the same; it goes up when the last finger leaves it.
        """
        short = press is PressLength.SHORT
        done = self.now + (self._chance.uniform(0.08, 0.25) if short else LONG_SECONDS)
        self._put_finger(button)
        self._at(done, lambda: self.note(ButtonPressed(self.now, button, press)))
        self._at(done if short else self.now + HELD_SECONDS, lambda: self._take_finger(button))
        return done

    def hold(self, button: PushButton) -> None:
        """Push a button down and keep it there until `let_go`. Raises `WorldError` for one that is held."""
        if button in self._held:
            raise WorldError(f"the {button.value} button is held down already")
        self._held[button] = self.now
        self._put_finger(button)

    def let_go(self, button: PushButton) -> None:
        """Let go a button that is held. Raises `WorldError` when nobody holds it."""
        since = self._held.pop(button, None)
        if since is None:
            raise WorldError(f"nobody holds the {button.value} button down")
        self._take_finger(button)
        press = PressLength.LONG if self.now - since >= LONG_SECONDS else PressLength.SHORT
        self.note(ButtonPressed(self.now, button, press))

    def is_held(self, button: PushButton) -> bool:
        """Somebody keeps the button down, by `hold`."""
        return button in self._held

    def is_down(self, button: PushButton) -> bool:
        """The button is down."""
        return self._fingers_on[button] > 0

    # ---- parts

    def _put_finger(self, button: PushButton) -> None:
        self._fingers_on[button] += 1

    def _take_finger(self, button: PushButton) -> None:
        self._fingers_on[button] -= 1


class TimerMoves(Hands):
    """The 15-second glass in the hand; see `tamsk_hw.simulator.world.World`."""

    def turn_timer(self, player: Player, *, turned: bool = True) -> float:
        """Take the 15-second glass out of its cradle and put it back, turned over or not."""
        if not self._timer_seated or self._timer_busy:
            raise WorldError("the 15-second glass is not in its cradle, or a hand is at it")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        out = start + self._chance.uniform(0.10, 0.2)
        arrives = out + self._chance.uniform(0.15, 0.5)
        self._timer_busy = True
        empty: list[bool] = []

        def lifted() -> None:
            empty.append(self.timer_runs_out_at() is None)
            self._timer_seated = False
            self._move(CRADLE, rise(start, out - start, share=self._timer_share()), self._timer_strength())
            self.note(TimerTaken(self.now, player, empty[0]))

        def turn() -> None:
            self._timer_sand.turn(self.now)
            self._watch_timer()

        self._at(start, lifted)
        if turned:
            self._at(out + (arrives - out) * self._chance.uniform(0.2, 0.8), turn)
        return self._set_timer_down(hand, player, arrives, turned, empty)

    def put_timer_away(self, player: Player) -> float:
        """Take the 15-second glass out of its cradle and lay it down off the board."""
        if not self._timer_seated or self._timer_busy:
            raise WorldError("the 15-second glass is not in its cradle, or a hand is at it")
        hand = self._free_hand(player)
        start = self.now + self._chance.uniform(0.12, 0.35)
        out = start + self._chance.uniform(0.10, 0.2)
        done = out + self._chance.uniform(0.3, 0.8)
        hand.ready = done
        self._timer_busy = True

        def lifted() -> None:
            empty = self.timer_runs_out_at() is None
            self._timer_seated = False
            self._move(CRADLE, rise(start, out - start, share=self._timer_share()), self._timer_strength())
            self.note(TimerTaken(self.now, player, empty))

        def away() -> None:
            self._timer_sand.lay_down(self.now)
            self._timer_in_box = True
            self._timer_busy = False

        self._at(start, lifted)
        self._at(done, away)
        return done

    def place_timer(self, player: Player, *, end: End | None = None) -> float:
        """Set the 15-second glass from the box into its cradle with its upper part empty.

        With ``end`` that end is down, and the sand where it then lies.
        """
        if not self._timer_in_box:
            raise WorldError("the 15-second glass is not in the box; it cannot be placed")
        hand = self._free_hand(player)
        self._timer_in_box = False
        self._timer_busy = True
        arrives = self.now + self._chance.uniform(0.5, 1.2)
        full = False if end is None else None
        self._at(arrives, lambda: self._timer_sand.stand_up(self.now, full=full, end=end))
        self._at(arrives, self._watch_timer)
        return self._set_timer_down(hand, player, arrives, False, [False])

    # ---- parts

    def _set_timer_down(
        self, hand: Hand, player: Player, arrives: float, turned: bool, empty: list[bool]
    ) -> float:
        """Let the timer down into its cradle at ``arrives``; when it will be at rest."""
        share = self._play()
        knots = sink(arrives, self._chance.uniform(0.06, 0.15), share=share)
        settle(knots, self._chance, self._chance.uniform(0.08, 0.25), share=share)
        rest = knots[-1][0]
        hand.ready = rest

        def seated() -> None:
            self._timer_seated = True
            self._timer_busy = False
            self.note(TimerSet(self.now, player, self.timer_end_down(), turned, empty[0]))

        self._at(arrives, lambda: self._move(CRADLE, knots, self._timer_strength()))
        self._at(rest, seated)
        return rest

    def _timer_share(self) -> float:
        motion = self.moving.get(CRADLE)
        value = motion.field(self.now) if motion else self.still[CRADLE]
        return abs(value / self._timer_strength())


__all__ = ["World", "WorldError", "WorldStart"]


class World(GlassMoves, RingMoves, TimerMoves, ButtonMoves):
    """A TAMSK board with its material and two people's hands, in simulated seconds."""

    def __init__(
        self,
        seed: int,
        *,
        setup: WorldStart = WorldStart.CORNERS,
        glass_seconds: float | Mapping[str, tuple[float, float]] = 180.0,
        timer_seconds: float | tuple[float, float] = 15.0,
        spread: float = 0.015,
    ) -> None:
        """Begin a world at time 0.

        ``glass_seconds``: nominal seconds from full, each glass and end then differing by N(0, ``spread``); or
        the exact seconds ``(end A down, end B down)`` of each glass by name. ``timer_seconds``: alike, a
        nominal number or the exact pair. Raises `WorldError` for a missing glass or seconds that are not above
        0.
        """
        super().__init__(seed, setup, glass_seconds, timer_seconds, spread)

    def lamp(self, on: bool) -> None:
        """Switch a strong lamp over the board on or off: it blinds some of the ring sensors that lie bare."""
        self.lamp_on = on
        self.version += 1

    def knock(self, player: Player) -> None:
        """Knock against a player's ring holder: its load cell swings by grams for a tenth of a second."""
        self._swing(player, self._chance.choice((-1.0, 1.0)) * self._chance.uniform(5.0, 20.0), 0.1)
