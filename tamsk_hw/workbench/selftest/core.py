"""The self-test as one state machine: its parts one after the other, each a `Step`. Pure: time comes in.

Link events, presses and keys go to the step at hand; the board as it is known is kept for all of them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from tamsk_hw.board.link import (
    Connected,
    LinkEvent,
    LinkStatistics,
    Lost,
    Refused,
    SelfTestDone,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.referee.events import Button, ButtonName
from tamsk_hw.words.link import link_words
from tamsk_hw.workbench.doctor.checks import Finding
from tamsk_hw.workbench.selftest.board import BoardStep
from tamsk_hw.workbench.selftest.glasses import GlassesStep
from tamsk_hw.workbench.selftest.holders import HoldersStep
from tamsk_hw.workbench.selftest.lights import LightsStep
from tamsk_hw.workbench.selftest.panel import ButtonsStep, BuzzerStep
from tamsk_hw.workbench.selftest.rings import RingsStep
from tamsk_hw.workbench.selftest.step import (
    ON_THE_BOARD,
    Answer,
    Bench,
    Part,
    Prompt,
    Step,
    warning,
)

#: Parts that are nothing without a person.
NEED_HANDS: Final = frozenset({Part.LIGHTS, Part.BUZZER, Part.BUTTONS})

_STEPS: Final[dict[Part, type[Step]]] = {
    Part.LIGHTS: LightsStep,
    Part.BUZZER: BuzzerStep,
    Part.BUTTONS: ButtonsStep,
    Part.RINGS: RingsStep,
    Part.GLASSES: GlassesStep,
    Part.HOLDERS: HoldersStep,
}


def parts_of(chosen: Collection[Part], *, hands: bool) -> list[Part]:
    """The parts that are tested, in their order: those chosen, all without any; the board's link comes first."""
    wanted = set(chosen or Part)
    if not hands:
        wanted -= NEED_HANDS
    if wanted & ON_THE_BOARD:
        wanted.add(Part.BOARD)
    return [part for part in Part if part in wanted]


class SelfTest:
    """One run over ``parts`` (see `parts_of`), beginning at ``t`` seconds.

    ``port``: the board's, for what is said of it; it may be empty when no part is on the board.
    """

    def __init__(self, bench: Bench, parts: list[Part], port: str, t: float) -> None:
        self.bench = bench
        self.over = False
        """All is tested, or the person ended it."""
        self._found: list[Finding] = []
        self._lost: list[str] = []
        self._steps: list[Step] = [
            BoardStep(bench, port) if part is Part.BOARD else _STEPS[part](bench) for part in parts
        ]
        self._step: Step = self._steps[0]
        self._step.begin(t)
        self._pass(t)

    # ---- what comes in

    def hear(self, event: LinkEvent, t: float) -> None:
        """What the link reports."""
        bench, step = self.bench, self._step
        match event:
            case Connected():
                bench.hello, bench.connected = event.hello, True
            case SnapshotArrived():
                bench.snapshot = event.snapshot
                step.see(event.snapshot, event.time)
            case SelfTestDone():
                step.report(event.report, t)
            case Lost():
                bench.connected, bench.snapshot = False, None
                self._lost.append(link_words(event.reason))
            case Refused() if isinstance(step, BoardStep):
                step.refused(link_words(event.reason))
            case Unreachable() if isinstance(step, BoardStep):
                step.unreachable(link_words(event.reason))
            case _:
                pass
        self._pass(t)

    def count(self, statistics: LinkStatistics) -> None:
        """The link's counters as they stand."""
        self.bench.statistics = statistics

    def press(self, button: Button, t: float) -> None:
        """A button was pressed."""
        if not self.over:
            self._step.press(button, t)
            self._pass(t)

    def hold(self, held: frozenset[ButtonName], t: float) -> None:
        """These buttons are down."""
        if held or self.bench.held:
            self.bench.held = {name: self.bench.held.get(name, t) for name in held}

    def answer(self, answer: Answer, t: float) -> None:
        """A key was pressed."""
        if self.over:
            return
        if answer is Answer.QUIT:
            self._step.leave("the test was ended")
            self._steps = [self._step]
        elif answer is Answer.SKIP:
            self._step.leave("it was left out")
        else:
            self._step.answer(answer, t)
        self._pass(t)

    def trouble(self, what: Part | ButtonName, words: str | None) -> None:
        """A part of the panel cannot be used, in words; None: it can, after all."""
        if words is None:
            self.bench.troubles.pop(what, None)
        else:
            self.bench.troubles[what] = words

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""
        if not self.over:
            self._step.advance(t)
            self._pass(t)

    # ---- what comes out

    @property
    def prompt(self) -> Prompt:
        """What is shown now."""
        prompt = self._step.prompt()
        if not self.bench.start_answers:
            prompt = replace(prompt, keys_only=True)
        trouble = self._lost[-1] if self._lost and not self.bench.connected else ""
        return replace(prompt, trouble=trouble) if trouble and prompt.part in ON_THE_BOARD else prompt

    def picture(self, t: float) -> bytes:
        """What the lights show at ``t``."""
        return self._step.picture(t)

    def tone(self, t: float) -> float | None:
        """What the buzzer sounds at ``t``: hertz, None for silence."""
        return None if self.over else self._step.tone(t)

    def take_sweep(self) -> bool:
        """Whether the board is to be asked for its self-test now; said once."""
        wanted, self.bench.wants_sweep = self.bench.wants_sweep and self.bench.connected, False
        return wanted

    def findings(self) -> list[Finding]:
        """All that was found so far, the step at hand included."""
        found = list(self._found)
        if not self.over:
            self._step.leave("the test was ended")
            found += self._step.findings()
        if self._lost:
            times = "once" if len(self._lost) == 1 else f"{len(self._lost)} times"
            words = f"was lost {times} during the test: {self._lost[-1]}"
            found.append(warning("link", words, "use a shorter or better cable, and no hub; check the supply"))
        return found

    def _pass(self, t: float) -> None:
        """Go on to the next step as soon as one is over; without a board those of the board are passed over."""
        while self._step.over and not self.over:
            self._found += self._step.findings()
            self._steps.pop(0)
            self.bench.wants_sweep = False
            while self._steps and self._steps[0].part in ON_THE_BOARD and not self.bench.connected:
                skipped = self._steps.pop(0)
                words = "not tested: the board is not connected"
                self._found.append(warning(skipped.part.value, words, "mend the link first"))
            if not self._steps:
                self.over = True
                return
            self._step = self._steps[0]
            self._step.begin(t)
