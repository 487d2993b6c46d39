"""``tamsk-hw calibrate sensors``: the walk over the board that measures every sensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final

from rich.text import Text

from tamsk_hw.board import link_events
from tamsk_hw.board.calibration import FIELD_NAMES, KnownCalibration, backup_of, check_can_be_saved, field_names
from tamsk_hw.board.protocol import TIMER_FIELD, FaultFlag
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import TUBE_OF_NAME, TUBES, End, Tube
from tamsk_hw.panel.lights import TIMER_PLACE
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.terminal.picture import CELL, EDGE, PLAIN, QUIET, UNSURE, Cell, Piece
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.words.notices import known_words
from tamsk_hw.workbench import board as boards
from tamsk_hw.workbench import walk as walks
from tamsk_hw.workbench.findings import OK, WARNING
from tamsk_hw.workbench.measurements import Measurements, Verdicts, judge, report_lines, unmeasured
from tamsk_hw.workbench.measuring import EmptyStep, HolderStep, RingStep
from tamsk_hw.workbench.seat_step import LEANING_SHARE, SeatStep

#: The kinds of sensors that can be measured alone.
PARTS: Final = ("fields", "rings", "holders")

# Seconds without a snapshot that interrupt a run of readings.
_GAP: Final = 0.2

#: Seconds for which the supply counts as low after it was.
_SUPPLY_REMEMBERED: Final = 1.0

_BUTTONS: Final = {
    (ButtonName.START, Press.SHORT): walks.Answer.YES,
    (ButtonName.START, Press.LONG): walks.Answer.QUIT,
    (ButtonName.RED, Press.SHORT): walks.Answer.SKIP,
    (ButtonName.BLACK, Press.SHORT): walks.Answer.BACK,
}

_TYPED: Final = {"": walks.Answer.YES} | {
    typed: each
    for each in (walks.Answer.BACK, walks.Answer.SKIP, walks.Answer.QUIT)
    for typed in (each.value, each.value[0])
}

#: How to answer.
_KEYS: Final = "Enter: go on; back, skip, quit + Enter. Buttons: start; black, red, start held"

_SUPPLY_LOW: Final = (
    "The board's 5 V supply is below about 4.5 V: nothing can be measured. Look at the supply and its wires."
)


def _path() -> tuple[int, ...]:
    """The fields in the order of the walk: up one column and down the next, the timer's cradle last."""
    columns = [[tube for tube in TUBES if tube.column == column] for column in range(7)]
    order = [tube for place, column in enumerate(columns) for tube in (column if place % 2 == 0 else column[::-1])]
    return (*map(int, order), TIMER_FIELD)


#: The fields in the order of the walk; each tube is next to the one before.
PATH: Final = _path()


# ---- what is measured


def wanted_of(
    wiring: Wiring, only: Sequence[str] = (), tubes: Sequence[str] = (), rings_to_weigh: int = 32
) -> Measurements:
    """The sensors to measure (see `calibrate_sensors`). Raises `ConfigError` for unknown names, or for none."""
    parts = only or PARTS
    names = [name.upper() if name.upper() in TUBE_OF_NAME else name.lower() for name in tubes]
    fitted = field_names(wiring)
    for given, name in zip(tubes, names, strict=True):
        if name not in FIELD_NAMES:
            raise ConfigError(f"--tube {given}: there is no such tube; allowed are A1 to G4, and timer")
        if name not in fitted:
            raise ConfigError(f"--tube {given}: this board has no such tube; allowed are {', '.join(fitted)}")
    holders_named = "holders" in only
    if holders_named and not wiring.holders:
        raise ConfigError("--only holders: the wiring map has no ring holders")
    chosen = [name for name in fitted if not names or name in names]
    wanted = unmeasured(
        [FIELD_NAMES.index(name) for name in chosen] if "fields" in parts else (),
        [tube for tube in wiring.tubes if tube.name in chosen] if "rings" in parts else (),
        holders=bool(wiring.holders) and (holders_named or ("holders" in parts and not names)),
        rings=rings_to_weigh,
    )
    if not (wanted.fields or wanted.levels or wanted.holders):
        raise ConfigError("--only and --tube together leave nothing to be measured: the timer has no ring sensors")
    return wanted


