"""The levels of a Hall sensor's reading, and the thresholds between them, with hysteresis.

The share is the reading's distance from rest, of what a seated glass gives: 100 % seated, 70 % lifted by 1
mm, 36 % by 3 mm, 8 % by 9 mm, 2 % by 18 mm; 56 % leaning by 8°, 26 % by 20°. Where one reading alone does not
decide, the state it came from does:

- nothing in the tube: up to 30 % it stays so, so that a glass held over a tube, or a neighbour, is nothing;
- seated from 80 %, until below 70 %; leaning from 30 %;
- what comes to stand at 68 to 80 % is a weak glass, or a strong one that leans: it is seated when it stays so for
  the weak dwell. Of a glass that stands its own strength is measured, and 80 % and 70 % are of that;
- a glass that was there and reads 5 to 30 % is *above* its tube on the way out or back: no state by itself,
  the former one holds. Below 5 % (or within the noise, if that is more) it is gone. A glass held there on and
  on at less than 15 % (6 mm up and more) has left the tube too: it counts as gone after the hover dwell. So a
  lifted glass is always found gone, and nothing that approaches and leaves again is an event.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from math import inf
from typing import NamedTuple

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.game.players import End


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
    WEAK_A = 14
    WEAK_B = 15
    """A glass of unknown strength that is seated, if it is weak, or leans, if it is strong."""


SEATED = {Level.SEATED_A: End.A, Level.SEATED_B: End.B}
WEAK = {Level.WEAK_A: Level.SEATED_A, Level.WEAK_B: Level.SEATED_B}
LEANING = frozenset({Level.LEANING_A, Level.LEANING_B})
ABOVE = frozenset({Level.ABOVE_A, Level.ABOVE_B})
FAR = frozenset({Level.FAINT_A, Level.FAINT_B, Level.GONE})
RAIL = frozenset({Level.RAIL_LOW, Level.RAIL_HIGH})
NOT_TRUSTED = frozenset({Level.HELD, Level.UNSEEN, *RAIL})


class Followed(NamedTuple):
    """A field's calibrated values as they are followed: see `bands_of`."""

    rest: float
    noise: float
    strength: float | None = None


class Bands(NamedTuple):
    """A field's thresholds in bytes: for each level the readings (``low`` … ``high``) within which it stays.

    ``fresh`` says for each of the 256 readings which level it is when none of the present level's hysteresis
    holds.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    fresh: tuple[Level, ...]


@lru_cache(maxsize=128)
def bands_of(calibration: FieldCalibration, settings: SensingSettings, followed: Followed | None = None) -> Bands:
    """The thresholds of one field.

    ``followed`` replaces the calibrated rest and noise (steps); its strength is that of the glass that stands
    there, as a share of the calibrated deflection, None when nobody knows: then what comes may be a weak glass.
    """
    rest, noise, strength = followed or Followed(calibration.rest, calibration.noise)
    seated, seated_until = settings.seated, settings.seated_until
    weak = settings.weak
    if strength is not None:
        seated, seated_until = seated * strength, seated_until * strength
        weak = seated
    share = [
        (reading - rest) / (calibration.end_a if reading >= rest else calibration.end_b) for reading in range(256)
    ]
    gone = [abs(share[reading]) < settings.gone or abs(reading - rest) <= noise for reading in range(256)]
    fresh = []
    for reading in range(256):
        size, is_a = abs(share[reading]), share[reading] > 0
        if reading <= settings.rail:
            level = Level.RAIL_LOW
        elif reading >= 255 - settings.rail:
            level = Level.RAIL_HIGH
        elif gone[reading]:
            level = Level.EMPTY
        elif size >= seated:
            level = Level.SEATED_A if is_a else Level.SEATED_B
        elif size >= weak:
            level = Level.WEAK_A if is_a else Level.WEAK_B
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
            least, below = seated_until, inf
        elif level in WEAK:
            least, below = weak - settings.weak_hysteresis, seated
        elif level in LEANING:
            least, below = settings.leaning_until, weak
        elif level in ABOVE:
            least, below = settings.away, settings.leaning
        sign = 1 if level.name.endswith("A") else -1
        return [reading for reading in near if (size := sign * share[reading]) > 0 and least <= size < below]

    stays = [within(level) for level in Level]
    return Bands(
        low=tuple(readings[0] if readings else 256 for readings in stays),
        high=tuple(readings[-1] if readings else -1 for readings in stays),
        fresh=tuple(fresh),
    )
