"""Timing the glasses: runs from what hands, buttons and words at the board report. No clock.

Sand cannot be sensed. A glass counts as run down when a person says so, by the start button before the first run
or by calling its last grain, or when it has stood undisturbed long enough. A run counts if the glass was lifted
run down, seated turned over in one go, and left alone until its last grain was called.

When it is uncertain whose last grain was called, the call stays open with its time until somebody says whose it
was. A lifted glass calls nothing by itself, since it may have run out long before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.game.tubes import End
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.workbench.figures import ENDS, TIMER, Figures, TimedRun, run_words
from tamsk_hw.workbench.walk import NoteKind
from tamsk_hw.workbench.watch import MOMENT, GlassStanding, GlassWatch, TimedGlass, TimedGlassView, Turning

#: A call within this many seconds of the seating is a slip.
LEAST_SECONDS: Final = 1.0

#: Seconds for which the start button alone may still call a glass that was lifted at its end.
LIFTED_WITHIN: Final = 5.0

#: The timer's runs for each of a glass's: in short runs hand and eye weigh more.
TIMER_RUNS: Final = 4

_TYPED: Final = "a glass (D1 …, timer), back, drop NUMBER, void GLASS, end, or Enter alone for the start button"


class TimingPhase(Enum):
    """The phases of a timing."""

    SETTING_UP = "setting up"  #: until a person says that all sand is down
    TIMING = "timing"
    REVIEW = "review"  #: enough runs, but some do not agree
    DONE = "done"


class GlassTiming(GlassWatch):
    """The timing of the glasses ``names`` (of `TIMED_NAMES`). Times are host seconds.

    ``wanted``: runs of each direction (of the timer `TIMER_RUNS` times as many). ``known``: the
    calibration so far.
    """

    def __init__(self, names: Sequence[str], wanted: int, known: KnownCalibration) -> None:
        super().__init__(names, known)
        self.phase = TimingPhase.SETTING_UP
        self._wanted = wanted
        self._selected: str | None = None
        self._open: list[float] = []
        self._last: tuple[TimedRun, Turning, int, bool] | None = None
        self._number = 0

    @property
    def over(self) -> bool:
        """There are enough runs, or the person ended the timing."""
        return self.phase is TimingPhase.DONE

    # ---- what is shown

    @property
    def open_calls(self) -> int:
        """Number of calls that nobody has given to a glass yet."""
        return len(self._open)

    def wanting(self, name: str) -> Mapping[End, int]:
        """The runs that a glass still needs, by the end that is down."""
        wanted = self._wanted * (TIMER_RUNS if name == TIMER else 1)
        return {end: self.figures.of(name, end).wanting(wanted) for end in ENDS}

    def views(self, now: float) -> list[TimedGlassView]:
        """All glasses as they are now."""
        asked = set(self._choice(now)) if self._open else set()
        ends = {
            name: glass.start.middle + self.expectation(name, glass.start.end).seconds
            for name, glass in self._glasses.items()
            if glass.start is not None
        }
        first = min(ends, key=ends.__getitem__, default=None)
        return [
            TimedGlassView(
                name=name,
                standing=glass.standing(now),
                end=None if glass.sand is None else glass.sand.end,
                left=ends[name] - now if name in ends else None,
                needs=self.wanting(name),
                expected_next=name == first,
                selected=name == self._selection(now),
                in_question=name in asked,
            )
            for name, glass in self._glasses.items()
        ]

    # ---- what people say

    def on_press(self, button: Button, t: float) -> None:
        """Take a press: start short confirms or calls, start long takes back, red and black select."""
        if button.button is ButtonName.START:
            if button.press is Press.LONG:
                self.take_back()
            else:
                self.confirm(button.t)
        elif button.press is Press.SHORT:
            self.select(1 if button.button is ButtonName.BLACK else -1, button.t)

    def on_typed(self, text: str, t: float) -> None:
        """Take a line that was typed, at the time of its Enter."""
        word, _, rest = text.strip().partition(" ")
        names = {name.lower(): name for name in self.names}
        match word.lower():
            case "":
                self.confirm(t)
            case "back":
                self.take_back()
            case "end":
                self.phase = TimingPhase.DONE
            case "drop" if rest.strip().isdecimal():
                self.drop(int(rest))
            case "void" if rest.strip().lower() in names:
                self._void(self._glasses[names[rest.strip().lower()]], "was touched", t)
            case lower if lower in names and not rest:
                self.call(t, names[lower])
            case _:
                self._warn(f"{text.strip()!r} is not known; type {_TYPED}.")

    def confirm(self, t: float) -> None:
        """Take the start button: all sand is down, a last grain falls, or the figures stand."""
        if self.phase is TimingPhase.SETTING_UP:
            self._begin(t)
        elif self.phase is TimingPhase.TIMING:
            self.call(t)
        else:
            self.phase = TimingPhase.DONE

    def call(self, t: float, name: str | None = None) -> None:
        """Take the call of a last grain at ``t``: of that glass, of the selected one, or of the only one due.

        While a call stands open, a name or a selected glass answers that one.
        """
        if self.phase is TimingPhase.SETTING_UP:
            self._warn("Nothing runs yet: first press start when all sand is down.")
            return
        named = name or self._selection(t)
        if named is not None:
            self._selected = None
            if self._take(self._glasses[named], self._open[0] if self._open else t) and self._open:
                self._open.pop(0)
        elif not self._open and len(found := self._candidates(t)) == 1:
            self._take(self._glasses[found[0]], t)
        else:
            self._ask(t)
        self._look_for_end()

    def select(self, step: int, t: float) -> None:
        """Select the next (1) or the one before (-1) of the glasses that can be called."""
        choice = self._choice(t) if self._set_up else []
        if not choice:
            return
        if self._selected in choice:
            self._selected = choice[(choice.index(self._selected) + step) % len(choice)]
        else:
            self._selected = choice[0 if step > 0 else -1]
        self.note(f"{self._selected} is selected: press start for its last grain.")

    def take_back(self) -> None:
        """Forget the open call, or take back the last one that was taken: then it stands open."""
        if self._open:
            self._open.pop()
            self.note("That call is forgotten.")
            return
        if self._last is None:
            self._warn("There is no call to take back.")
            return
        run, start, moves, by_lifting = self._last
        self._last = None
        self.figures = Figures(tuple(each for each in self.figures.runs if each.number != run.number))
        self.phase = TimingPhase.TIMING
        glass = self._glasses[run.glass]
        assert glass.sand is not None
        if glass.moves == moves and not by_lifting:
            glass.start = start
            glass.seen(start.end, start.seated)
            self._warn(f"Run {run.number} is taken back: {run.glass} still runs.")
        else:
            glass.start = None
            glass.down_when_lifted = False
            standing = glass.sand.standing
            glass.seen(glass.sand.end, glass.sand.since)
            if not standing:
                glass.sand = glass.sand.lifted(glass.sand.since)
            self._warn(
                f"Run {run.number} is taken back; {run.glass} was moved since, so it counts again once run down."
            )
        if not by_lifting:
            self._open.append(run.called)
            self.note("Whose call was it? Select that glass and press start; hold start to forget the call.")

    def drop(self, number: int) -> None:
        """Throw a run out."""
        if not any(run.number == number and not run.dropped for run in self.figures.runs):
            self._warn(f"There is no run {number}.")
            return
        self.figures = self.figures.drop(number)
        self.note(f"Run {number} is thrown out.")
        self._look_for_end()

    # ---- parts

    def _choice(self, t: float) -> list[str]:
        """The glasses that red and black select from: those of the oldest open call, else all to be called."""
        if self._open and (found := self._candidates(self._open[0])):
            return found
        counting = [name for name, glass in self._glasses.items() if glass.start or glass.lifted_run]
        return counting if self._open and counting else self._callable(t)

    def _selection(self, t: float) -> str | None:
        """The glass that is selected, as long as it can be called."""
        return self._selected if self._selected in self._callable(t) else None

    def _candidates(self, t: float) -> list[str]:
        """The glasses that a call at ``t`` may mean."""
        return [
            name
            for name, glass in self._glasses.items()
            if (glass.start is not None and self._is_due(name, glass.start, t))
            or (glass.lifted_run is not None and 0 <= t - glass.lifted_run[1] <= LIFTED_WITHIN)
        ]

    def _callable(self, t: float) -> list[str]:
        """Every glass that can be called at all."""
        return [
            name
            for name, glass in self._glasses.items()
            if glass.start or glass.lifted_run or glass.standing(t) is GlassStanding.UNKNOWN
        ]

    def _ask(self, t: float) -> None:
        if not self._callable(t):
            self._warn("Nothing runs: turn a glass over first.")
            return
        self._open.append(t)
        who = " or ".join(self._candidates(t)) or "none is due"
        self._warn(f"Whose last grain was it ({who})? Select with red and black, then start; or type the name.")

    def _begin(self, t: float) -> None:
        """Begin: a person says that all sand is down."""
        bad = [name for name, glass in self._glasses.items() if glass.sand is None or not glass.sand.standing]
        bad += [glass.name for glass in self._glasses.values() if glass.leaning_since is not None]
        if bad or self._elsewhere or self._lost_since is not None:
            places = bad or [str(tube) for tube in sorted(self._elsewhere)] or ["the cable"]
            self._warn(f"Not yet: every glass must stand on its own tube. Look at {', '.join(places)}.")
            return
        for glass in self._glasses.values():
            glass.run_down(t)
        self.phase, self._set_up = TimingPhase.TIMING, True
        self.note("Now turn over each glass when you like, one at a time.", NoteKind.TAKEN)

    def _take(self, glass: TimedGlass, t: float) -> bool:
        """Give a call at ``t`` to that glass; False when it cannot be the glass's."""
        if glass.lifted_run is not None:
            start, lifted = glass.lifted_run
            glass.lifted_run = None
            self._record(glass, start, min(t, lifted), by_lifting=True)
            self._resume(glass)
            return True
        start_now = glass.start
        if start_now is not None and t < start_now.seated + LEAST_SECONDS:
            self._warn(f"{glass.name} did not run then.")
            return False
        if start_now is not None and self._lost_since is not None and t - self._lost_since > MOMENT:
            self._void(glass, "ran while the board was out of reach", t)
            start_now = None
        if start_now is None:
            if glass.standing(t) is not GlassStanding.UNKNOWN:
                self._warn(f"{glass.name} does not run.")
                return False
            glass.run_down(t)
            self.note(f"{glass.name} is run down; that run was not timed.")
            return True
        glass.start = None
        glass.run_down(t)
        self._record(glass, start_now, t, by_lifting=False)
        return True

    def _resume(self, glass: TimedGlass) -> None:
        """Continue from a lifted glass that had just run down."""
        lifted, seated, turned = glass.hand
        glass.run_down(seated)
        if glass.away_since is not None:
            glass.down_when_lifted = True
        elif turned:
            assert glass.sand is not None
            self._start(glass, Turning(glass.sand.end, lifted, seated))

    def _record(self, glass: TimedGlass, start: Turning, called: float, *, by_lifting: bool) -> None:
        self._number += 1
        expected = self.expectation(glass.name, start.end)
        run = TimedRun(
            number=self._number,
            glass=glass.name,
            end=start.end,
            lifted=start.lifted,
            seated=start.seated,
            called=called,
        )
        self.figures = replace(self.figures, runs=(*self.figures.runs, run))
        self._last = (run, start, glass.moves, by_lifting)
        self.note(f"{glass.name}, end {start.end} down: {run.seconds:.1f} s (run {run.number}).", NoteKind.TAKEN)
        odd = self.figures.of(glass.name, start.end).odd
        if odd:
            for words in run_words(odd):
                self._warn(f"{words}.")
        elif not expected.window()[0] <= run.seconds <= expected.window()[1]:
            self._warn(f"About {expected.seconds:.0f} s were expected: was it {glass.name}? Else take it back.")

    def _look_for_end(self) -> None:
        """Change the phase when enough was timed."""
        if self.phase is TimingPhase.SETTING_UP or self._open:
            return
        before, odd = self.phase, self.figures.odd
        if any(any(self.wanting(name).values()) for name in self.names):
            self.phase = TimingPhase.TIMING
        else:
            self.phase = TimingPhase.REVIEW if odd else TimingPhase.DONE
        if self.phase is TimingPhase.REVIEW and before is not TimingPhase.REVIEW:
            self._warn(
                "Enough runs, but these do not agree; press start to keep them, or throw out with drop NUMBER:"
            )
            for words in run_words(odd):
                self._warn(f"  {words}")
