"""Watching the glasses that are timed: the state of each, and which of their runs count. No clock.

A run counts if the glass was run down, was lifted, turned over and seated in one go, and then stayed in sight,
left alone, until its last grain was called. The calls are those of `timing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from tamsk_hw.board.calibration import GLASS_NAMES, KnownCalibration
from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Event, Fault, Lift, Seat, SensorId, SensorKind, Tilt, TimerLifted, TimerSeated
from tamsk_hw.workbench.figures import ENDS, TIMED_NAMES, TIMER, Figures
from tamsk_hw.workbench.walk import NoteKind, Walk

#: Seconds that a glass and the timer run when nothing better is known (R6.1).
NOMINAL: Final = 180.0
NOMINAL_TIMER: Final = 15.0

#: The share by which a run may exceed its expectation before its sand is certainly down.
CERTAIN: Final = 0.25

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


class GlassStanding(Enum):
    """The place and the sand of a glass."""

    MISSING = "missing"  #: has not been seen on its tube
    HAND = "in the hand"
    LEANING = "leaning"
    UNKNOWN = "runs, not timed"  #: stands; where its sand is nobody knows, or it did not start from full
    DOWN = "run down"
    RUNNING = "running"  #: from full, timed


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected duration of a run: ``seconds``, give or take ``share`` of it."""

    seconds: float
    share: float

    def window(self) -> tuple[float, float]:
        """The least and the most seconds after the middle of its turning at which its last grain is expected."""
        return self.seconds * (1 - self.share) - 0.5, self.seconds * (1 + self.share) + 0.5


@dataclass(frozen=True, slots=True)
class Turning:
    """The turning that began a run: ``end`` is down; lifted and seated at these host seconds."""

    end: End
    lifted: float
    seated: float

    @property
    def middle(self) -> float:
        """The best estimate of when the sand began to run."""
        return (self.lifted + self.seated) / 2


@dataclass(slots=True)
class TimedGlass:
    """One glass.

    ``sand`` is None until it has been seen. ``start``: it makes a run that counts. ``away_since``: it left its
    tube then; ``down_when_lifted``: it was run down. ``leaning_since``: it leans. ``lifted_run``: the run that was
    ended by lifting the glass about when its last grain should fall, uncalled, and when that was. ``hand``: when
    it was last lifted and seated, and whether it was turned over. ``moves`` counts lifts and seatings.
    """

    name: str
    durations: tuple[float, float]
    sand: Sand | None = None
    start: Turning | None = None
    away_since: float | None = None
    down_when_lifted: bool = False
    leaning_since: float | None = None
    lifted_run: tuple[Turning, float] | None = None
    hand: tuple[float, float, bool] = (0.0, 0.0, False)
    moves: int = 0

    @property
    def most_held(self) -> float:
        """The longest turning that begins a run, in seconds."""
        return MOST_HELD_TIMER if self.name == TIMER else MOST_HELD

    def seen(self, end: End, t: float) -> None:
        """Note that it stands, its sand unknown."""
        self.sand = Sand(0.0, 1.0, end, t, True, self.durations, CERTAIN)

    def run_down(self, t: float) -> None:
        """Note that its sand is down at ``t``."""
        assert self.sand is not None
        sand = self.sand
        self.sand = Sand(0.0, 0.0, sand.end, max(t, sand.since), sand.standing, self.durations, CERTAIN)

    def is_down(self, t: float) -> bool:
        """All its sand is certainly below."""
        return self.sand is not None and self.sand.above(max(t, self.sand.since))[1] <= 0

    def standing(self, t: float) -> GlassStanding:
        """Its standing at ``t``."""
        if self.away_since is not None:
            return GlassStanding.HAND
        if self.leaning_since is not None:
            return GlassStanding.LEANING
        if self.sand is None:
            return GlassStanding.MISSING
        if self.start is not None:
            return GlassStanding.RUNNING
        return GlassStanding.DOWN if self.is_down(t) else GlassStanding.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedGlassView:
    """Everything shown of one glass.

    ``end`` is down. ``left``: seconds until its last grain is expected, below 0 when it is overdue; None when it
    makes no run that counts. ``needs``: runs still wanted with that end down. ``expected_next``: the first to end.
    ``selected``: by the buttons. ``in_question``: an unanswered call may be its.
    """

    name: str
    standing: GlassStanding
    end: End | None
    left: float | None
    needs: Mapping[End, int]
    expected_next: bool
    selected: bool
    in_question: bool

    @property
    def turning_helps(self) -> bool:
        """It is run down, and turned over it would make a run that is wanted."""
        return self.standing is GlassStanding.DOWN and self.end is not None and self.needs[self.end.other] > 0

    @property
    def is_complete(self) -> bool:
        """Nothing more is wanted of it."""
        return not any(self.needs.values())


class GlassWatch(Walk):
    """The timed glasses as the board senses them. Times are host seconds. ``known``: the calibration so far."""

    def __init__(self, names: Sequence[str], known: KnownCalibration) -> None:
        super().__init__()
        self.names = tuple(name for name in TIMED_NAMES if name in names)
        self.figures = Figures()
        self._known = known
        self._glasses = {name: TimedGlass(name, self._durations(name)) for name in self.names}
        self._elsewhere: set[Tube] = set()
        self._faulty: dict[SensorId, tuple[str, ...]] = {}
        self._set_up = False
        self._lost_since: float | None = None
        self._unseen: tuple[float, float] | None = None

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

    def advance(self, t: float) -> None:
        """Time has passed to ``t``: void runs of leaning glasses and those that nobody called."""
        for glass in self._glasses.values():
            if glass.leaning_since is not None and t - glass.leaning_since > MOST_LEANING:
                self._void(glass, "leans", t)
            if glass.start is not None and self._lost_since is None and glass.is_down(t):
                glass.start = None
                self._warn(f"{glass.name} must have run down by now, uncalled: that run does not count.")

    # ---- parts

    def _warn(self, words: str) -> None:
        self.note(words, NoteKind.WARNING)

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
            self.note(f"{glass.name} runs, end {start.end} down.")

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
