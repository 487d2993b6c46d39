"""Heights along the axis, as numbers and on their drawing."""

import re

import pytest

from tamsk_hw.errors import WiringError
from tests.wiring.mechanics.boards import BOARDS, FULL, changed, drawing_of
from wiring.make.geometry import heights, levels_of, sensor_height, tube_height

EVERY_THICKNESS = pytest.mark.parametrize("thickness", [4.5, 5.0, 7.25])


@EVERY_THICKNESS
def test_each_sensor_looks_at_its_ring_above_the_middle(thickness: float) -> None:
    found = heights(changed(FULL, ring_thickness=thickness).geometry)
    bottom = 0.0
    for level, (sensor, top) in enumerate(zip(found.sensors, found.tubes, strict=True)):
        ring_top = bottom + thickness
        assert sensor == pytest.approx((bottom + ring_top) / 2 + 0.9)
        # Emitter and photo-transistor, half of the body apart, with their edges.
        assert bottom < sensor - 1.2 < sensor + 1.2 < ring_top
        # A millimetre is left above the slot: its upper end is 0.1 mm above the sensor's body of 3.6.
        assert top >= sensor + 1.8 + 0.1 + 1.0 - 1e-9
        assert top >= ring_top
        assert sensor_height(thickness, level) == sensor
        assert tube_height(thickness, level + 1) == top
        bottom = ring_top
    assert len(found.sensors) == 4


@pytest.mark.parametrize("distance", [4.3, 5.0, 6.5])
def test_the_die_lies_so_far_under_the_magnet(distance: float) -> None:
    found = heights(changed(FULL, magnet_distance=distance).geometry)
    assert found.magnet - found.die == pytest.approx(distance)
    # The glass stands on 0; floor, small board, package lie below each other, the die in the package.
    assert 0 > found.seat > found.carrier > found.die > found.base
    assert found.floor_thickness == -found.seat
    assert found.foot_thickness == -found.base


@pytest.mark.parametrize(("key", "value"), [("ring_thickness", 3.7), ("magnet_distance", 1.5)])
def test_what_does_not_fit_is_refused(key: str, value: float) -> None:
    with pytest.raises(WiringError, match=rf"^geometry\.{key}: {value:g}; allowed is [\d.]+ or more"):
        heights(changed(FULL, **{key: value}).geometry)


@pytest.mark.parametrize("name", BOARDS)
def test_the_drawing_has_the_heights(name: str) -> None:
    found = heights(BOARDS[name].geometry)
    words = " ".join(text.words for text in drawing_of(name, "sensor-heights.svg").texts())
    for level in range(levels_of(BOARDS[name])[-1]):
        assert f"level {level + 1}, centre of its sensor: {found.sensors[level]:.2f}" in words
    for levels in levels_of(BOARDS[name]):
        assert re.search(rf"tube of {levels} levels?, its top: {found.tubes[levels - 1]:.1f} ", words)
