"""One tube of a calibration: a glass is seated with end A down, then turned over, both taken without a press.

North is out at end A, so the sign of the field shows which end is down (docs/design.md, Glasses). The wrong sign
is either the person's mistake or a sensor mounted the wrong way round. So the person is asked to turn the glass
over, or to press start if it stands right; then the sensor is reported.
"""

from functools import partial
from math import inf
from typing import Final

from tamsk_hw.board.calibration import FIELD_NAMES, LEAST_DEFLECTION, KnownCalibration
from tamsk_hw.board.protocol import TIMER_FIELD, Snapshot
from tamsk_hw.game.tubes import End
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench import measurements
from tamsk_hw.workbench.measurements import Measurements, Sample, Trouble, field_words
from tamsk_hw.workbench.walk import Answer, Mark, Prompt, Step

#: A seated glass stands still under this rule.
SEATED: Final = partial(measurements.Agreement, readings=18, seconds=0.8, margin=8.0, drift=1.0, head=0.4)

#: A glass that gives less than this share of what it gives in the other tubes leans, or the sensor is weak.
LEANING_SHARE: Final = 0.7

#: Seconds that a glass must stand in another tube before that is said: it may be on its way.
ELSEWHERE: Final = 0.6

#: Seconds of unrest after which a field is called noisy.
RESTLESS: Final = 4.0


