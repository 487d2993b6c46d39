"""Watching the glasses that are timed: which of their runs count. No I/O, no clock.

A run counts if the glass was run down, was lifted, turned over and seated in one go, and then stayed in sight,
left alone, until its last grain was called. The calls are those of `session`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from tamsk_hw.board.calibration import GLASS_NAMES, KnownCalibration
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Event, Fault, Lift, Seat, SensorId, SensorKind, Tilt, TimerLifted, TimerSeated
from tamsk_hw.workbench.glass_calibration.figures import ENDS, TIMED_NAMES, TIMER, Figures
from tamsk_hw.workbench.glass_calibration.state import NOMINAL_TIMER, Expectation, TimedGlass, Turning
from tamsk_hw.workbench.walk.prompt import Note, NoteKind

#: The expected deviation of a run: of a glass timed in this session, in an earlier one, in none (shares).
TIMED_NOW, TIMED_BEFORE, UNTIMED = 0.02, 0.03, 0.08

#: A glass that leans longer is not just on its way (seconds).
MOST_LEANING: Final = 1.5

#: Longer than this (seconds) out of sight, a glass may have been turned over and back.
MOMENT: Final = 1.0


class GlassWatch:
    """The timed glasses as the board senses them. Times are host seconds. ``known``: the calibration so far."""

    def __init__(self, names: Sequence[str], known: KnownCalibration) -> None:
        self.names = tuple(name for name in TIMED_NAMES if name in names)
        self.figures = Figures()
        self._known = known
        self._glasses = {name: TimedGlass(name, self._durations(name)) for name in self.names}
        self._elsewhere: set[Tube] = set()
        self._faulty: dict[SensorId, tuple[str, ...]] = {}
        self._set_up = False
        self._lost_since: float | None = None
        self._unseen: tuple[float, float] | None = None
        self._notes: list[Note] = []

    def take_notes(self) -> list[Note]:
        """The notes since the last call."""
        notes, self._notes = self._notes, []
        return notes

    @property
    def elsewhere(self) -> frozenset[Tube]:
        """Tubes with a glass that does not start there."""
        return frozenset(self._elsewhere)

    # ---- what the board says

    def handle(self, event: Event) -> None:
        """Take a sensed event."""
        match event:
            case Seat(t, tube, end):
                if tube.name in self._glasses:
                    self._seat(self._glasses[tube.name], end, t)
                elif tube.name not in GLASS_NAMES:
                    self._elsewhere.add(tube)
                    self._warn(f"A glass stands on {tube}: put it back on the tube that it starts on.")
            case Lift(t, tube):
                self._elsewhere.discard(tube)
                if tube.name in self._glasses:
                    self._lift(self._glasses[tube.name], t)
            case Tilt(t, tube) if tube.name in self._glasses:
                glass = self._glasses[tube.name]
                if glass.away_since is None and glass.leaning_since is None:
                    glass.leaning_since = t
            case TimerSeated(t, end) if TIMER in self._glasses:
                self._seat(self._glasses[TIMER], end, t)
            case TimerLifted(t) if TIMER in self._glasses:
                self._lift(self._glasses[TIMER], t)
            case Fault(t, sensor, detail, cleared):
                self._fault(sensor, detail, cleared, t)
            case _:
                pass

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
        for glass in self._glasses.values():
            if glass.sand is None or not glass.sand.standing:
                continue
            self._void(glass, f"was out of sight for {t - since:.0f} s", t)
            sand = glass.sand
            glass.sand = sand.lifted(max(since, sand.since)).seated(max(t, sand.since), sand.end, False)

    def advance(self, now: float) -> None:
        """Time has passed to ``now``: void runs of leaning glasses and those that nobody called."""
        for glass in self._glasses.values():
            if glass.leaning_since is not None and now - glass.leaning_since > MOST_LEANING:
                self._void(glass, "leans", now)
            if glass.start is not None and self._lost_since is None and glass.is_down(now):
                glass.start = None
                self._warn(f"{glass.name} must have run down by now, uncalled: that run does not count.")

    # ---- parts

    def _say(self, words: str) -> None:
        self._notes.append(Note(words))

    def _warn(self, words: str) -> None:
        self._notes.append(Note(words, NoteKind.WARNING))

    def _durations(self, name: str) -> tuple[float, float]:
        """The durations from an earlier session, else the nominal ones."""
        sand = self._known.calibration.sand
        if name == TIMER:
            return sand.timer if self._known.timer_timed else (NOMINAL_TIMER, NOMINAL_TIMER)
        return {tube.name: pair for tube, pair in sand.glasses}.get(name, sand.glass)

    def expectation(self, name: str, end: End) -> Expectation:
        """The expected duration of a glass's next run."""
        timed = self._known.timer_timed if name == TIMER else name in self._known.glasses
        before = Expectation(self._durations(name)[ENDS.index(end)], TIMED_BEFORE if timed else UNTIMED)
        found = self.figures.of(name, end)
        least, most = before.window()
        # One run alone that nobody expected may have been another glass's.
        if found.runs and not found.odd and (len(found.runs) > 1 or least <= found.mean <= most):
            return Expectation(found.mean, TIMED_NOW)
        return before

    def _is_due(self, name: str, start: Turning, t: float) -> bool:
        """Its last grain may fall at ``t``, by what is expected of it."""
        least, most = self.expectation(name, start.end).window()
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
        others = [
            each.name for each in self._glasses.values() if each.away_since is not None and each is not glass
        ]
        if others and self._set_up:
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
        if not self._set_up or glass.lifted_run is not None:
            return
        if glass.down_when_lifted:
            if turned:
                self._start(glass, Turning(end, lifted, t))
            else:
                glass.run_down(t)
        else:
            self._warn(
                f"{glass.name} does not run from full, so this does not count. Leave it until it has run down."
            )

    def _start(self, glass: TimedGlass, start: Turning) -> None:
        """Begin a run: a glass that was run down has been turned over."""
        glass.seen(start.end, start.seated)
        if start.seated - start.lifted > glass.most_held:
            self._warn(
                f"{glass.name} was in the hand for {start.seated - start.lifted:.1f} s, too long to say when its "
                "sand began to run: this does not count. Leave it until it has run down."
            )
        elif any(glass.name in names for names in self._faulty.values()):
            self._warn(f"{glass.name} runs, but its sensor cannot be trusted: this does not count.")
        else:
            glass.start = start
            self._say(f"{glass.name} runs, end {start.end} down.")

    def _fault(self, sensor: SensorId, detail: str, cleared: bool, t: float) -> None:
        """Take a sensor's fault, or its end; a glass may have been moved meanwhile."""
        match sensor.kind:
            case SensorKind.RING | SensorKind.RING_LIGHT | SensorKind.RING_CHAIN | SensorKind.HOLDER:
                return
            case SensorKind.GLASS:
                names = tuple(name for name in self.names if name == str(sensor.tube))
            case SensorKind.TIMER:
                names = tuple(name for name in self.names if name == TIMER)
            case SensorKind.MUX | SensorKind.SELECT_LINES | SensorKind.SUPPLY | SensorKind.OTHER:
                names = self.names
            case _:
                assert_never(sensor.kind)
        if cleared:
            self._faulty.pop(sensor, None)
        elif names:
            self._faulty[sensor] = names
            self._warn(f"{sensor}: {detail}.")
        for glass in (self._glasses[name] for name in names):
            self._void(glass, "cannot be watched", t)
            if glass.sand is not None and glass.sand.standing:
                glass.seen(glass.sand.end, max(t, glass.sand.since))
