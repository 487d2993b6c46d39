"""Timing the glasses: runs from what hands, buttons and words at the board report. No clock.

Sand cannot be sensed. A glass counts as run down when a person says so, by the start button before the first run
or by calling its last grain, or when it has stood undisturbed long enough. A run counts if the glass was lifted
run down, seated turned over in one go, and left alone until its last grain was called.

When it is uncertain whose last grain was called, the call stays open with its time until somebody says whose it
was. A lifted glass calls nothing by itself, since it may have run out long before.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, assert_never

from tamsk_hw.board.calibration import GLASS_NAMES
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee import events
from tamsk_hw.referee.events import SensorKind
from tamsk_hw.workbench import figures
from tamsk_hw.workbench.board import Board
from tamsk_hw.workbench.figures import ENDS, TIMER, TimedGlass
from tamsk_hw.workbench.walk import COMPLAINT, TAKEN, Walk

#: Seconds that a glass and the timer run when nothing better is known (R6.1).
NOMINAL: Final = 180.0
NOMINAL_TIMER: Final = 15.0

#: Most seconds in the hand, from lift to seat, of a turning that begins a run: the sand begins to run somewhere in
#: between.
MOST_HELD: Final = 3.5
MOST_HELD_TIMER: Final = 2.0

#: The expected deviation of a run: of a glass timed in this session, in an earlier one, in none (shares).
TIMED_NOW, TIMED_BEFORE, UNTIMED = 0.02, 0.03, 0.08

#: A glass that leans longer is not just on its way (seconds).
MOST_LEANING: Final = 1.5

#: Longer than this (seconds) out of sight, a glass may have been turned over and back.
MOMENT: Final = 1.0

#: A call within this many seconds of the seating is a slip.
LEAST_SECONDS: Final = 1.0

#: Seconds for which the start button alone may still call a glass that was lifted at its end.
LIFTED_WITHIN: Final = 5.0

#: The timer's runs for each of a glass's: in short runs hand and eye weigh more.
TIMER_RUNS: Final = 4

_TYPED: Final = "a glass (D1 …, timer), back, drop NUMBER, void GLASS, end, or Enter alone for the start button"


#: The phases of a timing. Setting up ends when a person says that all sand is down; in review there are enough
#: runs, but some do not agree.
TimingPhase = Literal["setting up", "timing", "review", "done"]


class GlassTiming(Walk):
    """The timing of the glasses ``names`` (of `TIMED_NAMES`). Times are host seconds.

    ``wanted``: runs of each direction (of the timer `TIMER_RUNS` times as many).
    """

    def __init__(self, setup: Board, names: Sequence[str], wanted: int) -> None:
        super().__init__(setup)
        self.names = tuple(name for name in figures.TIMED_NAMES if name in names)
        self.phase: TimingPhase = "setting up"
        self.figures = figures.Figures()
        self.elsewhere: set[Tube] = set()
        """Tubes with a glass that does not start there."""
        self.open_calls: list[float] = []
        """The times of the calls that nobody has given to a glass yet."""
        self._wanted, self._known = wanted, setup.known
        self.glasses = {name: TimedGlass(name, self._durations(name)) for name in self.names}
        self._faulty: dict[events.SensorId, tuple[str, ...]] = {}
        self._lost_since: float | None = None
        self._unseen: tuple[float, float] | None = None
        self._selected: str | None = None
        self._last: tuple[figures.TimedRun, int, bool] | None = None
        self._number = 0

    @property
    def over(self) -> bool:
        """There are enough runs, or the person ended the timing."""
        return self.phase == "done"

    # ---- what the board says

    def handle(self, event: events.Event) -> None:
        """Take a sensed event."""
        match event:
            case events.Seat(t, tube, end) if tube.name in self.glasses:
                self._seat(self.glasses[tube.name], end, t)
            case events.Seat(t, tube) if tube.name not in GLASS_NAMES:
                self.elsewhere.add(tube)
                self._warn(f"A glass stands on {tube}: put it back on the tube that it starts on.")
            case events.Lift(t, tube):
                self.elsewhere.discard(tube)
                if tube.name in self.glasses:
                    self._lift(self.glasses[tube.name], t)
            case events.Tilt(t, tube) if tube.name in self.glasses:
                glass = self.glasses[tube.name]
                if glass.away_since is None and glass.leaning_since is None:
                    glass.leaning_since = t
            case events.TimerSeated(t, end) if TIMER in self.glasses:
                self._seat(self.glasses[TIMER], end, t)
            case events.TimerLifted(t) if TIMER in self.glasses:
                self._lift(self.glasses[TIMER], t)
            case events.Fault(t, sensor, detail, cleared):
                self._fault(sensor, detail, cleared, t)

    def link_lost(self, t: float) -> None:
        """Note that the board has been out of reach since ``t``."""
        if self._lost_since is None:
            self._lost_since = t

    def link_restored(self, t: float) -> None:
        """Note that the board is back. A glass may have been turned over and back meanwhile."""
        if self._lost_since is None:
            return
        since, self._lost_since = self._lost_since, None
        self._unseen = (since, t)
        if t - since <= MOMENT:
            return
        for glass in self.glasses.values():
            if glass.sand is None or not glass.sand.standing:
                continue
            self._void(glass, f"was out of sight for {t - since:.0f} s", t)
            sand = glass.sand
            glass.sand = sand.lifted(max(since, sand.since)).seated(max(t, sand.since), sand.end, False)

    def advance(self, t: float) -> None:
        """Time has passed to ``t``: void runs of leaning glasses and those that nobody called."""
        for glass in self.glasses.values():
            if glass.leaning_since is not None and t - glass.leaning_since > MOST_LEANING:
                self._void(glass, "leans", t)
            if glass.start is not None and self._lost_since is None and glass.is_down(t):
                glass.start = None
                self._warn(f"{glass.name} must have run down by now, uncalled: that run does not count.")

    # ---- what is shown

    def wanting(self, name: str) -> Mapping[End, int]:
        """The runs that a glass still needs, by the end that is down."""
        wanted = self._wanted * (TIMER_RUNS if name == TIMER else 1)
        return {end: self.figures.of(name, end).wanting(wanted) for end in ENDS}

    def expected_ends(self) -> dict[str, float]:
        """The times at which the runs that count are expected to end, by their glasses; the first one first."""
        ends = {
            name: glass.start.middle + self.expectation(name, glass.start.end)[0]
            for name, glass in self.glasses.items()
            if glass.start is not None
        }
        return dict(sorted(ends.items(), key=lambda each: each[1]))

    def ends_next(self, name: str) -> bool:
        """True for the glass whose run is expected to end first."""
        return name == next(iter(self.expected_ends()), None)

    def in_question(self, t: float) -> list[str]:
        """The glasses whose an unanswered call may be."""
        return self._choice(t) if self.open_calls else []

    def selection(self, t: float) -> str | None:
        """The glass that is selected by the buttons, as long as it can be called."""
        return self._selected if self._selected in self._callable(t) else None

    # ---- what people say

    def on_press(self, button: events.Button, t: float) -> None:
        """Take a press: start short confirms or calls, start long takes back, red and black select."""
        if button.button is events.ButtonName.START:
            if button.press is events.Press.LONG:
                self.take_back()
            else:
                self.confirm(button.t)
        elif button.press is events.Press.SHORT:
            self.select(1 if button.button is events.ButtonName.BLACK else -1, button.t)

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
                self.phase = "done"
            case "drop" if rest.strip().isdecimal():
                self.drop(int(rest))
            case "void" if rest.strip().lower() in names:
                self._void(self.glasses[names[rest.strip().lower()]], "was touched", t)
            case lower if lower in names and not rest:
                self.call(t, names[lower])
            case _:
                self._warn(f"{text.strip()!r} is not known; type {_TYPED}.")

    def confirm(self, t: float) -> None:
        """Take the start button: all sand is down, a last grain falls, or the figures stand."""
        if self.phase == "setting up":
            self._begin(t)
        elif self.phase == "timing":
            self.call(t)
        else:
            self.phase = "done"

    def call(self, t: float, name: str | None = None) -> None:
        """Take the call of a last grain at ``t``: of that glass, of the selected one, or of the only one due.

        While a call stands open, a name or a selected glass answers that one.
        """
        if self.phase == "setting up":
            self._warn("Nothing runs yet: first press start when all sand is down.")
            return
        named = name or self.selection(t)
        if named is not None:
            self._selected = None
            if self._take(self.glasses[named], self.open_calls[0] if self.open_calls else t) and self.open_calls:
                self.open_calls.pop(0)
        elif not self.open_calls and len(found := self._candidates(t)) == 1:
            self._take(self.glasses[found[0]], t)
        else:
            self._ask(t)
        self._look_for_end()

    def select(self, step: int, t: float) -> None:
        """Select the next (1) or the one before (-1) of the glasses that can be called."""
        choice = [] if self.phase == "setting up" else self._choice(t)
        if not choice:
            return
        if self._selected in choice:
            self._selected = choice[(choice.index(self._selected) + step) % len(choice)]
        else:
            self._selected = choice[0 if step > 0 else -1]
        self.note(f"{self._selected} is selected: press start for its last grain.")

    def take_back(self) -> None:
        """Forget the open call; without one, take the last call back from its glass, so that it is open again."""
        if self.open_calls:
            self.open_calls.pop()
            self.note("That call is forgotten.")
            return
        if self._last is None:
            self._warn("There is no call to take back.")
            return
        run, moves, by_lifting = self._last
        self._last = None
        self.figures = figures.Figures(tuple(each for each in self.figures.runs if each.number != run.number))
        self.phase = "timing"
        glass = self.glasses[run.glass]
        assert glass.sand is not None
        if glass.moves == moves and not by_lifting:
            glass.start = run.turning
            glass.seen(run.turning.end, run.turning.seated)
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
            self.open_calls.append(run.called)
            self.note("Whose call was it? Select that glass and press start; hold start to forget the call.")

    def drop(self, number: int) -> None:
        """Throw a run out."""
        if not any(run.number == number and not run.dropped for run in self.figures.runs):
            self._warn(f"There is no run {number}.")
            return
        self.figures = self.figures.drop(number)
        self.note(f"Run {number} is thrown out.")
        self._look_for_end()

    # ---- calls

    def _choice(self, t: float) -> list[str]:
        """The glasses that red and black select from: those of the oldest open call, else all to be called."""
        if self.open_calls and (found := self._candidates(self.open_calls[0])):
            return found
        counting = [name for name, glass in self.glasses.items() if glass.start or glass.lifted_run]
        return counting if self.open_calls and counting else self._callable(t)

    def _candidates(self, t: float) -> list[str]:
        """The glasses that a call at ``t`` may mean."""
        return [
            name
            for name, glass in self.glasses.items()
            if (glass.start is not None and self._is_due(name, glass.start, t))
            or (glass.lifted_run is not None and 0 <= t - glass.lifted_run[1] <= LIFTED_WITHIN)
        ]

    def _callable(self, t: float) -> list[str]:
        """Every glass that can be called at all."""
        return [
            name
            for name, glass in self.glasses.items()
            if glass.start or glass.lifted_run or glass.standing(t) == "runs, not timed"
        ]

    def _ask(self, t: float) -> None:
        if not self._callable(t):
            self._warn("Nothing runs: turn a glass over first.")
            return
        self.open_calls.append(t)
        who = " or ".join(self._candidates(t)) or "none is due"
        self._warn(f"Whose last grain was it ({who})? Select with red and black, then start; or type the name.")

    def _begin(self, t: float) -> None:
        """Begin: a person says that all sand is down."""
        glasses = self.glasses.values()
        bad = [glass.name for glass in glasses if glass.sand is None or not glass.sand.standing]
        bad += [glass.name for glass in glasses if glass.leaning_since is not None]
        if bad or self.elsewhere or self._lost_since is not None:
            places = bad or [str(tube) for tube in sorted(self.elsewhere)] or ["the cable"]
            self._warn(f"Not yet: every glass must stand on its own tube. Look at {', '.join(places)}.")
            return
        for glass in glasses:
            glass.run_down(t)
        self.phase = "timing"
        self.note("Now turn over each glass when you like, one at a time.", TAKEN)

    def _take(self, glass: TimedGlass, t: float) -> bool:
        """Give a call at ``t`` to that glass; False when it cannot be the glass's."""
        if glass.lifted_run is not None:
            (start, lifted), glass.lifted_run = glass.lifted_run, None
            if t < lifted + self.expectation(glass.name, start.end)[1]:
                self._record(glass, start, min(t, lifted), by_lifting=True)
                self._resume(glass)
            else:
                self._warn(f"Nobody called {glass.name} when it was lifted: neither that run nor this one counts.")
                glass.run_down(t)
            return True
        start_now = glass.start
        if start_now is not None and t < start_now.seated + LEAST_SECONDS:
            self._warn(f"{glass.name} did not run then.")
            return False
        if start_now is not None and self._lost_since is not None and t - self._lost_since > MOMENT:
            self._void(glass, "ran while the board was out of reach", t)
            start_now = None
        if start_now is None:
            if glass.standing(t) != "runs, not timed":
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
            self._start(glass, figures.Turning(glass.sand.end, lifted, seated))

    def _record(self, glass: TimedGlass, start: figures.Turning, called: float, *, by_lifting: bool) -> None:
        self._number += 1
        expected, least, most = self.expectation(glass.name, start.end)
        run = figures.TimedRun(self._number, glass.name, start, called)
        self.figures = figures.Figures((*self.figures.runs, run))
        self._last = (run, glass.moves, by_lifting)
        self.note(f"{glass.name}, end {start.end} down: {run.seconds:.1f} s (run {run.number}).", TAKEN)
        odd = self.figures.of(glass.name, start.end).odd
        if odd:
            for words in figures.run_words(odd):
                self._warn(f"{words}.")
        elif not least <= run.seconds <= most:
            self._warn(f"About {expected:.0f} s were expected: was it {glass.name}? Else take it back.")

    def _look_for_end(self) -> None:
        """Change the phase when enough was timed."""
        if self.phase == "setting up" or self.open_calls:
            return
        before, odd = self.phase, self.figures.odd
        if any(any(self.wanting(name).values()) for name in self.names):
            self.phase = "timing"
        else:
            self.phase = "review" if odd else "done"
        if self.phase == "review" and before != "review":
            self._warn(
                "Enough runs, but these do not agree; press start to keep them, or throw out with drop NUMBER:"
            )
            for words in figures.run_words(odd):
                self._warn(f"  {words}")

    # ---- glasses as they are moved

    def _warn(self, words: str) -> None:
        self.note(words, COMPLAINT)

    def _durations(self, name: str) -> tuple[float, float]:
        """The durations from an earlier session, else the nominal ones."""
        sand = self._known.calibration.sand
        if name == TIMER:
            return sand.timer if self._known.timer_timed else (NOMINAL_TIMER, NOMINAL_TIMER)
        return {tube.name: pair for tube, pair in sand.glasses}.get(name, sand.glass)

    def expectation(self, name: str, end: End) -> tuple[float, float, float]:
        """The expected seconds of a glass's next run, then the least and the most that its last grain may take."""
        timed = self._known.timer_timed if name == TIMER else name in self._known.glasses
        before = _within(self._durations(name)[ENDS.index(end)], TIMED_BEFORE if timed else UNTIMED)
        found = self.figures.of(name, end)
        # One run alone that nobody expected may have been another glass's.
        if found.runs and not found.odd and (len(found.runs) > 1 or before[1] <= found.mean <= before[2]):
            return _within(found.mean, TIMED_NOW)
        return before

    def _is_due(self, name: str, start: figures.Turning, t: float) -> bool:
        """True when the glass's last grain is expected about ``t``."""
        _, least, most = self.expectation(name, start.end)
        return least <= t - start.middle <= most

    def _void(self, glass: TimedGlass, why: str, t: float) -> None:
        """Void the glass's present run, if any."""
        if glass.start is not None:
            glass.start = None
            assert glass.sand is not None
            glass.seen(glass.sand.end, max(t, glass.sand.since))
            self._warn(f"{glass.name} {why}: its run does not count. Leave it until it has run down.")

    def _lift(self, glass: TimedGlass, t: float) -> None:
        if glass.sand is None or glass.away_since is not None:
            return
        if glass.leaning_since is not None and t - glass.leaning_since <= MOST_LEANING:
            t = glass.leaning_since
        if self._unseen is not None and t - self._unseen[1] <= MOMENT:
            t = self._unseen[0]
        t = max(t, glass.sand.since)
        glass.leaning_since = None
        glass.moves += 1
        glass.away_since = t
        glass.down_when_lifted = glass.is_down(t)
        glass.sand = glass.sand.lifted(t)
        start, glass.start = glass.start, None
        if glass.lifted_run is not None:
            glass.lifted_run = None
            self._warn(f"{glass.name} was lifted again; the run before does not count, for nobody called it.")
        if start is not None and self._is_due(glass.name, start, t):
            glass.lifted_run = (start, t)
            glass.down_when_lifted = False
            self._warn(
                f"{glass.name} was lifted after {t - start.middle:.1f} s. "
                "If its last grain had just fallen, call it now."
            )
        elif start is not None:
            self._warn(f"{glass.name} was lifted after {t - start.middle:.0f} s: that run does not count.")
        others = [each.name for each in self.glasses.values() if each.away_since is not None and each is not glass]
        if others and self.phase != "setting up":
            self._warn(f"{glass.name} and {', '.join(others)} are in the hand: put each back on its own tube.")

    def _seat(self, glass: TimedGlass, end: End, t: float) -> None:
        if glass.sand is None:
            glass.leaning_since = None
            glass.seen(end, t)
            return
        if glass.leaning_since is not None and glass.away_since is None:
            glass.leaning_since = None
            self._void(glass, "leaned", t)
            return
        if glass.away_since is None:
            return
        lifted, glass.away_since, glass.leaning_since = glass.away_since, None, None
        glass.moves += 1
        turned = end is not glass.sand.end
        glass.sand = glass.sand.seated(max(t, glass.sand.since), end, False)
        glass.hand = (lifted, t, turned)
        if self.phase == "setting up" or glass.lifted_run is not None:
            return
        if glass.down_when_lifted:
            if turned:
                self._start(glass, figures.Turning(end, lifted, t))
            else:
                glass.run_down(t)
        else:
            self._warn(
                f"{glass.name} does not run from full, so this does not count. Leave it until it has run down."
            )

    def _start(self, glass: TimedGlass, start: figures.Turning) -> None:
        """Begin a run: a glass that was run down has been turned over."""
        glass.seen(start.end, start.seated)
        if start.held > (MOST_HELD_TIMER if glass.name == TIMER else MOST_HELD):
            self._warn(
                f"{glass.name} was in the hand for {start.held:.1f} s, too long to say when its "
                "sand began to run: this does not count. Leave it until it has run down."
            )
        elif any(glass.name in names for names in self._faulty.values()):
            self._warn(f"{glass.name} runs, but its sensor cannot be trusted: this does not count.")
        else:
            glass.start = start
            self.note(f"{glass.name} runs, end {start.end} down.")

    def _fault(self, sensor: events.SensorId, detail: str, cleared: bool, t: float) -> None:
        """Take a sensor's fault, or its end; a glass may have been moved meanwhile."""
        match sensor.kind:
            case (
                SensorKind.RING
                | SensorKind.RING_LIGHT
                | SensorKind.RING_CONVERTERS
                | SensorKind.RING_SIGNALS
                | SensorKind.HOLDER
                | SensorKind.FIELDS  # a lift that is missed shows by itself, as a run that never ends
            ):
                return
            case SensorKind.GLASS | SensorKind.TIMER:
                watched = TIMER if sensor.kind is SensorKind.TIMER else str(sensor.tube)
                names = tuple(name for name in self.names if name == watched)
            case SensorKind.MUX | SensorKind.SELECT_LINES | SensorKind.SUPPLY | SensorKind.OTHER:
                names = self.names
            case _:
                assert_never(sensor.kind)
        if cleared:
            self._faulty.pop(sensor, None)
        elif names:
            self._faulty[sensor] = names
            self._warn(f"{sensor}: {detail}.")
        for glass in (self.glasses[name] for name in names):
            self._void(glass, "cannot be watched", t)
            if glass.sand is not None and glass.sand.standing:
                glass.seen(glass.sand.end, max(t, glass.sand.since))


def _within(seconds: float, share: float) -> tuple[float, float, float]:
    """Expected seconds, with the least and the most that a run may take; ``share``: the expected deviation."""
    return seconds, seconds * (1 - share) - 0.5, seconds * (1 + share) + 0.5
