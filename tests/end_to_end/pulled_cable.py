"""Games on a pseudo-terminal whose cable is pulled, through pyserial, in simulated time."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, TUBES
from tamsk_hw.referee.events import Event, Link, LinkState
from tamsk_hw.referee.rulings import Caution, Warned
from tamsk_hw.referee.view import Phase
from tamsk_hw.simulator.truth import GlassLifted, GlassRanOut, GlassSeated, TimerRanOut
from tamsk_hw.table.simulation import LOOK, SteppedLink
from tests.boards import WHOLE, PlayedBoard
from tests.players.habits import Habits
from tests.players.mischief import MOVE_MISCHIEF, WAITING_MISCHIEF, Kind
from tests.players.player import SimulatedPlayer
from tests.players.simulated_game import SimulatedGame


class CableGame:
    """Two simulated players at a board on a cable."""

    def __init__(
        self, ruleset: Ruleset, seed: int, habits: Habits, *, holders: bool, port: Path, board: PlayedBoard = WHOLE
    ) -> None:
        self.events: list[Event] = []
        self.simulation = SimulatedGame(
            ruleset,
            seed,
            wiring=board.wiring,
            port=port,
            holders=holders,
            habits=habits,
            record=self.events.append,
        )
        assert isinstance(self.simulation.wire, SteppedLink)
        self.pty = self.simulation.wire.pty
        self.match = self.simulation.match
        self.refereeing = self.simulation.refereeing
        self.pulled: list[float] = []

    @property
    def now(self) -> float:
        return self.simulation.now

    @property
    def is_over(self) -> bool:
        return self.refereeing.is_over

    def step(self, *, people: bool = True) -> None:
        """The next look, with or without anything that the people do of themselves."""
        simulation, match = self.simulation, self.match
        due, look = match.next_wakeup, self.now + LOOK
        step = look if due is None or due <= self.now or not people else min(look, due)
        if not self.refereeing.connected:
            self._wonder_later(step - self.now)
        simulation.now = step
        for event in simulation.wire.poll(step):
            self.refereeing.take_link(event)
        match.on_rulings(self.refereeing.advance(step))
        if people:
            match.advance(step)
        self.refereeing.take(match.drain_events())

    def _wonder_later(self, seconds: float) -> None:
        """Nobody expects a word from a board that is said to be out of reach."""
        table = self.match.table
        table._expected = [(t + seconds, key) for t, key in table._expected]
        for deed in table.deeds:
            deed.t += seconds

    def play(self, until: float, *, people: bool = True) -> None:
        """Go on for a while, or to the end of the game."""
        while self.now < until and not self.is_over:
            self.step(people=people)

    def is_quiet(self) -> bool:
        """Nobody is about anything, and no right to a ring is left but to him who sees it first."""
        table = self.match.table
        idle = all(
            not self.simulation.world.held(player) and len(self.simulation.world.free_hands(player)) == 2
            for player in PLAYERS
        )
        busy = table.aims or table.reaching or table.claiming or table.deeds or table.deadline or table.late
        window = table.ruleset.ring_window
        open_rights = [e for e in table.entered.values() if e.ring is None and self.now < e.t + window]
        return table.started and idle and not busy and not open_rights and table.next_doubt() is None

    def least_sand(self) -> float:
        """Seconds until the next glass runs out."""
        world = self.simulation.world
        ends = [
            at for glass in world.glasses if (at := glass.runs_out_at(world.now)) is not None and at > self.now
        ]
        return min(ends, default=float("inf")) - self.now

    def pull(self) -> None:
        """Pull the cable."""
        self.pty.unplug()
        self.pulled.append(self.now)

    def replug(self, *, people: bool) -> None:
        """Put it in again, and wait until the board is there."""
        self.pty.replug()
        while not self.refereeing.connected and not self.is_over:
            self.step(people=people)
        # what was done meanwhile is seen, and said
        self.play(self.now + 1.0, people=people)

    def takes_one_for_another(self) -> bool:
        """A glass is taken for the other player's."""
        world = self.simulation.world
        for glass in self.refereeing.view().glasses:
            there = None if glass.standing is None else world.glass_at[glass.standing]
            if there is not None and there.owner is not glass.owner:
                return True
        return False

    def both_moved(self) -> bool:
        """Glasses of both players were moved since the cable was pulled last."""
        moved = {
            fact.glass.owner
            for fact in self.simulation.world.truth
            if isinstance(fact, GlassLifted | GlassSeated) and self.pulled[-1] <= fact.t <= self._seen_again()
        }
        return len(moved) == 2

    def _seen_again(self) -> float:
        return max(event.t for event in self.events if isinstance(event, Link))

    def comes_to_rest(self) -> bool:
        """Play on until no hand has been at the board for a moment, if that comes soon."""
        ends, still_since = self.now + 5.0, self.now
        while self.now < ends and not self.is_over and self.now < still_since + 1.0:
            self.step()
            if self._is_busy():
                still_since = self.now
        return not self.is_over and self.now >= still_since + 1.0

    def _is_busy(self) -> bool:
        world = self.simulation.world
        return world.moving or any(world.held(player) or len(world.free_hands(player)) < 2 for player in PLAYERS)

    def is_told_what_differs(self) -> None:
        """Fail unless the referee knows what is on the board, and says of all that is wrong there that it is."""
        view, world = self.refereeing.view(), self.simulation.world
        if self.is_over or view.phase is not Phase.PLAY:
            return
        assert list(view.rings_seen) == [world.rings[tube] for tube in TUBES]
        assert sum(view.rings) + sum(view.left.values()) == 2 * RINGS_EACH
        wrong = {mend.tube for mend in view.wrong}
        standing = {glass.standing: glass for glass in view.glasses if glass.standing is not None}
        for tube in TUBES:
            assert view.rings_seen[tube] == view.rings[tube] or tube in wrong
            glass, known = world.glass_at[tube], standing.get(tube)
            if glass is None:
                assert known is None
            elif known is not None:
                assert known.tube is tube or {tube, known.tube} & wrong
            else:
                # what leans is called wrong when it has leaned for a while (R9.2)
                assert tube in wrong or glass.leaning

    def misdeed(self, chance: Random) -> bool:
        """One of the people breaks a rule, if there is occasion for one."""
        kinds: list[tuple[SimulatedPlayer, Kind]] = []
        for player in self.match.players.values():
            known = MOVE_MISCHIEF if player.my_turn() else WAITING_MISCHIEF
            kinds += [(player, deed) for kind, deed in known.items() if kind.value != "timer_running"]
        chance.shuffle(kinds)
        for player, deed in kinds:
            before = len(self.match.table.deeds)
            activity = deed(player)
            for pause in activity:
                self.play(pause.until, people=False)
            self.match.interrupt(self.now)  # whatever they were about, they have seen that
            if len(self.match.table.deeds) > before:
                return True
        return False

    def end(self) -> None:
        """Hands finish what they were about."""
        for _ in range(30):
            self.step()

    def as_reported(self) -> SimulatedGame:
        """Account for the judge, with all that people did unseen as done when the board was seen again."""
        seen_again = [
            event.t for event in self.events if isinstance(event, Link) and event.state is LinkState.RESTORED
        ]
        simulation, world = self.simulation, self.simulation.world

        def reported(t: float) -> float:
            place = bisect_right(self.pulled, t) - 1
            return max(t, seen_again[place]) if 0 <= place < len(seen_again) else t

        def is_reckoned(fact: Any) -> bool:
            """The sand of glasses that nobody touches is reckoned on."""
            if not isinstance(fact, GlassRanOut):
                return isinstance(fact, TimerRanOut)
            place = bisect_right(self.pulled, fact.t) - 1
            return place < 0 or not any(
                isinstance(touch, GlassLifted | GlassSeated)
                and touch.glass == fact.glass
                and self.pulled[place] <= touch.t <= fact.t
                for touch in world.truth
            )

        def timed(entries: Sequence[Any]) -> list[Any]:
            return [each if is_reckoned(each) else replace(each, t=reported(each.t)) for each in entries]

        rulings = [
            each
            for each in self.refereeing.rulings
            if not (isinstance(each, Warned) and each.code is Caution.LINK_LOST)
        ]
        return cast(
            SimulatedGame,
            SimpleNamespace(
                refereeing=SimpleNamespace(rulings=rulings),
                match=SimpleNamespace(story=timed(self.match.story)),
                world=SimpleNamespace(truth=timed(world.truth), glasses=world.glasses, rings=world.rings),
                header=simulation.header,
            ),
        )
