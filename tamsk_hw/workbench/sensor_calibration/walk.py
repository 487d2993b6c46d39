"""The walk over a board that measures its sensors: its steps in order, forward and back. Pure: time comes in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from rich.text import Text

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import (
    Connected,
    LinkEvent,
    Lost,
    Refused,
    SelfTestDone,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol import TIMER_FIELD, FaultFlag, Snapshot
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.game.tubes import TUBES, End
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.workbench.listening import BoardState
from tamsk_hw.workbench.sensor_calibration.empty_step import EmptyStep
from tamsk_hw.workbench.sensor_calibration.holder_step import HolderStep
from tamsk_hw.workbench.sensor_calibration.margins import Verdicts, judge
from tamsk_hw.workbench.sensor_calibration.measurements import Measurements, marks_of
from tamsk_hw.workbench.sensor_calibration.ring_step import RingStep
from tamsk_hw.workbench.sensor_calibration.seat_step import LEANING_SHARE, SeatStep
from tamsk_hw.workbench.sensor_calibration.showing import picture, spoken
from tamsk_hw.workbench.sensor_calibration.step import MeasuringStep
from tamsk_hw.workbench.sensor_calibration.wanted import Wanted
from tamsk_hw.workbench.walk.lights import prompt_lights
from tamsk_hw.workbench.walk.prompt import Answer, Lit, Marks, Note, NoteKind, Prompt
from tamsk_hw.workbench.walk.walk import Spoken, Walk

#: Seconds without a snapshot that interrupt a run of readings.
_GAP = 0.2

#: Seconds for which the supply counts as low after it was.
_SUPPLY_REMEMBERED = 1.0


def _path() -> tuple[int, ...]:
    """The fields in the order of the walk: up one column and down the next, the timer's cradle last."""
    columns = [[tube for tube in TUBES if tube.column == column] for column in range(7)]
    order = [tube for place, column in enumerate(columns) for tube in (column if place % 2 == 0 else column[::-1])]
    return (*map(int, order), TIMER_FIELD)


#: The fields in the order of the walk; each tube is next to the one before.
PATH = _path()


_BUTTONS: Final = {
    (ButtonName.START, Press.SHORT): Answer.YES,
    (ButtonName.START, Press.LONG): Answer.QUIT,
    (ButtonName.RED, Press.SHORT): Answer.SKIP,
    (ButtonName.BLACK, Press.SHORT): Answer.BACK,
}

_TYPED: Final = {
    "": Answer.YES,
    "b": Answer.BACK,
    "back": Answer.BACK,
    "s": Answer.SKIP,
    "skip": Answer.SKIP,
    "q": Answer.QUIT,
    "quit": Answer.QUIT,
}

_SUPPLY_LOW: Final = (
    "The board's 5 V supply is below about 4.5 V: nothing can be measured. Look at the supply and its wires."
)


