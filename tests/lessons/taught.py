"""A lesson at a simulated board in simulated time: program's hands for its script, a test's for the learner."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tamsk_hw.hands.actions import HandledBoard, read_action
from tamsk_hw.hands.client import requests_for
from tamsk_hw.lessons.lessons import Lesson, LessonStep, Progress, Stage, progress_of
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.simulator.people import PlayerScheduler
from tamsk_hw.table.simulation import LOOK
from tests.hands.at_hand import LooseCable
from tests.simulation import Simulation

#: The most simulated seconds of a lesson.
LONGEST = 300.0

#: What the learner's hands do when the task is theirs: requests, as of the hands' socket, one after the other.
Script = Sequence[dict[str, Any]]


class Taught:
    """One lesson; what reaches the referee are sensor values."""

    def __init__(self, lesson: Lesson, seed: int = 3) -> None:
        self.lesson = lesson
        ruleset = parse_header({"tamsk": 1, "ruleset": dict(lesson.ruleset)}).ruleset
        self.game = Simulation(ruleset, seed, seat=lambda world, view: PlayerScheduler(world, [], Random(1)))
        self.hands = HandledBoard(LooseCable(self.game.board), self.game.wiring)
        self.rulings: list[Ruling] = []
        self._carried: list[LessonStep] = []

    @property
    def progress(self) -> Progress:
        return progress_of(self.lesson, self.rulings)

    def wait(self, seconds: float) -> None:
        end = self.game.now + seconds
        while self.game.now < end:
            self.rulings += self.game.advance(self.game.now + LOOK + 1e-9)
            self.game.refereeing.take(self._presses())

    def _presses(self) -> list[Any]:
        return self.game.people.drain_events()

    def do(self, record: dict[str, Any]) -> None:
        """Have hands do it, and wait until it is done."""
        values = {key: record[key] for key in record if key != "do"}
        done = self.hands.begin(read_action(record["do"], values))
        self.wait(done - self.game.now + 0.1)

    def until(self, is_it: Callable[[Progress], bool], meanwhile: Script = ()) -> Progress:
        """Carry out the lesson's steps and the learner's ``meanwhile`` until it has come there."""
        learner = list(meanwhile)
        while not is_it(progress := self.progress):
            assert self.game.now < LONGEST, progress
            step = progress.step_at(self.game.refereeing.view().t)
            if progress.stage is Stage.SETUP and not self.game.refereeing.view().wrong:
                self.do({"do": "press", "button": "start"})
            elif step is not None and not any(step is carried for carried in self._carried):
                self._carried.append(step)
                for request in requests_for(step.player, step.intention):
                    self.do(request)
            elif learner and progress.stage is Stage.OPEN:
                self.do(learner.pop(0))
            else:
                self.wait(LOOK)
        return progress

    def come_to_the_task(self) -> None:
        progress = self.until(lambda progress: progress.stage not in (Stage.SETUP, Stage.PRELUDE))
        assert progress.stage is Stage.OPEN, progress

    def end(self, script: Script) -> Progress:
        """Come to the task, have the learner's hands do this, and wait for the judgement."""
        self.come_to_the_task()
        return self.until(lambda progress: progress.end is not None, script)
