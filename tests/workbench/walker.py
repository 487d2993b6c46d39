"""A person who walks over a simulated board with one glass as the lights tell him, in simulated time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tamsk_hw.board.calibration import FIELD_NAMES, KnownCalibration
from tamsk_hw.board.protocol import TIMER_FIELD
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.things import FIRST_PLACE, TimerPlace, WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.workbench.calibrate import SensorWalk
from tamsk_hw.workbench.measurements import Measurements, Verdict, unmeasured
from tamsk_hw.workbench.walk import Answer, Mark, Prompt
from tests.disturbances.board import DisturbedBoard
from tests.simulation import DirectWire
from tests.workbench.boards import setup_of

#: Simulated seconds from one look at the lights to the next.
LOOK = 0.04

ME = Player.RED


def lay_rings(world: World, tube: Tube, count: int) -> None:
    """Have this many rings lie on a tube, without the hands that bring them."""
    for level in range(CAPACITY[tube]):
        before, now = level < world.rings[tube], level < count
        if before is not now:
            world._shade(FIRST_PLACE[tube] + level, 1 if now else -1)
    world.rings[tube] = count
    world.version += 1


def fill_holder(world: World, player: Player, count: int) -> None:
    """Have this many rings lie in a holder, without the hands that bring them."""
    holder = world.holders[player]
    holder.put(count - holder.rings, world.now)
    world.version += 1


def lit_of(prompt: Prompt) -> dict[int, Mark]:
    """Meaning of each field's light."""
    return {FIELD_NAMES.index(name): mark for name, (mark,) in prompt.marks.items()}


def why(verdict: Verdict[Any]) -> str:
    """Cause and advice; empty without a trouble."""
    return "" if verdict.trouble is None else ": ".join(verdict.trouble)


class Walker:
    """A board, a walk over it, and the person who does what is shown.

    ``habit`` may act in his place: called at each look with what is shown, it says whether it did anything.
    """

    def __init__(
        self,
        seed: int = 1,
        wanted: Measurements | None = None,
        *,
        wiring: Wiring | None = None,
        noise: Noise | None = None,
        earlier: KnownCalibration | None = None,
        habit: Callable[[Walker, Prompt], bool] | None = None,
    ) -> None:
        self.world = World(seed, setup=WorldStart.BOX)
        self.board = DisturbedBoard(self.world, wiring=wiring, noise=noise)
        for player in PLAYERS:
            fill_holder(self.world, player, 0)
        self.walk = SensorWalk(wanted or unmeasured(holders=True), setup_of(self.board.wiring, earlier))
        self.wire = DirectWire(self.board, self.board.wiring)
        self.glass = self.world.glass("D1")
        self.habit = habit
        self.seen: list[Prompt] = []
        """All that was shown, each once while it stood."""
        self.pressed: list[Answer] = []
        self.busy_until = 0.0
        self._shown_at = 0.0

    @property
    def now(self) -> float:
        return self.world.now

    def look(self) -> Prompt:
        """The present prompt, kept in `seen`."""
        prompt = self.walk.prompt(self.now)
        if not self.seen or self.seen[-1] != prompt:
            self.seen.append(prompt)
            self._shown_at = self.now
        return prompt

    def until(self, t: float) -> None:
        """Let time pass; the walk hears what the board says."""
        while self.now < t:
            step = min(t, self.now + LOOK)
            for event in self.wire.poll(step):
                self.walk.on_link_event(event, step)

    def measure_empty_board(self) -> None:
        """Say that the board is empty, and wait until that is measured."""
        self.until(0.5)
        self.press()
        self.until(self.now + 3.0)

    def press(self, answer: Answer = Answer.YES) -> None:
        self.pressed.append(answer)
        self.walk.answer(answer, self.now)

    def go(self, most: float = 1200.0) -> Walker:
        """Walk until all is measured, at most this many simulated seconds."""
        end = self.now + most
        while not self.walk.done:
            assert self.now < end, f"no end: {self.look()}"
            self.until(self.now + LOOK)
            if self.now < self.busy_until or self.walk.done:
                continue
            prompt = self.look()
            if self.habit is None or not self.habit(self, prompt):
                self.obey(prompt)
        return self

    def obey(self, prompt: Prompt) -> None:
        """Do what is asked."""
        here = [index for index, lit in lit_of(prompt).items() if lit is Mark.HERE]
        turn = [index for index, lit in lit_of(prompt).items() if lit is Mark.TURN]
        missing = [TUBES[index] for index, lit in lit_of(prompt).items() if lit is Mark.MISSING]
        if "ring holder, then press start" in prompt.words:
            for player in PLAYERS:
                fill_holder(self.world, player, int(prompt.words.split()[1]))
            self.busy_until = self.now + 1.0
            self.until(self.busy_until)
            self.press()
        elif here or turn:
            end = End.A if "end A down" in prompt.words else End.B
            if not self.stands((here or turn)[0], end):
                self.set_down((here or turn)[0], end)
            elif self.now - self._shown_at > 5.0:
                self.press()  # it stands there, whatever is felt
        elif missing:
            for tube in missing:
                lay_rings(self.world, tube, CAPACITY[tube])
            if self.now - self._shown_at > 3.0:
                self.press()  # they are all there, whatever is seen
        elif prompt.awaits_start and self.now - self._shown_at > 1.0:
            self.press()

    def stands(self, index: int, end: End) -> bool:
        """True when the glass, or the timer, really stands there with that end down."""
        if index == TIMER_FIELD:
            return self.world.timer_place is TimerPlace.CRADLE and self.world.timer.down is end
        return self.glass.tube is TUBES[index] and self.glass.down is end

    def set_down(self, index: int, end: End = End.A) -> None:
        """Set the glass, or the timer, there with that end down."""
        if index == TIMER_FIELD:
            if self.world.timer_place is TimerPlace.OFF:
                self.act(self.world.place_timer(ME))
            if self.world.timer.down is not end:
                self.act(self.world.turn_timer(ME))
            return
        tube = TUBES[index]
        stands = self.glass.tube
        if self.glass in self.world.in_box(ME):
            self.act(self.world.place(ME, tube, glass=self.glass))
            stands = tube
        if stands is not tube or self.glass.down is not end:
            if stands is not None:
                self.act(self.world.lift(ME, stands))
            self.act(self.world.seat(ME, tube, turned=self.glass.down is not end))

    def turn(self, tube: Tube) -> None:
        """Turn over the glass that stands there."""
        self.act(self.world.lift(ME, tube))
        self.act(self.world.seat(ME, tube, turned=True))

    def act(self, done: float) -> None:
        """Let a hand finish, and a moment pass in which the sensors can be read."""
        self.until(done)
        self.busy_until = done + 1.5
