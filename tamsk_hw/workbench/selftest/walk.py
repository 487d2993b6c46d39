"""The self-test as a walk: its parts one after the other, each a step. Pure: time comes in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, assert_never

from rich.text import Text

from tamsk_hw.board.link_events import (
    LinkEvent,
    LinkStatistics,
    LossReason,
    Lost,
    Refused,
    SelfTestDone,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import LeftBecause, LinkWasLost, Part, PartUntested
from tamsk_hw.panel.hardware import PanelNotice, PanelPart, PanelUnit, PanelWorks
from tamsk_hw.referee.events import Button, ButtonName
from tamsk_hw.words.hardware import link_words
from tamsk_hw.workbench.selftest.board import BoardStep
from tamsk_hw.workbench.selftest.glasses import GlassesStep
from tamsk_hw.workbench.selftest.holders import HoldersStep
from tamsk_hw.workbench.selftest.lights import LightsStep
from tamsk_hw.workbench.selftest.panel import ButtonsStep, BuzzerStep
from tamsk_hw.workbench.selftest.rings import RingsStep
from tamsk_hw.workbench.selftest.showing import KEYS, picture, spoken
from tamsk_hw.workbench.selftest.step import ON_THE_BOARD, Bench, PartStep
from tamsk_hw.workbench.selftest.tube import TubeStep
from tamsk_hw.workbench.walk.prompt import Answer, Note, Prompt
from tamsk_hw.workbench.walk.walk import Spoken, Walk

#: Parts that need a person.
NEED_HANDS: Final = frozenset({Part.LIGHTS, Part.BUZZER, Part.BUTTONS})

_STEPS: Final[dict[Part, type[PartStep]]] = {
    Part.LIGHTS: LightsStep,
    Part.BUZZER: BuzzerStep,
    Part.BUTTONS: ButtonsStep,
    Part.RINGS: RingsStep,
    Part.GLASSES: GlassesStep,
    Part.HOLDERS: HoldersStep,
    Part.TUBE: TubeStep,
}


def parts_of(chosen: Collection[Part], *, hands: bool) -> list[Part]:
    """The parts to test, in their order: those chosen, or all but `Part.TUBE`; the link comes before sensors."""
    wanted = set(chosen) or set(Part) - {Part.TUBE}
    if not hands:
        wanted -= NEED_HANDS
    if wanted & ON_THE_BOARD:
        wanted.add(Part.BOARD)
    return [part for part in Part if part in wanted]


def _concerned(part: PanelPart) -> tuple[Part | ButtonName, ...]:
    """The parts and buttons of the test that a part of the panel concerns."""
    match part.unit:
        case PanelUnit.BUTTON:
            return () if part.button is None else (part.button,)
        case PanelUnit.BUZZER:
            return (Part.BUZZER,)
        case PanelUnit.PINS:
            return (Part.BUTTONS, Part.BUZZER)
        case PanelUnit.LIGHTS:
            return (Part.LIGHTS,)
        case PanelUnit.SIMULATED:
            return (Part.LIGHTS, Part.BUTTONS)
        case _:
            assert_never(part.unit)


class SelfTestWalk(Walk):
    """One run over ``parts`` (see `parts_of`), beginning at ``t`` seconds.

    ``port`` is the board's; it may be empty when no part is on the board.
    """

    single_keys = True
    must_be_led = False

    def __init__(self, bench: Bench, parts: list[Part], port: str, t: float) -> None:
        super().__init__()
        self.bench = bench
        self.board = bench.board
        self._over = False
        self._found: list[Finding] = []
        self._lost: list[LossReason] = []
        self._steps: list[PartStep] = [
            BoardStep(bench, port) if part is Part.BOARD else _STEPS[part](bench) for part in parts
        ]
        self._begin(t)
        self._pass(t)

    @property
    def over(self) -> bool:
        """All parts are tested, or the person ended the test."""
        return self._over

    @property
    def part(self) -> Part:
        """The part that is tested now."""
        return self.step.part

    # ---- what comes in

    def hear(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports."""
        step = self.step
        self.board.hear(event)
        match event:
            case SnapshotArrived():
                step.see(event.snapshot, event.time)
            case SelfTestDone():
                step.report(event.report, t)
            case Lost():
                self._lost.append(event.reason)
            case Refused() | Unreachable() if isinstance(step, BoardStep):
                step.fail(event.reason)
            case _:
                pass
        self._pass(t)

    def count(self, statistics: LinkStatistics) -> None:
        """Take the link's counters as they stand."""
        self.bench.statistics = statistics

    def press(self, button: Button, t: float) -> None:
        """Take the press of a button."""
        if not self.over:
            self.step.press(button, t)
            self._pass(t)

    def hold(self, held: frozenset[ButtonName], t: float) -> None:
        """Take which buttons are down."""
        if held or self.bench.held:
            self.bench.held = {name: self.bench.held.get(name, t) for name in held}

    def typed(self, text: str, t: float) -> None:
        """Take a key, or a line of which the first letter counts; Enter and the space bar alone are yes."""
        key = text.strip().lower()[:1]
        if not key:
            self.answer(Answer.YES, t)
        elif key in KEYS:
            self.answer(KEYS[key], t)

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer."""
        if self.over:
            return
        if answer is Answer.QUIT:
            self.step.leave(LeftBecause.ENDED)
            self._steps = [self.step]
        elif answer is Answer.SKIP:
            self.step.leave(LeftBecause.SKIPPED)
        else:
            self.step.answer(answer, t)
        self._pass(t)

    def panel_reports(self, notice: PanelNotice) -> None:
        """Take what the panel's hardware reports: that something does not work, or works again."""
        for each in _concerned(notice.part):
            if isinstance(notice, PanelWorks):
                self.bench.troubles.pop(each, None)
            else:
                self.bench.troubles[each] = notice
        super().panel_reports(notice)

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""
        self.bench.keys = self.can_type
        if not self.over:
            self.step.advance(t)
            self._pass(t)

    # ---- what comes out

    @property
    def prompt(self) -> Prompt:
        """The present prompt."""
        prompt = self.step.prompt()
        if not self.bench.start_answers:
            prompt = replace(prompt, keys_only=True)
        if self.board.away is not None and self.part in ON_THE_BOARD:
            prompt = replace(prompt, trouble=link_words(self.board.away))
        return prompt

    def self_test_due(self, t: float) -> bool:
        """True when the board is to test its ring sensors now; asked for once."""
        return self.step.self_test_due(t)

    def spoken(self, t: float) -> Spoken:
        """The prompt in lines."""
        return spoken(self.prompt)

    def picture(self, t: float, notes: Sequence[Note], typed: str) -> Text:
        """The prompt as a picture, without the notes: the findings report the same."""
        return picture(self.prompt)

    def lights(self, t: float) -> bytes:
        """The lights at ``t``."""
        return self.step.lights(t)

    def tone(self, t: float) -> float | None:
        """The buzzer's tone at ``t`` in hertz, None for silence."""
        return None if self.over else self.step.tone(t)

    def findings(self) -> list[Finding]:
        """All findings so far, those of the present step included."""
        found = list(self._found)
        if not self.over:
            self.step.leave(LeftBecause.ENDED)
            found += self.step.findings()
        if self._lost:
            found.append(LinkWasLost(len(self._lost), self._lost[-1]))
        return found

    # ---- steps

    def _begin(self, t: float) -> None:
        self.step = self._steps[0]
        self.step.begin(t)

    def _pass(self, t: float) -> None:
        """Go on to the next step when one is over; skip the board's steps when it is not connected."""
        while self.step.over and not self.over:
            self._found += self.step.findings()
            self._steps.pop(0)
            while self._steps and self._steps[0].part in ON_THE_BOARD and not self.board.connected:
                self._found.append(PartUntested(self._steps.pop(0).part))
            if self._steps:
                self._begin(t)
            else:
                self._over = True
