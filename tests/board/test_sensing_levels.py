"""The thresholds of a field: found by halving, they are those that looking at every reading gives."""

import pytest

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.field_levels import WEAK, Bands, Followed, Level
from tamsk_hw.board.sensing_settings import SensingSettings

SETTINGS = SensingSettings()

#: Shares of the calibrated deflection between which a glass of unknown strength stays at a level, end A down.
SHARES = {
    Level.SEATED_A: (0.70, 9.0),
    Level.WEAK_A: (0.66, 0.80),
    Level.LEANING_A: (0.25, 0.68),
    Level.ABOVE_A: (0.15, 0.30),
    Level.FAINT_A: (0.0, 0.20),
}

CALIBRATIONS = [
    FieldCalibration(),
    FieldCalibration(rest=131.4, end_a=52.3, end_b=71.8, noise=1.2),
    FieldCalibration(rest=90.0, end_a=90.0, end_b=40.0, noise=6.0),
    FieldCalibration(rest=166.0, end_a=41.5, end_b=88.0, noise=0.0),
]


def readings(bands: Bands, level: Level) -> list[int]:
    first, last = bands.within(level)
    return list(range(first, last + 1))


@pytest.mark.parametrize("calibration", CALIBRATIONS)
def test_a_field_stays_within_the_shares_of_its_level(calibration: FieldCalibration) -> None:
    bands = Bands(calibration, SETTINGS)
    off_the_rails = range(3, 253)
    strays = {reading: reading - calibration.rest for reading in off_the_rails}
    share = {
        reading: stray / (calibration.end_a if stray >= 0 else calibration.end_b)
        for reading, stray in strays.items()
    }
    gone = [
        reading
        for reading in off_the_rails
        if abs(share[reading]) < 0.05 or abs(strays[reading]) <= calibration.noise
    ]
    assert readings(bands, Level.GONE) == gone
    assert readings(bands, Level.EMPTY) == [reading for reading in off_the_rails if abs(share[reading]) < 0.30]
    there = [reading for reading in off_the_rails if reading not in gone]
    for level, (least, below) in SHARES.items():
        wanted = [each for each in there if share[each] > 0 and least <= share[each] < below]
        assert readings(bands, level) == wanted
        wanted = [each for each in there if share[each] < 0 and least <= -share[each] < below]
        assert readings(bands, Level[level.name.replace("_A", "_B")]) == wanted


def test_a_glass_whose_strength_is_known_has_thresholds_of_its_own() -> None:
    """Of a glass of 80 % strength: seated until 70 % of that, and from 80 % of it on."""
    bands = Bands(FieldCalibration(), SETTINGS, Followed(128.0, 3.0, 0.8))
    assert readings(bands, Level.SEATED_A) == list(range(128 + 38, 253))
    assert [bands.fresh(128 + stray) for stray in (42, 43)] == [Level.LEANING_A, Level.SEATED_A]
    assert not WEAK.keys() & {bands.fresh(reading) for reading in range(256)}
