"""The walk over a board that measures its sensors: its steps in order, forward and back. Pure: snapshots, keys and
times come in; what to say, what to light and what was found come out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Protocol

from tamsk_hw.board.calibration_file import KnownCalibration
from tamsk_hw.board.protocol.messages import FIELDS, TIMER_FIELD, FaultFlag, Snapshot
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.players import End
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.workbench.sensor_calibration.empty_step import EmptyStep
from tamsk_hw.workbench.sensor_calibration.findings import Findings
from tamsk_hw.workbench.sensor_calibration.holder_step import HolderStep
from tamsk_hw.workbench.sensor_calibration.margins import Verdicts, judge
from tamsk_hw.workbench.sensor_calibration.ring_step import RingStep
from tamsk_hw.workbench.sensor_calibration.seat_step import LEANING_SHARE, SeatStep
from tamsk_hw.workbench.sensor_calibration.showing import Key, Lit, Showing

#: Seconds without a snapshot after which readings do not count as following one another.
_GAP = 0.2

#: Seconds for which a supply that was too low counts as such.
_SUPPLY_REMEMBERED = 1.0


def _path() -> tuple[int, ...]:
    """The fields in the order of the walk: up one column and down the next, the timer's cradle last."""
    columns = [[tube for tube in TUBES if tube.column == column] for column in range(7)]
    order = [tube for place, column in enumerate(columns) for tube in (column if place % 2 == 0 else column[::-1])]
    return (*map(int, order), TIMER_FIELD)


#: The fields in the order of the walk; each tube is next to the one before.
PATH = _path()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be measured: fields, the tubes whose ring sensors, the holders, with so many rings in each."""

    fields: tuple[int, ...] = tuple(range(FIELDS))
    tubes: tuple[Tube, ...] = TUBES
    holders: bool = False
    rings_to_weigh: int = 32


class Step(Protocol):
    """One step of the walk. ``taken`` counts the samples that were taken; ``done``: it has what it wants."""

    done: bool
    taken: int

    def see(self, snapshot: Snapshot, t: float) -> None:
        """The board at time ``t``."""

    def restart(self) -> None:
        """Snapshots were missed."""

    def test_due(self, t: float) -> bool:
        """Whether a self-test is to be started."""

    def tested(self, report: bytes) -> None:
        """A self-test's report."""

    def go_on(self, t: float) -> None:
        """The start button."""

    def showing(self, t: float) -> Showing:
        """What is to be done now."""


