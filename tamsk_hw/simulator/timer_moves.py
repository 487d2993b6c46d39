"""Actions of hands on the 15-second glass: turn it over in its cradle, set it there, or put it away."""

from __future__ import annotations

from tamsk_hw.game.players import End, Player
from tamsk_hw.simulator.hands import Hands
from tamsk_hw.simulator.matter import CRADLE, Hand
from tamsk_hw.simulator.motions import rise, settle, sink
from tamsk_hw.simulator.truth import TimerSet, TimerTaken, WorldError


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
