"""A person who times glasses at a simulated board: hands that turn them over, an eye that sees the last grain.

The world knows how long its glasses really run; nothing here asks the code under test for it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.game.tubes import TUBE_OF_NAME, End, Player
from tamsk_hw.referee.events import Button, ButtonName, Event, Lift, Press, Seat, TimerLifted, TimerSeated
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.figures import TIMED_NAMES, TIMER
from tamsk_hw.workbench.timing import GlassTiming, TimingPhase
from tamsk_hw.workbench.watch import GlassStanding


def event_of(entry: truth.Truth) -> Event | None:
    """Reports of a board that feels everything at once."""
    match entry:
        case truth.GlassLifted(t, _, _, tube):
            return Lift(t, tube)
        case truth.GlassSeated(t, _, _, tube, end):
            return Seat(t, tube, end)
        case truth.TimerTaken(t):
            return TimerLifted(t)
        case truth.TimerSet(t, _, end):
            return TimerSeated(t, end)
    return None


def true_seconds(world: World, name: str) -> tuple[float, float]:
    if name == TIMER:
        return world.timer.seconds
    return world.glass(name).seconds


class Person:
    """Turns glasses over as long as more runs are wanted, and calls each last grain ``reaction`` seconds late.

    ``reaction``: mean and standard deviation. ``buttons``: calls with the start button, selecting when asked; else
    types names. ``gap``: seconds from one turning to the next, at least and at most.
    """

    def __init__(
        self,
        world: World,
        timing: GlassTiming,
        seed: int,
        *,
        reaction: tuple[float, float] = (0.2, 0.08),
        buttons: bool = False,
        gap: tuple[float, float] = (2.0, 9.0),
    ) -> None:
        self.world, self.timing = world, timing
        self.chance = Random(f"{seed}/person")
        self.reaction, self.buttons, self.gap = reaction, buttons, gap
        self.said: list[str] = []
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._serial = 0
        self._busy_until = 0.0
        world.listen(self._see)

    def at(self, t: float, action: Callable[[], None]) -> None:
        self._serial += 1
        heapq.heappush(self._agenda, (t, self._serial, action))

    def _see(self, entry: truth.Truth) -> None:
        event = event_of(entry)
        if event is not None:
            self.timing.handle(event)
        name = None
        if isinstance(entry, truth.GlassRanOut) and entry.tube is not None:
            name = entry.glass.name
        elif isinstance(entry, truth.TimerRanOut):
            name = TIMER
        if name in self.timing.names:
            called = name
            late = max(0.0, self.chance.gauss(*self.reaction))
            self.at(entry.t + late, lambda: self.call(called))

    def call(self, name: str) -> None:
        t = self.world.now
        if self._view(name).standing is not GlassStanding.RUNNING:
            return
        if not self.buttons:
            self.timing.on_typed(name, t)
            return
        before = self.timing.open_calls
        self.timing.on_press(Button(t, ButtonName.START, Press.SHORT), t)
        while self.timing.open_calls > before:
            while not self._view(name).selected:
                self.timing.on_press(Button(t + 0.5, ButtonName.BLACK, Press.SHORT), t + 0.5)
            self.timing.on_press(Button(t + 0.5, ButtonName.START, Press.SHORT), t + 0.5)

    def _view(self, name: str):  # type: ignore[no-untyped-def]
        (view,) = [view for view in self.timing.views(self.world.now) if view.name == name]
        return view

    def turn(self, name: str) -> float:
        """Turn a glass over on its tube; when it will be done."""
        if name == TIMER:
            return self.world.turn_timer(Player.RED)
        tube = TUBE_OF_NAME[name]
        done = self.world.lift(Player.RED, tube)
        self.at(done, lambda: self.world.seat(Player.RED, tube, turned=True) and None)
        return done + 1.6

    def _work(self) -> None:
        """Turn over what is run down and wanted, one glass after the other."""
        now = self.world.now
        if now < self._busy_until or self.timing.phase is not TimingPhase.TIMING:
            return
        down = [
            view for view in self.timing.views(now) if view.standing is GlassStanding.DOWN and not view.is_complete
        ]
        if down:
            self._busy_until = self.turn(self.chance.choice(down).name) + self.chance.uniform(*self.gap)

    def advance(self, t: float) -> None:
        """Do what is to be done until ``t``."""
        while True:
            due = [self.world.next_change(), self._agenda[0][0] if self._agenda else None]
            step = min(t, *(each for each in due if each is not None), t)
            self.world.advance(max(step, self.world.now))
            self.timing.advance(self.world.now)
            while self._agenda and self._agenda[0][0] <= self.world.now:
                heapq.heappop(self._agenda)[2]()
            self.said += [note.words for note in self.timing.take_notes()]
            if step >= t:
                self._work()
                return

    def stand(self) -> None:
        """The board says what stands on it, and all of it is run down."""
        for name in self.timing.names:
            if name == TIMER:
                self.timing.handle(TimerSeated(0.0, self.world.timer.down))
            else:
                end: End = self.world.glass(name).down
                self.timing.handle(Seat(0.0, TUBE_OF_NAME[name], end))
        self.timing.on_press(Button(0.0, ButtonName.START, Press.SHORT), 0.0)

    def work_to_the_end(self, limit: float = 7200.0) -> None:
        while self.timing.phase is not TimingPhase.DONE:
            assert self.world.now < limit, self.said[-10:]
            self.advance(self.world.now + 0.5)


def timed(
    seed: int, names: tuple[str, ...] = TIMED_NAMES, runs: int = 2, **habits: object
) -> tuple[World, GlassTiming]:
    """A world's glasses, timed by a person."""
    world = World(seed)
    timing = GlassTiming(names, runs, KnownCalibration())
    person = Person(world, timing, seed, **habits)  # type: ignore[arg-type]
    person.stand()
    person.work_to_the_end()
    return world, timing