class Walk:
    """Leads over the board and keeps what is found. Times are seconds that never decrease.

    ``earlier`` is what was known of the board before: a few fields measured alone are held against it.
    """

    def __init__(
        self, wanted: Wanted, wiring: Wiring, earlier: KnownCalibration, settings: SensingSettings
    ) -> None:
        self.findings = Findings()
        self.taken = 0
        """Samples taken so far."""
        self._wanted = wanted
        self._earlier = earlier
        order = tuple(index for index in PATH if index in wanted.fields)
        self._order = order
        self._steps: list[tuple[int | None, Callable[[], Step]]] = [
            (
                None,
                lambda: EmptyStep(
                    self.findings,
                    wiring,
                    settings,
                    fields=order,
                    tubes=wanted.tubes,
                    holders=wanted.holders,
                ),
            )
        ]
        self._steps += [self._seat(index, following) for index, following in zip_longest(order, order[1:])]
        if wanted.tubes:
            self._steps.append((None, lambda: RingStep(self.findings, wiring, wanted.tubes)))
        if wanted.holders:
            self._steps.append((None, lambda: HolderStep(self.findings, wanted.rings_to_weigh)))
        self._at = 0
        self._step: Step | None = self._steps[0][1]()
        self._said: str | None = None
        self._looked_again = False
        self._last = float("-inf")
        self._supply_low_at = float("-inf")

    # ---- what comes in

    @property
    def done(self) -> bool:
        """All steps are behind."""
        return self._step is None

    def see(self, snapshot: Snapshot, t: float, *, missed: bool = False) -> None:
        """A snapshot of time ``t``; ``missed``: frames were lost before it."""
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

    def lost(self) -> None:
        """The board is out of reach: the present step begins its samples anew when it is back."""
        if self._step is not None:
            self._step.restart()

    def test_due(self, t: float) -> bool:
        """Whether a self-test is to be started now; it is asked for once."""
        return self._step is not None and self._step.test_due(t)

    def tested(self, report: bytes) -> None:
        """A self-test's report."""
        if self._step is not None:
            self._step.tested(report)

    def press(self, key: Key, t: float) -> None:
        """The person presses a button, or the key that stands for it. `Key.QUIT` is the caller's to obey."""
        step = self._step
        if step is None:
            return
        self._said = None
        if key is Key.GO_ON:
            taken = step.taken
            step.go_on(t)
            self._after(step, taken)
        elif key is Key.BACK:
            self._back()
        elif key is Key.SKIP and self._at == 0:
            self._said = "The empty board cannot be left out: all else rests on it."
        elif key is Key.SKIP:
            self._forward()

    # ---- what comes out

    def showing(self, t: float) -> Showing:
        """What is to be said and lit at time ``t``."""
        if self._step is None:
            return Showing(prompt="All is measured", title="Done", lit=self._behind())
        shown = self._step.showing(t)
        lit = dict(shown.lit)
        if self._steps[self._at][0] is not None:
            lit = {**self._behind(), **lit}
        said = self._said
        if self._supply_is_low(t):
            said = (
                "The board's 5 V supply is below about 4.5 V: nothing can be measured. "
                "Look at the supply and its wires."
            )
        return replace(shown, lit=lit, title=self._title(), trouble=said or shown.trouble)

    def verdicts(self) -> Verdicts:
        """What was found so far, judged."""
        wanted = self._wanted
        return judge(
            self.findings, self._earlier, fields=sorted(self._order), tubes=wanted.tubes, holders=wanted.holders
        )

    def _title(self) -> str:
        index = self._steps[self._at][0]
        if index is not None:
            return f"{self._order.index(index) + 1} of {len(self._order)}"
        if self._at == 0:
            return "Empty board"
        return "Rings" if isinstance(self._step, RingStep) else "Ring holders"

    def _supply_is_low(self, t: float) -> bool:
        return t - self._supply_low_at < _SUPPLY_REMEMBERED

    def _behind(self) -> dict[int, Lit]:
        """The lights of the fields that were measured."""
        return {
            index: Lit.BAD if found.trouble is not None else Lit.DONE
            for index, found in self.findings.fields.items()
            if found.trouble is not None or found.is_complete
        }

    # ---- steps

    def _seat(self, index: int, following: int | None) -> tuple[int | None, Callable[[], Step]]:
        return index, lambda: SeatStep(self.findings, index, self._earlier, next_index=following)

    def _after(self, step: Step, taken: int) -> None:
        if step.taken > taken:
            self.taken += step.taken - taken
            self._said = None
        if step.done:
            self._forward()

    def _forward(self) -> None:
        """On to the next step that can be taken."""
        self._said = None
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
        """To the step before; what it found stands until it has found anew."""
        before = self._at - 1
        while before > 0 and not self._can_be_taken(before):
            before -= 1
        if before < 0:
            self._said = "This is the first step."
            return
        self._at = before
        self._step = self._steps[before][1]()

    def _can_be_taken(self, at: int) -> bool:
        """A field that was found broken on the empty board is not asked for a glass."""
        index = self._steps[at][0]
        return index is None or (self.findings.fields[index].rest is not None and not self._broken(index))

    def _broken(self, index: int) -> bool:
        found = self.findings.fields[index]
        return found.trouble is not None and not found.ends

    def _look_again(self) -> None:
        """Behind the last field: those that fell out of line are asked for once more.

        The first few tubes had nothing to be held against when they were measured.
        """
        seats = [place for place, (index, _) in enumerate(self._steps) if index is not None]
        if self._looked_again or not seats or self._at != seats[-1] + 1:
            return
        self._looked_again = True
        doubtful = [index for index in self._order if self._falls_out(index)]
        again = [self._seat(index, following) for index, following in zip_longest(doubtful, doubtful[1:])]
        self._steps[self._at : self._at] = again

    def _falls_out(self, index: int) -> bool:
        found = self.findings.fields[index]
        if index == TIMER_FIELD or found.trouble is not None or found.confirmed:
            return False
        for end in End:
            own, typical = found.deflection(end), self.findings.typical(end, self._earlier)
            if own is not None and typical is not None and own < LEANING_SHARE * typical:
                return True
        return False
