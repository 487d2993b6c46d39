"""One Hall sensor: from its readings to a glass that is seated, leaning or gone, with hysteresis and dwell.

The share is the reading's distance from rest, of what a seated glass gives: 100 % seated, 70 % lifted by 1
mm, 36 % by 3 mm, 8 % by 9 mm, 2 % by 18 mm; 56 % leaning by 8°, 26 % by 20°. Where one reading alone does not
decide, the state it came from does:

- nothing in the tube: up to 30 % it stays so, so that a glass held over a tube, or a neighbour, is nothing;
- seated from 80 %, until below 70 %; leaning from 30 %;
- a glass that was there and reads 5 to 30 % is *above* its tube on the way out or back: no state by itself,
  the former one holds. Below 5 % (or within the noise, if that is more) it is gone. A glass held there on and
  on at less than 15 % (6 mm up and more) has left the tube too, and so has one whose sensor's rest has
  drifted: it counts as gone after the hover dwell. So a lifted glass is always found gone, and nothing that
  approaches and leaves again is an event.

While a sensor is not trusted its state is held as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from math import inf
from typing import NamedTuple

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.sensing.faults import FaultWatch
from tamsk_hw.board.sensing.sensed import FieldAtRail
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.board.sensing.timeline import Rank, Run, Timeline
from tamsk_hw.game.players import End
from tamsk_hw.referee.sensor_id import SensorId


class Level(IntEnum):
    """A field's present level, hysteresis included. A and B name the end of the glass that is down."""

    EMPTY = 0
    SEATED_A = 1
    SEATED_B = 2
    LEANING_A = 3
    LEANING_B = 4
    ABOVE_A = 5
    ABOVE_B = 6
    FAINT_A = 7
    FAINT_B = 8
    RAIL_LOW = 9
    RAIL_HIGH = 10
    HELD = 11
    """Not trusted: nothing is concluded from any reading."""
    UNSEEN = 12
    """Trusted again, but not read yet: any reading is news."""
    GONE = 13
    """Empty where a glass was reported: left with the first reading that is more than noise."""


SEATED = {Level.SEATED_A: End.A, Level.SEATED_B: End.B}
LEANING = frozenset({Level.LEANING_A, Level.LEANING_B})
ABOVE = frozenset({Level.ABOVE_A, Level.ABOVE_B})
FAR = frozenset({Level.FAINT_A, Level.FAINT_B, Level.GONE})
RAIL = frozenset({Level.RAIL_LOW, Level.RAIL_HIGH})
NOT_TRUSTED = frozenset({Level.HELD, Level.UNSEEN, *RAIL})


