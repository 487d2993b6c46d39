"""The base of the steps in which sensors are ticked off as a person tries them.

The person empties the board, the empty board is watched, then the sensors are tried in any order. At the end the
person says whether those that saw nothing were tried.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from tamsk_hw.board.protocol import Snapshot
from tamsk_hw.facts.selftest_findings import LeftBecause
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.selftest.step import IDLE, PATIENCE, Bench, PartStep
from tamsk_hw.workbench.walk.prompt import Answer, Marks, Prompt

#: Seconds within which a connected board must have sent `LEAST_SNAPSHOTS`.
NO_SNAPSHOTS: Final = 10.0

#: Snapshots that a judgement on a board at rest needs.
LEAST_SNAPSHOTS: Final = 10


class LivePhase(Enum):
    """The phases of a live step."""

    EMPTY = "empty"
    """The person is asked to empty the board."""
    REST = "rest"
    """The board at rest is watched."""
    SWEEP = "sweep"
    """The board's own self-test runs."""
    TRY = "try"
    """Sensors are tried."""
    CONFIRM = "confirm"
    """The person is asked whether the sensors that saw nothing were tried."""


class LiveStep(PartStep):
    """A step of phases; without a person only the board at rest is watched."""

    #: Seconds for which the board at rest is watched.
    REST_SECONDS = 1.5

    #: The title of the prompts.
    TITLE: str

    #: Requests to empty the board and to try the sensors, and the question whether those not seen were tried.
    EMPTY_IT: str
    TRY_THEM: str
    WERE_TRIED: str

    #: The answer that the sensors were tried and saw nothing.
    NOTHING_CAME: str

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.phase = LivePhase.EMPTY if bench.hands else LivePhase.REST
        self.entered = 0.0
        """The time at which the phase began."""
        self.snapshots = 0
        """Snapshots seen in the phase REST."""
        self.tried_missing: bool | None = None
        """The sensors that saw nothing were tried; None: nobody was asked."""
        self.last: str | None = None
        """The name of the sensor that was ticked off last."""

    def begin(self, t: float) -> None:
        """Begin the first phase."""
        super().begin(t)
        self.entered = t

    def enter(self, phase: LivePhase, t: float) -> None:
        """Begin the next phase."""
        self.phase = phase
        self.entered = self.since = t

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings."""
        if self.phase is LivePhase.REST:
            self.snapshots += 1
            self.rest(snapshot)
        elif self.phase is LivePhase.TRY:
            self.try_out(snapshot, t)
            if not self.missing():
                self.over = True

    def rest(self, snapshot: Snapshot) -> None:
        """Take the readings of the board at rest."""
        raise NotImplementedError

    def rested(self, t: float) -> None:
        """Go on: the board at rest was watched long enough."""
        raise NotImplementedError

    def try_out(self, snapshot: Snapshot, t: float) -> None:
        """Take the readings of a board whose sensors are tried."""
        raise NotImplementedError

    def missing(self) -> list[str]:
        """The names of the sensors that have not been ticked off."""
        raise NotImplementedError

    def any_seen(self) -> bool:
        """At least one sensor was tried."""
        return self.last is not None

    def not_mine(self) -> None:
        """Take the answer that the person tried another sensor than was ticked off."""
        raise NotImplementedError

    def marks(self) -> Marks:
        """The marks of the sensors."""
        raise NotImplementedError

    def progress(self) -> str:
        """The number of sensors that were ticked off, in words."""
        raise NotImplementedError

    def prompt(self) -> Prompt:
        """Say what to do, and show which sensors have been ticked off."""
        match self.phase:
            case LivePhase.EMPTY:
                answers = {Answer.YES: "it is empty, go on", Answer.NO: "leave this part out"}
                title = f"{self.TITLE}: empty board"
                return Prompt(title=title, words=self.EMPTY_IT, answers=answers)
            case LivePhase.REST | LivePhase.SWEEP:
                words = "Looking at the board: hands off."
                return Prompt(title=f"{self.TITLE}: at rest", words=words)
            case LivePhase.TRY:
                words = self.TRY_THEM
                answers = {
                    Answer.YES: "that is all",
                    Answer.NO: "the one ticked off last is not the one I tried",
                }
            case LivePhase.CONFIRM:
                words = f"Not seen: {some_of(self.missing())}. {self.WERE_TRIED}"
                answers = {
                    Answer.YES: f"yes: {self.NOTHING_CAME}",
                    Answer.NO: "no: I did not try them",
                    Answer.BACK: "back to trying",
                }
        return Prompt(
            title=self.TITLE,
            words=words,
            answers=answers,
            marks=self.marks(),
            progress=self.progress(),
            notice=self.last or "",
        )

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer."""
        match self.phase, answer:
            case LivePhase.EMPTY, Answer.YES:
                self.enter(LivePhase.REST, t)
            case LivePhase.EMPTY, Answer.NO:
                self.leave(LeftBecause.NOT_EMPTIED)
            case LivePhase.TRY, Answer.YES if self.any_seen():
                self.enter(LivePhase.CONFIRM, t)
            case LivePhase.TRY, Answer.YES:
                self.leave(LeftBecause.NOTHING_TRIED)
            case LivePhase.TRY, Answer.NO:
                self.not_mine()
                self.since = t
            case LivePhase.CONFIRM, Answer.YES | Answer.NO:
                self.tried_missing = answer is Answer.YES
                self.over = True
            case LivePhase.CONFIRM, Answer.BACK:
                self.enter(LivePhase.TRY, t)
            case _:
                pass

    def advance(self, t: float) -> None:
        """End a phase, or give the step up."""
        if self.over:
            return
        if self.phase in (LivePhase.EMPTY, LivePhase.CONFIRM):
            self.give_up_when_nobody_answers(t)
        elif self.phase is LivePhase.REST:
            if t >= self.entered + self.REST_SECONDS and self.snapshots >= LEAST_SNAPSHOTS:
                self.rested(t)
            elif t >= self.entered + NO_SNAPSHOTS:
                self.leave(LeftBecause.FEW_SNAPSHOTS, seconds=NO_SNAPSHOTS, snapshots=self.snapshots)
        elif self.phase is LivePhase.TRY:
            patience = IDLE if self.any_seen() else PATIENCE
            if not self.bench.can_answer and not self.any_seen():
                self.give_up_when_nobody_answers(t)
            elif t >= self.since + patience:
                self.leave(LeftBecause.NOTHING_NEW, seconds=patience)
