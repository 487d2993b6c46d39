"""``tamsk-hw selftest``: tests board and panel part by part, with a person or without, and says what to do."""

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.text import Text

from tamsk_hw.board import link_events
from tamsk_hw.board.protocol import Snapshot
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.board.wiring import expected_of
from tamsk_hw.errors import Finding, WiringError
from tamsk_hw.game.tubes import Tube, names_of
from tamsk_hw.panel.hardware import PanelNotice, PanelUnit, PanelWorks
from tamsk_hw.referee.events import Button, ButtonName
from tamsk_hw.system.service import Stopped
from tamsk_hw.terminal.picture import PLAIN
from tamsk_hw.words.hardware import link_words
from tamsk_hw.workbench import link_check
from tamsk_hw.workbench import walk as walks
from tamsk_hw.workbench.board import Board, board_of
from tamsk_hw.workbench.findings import PROBLEM, WARNING, print_findings
from tamsk_hw.workbench.parts import (
    NEED_HANDS,
    ON_THE_BOARD,
    Bench,
    ButtonsStep,
    BuzzerStep,
    Finished,
    LightsStep,
    Part,
    PartStep,
)
from tamsk_hw.workbench.ring_step import RingsStep
from tamsk_hw.workbench.sensor_steps import GlassesStep, HoldersStep, dead_multiplexers, multiplexer_advice
from tamsk_hw.workbench.tube import TubeStep

#: The key of each answer, its first letter, and the presses of the start button that give one.
KEYS: Final = {answer.value[0]: answer for answer in walks.Answer}
_BY_BUTTON: Final = {walks.Answer.YES: "start button", walks.Answer.NO: "start button held"}

#: Answers that are always possible.
_ALWAYS: Final = {walks.Answer.SKIP: "leave this part out", walks.Answer.QUIT: "end the test"}


def show_selftest(
    parts: Sequence[Part] = (),
    *,
    tube: Tube | None = None,
    hands: bool = True,
    port: str | None = None,
    config: Path | None = None,
    equipment: walks.Equipment | None = None,
) -> int:
    """Test, then print all findings; the program's exit status: 0 without problems, 1 with some.

    ``parts``: all without any; ``tube``: the one finished tube that is tested instead of them; ``hands``: a person
    is there.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is refused, the tube is not fitted, or nothing is calculated for this map.
        LinkError: no port is named, and a part is on the board.
        Stopped: it was stopped; the findings so far are printed.
    """
    board = board_of(config, port)
    if tube is not None and tube not in board.wiring.tubes:
        raise WiringError(f"--tube: {tube}; allowed are {names_of(board.wiring.tubes)}")
    parts = parts_of(parts if tube is None else (Part.TUBE,), hands=hands)
    finished = None if tube is None else (tube, expected_of(board.wiring))
    equipment = equipment or walks.Equipment()
    walk = SelfTestWalk(board, parts, equipment.clock.now(), hands=hands, finished=finished)
    try:
        with board.line() if ON_THE_BOARD & set(parts) else nullcontext() as link:
            walks.lead(walk, link, equipment, alone=not hands)
    except Stopped:
        print_findings(walk.findings(), equipment.console)
        raise
    return print_findings(walk.findings(), equipment.console)


def parts_of(chosen: Collection[Part], *, hands: bool) -> list[Part]:
    """The parts to test, in their order: those chosen, or all but `Part.TUBE`; the link comes before sensors."""
    wanted = set(chosen) or set(Part) - {Part.TUBE}
    if not hands:
        wanted -= NEED_HANDS
    if wanted & ON_THE_BOARD:
        wanted.add(Part.BOARD)
    return [part for part in Part if part in wanted]


