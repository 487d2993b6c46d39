"""Glasses, sensed by the fields of their magnets: seated, leaning or gone, with dwell.

While a sensor is not trusted its state is held as it was; when that was for a moment, what had begun is resumed.
Drift is followed slowly (`tamsk_hw.board.field_levels`).

What is wrong with several fields together is found by `tamsk_hw.board.field_watch`.
"""

from collections.abc import Callable, Collection, Sequence
from math import inf
from statistics import fmean

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.field_levels import (
    ABOVE,
    CONFIRMED_BY,
    FAR,
    FAR_DRIFT,
    LEANING,
    MOST_DRIFT,
    NOT_TRUSTED,
    RAIL,
    SEATED,
    SETTLED_AFTER,
    WEAK,
    Bands,
    Followed,
    Following,
    Level,
)
from tamsk_hw.board.protocol import TIMER_FIELD
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.timeline import FaultWatch, Rank, Run, Timeline
from tamsk_hw.game.tubes import TUBES, End
from tamsk_hw.referee.events import TIMER, Lift, Seat, SensorId, Tilt, TimerLifted, TimerSeated


class Field:
    """The Hall sensor of a tube or of the timer's cradle: keeps the reported state, reports changes that count.

    A glass found with the other end down, without having been seen gone, was turned fast: a lift and a seat.

    ``low`` and ``high`` are the lists, shared by all fields, of the readings within which nothing changes.
    """

    def __init__(
        self,
        index: int,
        calibration: FieldCalibration,
        settings: SensingSettings,
        timeline: Timeline,
        low: list[int],
        high: list[int],
    ) -> None:
        self.index = index
        self.tube = None if index == TIMER_FIELD else TUBES[index]
        """The tube that it is under; None for the cradle of the 15-second timer."""
        self.sensor = TIMER if self.tube is None else SensorId.glass(self.tube)
        self.reported = Level.EMPTY
        """The last state that counted: empty, seated or leaning."""
        self.level = Level.UNSEEN
        self.on_settled: Callable[[float | None], None] | None = None
        """Called when the field is no longer `unsettled`: with the beginning of the new state, or None for
        the old."""
        self.is_magnet: Callable[[Field, float], bool] = lambda field, since: False
        """Called before a state counts, with its beginning; True when a magnet from outside has made it, and the
        field was held."""
        self._calibration = calibration
        self._following = Following(calibration)
        self._bands = Bands(calibration, settings)
        self._settings = settings
        self._timeline = timeline
        self._low = low
        self._high = high
        self._run: Run | None = None
        self._hover: Run | None = None
        self._strayed: Run | None = None
        """The suspended run of a glass that was gone until it was felt again."""
        self._stood: Level | None = None
        """Level of a leaning glass before it leaned; None when it came leaning."""
        self._holds: set[str] = set()
        self._level_at = -inf
        self._before: Level | None = None
        """The level before a moment in which the sensor was not trusted, and when that began."""
        self._before_at = -inf
        self._is_read = self._has_followed = False
        self._rail = FaultWatch(
            timeline,
            self.sensor,
            dwell=settings.fault_dwell,
            spoils=settings.glass_dwell,
            on_cleared=self._cleared,
            place=index,
        )
        self._drifted = FaultWatch(timeline, self.sensor, dwell=0.0, place=index)
        self._enter(Level.UNSEEN, 0.0)

    @property
    def faulty(self) -> bool:
        """A fault of this sensor has been reported and not cleared."""
        return self._rail.standing

    # What comes in.

    def feed(self, reading: int, t: float) -> None:
        """A reading outside the present level's bounds, at time ``t``."""
        level = self.level
        if self._following.to_confirm and not self._is_read:
            self._confirm_first(reading)
        self._is_read = True
        if self._stays(level, reading):
            return
        fresh = self._bands.fresh(reading)
        if (level in NOT_TRUSTED or self.reported is Level.EMPTY) and self._stays(self.reported, reading):
            fresh = self.reported
        elif fresh is Level.EMPTY:
            fresh = Level.GONE
        self._enter(fresh, t)

    def hold(self, reason: str) -> None:
        """Conclude nothing until `release` with the same ``reason``."""
        self._holds.add(reason)
        self._rail.reset()
        self._enter(Level.HELD, self._timeline.now)

    def release(self, reason: str) -> None:
        """This reason to hold is gone; the next reading counts when no other is left."""
        if reason in self._holds:
            self._holds.remove(reason)
            if not self._holds:
                self._enter(Level.UNSEEN, self._timeline.now)

    def reset(self) -> None:
        """Nothing is read: what was reported stands, what was going on is not known any more."""
        self._rail.reset()
        self._enter(Level.HELD if self._holds else Level.UNSEEN, self._timeline.now)
        # What began before the sensor was not trusted is dropped, too.
        self._before = None
        self._stop()

    @property
    def followed(self) -> Followed:
        """The reading without a glass, and its noise, as they have been followed (steps)."""
        return self._following.values

    @property
    def offset(self) -> float:
        """By how much an empty tube, or a glass that stands untouched, reads above what is expected (steps)."""
        return 0.0 if self.level in LEANING else self._following.offset

    def shift(self, reading: float) -> float | None:
        """By how much a reading lies beside what is usual in the state that was reported; None: not known yet."""
        return self._following.shift(reading, SEATED.get(self.reported))

    def begin_at(self, rest: float) -> None:
        """Begin with the rest as an earlier run followed it. To be called before the first reading."""
        self._following.begin_at(rest)
        self._use(self._following.values)

    def restore(self, end: End | None, leaning: bool, faults: Collection[SensorId]) -> None:
        """Begin with the report of an earlier run: a glass with ``end`` down, or nothing.

        Of a ``leaning`` glass ``end`` is the end that was down when it last stood; None: it came leaning. To be
        called before the first reading.
        """
        self._stood = None if end is None else Level.SEATED_A if end is End.A else Level.SEATED_B
        if leaning:
            self.reported = Level.LEANING_B if end is End.B else Level.LEANING_A
        else:
            self.reported = Level.EMPTY if self._stood is None else self._stood
        if self._stood is not None:
            self._following.to_measure = True
            self._use(self._following.values._replace(strength=1.0))
        self._rail.restore(faults)

    @property
    def is_still(self) -> bool:
        """The state is the one that was reported last, and no other has begun."""
        return self.level is self.reported and self._run is None

    @property
    def unsettled(self) -> bool:
        """The glass is on its way from one state to another."""
        if self.faulty or self.level in NOT_TRUSTED:
            return False
        return self._run is not None or self.level in ABOVE or self.level in FAR

    def follow(self, readings: Sequence[int]) -> None:
        """Follow what drifts, by one reading or a burst of them, unless something is going on in the tube."""
        if self.faulty or self.level in NOT_TRUSTED:
            return
        following = self._following
        if following.to_confirm and self.level not in SEATED:
            following.confirm(fmean(readings), CONFIRMED_BY)
            self._use(following.values)
        if not self.is_still or self._timeline.now < self._level_at + SETTLED_AFTER:
            return  # a glass may still bounce, or a hand be there
        before, is_first = following.values, not self._has_followed
        following.follow(readings, SEATED.get(self.level))
        self._has_followed = True
        if following.values != before or is_first:
            self._use(following.values)
            far = abs(following.drift) >= FAR_DRIFT and not following.to_confirm
            detail = (
                f"has drifted by {round(following.drift):+} steps since it was calibrated; "
                f"allowed {round(MOST_DRIFT)}; calibrate it again"
            )
            self._drifted.feed(detail if far else None, self._timeline.now)

    def _confirm_first(self, reading: int) -> None:
        """Judge the rest that was followed earlier by the first reading of all, before it makes an event."""
        following, kept = self._following, self._bands.fresh(reading)
        calibrated = Bands(self._calibration, self._settings).fresh(reading)
        if calibrated in SEATED and kept not in SEATED and kept not in WEAK:
            following.begin_as_calibrated()
        else:
            following.confirm(reading)
        self._use(following.values)

    def _use(self, followed: Followed) -> None:
        self._following.values = followed
        self._bands = Bands(self._calibration, self._settings, followed)
        self._low[self.index], self._high[self.index] = self._bands.within(self.level)

    # What counts.

    def _stays(self, level: Level, reading: int) -> bool:
        low, high = self._bands.within(level)
        return low <= reading <= high

    def _enter(self, level: Level, t: float) -> None:
        """A new level begins."""
        former, self.level = self.level, level
        self._following.offset = 0.0
        self._level_at = self._timeline.now
        self._low[self.index], self._high[self.index] = self._bands.within(level)
        if level in NOT_TRUSTED:
            self._suspend(former, t)
        else:
            self._begin(level, former, t)
        if level not in (Level.HELD, Level.UNSEEN):
            self._rail.feed(self._rail_detail() if level in RAIL else None, t)
        self._settle(None)

    def _suspend(self, former: Level, t: float) -> None:
        """Nothing can be believed for a moment: what has begun may go on after it."""
        if former in NOT_TRUSTED:
            return
        self._before, self._before_at = former, t
        self._drop_strayed()
        for run in (self._run, self._hover):
            if run is not None:
                self._timeline.suspend(run, self._settings.resume_within)

    def _begin(self, level: Level, former: Level, t: float) -> None:
        """A level that can be believed: a state begins, or goes on."""
        if self._before is not None:
            former = self._resume(level, former, t)
        if self.faulty:
            self._stop()
            return
        if level is former or (level in LEANING and former in LEANING and self._run is not None):
            return
        strayed = self._stray(level, former)
        self._timeline.stop(self._run)
        if level not in FAR:
            self._timeline.stop(self._hover)
            self._hover = None
        elif self._hover is None:
            # A seat elsewhere waits for it: a glass is lifted before it is seated.
            self._hover = Run(t, t + self._settings.hover_dwell, Rank.LIFT, self._ripe, blocking=True)
            self._timeline.start(self._hover)
        self._run = strayed or self._run_of(level, t)
        if self._run is not None and strayed is None:
            self._timeline.start(self._run)

    def _stray(self, level: Level, former: Level) -> Run | None:
        """Keep the run of a glass that is gone while its field flickers at the edge of the noise.

        Returns the run that goes on, if one does. Without this a glass lifted slowly would be told late: each
        reading that strays would begin the dwell again.
        """
        strayed = self._strayed
        if level is Level.GONE and strayed is not None and self._timeline.now <= strayed.kept_until:
            self._strayed = None
            self._timeline.resume(strayed)
            return strayed
        self._drop_strayed()
        if former is Level.GONE and level in FAR and self._run is not None:
            self._timeline.suspend(self._run, self._settings.stray_within)
            self._strayed, self._run = self._run, None
        return None

    def _drop_strayed(self) -> None:
        self._timeline.stop(self._strayed)
        self._strayed = None

    def _resume(self, level: Level, former: Level, t: float) -> Level:
        """Take up what had begun before the sensor was not trusted; the level from which this one follows."""
        before, lasted = self._before, t - self._before_at
        self._before = None
        if before is None or lasted > self._settings.resume_within:
            self._stop()
            return former
        for run in (self._run, self._hover):
            if run is not None:
                self._timeline.resume(run)
        return before

    def _stop(self) -> None:
        self._timeline.stop(self._run)
        self._timeline.stop(self._hover)
        self._drop_strayed()
        self._run = self._hover = None

    def _run_of(self, level: Level, t: float) -> Run | None:
        """The run after which a level counts; None when the level is not new."""
        settings = self._settings
        if level in SEATED and level is not self.reported:
            return Run(t, t + settings.glass_dwell, Rank.LIFT, self._ripe, blocking=True)
        if level is Level.GONE:
            begin = self._hover.begin if self._hover is not None else t
            return Run(begin, t + settings.glass_dwell, Rank.LIFT, self._ripe, blocking=True)
        if level in WEAK:
            return Run(t, t + settings.weak_dwell, Rank.LIFT, self._ripe)
        if level in LEANING and self.reported not in LEANING and self.tube is not None:
            return Run(t, t + settings.lean_dwell, Rank.TILT, self._ripe)
        return None

    def _ripe(self, run: Run) -> None:
        self._timeline.stop(self._run)
        self._run = None
        if not self.is_magnet(self, run.begin):
            self._report(run.begin)
            self._settle(run.begin)

    def _rail_detail(self) -> str:
        rail = self._settings.rail
        reading = 0 if self.level is Level.RAIL_LOW else 255
        allowed = f"{rail + 1} to {254 - rail}"
        return f"reads {reading}, as if shorted, not connected or at a magnet; allowed {allowed}; held as it stood"

    def _cleared(self) -> None:
        """The sensor can be trusted again: what it shows now counts at once, or begins."""
        t = self._timeline.now
        if self.level in SEATED and self.level is not self.reported:
            if not self.is_magnet(self, t - self._settings.fault_dwell):
                self._report(t)
        elif self.level is not self.reported and self.level not in NOT_TRUSTED:
            self._begin(self.level, Level.UNSEEN, t)

    def _report(self, t: float) -> None:
        """The present level counts, since ``t``."""
        before, level = self.reported, self.level
        if level in WEAK:
            level = WEAK[level]
            self._use(self._following.values._replace(strength=self._settings.weak))
        elif level in SEATED and self._following.values.strength is None:
            self._use(self._following.values._replace(strength=1.0))  # until it is measured
        self._following.begin_state(SEATED.get(level))
        if level in SEATED:
            self.reported = level
            if before in SEATED or (before in LEANING and self._stood not in (None, level)):
                self._lifted(t)
            self._stood = level
            end = SEATED[level]
            event = TimerSeated(t, end) if self.tube is None else Seat(t, self.tube, end)
            self._timeline.put(event, Rank.SEAT, self.index)
            if level is not self.level:
                self._enter(level, t)
        elif level in LEANING:
            self.reported = level
            if self.tube is not None:  # a leaning timer is not reported
                self._timeline.put(Tilt(t, self.tube), Rank.TILT, self.index)
        else:
            self.reported = Level.EMPTY
            self._stood = None
            self._use(self._following.values._replace(strength=None))
            self._lifted(t)
            self._enter(Level.EMPTY, t)

    def _lifted(self, t: float) -> None:
        """The glass, or what was only leaning, is gone since ``t``."""
        event = TimerLifted(t) if self.tube is None else Lift(t, self.tube)
        self._timeline.put(event, Rank.LIFT, self.index)

    def _settle(self, begin: float | None) -> None:
        if self.on_settled is not None and not self.unsettled:
            self.on_settled(begin)
