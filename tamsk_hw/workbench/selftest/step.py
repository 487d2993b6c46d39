"""The steps of ``tamsk-hw selftest``: the parts of a board, what is known of it, and one part's test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkStatistics
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.board.wiring_map import Expected
from tamsk_hw.configuration import Configuration
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import Left, LeftBecause, Part, PartUnfinished
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.hardware import ButtonStuck, PanelFailed
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.workbench.listening import BoardState
from tamsk_hw.workbench.walk.lights import prompt_lights
from tamsk_hw.workbench.walk.prompt import Answer
from tamsk_hw.workbench.walk.step import Step

#: Seconds after which a question that nobody answers is given up.
PATIENCE: Final = 60.0

#: Seconds without anything new after which a live step is given up.
IDLE: Final = 120.0

#: Parts that are on the controller's side of the line.
ON_THE_BOARD: Final = frozenset({Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS, Part.TUBE})


@dataclass(frozen=True, slots=True)
class FinishedTube:
    """A tube that is tested, and the readings that the calculations expect of it."""

    tube: Tube
    expected: Expected


@dataclass(slots=True, kw_only=True)
class Bench:
    """The board and panel under test, as they are now. The steps read it; `SelfTestWalk` keeps it up to date.

    ``finished``: the tube of the part TUBE. ``hands``: a person is there. ``keys``: answers may come from a
    keyboard. ``troubles``: parts and buttons that cannot be used. ``held``: buttons that are down, and since when.
    """

    configuration: Configuration
    wiring: Wiring
    known: KnownCalibration
    finished: FinishedTube | None = None
    hands: bool = True
    keys: bool = True
    board: BoardState = field(default_factory=BoardState)
    statistics: LinkStatistics = field(default_factory=LinkStatistics)
    troubles: dict[Part | ButtonName, PanelFailed | ButtonStuck] = field(default_factory=dict)
    held: dict[ButtonName, float] = field(default_factory=dict)

    @property
    def can_answer(self) -> bool:
        """Questions can be answered."""
        return self.keys or self.start_answers

    @property
    def start_answers(self) -> bool:
        """The start button can be used."""
        return self.configuration.buttons.enabled and not self.troubles.keys() & {Part.BUTTONS, ButtonName.START}


class PartStep(Step):
    """One part's test. ``left``: why it ended early."""

    part: ClassVar[Part]

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.bench = bench
        self.left: Left | None = None
        self.since = 0.0
        """The time of the last progress: the step's patience counts from here."""

    def begin(self, t: float) -> None:
        """Begin the step."""
        self.since = t

    def press(self, button: Button, t: float) -> None:
        """Take the press of a button: start answers."""
        if button.button is ButtonName.START:
            self.answer(Answer.YES if button.press is Press.SHORT else Answer.NO, t)

    def leave(self, because: LeftBecause, *, seconds: float = 0.0, snapshots: int = 0) -> None:
        """End the part early."""
        self.left, self.over = Left(because, seconds, snapshots), True

    def lights(self, t: float) -> bytes:
        """The lights at ``t``: three bytes a pixel, within the configured current."""
        lights = self.bench.configuration.lights
        return prompt_lights(self.prompt(), t, self.bench.wiring, lights.palette, lights.milliamps)

    def tone(self, t: float) -> float | None:
        """The buzzer's tone at ``t`` in hertz, None for silence."""
        return None

    def findings(self) -> list[Finding]:
        """The findings, once the step is over."""
        raise NotImplementedError

    def unfinished(self) -> list[Finding]:
        """The finding that the part was left early, if it was."""
        return [] if self.left is None else [PartUnfinished(self.part, self.left)]

    def give_up_when_nobody_answers(self, t: float) -> None:
        """Leave the step when nobody can answer, or nobody has for `PATIENCE` seconds."""
        if not self.bench.can_answer:
            self.leave(LeftBecause.NOBODY_CAN_ANSWER)
        elif t >= self.since + PATIENCE:
            self.leave(LeftBecause.NOBODY_ANSWERED, seconds=PATIENCE)


class AskingStep(PartStep):
    """A step of questions about a part of the panel; a failure of its driver ends it."""

    def advance(self, t: float) -> None:
        """End the step when the driver has failed or nobody answers."""
        if not self.over and self.part in self.bench.troubles:
            self.over = True
        elif not self.over:
            self.give_up_when_nobody_answers(t)
