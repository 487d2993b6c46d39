"""Timing glasses: a person at a simulated world, and a table at which things happen as a script says.

The world knows how long its glasses really run; nothing here asks the code under test for it.
"""

import heapq
from collections.abc import Callable
from random import Random

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.protocol import Hello, ResetCause
from tamsk_hw.configuration import Configuration
from tamsk_hw.game.tubes import TUBE_OF_NAME, End, Player, Tube
from tamsk_hw.referee.events import (
    Button,
    ButtonName,
    Event,
    Fault,
    Lift,
    Press,
    Seat,
    SensorId,
    Tilt,
    TimerLifted,
    TimerSeated,
)
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.figures import TIMED_NAMES, TIMER
from tamsk_hw.workbench.glasses import GlassWalk
from tamsk_hw.workbench.timing import GlassTiming
from tests.workbench.boards import WIRING, setup_of


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

    ``reaction``: mean and standard deviation.
    """

    def __init__(
        self, world: World, timing: GlassTiming, seed: int, *, reaction: tuple[float, float] = (0.2, 0.08)
    ) -> None:
        self.world, self.timing = world, timing
        self.chance = Random(f"{seed}/person")
        self.reaction = reaction
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
        if self.timing.glasses[name].standing(t) == "running":
            self.timing.on_typed(name, t)

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
        if now < self._busy_until or self.timing.phase != "timing":
            return
        down = [
            name
            for name, glass in self.timing.glasses.items()
            if glass.standing(now) == "run down" and any(self.timing.wanting(name).values())
        ]
        if down:
            self._busy_until = self.turn(self.chance.choice(down)) + self.chance.uniform(2.0, 9.0)

    def advance(self, t: float) -> None:
        """Do what is to be done until ``t``."""
        while True:
            due = [self.world.next_change(), self._agenda[0][0] if self._agenda else None]
            step = min(t, *(each for each in due if each is not None), t)
            self.world.advance(max(step, self.world.now))
            self.timing.advance(self.world.now)
            while self._agenda and self._agenda[0][0] <= self.world.now:
                heapq.heappop(self._agenda)[2]()
            self.said += [words for words, _ in self.timing.notes]
            self.timing.notes.clear()
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
        while self.timing.phase != "done":
            assert self.world.now < limit, self.said[-10:]
            self.advance(self.world.now + 0.5)


def timed(
    seed: int, names: tuple[str, ...] = TIMED_NAMES, runs: int = 2, **habits: object
) -> tuple[World, GlassTiming]:
    """A world's glasses, timed by a person."""
    world = World(seed)
    timing = GlassTiming(setup_of(), names, runs)
    person = Person(world, timing, seed, **habits)  # type: ignore[arg-type]
    person.stand()
    person.work_to_the_end()
    return world, timing


BUTTONS = {
    "start": (ButtonName.START, Press.SHORT),
    "hold": (ButtonName.START, Press.LONG),
    "black": (ButtonName.BLACK, Press.SHORT),
    "red": (ButtonName.RED, Press.SHORT),
}


class Table:
    """Glasses on their tubes with end A down, all their sand down, which is said at 1 s unless ``began`` is False.

    `play` takes steps, separated by semicolons; each ends with its time, ``10+178`` is the call of a run of 178 s
    of a glass that was lifted at 10 s and held for a second.
    """

    def __init__(
        self,
        *names: str,
        runs: int = 2,
        known: KnownCalibration | None = None,
        began: bool = True,
        configuration: Configuration | None = None,
    ) -> None:
        setup = setup_of(known=known, configuration=configuration)
        self.timing = GlassWalk(setup, names or TIMED_NAMES, runs)
        self.timing.board.hello = Hello(0, (1, 0), (0, 1, 0), 0x2A, 7, ResetCause.EXTERNAL, WIRING.hash)
        for name in self.timing.names:
            self.seat(name, End.A, 0.0)
        if began:
            self.play("start 1")
            self.said()

    def seat(self, name: str, end: End, t: float) -> None:
        self.timing.handle(TimerSeated(t, end) if name == TIMER else Seat(t, TUBE_OF_NAME[name], end))

    def lift(self, name: str, t: float) -> None:
        self.timing.handle(TimerLifted(t) if name == TIMER else Lift(t, TUBE_OF_NAME[name]))

    def turn(self, name: str, t: float, held: float = 1.0) -> None:
        """Lift at ``t``, seat turned over ``held`` seconds later."""
        self.timing.advance(t)
        sand = self.timing.glasses[name].sand
        self.lift(name, t)
        self.seat(name, sand.end.other if sand else End.A, t + held)

    def play(self, script: str) -> None:
        """Let all of a script happen."""
        for step in script.split("; "):
            what, *words, time = step.split()
            turned, _, seconds = time.partition("+")
            t = float(turned) + (0.65 + float(seconds) if seconds else 0.0)
            self.timing.advance(t)
            self._happen(what, words, t)

    def _happen(self, what: str, words: list[str], t: float) -> None:
        timing = self.timing
        match what, *words:
            case [("start" | "hold" | "black" | "red"), *_]:
                button, press = BUTTONS[what]
                timing.on_press(Button(t, button, press), t)
            case ["turn", name, *held]:
                self.turn(name, t, *map(float, held))
            case ["lift", name]:
                self.lift(name, t)
            case [("A" | "B"), name]:
                self.seat(name, End(what), t)
            case ["tilt", name]:
                timing.handle(Tilt(t, Tube[name]))
            case ["type", *typed]:
                timing.on_typed(" ".join(typed), t)
            case ["fault" | "mended", *sensor]:
                timing.handle(Fault(t, SensorId.named(" ".join(sensor)), "reads 255", what == "mended"))
            case ["lost"]:
                timing.link_lost(t)
            case ["back"]:
                timing.link_restored(t)
            case ["is", name, *standing]:
                timing.advance(t)
                assert timing.glasses[name].standing(t) == " ".join(standing), (name, t)
            case ["phase", *phase]:
                assert timing.phase == " ".join(phase), t

    @property
    def runs(self) -> list[tuple[str, str, float]]:
        return [
            (run.glass, str(run.turning.end), round(run.seconds, 2))
            for run in self.timing.figures.runs
            if not run.dropped
        ]

    def said(self) -> str:
        notes, self.timing.notes = self.timing.notes, []
        return "\n".join(words for words, _ in notes)