class SeatStep(Step):
    """Measures one field, ``index``, with both ends down. ``next_index`` is where the glass goes afterwards."""

    def __init__(
        self, measured: Measurements, index: int, earlier: KnownCalibration, *, next_index: int | None = None
    ) -> None:
        super().__init__()
        self.index = index
        self._measurements, self._earlier, self._next = measured, earlier, next_index
        self._glass = "the timer" if index == TIMER_FIELD else "the glass"
        self._found = measurements.FieldFound(rest=measured.fields[index].rest)
        self._wanted = End.A
        self._agreement = SEATED()
        self._free = True  # the glass was away since the last sample, so that what stands now is meant
        self._first = True
        self._present_since = inf
        self._left_over: set[int] = set()
        self._elsewhere: list[int] = []
        self._elsewhere_since = inf
        self._stands_elsewhere = False
        self._wrong_end: Sample | None = None
        self._weak: Sample | None = None
        self._noisy = False
        self._asked_nothing = False

    # ---- what comes in

    def on_snapshot(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""
        if self.over:
            return
        self._look_elsewhere(snapshot, t)
        reading = snapshot.fields[self.index]
        size = reading - self._rest
        if self._first:
            # A glass that stood here before, with either end down, is no mistake yet.
            self._first, self._free = False, abs(size) < LEAST_DEFLECTION
        if abs(size) < LEAST_DEFLECTION:
            self._free = True
            self._lifted()
            return
        self._asked_nothing = False
        self._present_since = min(self._present_since, t)
        if self._wrong_end is not None and (size > 0) is (self._wanted is End.A):
            self._lifted()
        self._noisy = not self._agreement.feed(reading, t) and t - self._present_since > RESTLESS
        sample = self._agreement.sample
        if sample is None:
            return
        felt = self._felt(sample)
        if felt is not self._wanted:
            if self._free:
                self._wrong_end = sample
            else:
                self._agreement.restart()
            return
        typical = self._measurements.typical(felt, self._earlier)
        if self.index != TIMER_FIELD and typical is not None and abs(size) < LEANING_SHARE * typical:
            self._weak = sample
            # The glass may now be pushed home.
            self._agreement.restart()
            return
        self._take(felt, sample)

    def restart(self) -> None:
        """Start the run again: frames were missed."""
        self._agreement.restart()
        self._present_since = inf

    def answer(self, answer: Answer, t: float) -> None:
        """Go on: the glass stands as it should, whatever the sensor says."""
        if self.over:
            return
        if self._wrong_end is not None:
            self._found.contrary = True
            felt = self._felt(self._wrong_end)
            if felt in self._found.ends:
                self._end(("reads the same with either end down", "look at the magnets in both caps of the glass"))
            else:
                self._take(felt, self._wrong_end)
        elif self._weak is not None:
            self._found.confirmed = True
            self._take(self._felt(self._weak), self._weak)
        elif self._noisy:
            self._end((f"jumps by {self._agreement.unrest:.0f} steps with a glass on it", measurements.LOOSE))
        elif self._present_since < inf:
            return
        elif self._stands_elsewhere and len(self._elsewhere) == 1:
            cause = f"its glass is felt at {field_words(self._elsewhere[0])}"
            self._end((cause, "the two sensors' wires, or the wiring map, are swapped"))
        elif self._asked_nothing:
            advice = "look at its sensor, the sensor's wires and the magnet"
            self._end(("feels nothing of the glass on it", advice))
        else:
            self._asked_nothing = True

    # ---- what is shown

    def prompt(self) -> Prompt:
        """Say where the glass goes, and with which end down."""
        name = FIELD_NAMES[self.index] if self.index != TIMER_FIELD else "its cradle"
        turn, trouble = bool(self._found.ends), self._trouble(name)
        marks = {self.index: Mark.TURN if turn or self._wrong_end is not None else Mark.HERE}
        if turn and self._next is not None:
            marks[self._next] = Mark.NEXT
        if self._stands_elsewhere:
            marks |= dict.fromkeys(self._elsewhere, Mark.WRONG)
        into = f"Turn {self._glass} over:" if turn else f"Set {self._glass} into {name},"
        return Prompt(
            title="",
            words=f"{into} end {self._meant} down{f' in {name}' * turn}",
            trouble=trouble,
            marks={FIELD_NAMES[index]: (mark,) for index, mark in marks.items()},
            awaits_start=bool(trouble),
        )

    def _trouble(self, name: str) -> str:
        if self._wrong_end is not None:
            return (
                f"End {self._meant.other} is felt there: turn {self._glass} over. If end {self._meant} is down, "
                "press start: the sensor is then named as mounted the wrong way round."
            )
        if self._weak is not None:
            typical = self._measurements.typical(self._felt(self._weak), self._earlier) or float("inf")
            share = abs(self._weak.mean - self._rest) / typical
            return (
                f"Only {share:.0%} of the other tubes' field is felt: push {self._glass} home. If it stands "
                "firm, press start: the field is then taken as weak."
            )
        if self._noisy:
            return (
                f"The reading jumps by {self._agreement.unrest:.0f} steps: hands off. If nothing touches the "
                "board, press start: the sensor is then named as bad."
            )
        if self._stands_elsewhere:
            return (
                f"A glass is felt at {some_of(map(field_words, self._elsewhere), 6)}: it belongs into {name}. "
                f"If it stands in {name}, press start: the sensors are then named as swapped."
            )
        if self._asked_nothing:
            return (
                f"Nothing is felt in {name}. If {self._glass} stands in it, press start again: the sensor is dead."
            )
        return ""

    # ---- parts

    def _felt(self, sample: Sample) -> End:
        """The end that a sample indicates."""
        return End.A if sample.mean > self._rest else End.B

    @property
    def _meant(self) -> End:
        """The end that the person is asked for; a sensor mounted the wrong way round feels the other."""
        return self._wanted.other if self._found.contrary else self._wanted

    @property
    def _rest(self) -> float:
        rest = self._found.rest
        return rest.mean if rest is not None else self._measurements.baseline.get(self.index, measurements.MIDDLE)

    def _lifted(self) -> None:
        """Forget the present glass: it was lifted, or turned over."""
        self._agreement.restart()
        self._present_since = inf
        self._wrong_end = self._weak = None
        self._noisy = False

    def _look_elsewhere(self, snapshot: Snapshot, t: float) -> None:
        """Find glasses elsewhere that were not there when this step began."""
        fields = self._measurements.fields
        felt = [
            index
            for index, rest in self._measurements.baseline.items()
            if index != self.index
            and abs(snapshot.fields[index] - rest) >= LEAST_DEFLECTION
            and (index not in fields or fields[index].rest is not None)
        ]
        if self._first:
            self._left_over = set(felt)
        self._left_over &= set(felt)
        self._elsewhere = [index for index in felt if index not in self._left_over]
        self._elsewhere_since = min(self._elsewhere_since, t) if self._elsewhere else inf
        self._stands_elsewhere = t - self._elsewhere_since >= ELSEWHERE and self._present_since == inf

    def _take(self, felt: End, sample: Sample) -> None:
        """Keep a sample."""
        self._found.ends[felt] = sample
        self._measurements.taken += 1
        self._wanted = felt.other
        self._free = False
        self._lifted()
        if len(self._found.ends) == 2:
            self._end(None)

    def _end(self, trouble: Trouble | None) -> None:
        self._found.trouble = trouble
        self._measurements.fields[self.index] = self._found
        self.over = True
