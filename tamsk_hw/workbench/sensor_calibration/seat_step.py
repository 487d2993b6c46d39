"""One tube of a walk: a glass is seated with end A down, then turned over, both taken without a press.

North is out at end A, so the sign of the field shows which end is down (docs/design.md, Glasses). The wrong sign
is either the person's mistake or a sensor mounted the wrong way round. So the person is asked to turn the glass
over, or to press start if it stands right; then the sensor is reported.
"""

from __future__ import annotations

from tamsk_hw.board.calibration import FIELD_NAMES, LEAST_DEFLECTION, KnownCalibration
from tamsk_hw.board.protocol import TIMER_FIELD, Snapshot
from tamsk_hw.facts.calibration_findings import FieldFault, FieldTrouble
from tamsk_hw.game.tubes import End
from tamsk_hw.words.calibration_findings import field_words
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.readings import field_sensor
from tamsk_hw.workbench.sensor_calibration.measurements import MIDDLE, FieldFound, Measurements, marks_of
from tamsk_hw.workbench.sensor_calibration.samples import Agreement, Rule, Sample
from tamsk_hw.workbench.sensor_calibration.step import MeasuringStep
from tamsk_hw.workbench.walk.prompt import Answer, Lit, Prompt

#: A seated glass stands still under this rule.
SEATED = Rule(readings=18, seconds=0.8, margin=8.0, drift=1.0, head=0.4)

#: A glass that gives less than this share of what it gives in the other tubes leans, or the sensor is weak.
LEANING_SHARE = 0.7

#: Seconds that a glass must stand in another tube before that is said: it may be on its way.
ELSEWHERE = 0.6

#: Seconds of unrest after which a field is called noisy.
RESTLESS = 4.0

_OTHER = {End.A: End.B, End.B: End.A}