class BoardStep(PartStep):
    """The controller itself, without a person: waits for the board, then listens to it.

    The judgements are the doctor's, on the events of the test's own link.
    """

    part = Part.BOARD

    def __init__(self, bench: Bench, t: float) -> None:
        super().__init__(bench, t)
        self._link = link_check.LinkFacts()
        self._connected_at: float | None = None

    def fail(self, problem: link_events.Refusal | link_events.PortNotOpened | link_events.NoAnswer) -> None:
        """End the step: the port cannot be opened, no board answers, or the board must not be used."""
        self._link.problem, self.over = problem, True

    def on_snapshot(self, snapshot: Snapshot, t: float) -> None:
        """Count the snapshot; keep the one whose references are furthest off."""
        link = self._link
        if link.snapshot is None or _off(snapshot) >= _off(link.snapshot):
            link.snapshot = snapshot
        link.snapshots += 1
        link.faults |= snapshot.faults

    def advance(self, t: float) -> None:
        """End when the board has been listened to, or has not answered in time."""
        if self.bench.board.connected and self._connected_at is None:
            self._connected_at = t
            self._link.connected_after = t - self.since
        if self._connected_at is None:
            self.over = self.over or t >= self.since + link_check.CONNECT_WITHIN
        else:
            self.over = t >= self._connected_at + link_check.LISTEN

    def prompt(self) -> walks.Prompt:
        """Name the thing that the test waits for; nothing is asked."""
        words = "Waiting for the board." if self._connected_at is None else "Listening to the board."
        return walks.Prompt(title=f"The board at {self.bench.setup.port}", words=words)

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Link, traffic, versions, last reset, flags, references; and which multiplexer is dead."""
        if found:
            return found
        bench, wiring, configuration, link = self.bench, self.bench.wiring, self.bench.configuration, self._link
        hello, wanted = bench.board.hello, configuration.board.board_id
        link.statistics = bench.statistics
        found = [
            *link_check.check_link(link),
            *link_check.check_versions(hello, wiring.hash, asked=True, wanted=wanted),
            *link_check.check_board(link, configuration.sensing.reference_margin),
        ]
        if link.snapshot is not None:
            for mux, reading in dead_multiplexers(wiring, link.snapshot).items():
                cause = f"everything on it reads {reading}, its reference, too"
                found.append(Finding(PROBLEM, f"multiplexer {mux}", cause, multiplexer_advice(wiring, mux)))
        return found


def _off(snapshot: Snapshot) -> int:
    """The largest deviation of a reference."""
    return max(abs(reading - due) for reading, due in zip(snapshot.references, REFERENCE_READINGS, strict=True))


_STEPS: Final[dict[Part, type[PartStep]]] = {
    step.part: step
    for step in (BoardStep, LightsStep, BuzzerStep, ButtonsStep, RingsStep, GlassesStep, HoldersStep, TubeStep)
}


#: The parts of the test that a part of the panel concerns, but for single buttons.
_CONCERNED: Final = {
    PanelUnit.BUZZER: (Part.BUZZER,),
    PanelUnit.PINS: (Part.BUTTONS, Part.BUZZER),
    PanelUnit.LIGHTS: (Part.LIGHTS,),
    PanelUnit.SIMULATED: (Part.LIGHTS, Part.BUTTONS),
}


class SelfTestWalk(Bench):
    """One run over ``parts`` (see `parts_of`), one after the other, each a step; it begins at ``t`` seconds."""

    single_keys = True
    must_be_led = False

    def __init__(
        self, setup: Board, parts: Sequence[Part], t: float, *, hands: bool = True, finished: Finished = None
    ) -> None:
        super().__init__(setup, hands, finished)
        self._found: list[Finding] = []
        self._lost: list[link_events.LossReason] = []
        self._parts = list(parts)
        self.step = _STEPS[parts[0]](self, t)
        self._pass(t)

    @property
    def over(self) -> bool:
        """All parts are tested, or the person ended the test."""
        return not self._parts

    # ---- what comes in

    def on_link_event(self, event: link_events.LinkEvent, t: float) -> None:
        """Take what the link reports."""
        step = self.step
        self.board.on_event(event)
        match event:
            case link_events.SnapshotArrived():
                step.on_snapshot(event.snapshot, event.time)
            case link_events.SignalsArrived(_, told):
                step.on_signals(told)
            case link_events.Lost():
                self._lost.append(event.reason)
            case link_events.Refused() | link_events.Unreachable() if isinstance(step, BoardStep):
                step.fail(event.reason)
        self._pass(t)

    def on_press(self, button: Button, t: float) -> None:
        """Take the press of a button."""
        if not self.over:
            self.step.on_press(button, t)
            self._pass(t)

    def on_typed(self, text: str, t: float) -> None:
        """Take a key, or a line by its first letter; Enter and the space bar alone are yes."""
        key = text.strip().lower()[:1] or "y"
        if key in KEYS:
            self.answer(KEYS[key], t)

    def answer(self, answer: walks.Answer, t: float) -> None:
        """Take an answer."""
        if self.over:
            return
        if answer is walks.Answer.QUIT:
            self.step.leave("the test was ended")
            self._parts = self._parts[:1]
        elif answer is walks.Answer.SKIP:
            self.step.leave("it was left out")
        else:
            self.step.answer(answer, t)
        self._pass(t)

    def on_panel_notice(self, notice: PanelNotice) -> None:
        """Take what the panel's hardware reports: that something does not work, or works again."""
        own: tuple[Part | ButtonName, ...] = () if notice.part.button is None else (notice.part.button,)
        for each in own if notice.part.unit is PanelUnit.BUTTON else _CONCERNED[notice.part.unit]:
            if isinstance(notice, PanelWorks):
                self.troubles.pop(each, None)
            else:
                self.troubles[each] = notice
        super().on_panel_notice(notice)

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""
        if not self.over:
            self.step.advance(t)
            self._pass(t)

    # ---- what comes out

    @property
    def prompt(self) -> walks.Prompt:
        """The present prompt."""
        prompt = self.step.prompt()
        if not self.start_answers:
            prompt = replace(prompt, keys_only=True)
        if self.board.away is not None and self.step.part in ON_THE_BOARD:
            prompt = replace(prompt, trouble=link_words(self.board.away))
        return prompt

    def spoken(self, t: float) -> walks.Spoken:
        """The prompt in lines."""
        prompt = self.prompt
        task = [f"{prompt.title}. {prompt.words}"]
        if prompt.answers:
            task.append(f"  [{'; '.join(_answers(prompt))}]")
        counted = f" ({prompt.progress})" if prompt.notice and prompt.progress else ""
        return tuple(task), prompt.notice + counted, prompt.trouble

    def picture(self, t: float, notes: Sequence[walks.Note], typed: str) -> Text:
        """The prompt as a picture, without the notes: the findings report the same."""
        prompt = self.prompt
        # The last two answers stand on one line.
        *lines, skip, leave = _answers(prompt)
        return walks.prompt_picture(
            prompt,
            heading="TAMSK self-test",
            corner=prompt.progress,
            cells=walks.marks_in_cells(prompt),
            beside=walks.marks_beside(prompt),
            footer=[(line, PLAIN) for line in (*lines, f"{skip}    {leave}")],
        )

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
            self.step.leave("the test was ended")
            found += self.step.findings()
        if self._lost:
            often = "once" if len(self._lost) == 1 else f"{len(self._lost)} times"
            cause = f"was lost {often} during the test: {link_words(self._lost[-1])}"
            advice = "use a shorter or better cable, and no hub; check the supply"
            found.append(Finding(WARNING, "link", cause, advice))
        return found

    def _pass(self, t: float) -> None:
        """Go on to the next step when one is over; skip the board's steps when it is not connected."""
        while not self.over and self.step.over:
            self._found += self.step.findings()
            del self._parts[0]
            while self._parts and self._parts[0] in ON_THE_BOARD and not self.board.connected:
                untested, cause = self._parts.pop(0).value, "not tested: the board is not connected"
                self._found.append(Finding(WARNING, untested, cause, "mend the link first"))
            if self._parts:
                self.step = _STEPS[self._parts[0]](self, t)


def _answers(prompt: walks.Prompt) -> list[str]:
    """The meaning of each answer, with its key and button."""
    lines = []
    for answer, meaning in {**prompt.answers, **_ALWAYS}.items():
        key, button = answer.value[0], None if prompt.keys_only else _BY_BUTTON.get(answer)
        lines.append(f"{key}, or {button}: {meaning}" if button else f"{key}: {meaning}")
    return lines