# ---- the command


def calibrate_sensors(
    *,
    only: Sequence[str] = (),
    tubes: Sequence[str] = (),
    rings_to_weigh: int = 32,
    port: str | None = None,
    config: Path | None = None,
    equipment: walks.Equipment | None = None,
) -> int:
    """Measure the chosen sensors, led by a person; save the complete ones, however the walk ends.

    ``only``: of `PARTS`, all of them when empty; ``tubes``: names of `FIELD_NAMES`, likewise; ``rings_to_weigh``:
    rings that go into each holder. Returns the program's exit status: 0 when all is measured and none is bad, else
    1.

    Raises:
        ConfigError: the configuration or what is asked for is refused, nobody could press start, or the file
            cannot be written.
        WiringError: the wiring map is refused.
        LinkError: no board answers, or one that cannot be used.
        Stopped: it was stopped; what was complete is saved.
    """
    board = boards.board_of(config, port)
    wanted = wanted_of(board.wiring, only, tubes, rings_to_weigh)
    equipment = equipment or walks.Equipment()
    path = board.configuration.calibration_file
    check_can_be_saved(path)
    with board.line() as link:
        state = boards.await_board(link, equipment.clock)
        if wanted.holders and state.hello is not None and not state.hello.holders:
            if "holders" in only:
                raise LinkError(f"board {state.hello.board_id:08x} has no ring holders: leave --only holders out")
            wanted.holders.clear()
        walk = SensorWalk(wanted, board, state)
        if board.known.problem is not None:
            walk.note(f"{path} {board.known.problem}; it is replaced at the end.")
        try:
            walks.lead(walk, link, equipment)
        finally:
            # Minutes of somebody's patience are in these figures, whatever ended them.
            _keep(walk)
    good = all(severity in (OK, WARNING) for severity in walk.verdicts().severities)
    return 0 if good and walk.done else 1


def _keep(walk: SensorWalk) -> None:
    """Save the complete measurements into the present file, and report on each sensor."""
    verdicts, path = walk.verdicts(), walk.setup.configuration.calibration_file
    if any(severity is not None for severity in verdicts.severities):
        boards.report(report_lines(verdicts))
    if not walk.done:
        boards.report(["Ended early."])
    if verdicts.merged(KnownCalibration()) == KnownCalibration():
        boards.report([f"Nothing was completed; {path} stays as it is."])
        return
    before = f"; the one before is {backup_of(path).name}" if path.exists() else ""
    known = boards.save_measured(walk.setup, verdicts.merged)
    extent = known_words(replace(known, modified=0.0))
    boards.report([f"What was completed is saved in {path}{before}.", f"This board is {extent}."])


# ---- the walk