class Bands(NamedTuple):
    """A field's thresholds in bytes: for each level the readings (``low`` … ``high``) within which it stays.

    ``fresh`` says for each of the 256 readings which level it is when none of the present level's hysteresis
    holds.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    fresh: tuple[Level, ...]


@lru_cache(maxsize=256)
def bands_of(calibration: FieldCalibration, settings: SensingSettings) -> Bands:
    """The thresholds of one field."""
    share = [
        (reading - calibration.rest) / (calibration.end_a if reading >= calibration.rest else calibration.end_b)
        for reading in range(256)
    ]
    gone = [
        abs(share[reading]) < settings.gone or abs(reading - calibration.rest) <= calibration.noise
        for reading in range(256)
    ]
    fresh = []
    for reading in range(256):
        size, is_a = abs(share[reading]), share[reading] > 0
        if reading <= settings.rail:
            level = Level.RAIL_LOW
        elif reading >= 255 - settings.rail:
            level = Level.RAIL_HIGH
        elif gone[reading]:
            level = Level.EMPTY
        elif size >= settings.seated:
            level = Level.SEATED_A if is_a else Level.SEATED_B
        elif size >= settings.leaning:
            level = Level.LEANING_A if is_a else Level.LEANING_B
        elif size >= settings.away:
            level = Level.ABOVE_A if is_a else Level.ABOVE_B
        else:
            level = Level.FAINT_A if is_a else Level.FAINT_B
        fresh.append(level)

    off_the_rails = [reading for reading in range(256) if fresh[reading] not in RAIL]
    near = [reading for reading in off_the_rails if not gone[reading]]

    def within(level: Level) -> list[int]:
        """The readings with which a field at this level stays there."""
        if level in (Level.HELD, Level.UNSEEN):
            return list(range(256)) if level is Level.HELD else []
        if level in RAIL:
            return [reading for reading in range(256) if fresh[reading] is level]
        if level is Level.EMPTY:
            return [reading for reading in off_the_rails if abs(share[reading]) < settings.leaning]
        if level is Level.GONE:
            return [reading for reading in off_the_rails if gone[reading]]
        least, below = 0.0, settings.away_until
        if level in SEATED:
            least, below = settings.seated_until, inf
        elif level in LEANING:
            least, below = settings.leaning_until, settings.seated
        elif level in ABOVE:
            least, below = settings.away, settings.leaning
        sign = 1 if level % 2 else -1
        return [reading for reading in near if (size := sign * share[reading]) > 0 and least <= size < below]

    stays = [within(level) for level in Level]
    return Bands(
        low=tuple(readings[0] if readings else 256 for readings in stays),
        high=tuple(readings[-1] if readings else -1 for readings in stays),
        fresh=tuple(fresh),
    )


class Field:
    """The Hall sensor of a tube or of the cradle: keeps the state that was reported, reports what counts.

    ``low`` and ``high`` are the lists, shared by all fields, of the readings within which nothing changes.
    """

    def __init__(
        self,
        index: int,
        sensor: SensorId,
        bands: Bands,
        settings: SensingSettings,
        timeline: Timeline,
        low: list[int],
        high: list[int],
    ) -> None:
        self.index = index
        self.sensor = sensor
        self.reported = Level.EMPTY
        """The last state that counted: empty, seated or leaning."""
        self.level = Level.UNSEEN
        self.on_settled: Callable[[float | None], None] | None = None
        """Called when the field is no longer `unsettled`: with the beginning of the new state, or None for
        the old."""
        self._bands = bands
        self._settings = settings
        self._timeline = timeline
        self._low = low
        self._high = high
        self._run: Run | None = None
        self._hover: Run | None = None
        self._holds: set[str] = set()
        self._before: Level | None = None
        """The level before a moment in which the sensor was not trusted, and when that began."""
        self._before_at = -inf
        self._rail = FaultWatch(
            timeline,
            sensor,
            dwell=settings.fault_dwell,
            clear_dwell=settings.fault_dwell,
            spoils=settings.glass_dwell,
            on_cleared=self._cleared,
            place=index,
        )
        self._enter(Level.UNSEEN, 0.0)

    @property
    def faulty(self) -> bool:
        """A fault of this sensor has been reported and not cleared."""
        return self._rail.standing

    # What a state is called, and which states a sensor tells, is the tube's or the cradle's.

    tells_leaning = True

    def tell_seated(self, end: End, t: float) -> None:
        """A glass stands with ``end`` down since ``t``."""
        raise NotImplementedError

    def tell_lifted(self, t: float) -> None:
        """The glass is gone since ``t``."""
        raise NotImplementedError

    def tell_leaning(self, t: float) -> None:
        """Something is there, but not seated, since ``t``."""
        raise NotImplementedError

    # What comes in.

    def see(self, reading: int, t: float) -> None:
        """A reading outside the present level's bounds, at time ``t``."""
        level = self.level
        if self._stays(level, reading):
            return
        fresh = self._bands.fresh[reading]
        if (level in NOT_TRUSTED or self.reported is Level.EMPTY) and self._stays(self.reported, reading):
            fresh = self.reported
        elif fresh is Level.EMPTY:
            fresh = Level.GONE
        self._enter(fresh, t)

    def hold(self, reason: str) -> None:
        """Conclude nothing until `release` with the same ``reason``."""
        self._holds.add(reason)
        self._rail.forget()
        self._enter(Level.HELD, self._timeline.now)

    def release(self, reason: str) -> None:
        """This reason to hold is gone; the next reading counts when no other is left."""
        if reason in self._holds:
            self._holds.remove(reason)
            if not self._holds:
                self._enter(Level.UNSEEN, self._timeline.now)

    def forget(self) -> None:
        """The link is lost: what was reported stands, what was going on is not known any more."""
        self._rail.forget()
        self._enter(Level.HELD if self._holds else Level.UNSEEN, self._timeline.now)
        self._forget_before()

    def assume(self, end: End | None, *, leaning: bool = False, faulty: bool = False) -> None:
        """Begin with the report of an earlier run: a glass with ``end`` down, or one that leans.

        Of one that leans ``end`` is as it stood before. To be called before the first reading.
        """
        self._stood = None if end is None else Level.SEATED_A if end is End.A else Level.SEATED_B
        if leaning:
            self.reported = Level.LEANING_B if end is End.B else Level.LEANING_A
        else:
            self.reported = Level.EMPTY if self._stood is None else self._stood
        if faulty:
            self._rail.assume()

    @property
    def unsettled(self) -> bool:
        """The glass is on its way from one state to another."""
        if self.faulty or self.level in NOT_TRUSTED:
            return False
        return self._run is not None or self.level in ABOVE or self.level in FAR

    # What counts.

    def _stays(self, level: Level, reading: int) -> bool:
        return self._bands.low[level] <= reading <= self._bands.high[level]

    def _enter(self, level: Level, t: float) -> None:
        """A new level begins."""
        former, self.level = self.level, level
        self._low[self.index] = self._bands.low[level]
        self._high[self.index] = self._bands.high[level]
        if level in NOT_TRUSTED:
            self._suspend(former, t)
        else:
            self._begin(level, former, t)
        if level not in (Level.HELD, Level.UNSEEN):
            self._rail.see(self._rail_detail() if level in RAIL else None, t)
        self._settle(None)

    def _suspend(self, former: Level, t: float) -> None:
        """Nothing can be believed for a moment: what has begun may go on after it."""
        if former in NOT_TRUSTED:
            return
        self._before, self._before_at = former, t
        for run in (self._run, self._hover):
            if run is not None:
                self._timeline.suspend(run)

    def _forget_before(self) -> None:
        """What had begun before the sensor was not trusted is not taken up again."""
        self._before = self._run = self._hover = None

    def _begin(self, level: Level, former: Level, t: float) -> None:
        """A level that can be believed: a state begins, or goes on."""
        if self._before is not None:
            former = self._go_on(level, former, t)
        if self.faulty:
            self._stop()
            return
        if level is former or (level in LEANING and former in LEANING and self._run is not None):
            return
        self._timeline.stop(self._run)
        if level not in FAR:
            self._timeline.stop(self._hover)
            self._hover = None
        elif self._hover is None:
            # After a reconnection a missing glass is reported as lifted before any other change, even if its
            # reading fluctuates.
            found = former is Level.UNSEEN and self.reported is not Level.EMPTY
            self._hover = Run(t, t + self._settings.hover_dwell, Rank.LIFT, self._ripe, blocking=found)
            self._timeline.start(self._hover)
        self._run = self._run_of(level, t)
        if self._run is not None:
            self._timeline.start(self._run)

    def _go_on(self, level: Level, former: Level, t: float) -> Level:
        """Take up what had begun before the sensor was not trusted; the level from which this one follows."""
        before, lasted = self._before, t - self._before_at
        self._before = None
        if before is None or lasted > self._settings.resume_within:
            self._run = self._hover = None
            return former
        for run in (self._run, self._hover):
            if run is not None:
                self._timeline.resume(run)
        return before

    def _stop(self) -> None:
        self._timeline.stop(self._run)
        self._timeline.stop(self._hover)
        self._run = self._hover = None

    def _run_of(self, level: Level, t: float) -> Run | None:
        """The run after which a level counts; None when the level is not new."""
        settings = self._settings
        if level in SEATED and level is not self.reported:
            return Run(t, t + settings.glass_dwell, Rank.LIFT, self._ripe, blocking=True)
        if level is Level.GONE:
            begin = self._hover.begin if self._hover is not None and self._hover.blocking else t
            return Run(begin, t + settings.glass_dwell, Rank.LIFT, self._ripe, blocking=True)
        if level in LEANING and self.reported not in LEANING and self.tells_leaning:
            return Run(t, t + settings.lean_dwell, Rank.TILT, self._ripe)
        return None

    def _ripe(self, run: Run) -> None:
        self._timeline.stop(self._run)
        self._run = None
        self._report(run.begin)
        self._settle(run.begin)

    def _rail_detail(self) -> FieldAtRail:
        rail = self._settings.rail
        reading = 0 if self.level is Level.RAIL_LOW else 255
        return FieldAtRail(reading, lowest=rail + 1, highest=254 - rail)

    def _cleared(self) -> None:
        """The sensor can be trusted again: what it shows now counts at once, or begins."""
        t = self._timeline.now
        if self.level in SEATED and self.level is not self.reported:
            self._report(t)
        elif self.level is not self.reported and self.level not in NOT_TRUSTED:
            self._begin(self.level, Level.UNSEEN, t)

    def _report(self, t: float) -> None:
        """The present level counts, since ``t``."""
        before, level = self.reported, self.level
        if level in SEATED:
            self.reported = level
            if before in SEATED or (before in LEANING and self._stood not in (None, level)):
                self.tell_lifted(t)
            self._stood = level
            self.tell_seated(SEATED[level], t)
        elif level in LEANING:
            self.reported = level
            self.tell_leaning(t)
        else:
            self.reported = Level.EMPTY
            self._stood = None
            self.tell_lifted(t)
            self._enter(Level.EMPTY, t)

    _stood: Level | None = None
    """Level of a leaning glass before it leaned; None when it came leaning."""

    def _settle(self, begin: float | None) -> None:
        if self.on_settled is not None and not self.unsettled:
            self.on_settled(begin)
