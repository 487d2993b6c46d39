"""The parts of ``tamsk-hw selftest``: what they share, and the base of the steps that test them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, assert_never

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkStatistics
from tamsk_hw.board.protocol import FaultFlag, Snapshot
from tamsk_hw.board.wiring import Expected, Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.panel.hardware import ButtonStuck, PanelFailed
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.words.hardware import driver_advice, driver_cause, failure_words
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.board import BoardState
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.showing import prompt_lights
from tamsk_hw.workbench.walk import Answer, Mark, Marks, Prompt, Step

#: Seconds after which a question that nobody answers is given up.
PATIENCE: Final = 60.0

#: Seconds without anything new after which a live step is given up.
IDLE: Final = 120.0

#: Seconds within which a connected board must have sent `LEAST_SNAPSHOTS`.
NO_SNAPSHOTS: Final = 10.0

#: Snapshots that a judgement on a board at rest needs.
LEAST_SNAPSHOTS: Final = 10

NOBODY_CAN_ANSWER: Final = "there are neither keys nor buttons to answer with"
SWAPPED_WIRES: Final = "check whether their wires are swapped"


class Part(Enum):
    """The parts that can be tested, in the order in which they are."""

    BOARD = "board"
    LIGHTS = "lights"
    BUZZER = "buzzer"
    BUTTONS = "buttons"
    RINGS = "rings"
    GLASSES = "glasses"
    HOLDERS = "holders"
    TUBE = "tube"
    """One finished tube against the calculations; tested only when it is asked for."""


#: Parts that need a person, and parts on the controller's side of the line.
NEED_HANDS: Final = frozenset({Part.LIGHTS, Part.BUZZER, Part.BUTTONS})
ON_THE_BOARD: Final = frozenset({Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS, Part.TUBE})


@dataclass(slots=True, kw_only=True)
class Bench:
    """The board and panel under test, as they are now. The steps read it; `SelfTestWalk` keeps it up to date.

    ``finished``: the tube of the part TUBE, and the readings that the calculations expect of it. ``hands``: a
    person is there. ``keys``: answers may come from a keyboard. ``troubles``: parts and buttons that cannot be
    used. ``held``: buttons that are down, and since when.
    """

    configuration: Configuration
    wiring: Wiring
    known: KnownCalibration
    finished: tuple[Tube, Expected] | None = None
    hands: bool = True
    keys: bool = True
    board: BoardState = field(default_factory=BoardState)
    statistics: LinkStatistics = field(default_factory=LinkStatistics)
    troubles: dict[Part | ButtonName, PanelFailed | ButtonStuck] = field(default_factory=dict)
    held: dict[ButtonName, float] = field(default_factory=dict)

    @property
    def start_answers(self) -> bool:
        """The start button can be used."""
        return self.configuration.buttons.enabled and not self.troubles.keys() & {Part.BUTTONS, ButtonName.START}

    @property
    def can_answer(self) -> bool:
        """Questions can be answered."""
        return self.keys or self.start_answers


def broken(part: Part | ButtonName, trouble: PanelFailed | ButtonStuck) -> Finding:
    """The finding on a part of the panel, or a button, that cannot be used."""
    subject = f"{part.value} button" if isinstance(part, ButtonName) else part.value
    match trouble:
        case PanelFailed():
            cause = f"{failure_words(trouble)}: {driver_cause(trouble.trouble)}"
            return Finding(PROBLEM, subject, cause, driver_advice(trouble.trouble) or "tamsk-hw doctor says more")
        case ButtonStuck():
            return Finding(PROBLEM, subject, "stays pressed", "check whether it is stuck or its wires touch")
        case _:
            assert_never(trouble)


class PartStep(Step):
    """One part's test. ``left``: why it ended early."""

    part: ClassVar[Part]

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.bench = bench
        self.left: str | None = None
        self.since = 0.0
        """The time of the last progress: the step's patience counts from here."""

    def unused(self) -> str:
        """Why there is nothing to test; empty when there is."""
        return ""

    def begin(self, t: float) -> None:
        """Begin the step; end it at once when there is nothing to test."""
        self.since, self.over = t, bool(self.unused())

    def on_press(self, button: Button, t: float) -> None:
        """Take the press of a button: start answers."""
        if button.button is ButtonName.START:
            self.answer(Answer.YES if button.press is Press.SHORT else Answer.NO, t)

    def leave(self, because: str) -> None:
        """End the part early."""
        self.left, self.over = because, True

    def leave_without_snapshots(self, seen: int, seconds: float) -> None:
        """End the part since too few snapshots came."""
        self.leave(f"{seen} snapshots came within {seconds:g} s")

    def give_up_when_nobody_answers(self, t: float, patience: float = PATIENCE) -> None:
        """Leave the step when nobody can answer, or nobody has for ``patience`` seconds."""
        if not self.bench.can_answer:
            self.leave(NOBODY_CAN_ANSWER)
        elif t >= self.since + patience:
            self.leave(f"nobody answered for {patience:g} s")

    def lights(self, t: float) -> bytes:
        """The lights at ``t``: three bytes a pixel, within the configured current."""
        lights = self.bench.configuration.lights
        return prompt_lights(self.prompt(), t, self.bench.wiring, lights.palette, lights.milliamps)

    def tone(self, t: float) -> float | None:
        """The buzzer's tone at ``t`` in hertz, None for silence."""
        return None

    def findings(self) -> list[Finding]:
        """The findings, once the step is over."""
        if unused := self.unused():
            return [self.finding(OK, unused)]
        found = []
        if self.left is not None:
            found.append(self.finding(WARNING, f"not tested to the end: {self.left}", "run this part again"))
        if (trouble := self.bench.troubles.get(self.part)) is not None:
            found.append(broken(self.part, trouble))
        return self.judge(found)

    def judge(self, found: list[Finding]) -> list[Finding]:
        """``found`` with the judgement on what was tested."""
        raise NotImplementedError

    def finding(self, severity: Severity, cause: str, advice: str = "") -> Finding:
        """A finding on this part."""
        return Finding(severity, self.part.value, cause, advice)