class SensorWalk(walks.Walk):
    """Leads a person over the board and keeps the measurements: steps in order, forward and back.

    A few fields measured alone are compared with the calibration of ``setup``, the board as it is known so far.
    ``state``: the board on the line.
    """

    def __init__(self, wanted: Measurements, setup: boards.Board, state: boards.BoardState | None = None) -> None:
        super().__init__(setup)
        self.board = state or self.board
        self.measurements = wanted
        self._order = tuple(index for index in PATH if index in wanted.fields)
        #: The field of each step, if it is one's, and whether it is asked for once more, and how it begins.
        self._steps: list[tuple[int | None, bool, Callable[[], walks.Step]]] = [
            (None, False, partial(EmptyStep, wanted, setup)),
            *(
                (index, False, partial(SeatStep, wanted, index, setup.known, next_index=following))
                for index, following in zip_longest(self._order, self._order[1:])
            ),
            *((index, True, partial(SeatStep, wanted, index, setup.known)) for index in self._order),
        ]
        if wanted.levels:
            self._steps.append((None, False, partial(RingStep, wanted, setup.wiring)))
        if wanted.holders:
            self._steps.append((None, False, partial(HolderStep, wanted)))
        self._at = 0
        self.step = self._steps[0][2]()
        self._ended = False
        self._refused = ""
        """The reason for which the last answer was refused; empty for none."""
        self._trouble = ""
        self._sounded = 0
        self._last = float("-inf")
        self._supply_low_at = float("-inf")

    @property
    def done(self) -> bool:
        """True when all steps have been taken."""
        return self._at >= len(self._steps)

    @property
    def over(self) -> bool:
        """True when all steps have been taken, or the person ended the walk."""
        return self.done or self._ended

    # ---- what comes in

    def on_link_event(self, event: link_events.LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a board that cannot be used, before one ever was."""
        was_away = self.board.away is not None
        self.board.on_event(event)
        match event:
            case link_events.SnapshotArrived():
                if event.snapshot.faults & FaultFlag.SUPPLY_LOW:
                    self._supply_low_at = event.time
                if event.missed or event.time - self._last > _GAP or self._supply_is_low(event.time):
                    self.step.restart()
                self._last = event.time
                self.step.on_snapshot(event.snapshot, event.time)
                self._after()
            case link_events.SignalsArrived(_, told):
                self.step.on_signals(told)
            case link_events.Connected():
                if was_away:
                    self.note("The board is back: it goes on where it was.")
                self.step.restart()  # the board may have been reset in between
            case link_events.Lost():
                self.step.restart()
            case link_events.Refused() | link_events.Unreachable() if self.board.hello is None:
                raise link_error(event.reason)

    def on_press(self, button: Button, t: float) -> None:
        """Take the press of a button."""
        answer = _BUTTONS.get((button.button, button.press))
        if answer is not None:
            self._reply(answer, t)

    def on_typed(self, text: str, t: float) -> None:
        """Take a line that was typed."""
        answer = _TYPED.get(text.strip().lower())
        if answer is None:
            self.note(f"{text!r}: press Enter to go on, or type back, skip or quit.")
        else:
            self._reply(answer, t)

    def _reply(self, answer: walks.Answer, t: float) -> None:
        if answer is walks.Answer.QUIT:
            self._ended = True
        elif self.board.away is None:
            self.answer(answer, t)

    def answer(self, answer: walks.Answer, t: float) -> None:
        """Take an answer about the step at hand."""
        if self.done:
            return
        self._refused = ""
        if answer is walks.Answer.YES:
            self.step.answer(answer, t)
            self._after()
        elif answer is walks.Answer.BACK:
            self._back()
        elif answer is walks.Answer.SKIP and self._at == 0:
            self._refused = "The empty board cannot be left out: all else rests on it."
        elif answer is walks.Answer.SKIP:
            self._forward()

    def advance(self, t: float) -> None:
        """Sound new troubles and samples."""
        trouble = self.prompt(t).trouble
        if trouble and trouble != self._trouble:
            self.sounds.play(walks.COMPLAINT, t)
        elif self.measurements.taken > self._sounded:
            self.sounds.play(walks.TAKEN, t)
        self._trouble, self._sounded = trouble, self.measurements.taken

    # ---- what comes out

    def prompt(self, t: float) -> walks.Prompt:
        """The prompt at ``t``."""
        if self.done:
            return walks.Prompt(title="Done", words="All is measured", marks=self._behind())
        prompt = self.step.prompt()
        index = self._steps[self._at][0]
        if index is not None:
            title = f"{self._order.index(index) + 1} of {len(self._order)}"
            prompt = replace(prompt, title=title, marks={**self._behind(), **prompt.marks})
        if self.board.away is not None:
            why = link_words(self.board.away)
            away = f"The board is out of reach: {why}. When it is back it goes on at the same place."
            return replace(prompt, trouble=away, awaits_start=False)
        return replace(prompt, trouble=_SUPPLY_LOW if self._supply_is_low(t) else self._refused or prompt.trouble)

    def spoken(self, t: float) -> walks.Spoken:
        """The prompt in lines."""
        prompt = self.prompt(t)
        return (f"{prompt.title}: {prompt.words}.",), "", prompt.trouble

    def picture(self, t: float, notes: Sequence[walks.Note], typed: str) -> Text:
        """The prompt as a picture with the sensors' readings; of the notes the last."""
        prompt, snapshot, wiring = self.prompt(t), self.board.snapshot, self.setup.wiring

        def reading(index: int) -> str:
            return "  -" if snapshot is None else f"{snapshot.fields[index]:3}"

        def sign(place: str) -> Piece:
            marks = prompt.marks.get(place)
            return marks[0].sign if marks else (" ", PLAIN)

        def cell(tube: Tube) -> Cell:
            rings = "" if snapshot is None else boards.ring_code(snapshot, wiring, tube)
            upper = ((f"{reading(tube)} ", PLAIN), sign(tube.name), (" ", PLAIN))
            return upper, ((tube.name, PLAIN), ("_" * (CELL - 2 - len(rings)), EDGE), (rings, QUIET))

        return walks.prompt_picture(
            prompt,
            heading="TAMSK calibration",
            corner=self.setup.port,
            cells={tube: cell(tube) for tube in wiring.tubes},
            beside=[[(f"timer {reading(TIMER_FIELD)} ", PLAIN), sign(TIMER_PLACE)]],
            footer=[(notes[-1][0] if notes else "", UNSURE), (_KEYS, QUIET), (f"> {typed}", PLAIN)],
        )

    def lights(self, t: float) -> bytes:
        """The lights at ``t``."""
        return walks.prompt_lights(self.prompt(t), t, self.setup, stale=self.board.away is not None)

    def verdicts(self) -> Verdicts:
        """The judgement on all measurements so far."""
        return judge(self.measurements, self.setup.known)

    def _supply_is_low(self, t: float) -> bool:
        return t - self._supply_low_at < _SUPPLY_REMEMBERED

    def _behind(self) -> walks.Marks:
        """The marks of the fields that were measured."""
        return {
            FIELD_NAMES[index]: (walks.Mark.DONE if found.trouble is None else walks.Mark.DOUBTFUL,)
            for index, found in self.measurements.fields.items()
            if found.trouble is not None or found.is_complete
        }

    # ---- steps

    def _after(self) -> None:
        if self.measurements.taken > self._sounded:
            self._refused = ""
        if self.step.over:
            self._forward()

    def _forward(self) -> None:
        """Go on to the next step that can be taken."""
        following = range(self._at + 1, len(self._steps))
        self._go_to(next(filter(self._can_be_taken, following), len(self._steps)))

    def _go_to(self, at: int) -> None:
        self._at, self._refused = at, ""
        self.step = walks.Step() if self.done else self._steps[at][2]()

    def _back(self) -> None:
        """Go to the step before; its measurements stay until they are replaced."""
        before = next(filter(self._can_be_taken, reversed(range(self._at))), None)
        if before is None:
            self._refused = "This is the first step."
        else:
            self._go_to(before)

    def _can_be_taken(self, at: int) -> bool:
        """True except for fields that are broken on the empty board, and for repetitions without a reason.

        A field is measured again that is weaker than those measured after it: the first few had nothing to be
        compared with.
        """
        index, again, _ = self._steps[at]
        if index is None:
            return True
        found = self.measurements.fields[index]
        if not again:
            return found.rest is not None and (found.trouble is None or bool(found.ends))
        if index == TIMER_FIELD or found.trouble is not None or found.confirmed:
            return False
        shares = [(found.deflection(end), self.measurements.typical(end, self.setup.known)) for end in End]
        return any(
            own < LEANING_SHARE * typical for own, typical in shares if own is not None and typical is not None
        )