class SeatStep(MeasuringStep):
    """Measures one field, ``index``, with both ends down. ``next_index`` is where the glass goes afterwards."""

    def __init__(
        self, measurements: Measurements, index: int, earlier: KnownCalibration, *, next_index: int | None = None
    ) -> None:
        super().__init__()
        self.index = index
        self._measurements = measurements
        self._earlier = earlier
        self._next = next_index
        self._glass = "the timer" if index == TIMER_FIELD else "the glass"
        self._found = FieldFound(rest=measurements.fields[index].rest)
        self._wanted = End.A
        self._agreement = Agreement(SEATED)
        self._free = True  # the glass was away since the last sample, so that what stands now is meant
        self._first = True
        self._present_since: float | None = None
        self._left_over: set[int] = set()
        self._elsewhere: list[int] = []
        self._elsewhere_since: float | None = None
        self._stands_elsewhere = False
        self._wrong_end: Sample | None = None
        self._weak: Sample | None = None
        self._noisy = False
        self._asked_nothing = False

    # ---- what comes in

    def see(self, snapshot: Snapshot, t: float) -> None:
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
        if self._present_since is None:
            self._present_since = t
        if self._wrong_end is not None and (size > 0) is (self._wanted is End.A):
            self._lifted()
        if not self._agreement.see(reading, t):
            self._noisy = t - self._present_since > RESTLESS
            return
        self._noisy = False
        sample = self._agreement.sample
        if sample is None:
            return
        felt = End.A if sample.mean > self._rest else End.B
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
        self._present_since = None

    def answer(self, answer: Answer, t: float) -> None:
        """Go on: the glass stands as it should, whatever the sensor says."""
        if self.over:
            return
        if self._wrong_end is not None:
            self._found.contrary = True
            felt = End.A if self._wrong_end.mean > self._rest else End.B
            if felt in self._found.ends:
                self._end(FieldTrouble(FieldFault.SAME_ENDS))
            else:
                self._take(felt, self._wrong_end)
        elif self._weak is not None:
            self._found.confirmed = True
            felt = End.A if self._weak.mean > self._rest else End.B
            self._take(felt, self._weak)
        elif self._noisy:
            self._end(FieldTrouble(FieldFault.JUMPS_LOADED, (self._agreement.unrest,)))
        elif self._present_since is None and self._stands_elsewhere and len(self._elsewhere) == 1:
            self._end(FieldTrouble(FieldFault.SWAPPED, other=field_sensor(self._elsewhere[0])))
        elif self._present_since is None and self._asked_nothing:
            self._end(FieldTrouble(FieldFault.FEELS_NOTHING))
        elif self._present_since is None:
            self._asked_nothing = True

    # ---- what is shown

    def prompt(self) -> Prompt:
        """Say where the glass goes, and with which end down."""
        name = FIELD_NAMES[self.index] if self.index != TIMER_FIELD else "its cradle"
        turn = bool(self._found.ends)
        lit = {self.index: Lit.TURN if turn or self._wrong_end is not None else Lit.HERE}
        if turn and self._next is not None:
            lit[self._next] = Lit.NEXT
        if turn:
            words = f"Turn {self._glass} over: end {self._meant} down in {name}"
        else:
            words = f"Set {self._glass} into {name}, end {self._meant} down"
        trouble = self._trouble(name)
        if self._stands_elsewhere:
            lit |= dict.fromkeys(self._elsewhere, Lit.WRONG)
        ready = self._wrong_end or self._weak or self._noisy or self._asked_nothing or self._stands_elsewhere
        return Prompt(title="", words=words, trouble=trouble, marks=marks_of(lit), awaits_start=bool(ready))

    def _trouble(self, name: str) -> str:
        if self._wrong_end is not None:
            return (
                f"End {_OTHER[self._meant]} is felt there: turn {self._glass} over. If end {self._meant} is down, "
                "press start: "
                "the sensor is then named as mounted the wrong way round."
            )
        if self._weak is not None:
            share = abs(self._weak.mean - self._rest) / self._typical
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
            others = some_of((field_words(field_sensor(index)) for index in self._elsewhere), 6)
            return (
                f"A glass is felt at {others}: it belongs into {name}. If it stands in {name}, press start: the "
                "sensors are then named as swapped."
            )
        if self._asked_nothing:
            return (
                f"Nothing is felt in {name}. If {self._glass} stands in it, press start again: the sensor is dead."
            )
        return ""

    # ---- parts

    @property
    def _meant(self) -> End:
        """The end that the person is asked for; a sensor mounted the wrong way round feels the other."""
        return _OTHER[self._wanted] if self._found.contrary else self._wanted

    @property
    def _rest(self) -> float:
        return (
            self._found.rest.mean
            if self._found.rest is not None
            else self._measurements.baseline.get(self.index, MIDDLE)
        )

    @property
    def _typical(self) -> float:
        felt = End.A if self._weak is not None and self._weak.mean > self._rest else End.B
        return self._measurements.typical(felt, self._earlier) or float("inf")

    def _lifted(self) -> None:
        """Forget the present glass: it was lifted, or turned over."""
        self._agreement.restart()
        self._present_since = self._wrong_end = self._weak = None
        self._noisy = False

    def _look_elsewhere(self, snapshot: Snapshot, t: float) -> None:
        """Find glasses elsewhere that were not there when this step began."""
        felt = [
            index
            for index, rest in self._measurements.baseline.items()
            if index != self.index
            and abs(snapshot.fields[index] - rest) >= LEAST_DEFLECTION
            and self._is_trusted(index)
        ]
        if self._first:
            self._left_over = set(felt)
        self._left_over &= set(felt)
        self._elsewhere = [index for index in felt if index not in self._left_over]
        if not self._elsewhere:
            self._elsewhere_since = None
        elif self._elsewhere_since is None:
            self._elsewhere_since = t
        self._stands_elsewhere = (
            self._elsewhere_since is not None
            and t - self._elsewhere_since >= ELSEWHERE
            and self._present_since is None
        )

    def _is_trusted(self, index: int) -> bool:
        found = self._measurements.fields.get(index)
        return found is None or found.rest is not None

    def _take(self, felt: End, sample: Sample) -> None:
        """Keep a sample."""
        self._found.ends[felt] = sample
        self.taken += 1
        self._wanted = _OTHER[felt]
        self._free = False
        self._lifted()
        if len(self._found.ends) == 2:
            self._end(None)

    def _end(self, trouble: FieldTrouble | None) -> None:
        self._found.trouble = trouble
        self._measurements.fields[self.index] = self._found
        self.over = True