class AskingStep(PartStep):
    """A step of questions about a part of the panel; a failure of its driver ends it."""

    def advance(self, t: float) -> None:
        """End the step when the driver has failed or nobody answers."""
        if not self.over and self.part in self.bench.troubles:
            self.over = True
        elif not self.over:
            self.give_up_when_nobody_answers(t)


#: A thing that is ticked off: a sensor, and of a Hall sensor the end of the glass.
Item = tuple[int, End | None]


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
    """The base of the steps in which sensors are ticked off as a person tries them.

    The person empties the board, the empty board is watched, then the sensors are tried in any order. At the end
    the person says whether those that saw nothing were tried. Without a person only the board at rest is watched.
    """

    #: Seconds for which the board at rest is watched, and for which an item must be felt: longer than a flicker.
    REST_SECONDS = 1.5
    HOLD: float

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
        self.rest: list[Snapshot] = []
        """The snapshots of the board at rest."""
        self.tried_missing: bool | None = None
        """The sensors that saw nothing were tried; None: nobody was asked."""
        self.last: str | None = None
        """The name of the item that was ticked off last."""
        self.since_felt: dict[Item, float] = {}
        """Items that are felt now, and since when."""
        self.seen: set[Item] = set()
        self.wrong: set[int] = set()
        """Sensors that came when another one was tried."""
        self._last: Item | None = None

    def begin(self, t: float) -> None:
        """Begin the first phase."""
        super().begin(t)
        self.entered = t

    def enter(self, phase: LivePhase, t: float) -> None:
        """Begin the next phase."""
        self.phase = phase
        self.entered = self.since = t

    def on_snapshot(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings."""
        if snapshot.faults & FaultFlag.SELF_TEST:
            return
        if self.phase is LivePhase.REST:
            self.rest.append(snapshot)
        elif self.phase is LivePhase.TRY:
            self._try_out(snapshot, t)
            self.over = not self.missing()

    def rested(self, t: float) -> None:
        """Go on: the board at rest was watched long enough."""
        raise NotImplementedError

    def go_on(self, t: float) -> None:
        """Go on to the trying, if there is a person to try and a sensor that can be tried."""
        if self.bench.hands:
            self.enter(LivePhase.TRY, t)
        self.over = not self.bench.hands or not self.missing()

    def items(self) -> Iterable[Item]:
        """All that can be ticked off."""
        raise NotImplementedError

    def felt(self, snapshot: Snapshot) -> set[Item]:
        """The items that are felt in a snapshot of a board whose sensors are tried."""
        raise NotImplementedError

    def is_bad(self, sensor: int) -> bool:
        """The sensor cannot be tried: something is wrong with it."""
        raise NotImplementedError

    def name(self, item: Item) -> str:
        """The name of an item."""
        raise NotImplementedError

    def _try_out(self, snapshot: Snapshot, t: float) -> None:
        """Tick off the items that have been felt for `HOLD` seconds."""
        felt = self.felt(snapshot)
        for item in self.items():
            if item not in felt or self.is_bad(item[0]):
                self.since_felt.pop(item, None)
            elif t - self.since_felt.setdefault(item, t) >= self.HOLD and item not in self.seen:
                self.seen.add(item)
                self._last, self.last, self.since = item, self.name(item), t

    def mark(self, item: Item) -> Mark:
        """The mark of an item."""
        if self.is_bad(item[0]):
            return Mark.BAD
        if item in self.since_felt and self.phase is LivePhase.TRY:
            return Mark.NOW
        return Mark.GOOD if item in self.seen else Mark.WAITING

    def missing(self) -> list[str]:
        """The names of the sensors that have not been ticked off."""
        raise NotImplementedError

    def _not_mine(self) -> None:
        """Mark the sensor that was ticked off last as wrong: the person tried another one."""
        if self._last is not None:
            self.wrong.add(self._last[0])
            self.seen = {item for item in self.seen if item[0] != self._last[0]}

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
                return Prompt(title=f"{self.TITLE}: empty board", words=self.EMPTY_IT, answers=answers)
            case LivePhase.REST | LivePhase.SWEEP:
                return Prompt(title=f"{self.TITLE}: at rest", words="Looking at the board: hands off.")
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
                self.leave("the board was not emptied")
            case LivePhase.TRY, Answer.YES if self.last is not None:
                self.enter(LivePhase.CONFIRM, t)
            case LivePhase.TRY, Answer.YES:
                self.leave("no sensor was tried")
            case LivePhase.TRY, Answer.NO:
                self._not_mine()
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
            if t >= self.entered + self.REST_SECONDS and len(self.rest) >= LEAST_SNAPSHOTS:
                self.rested(t)
            elif t >= self.entered + NO_SNAPSHOTS:
                self.leave_without_snapshots(len(self.rest), NO_SNAPSHOTS)
        elif self.phase is LivePhase.TRY:
            patience = PATIENCE if self.last is None else IDLE
            if not self.bench.can_answer and self.last is None:
                self.leave(NOBODY_CAN_ANSWER)
            elif t >= self.since + patience:
                self.leave(f"nothing new was seen for {patience:g} s")