class SensorWalk(Walk):
    """Leads a person over the board and keeps the measurements.

    ``earlier``: the calibration so far; a few fields measured alone are compared with it. ``board``: the board on
    the line as known so far. ``port``: the board's, for the picture.
    """

    def __init__(
        self,
        wanted: Wanted,
        wiring: Wiring,
        earlier: KnownCalibration,
        configuration: Configuration | None = None,
        board: BoardState | None = None,
        port: str = "",
    ) -> None:
        super().__init__()
        self.board = board or self.board
        self.measurements = Measurements()
        self._wanted = wanted
        self._wiring = wiring
        self._earlier = earlier
        self._configuration = configuration or Configuration()
        self._port = port
        order = tuple(index for index in PATH if index in wanted.fields)
        self._order = order
        self._steps: list[tuple[int | None, Callable[[], MeasuringStep]]] = [
            (
                None,
                lambda: EmptyStep(
                    self.measurements,
                    wiring,
                    self._configuration.sensing,
                    fields=order,
                    tubes=wanted.tubes,
                    holders=wanted.holders,
                ),
            )
        ]
        self._steps += [self._seat(index, following) for index, following in zip_longest(order, order[1:])]
        if wanted.tubes:
            self._steps.append((None, lambda: RingStep(self.measurements, wiring, wanted.tubes)))
        if wanted.holders:
            self._steps.append((None, lambda: HolderStep(self.measurements, wanted.rings_to_weigh)))
        self._at = 0
        self._step: MeasuringStep | None = self._steps[0][1]()
        self._ended = False
        self._said = ""
        self._trouble = ""
        self._taken = False
        self._looked_again = False
        self._last = float("-inf")
        self._supply_low_at = float("-inf")

    @property
    def done(self) -> bool:
        """All steps are behind."""
        return self._step is None

    @property
    def over(self) -> bool:
        """All steps are behind, or the person ended the walk."""
        return self.done or self._ended

    # ---- what comes in

    def hear(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a board that cannot be used, before one ever was."""
        was_away = self.board.away is not None
        self.board.hear(event)
        match event:
            case SnapshotArrived():
                self._see(event.snapshot, event.time, missed=event.missed)
            case SelfTestDone() if self._step is not None:
                self._step.report(event.report, t)
            case Connected():
                if was_away:
                    self.say("The board is back: it goes on where it was.")
                self.lost()  # the board may have been reset in between
            case Lost():
                self.lost()
            case Refused() | Unreachable() if self.board.hello is None:
                raise link_error(event.reason)
            case _:
                pass

    def lost(self) -> None:
        """The board was out of reach: the present step starts its samples again."""
        if self._step is not None:
            self._step.restart()

    def _see(self, snapshot: Snapshot, t: float, *, missed: bool) -> None:
        """Take a snapshot of time ``t``; ``missed``: frames were lost before it."""
        step = self._step
        if step is None:
            return
        if snapshot.faults & FaultFlag.SUPPLY_LOW:
            self._supply_low_at = t
        if missed or t - self._last > _GAP or self._supply_is_low(t):
            step.restart()
        self._last = t
        taken = step.taken
        step.see(snapshot, t)
        self._after(step, taken)

    def press(self, button: Button, t: float) -> None:
        """Take the press of a button."""
        answer = _BUTTONS.get((button.button, button.press))
        if answer is not None:
            self._reply(answer, t)

    def typed(self, text: str, t: float) -> None:
        """Take a line that was typed."""
        answer = _TYPED.get(text.strip().lower())
        if answer is None:
            self.say(f"{text!r}: press Enter to go on, or type back, skip or quit.")
        else:
            self._reply(answer, t)

    def _reply(self, answer: Answer, t: float) -> None:
        if answer is Answer.QUIT:
            self._ended = True
        elif self.board.away is None:
            self.answer(answer, t)

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer about the step at hand."""
        step = self._step
        if step is None:
            return
        self._said = ""
        if answer is Answer.YES:
            taken = step.taken
            step.answer(answer, t)
            self._after(step, taken)
        elif answer is Answer.BACK:
            self._back()
        elif answer is Answer.SKIP and self._at == 0:
            self._said = "The empty board cannot be left out: all else rests on it."
        elif answer is Answer.SKIP:
            self._forward()

    def advance(self, t: float) -> None:
        """Let new troubles and samples be heard."""
        trouble = self.prompt(t).trouble
        if trouble and trouble != self._trouble:
            self.sound(NoteKind.WARNING, t)
        elif self._taken:
            self.sound(NoteKind.TAKEN, t)
        self._trouble, self._taken = trouble, False

    # ---- what comes out

    def self_test_due(self, t: float) -> bool:
        """True when the board is to test its ring sensors now; asked for once."""
        return self._step is not None and self._step.self_test_due(t)

    def prompt(self, t: float) -> Prompt:
        """The prompt at ``t``."""
        if self._step is None:
            return Prompt(title="Done", words="All is measured", marks=self._behind())
        prompt = self._step.prompt()
        index = self._steps[self._at][0]
        if index is not None:
            title = f"{self._order.index(index) + 1} of {len(self._order)}"
            prompt = replace(prompt, title=title, marks={**self._behind(), **prompt.marks})
        if self.board.away is not None:
            why = link_words(self.board.away)
            away = f"The board is out of reach: {why}. When it is back it goes on at the same place."
            return replace(prompt, trouble=away, awaits_start=False)
        return replace(prompt, trouble=_SUPPLY_LOW if self._supply_is_low(t) else self._said or prompt.trouble)

    def spoken(self, t: float) -> Spoken:
        """The prompt in lines."""
        return spoken(self.prompt(t))

    def picture(self, t: float, notes: Sequence[Note], typed: str) -> Text:
        """The prompt as a picture."""
        note = notes[-1].words if notes else ""
        return picture(self.prompt(t), self.board.snapshot, self._wiring, port=self._port, note=note, typed=typed)

    def lights(self, t: float) -> bytes:
        """The lights at ``t``."""
        lights, away = self._configuration.lights, self.board.away is not None
        return prompt_lights(self.prompt(t), t, self._wiring, lights.palette, lights.milliamps, stale=away)

    def verdicts(self) -> Verdicts:
        """The judgement on all measurements so far."""
        wanted, fields = self._wanted, sorted(self._order)
        return judge(self.measurements, self._earlier, fields=fields, tubes=wanted.tubes, holders=wanted.holders)

    def _supply_is_low(self, t: float) -> bool:
        return t - self._supply_low_at < _SUPPLY_REMEMBERED

    def _behind(self) -> Marks:
        """The marks of the fields that were measured."""
        return marks_of(
            {
                index: Lit.BAD if found.trouble is not None else Lit.DONE
                for index, found in self.measurements.fields.items()
                if found.trouble is not None or found.is_complete
            }
        )

    # ---- steps

    def _seat(self, index: int, following: int | None) -> tuple[int | None, Callable[[], MeasuringStep]]:
        return index, lambda: SeatStep(self.measurements, index, self._earlier, next_index=following)

    def _after(self, step: MeasuringStep, taken: int) -> None:
        if step.taken > taken:
            self._taken = True
            self._said = ""
        if step.over:
            self._forward()

    def _forward(self) -> None:
        """Go on to the next step that can be taken."""
        self._said = ""
        while True:
            self._at += 1
            self._look_again()
            if self._at >= len(self._steps):
                self._step = None
                return
            if self._can_be_taken(self._at):
                self._step = self._steps[self._at][1]()
                return

    def _back(self) -> None:
        """Go to the step before; its measurements stay until they are replaced."""
        before = self._at - 1
        while before > 0 and not self._can_be_taken(before):
            before -= 1
        if before < 0:
            self._said = "This is the first step."
            return
        self._at = before
        self._step = self._steps[before][1]()

    def _can_be_taken(self, at: int) -> bool:
        """False for a field that is broken on the empty board: no glass is asked for there."""
        index = self._steps[at][0]
        return index is None or (self.measurements.fields[index].rest is not None and not self._broken(index))

    def _broken(self, index: int) -> bool:
        found = self.measurements.fields[index]
        return found.trouble is not None and not found.ends

    def _look_again(self) -> None:
        """After the last field, ask once more for those that fell out of line.

        There was nothing to compare the first few tubes with.
        """
        seats = [place for place, (index, _) in enumerate(self._steps) if index is not None]
        if self._looked_again or not seats or self._at != seats[-1] + 1:
            return
        self._looked_again = True
        doubtful = [index for index in self._order if self._falls_out(index)]
        again = [self._seat(index, following) for index, following in zip_longest(doubtful, doubtful[1:])]
        self._steps[self._at : self._at] = again

    def _falls_out(self, index: int) -> bool:
        found = self.measurements.fields[index]
        if index == TIMER_FIELD or found.trouble is not None or found.confirmed:
            return False
        for end in End:
            own, typical = found.deflection(end), self.measurements.typical(end, self._earlier)
            if own is not None and typical is not None and own < LEANING_SHARE * typical:
                return True
        return False
