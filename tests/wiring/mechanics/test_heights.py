"""Heights along the axis, as numbers and as they are drawn from the side."""

from __future__ import annotations

import pytest

from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import CAPACITY
from tests.wiring.mechanics.boards import BOARDS, FULL, changed
from tests.wiring.mechanics.drawings import Drawing, Mark, read
from wiring.make.geometry import heights, levels_of, sensor_height, tube_height, tubes_by_levels
from wiring.make.section import section_svg

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


@pytest.mark.parametrize(
    ("key", "value"),
    [("ring_thickness", 3.7), ("magnet_distance", 1.5)],
)
def test_what_does_not_fit_is_refused(key: str, value: float) -> None:
    with pytest.raises(WiringError, match=rf"^geometry\.{key}: {value:g}; allowed is [\d.]+ or more"):
        heights(changed(FULL, **{key: value}).geometry)


def test_tubes_are_counted_by_their_levels() -> None:
    assert levels_of(FULL) == (1, 2, 3, 4)
    assert levels_of(BOARDS["seven"]) == (3, 4)
    assert tubes_by_levels(BOARDS["seven"]) == {3: ("C3", "C4", "D3", "D5", "E3", "E4"), 4: ("D4",)}
    assert [len(names) for names in tubes_by_levels(FULL).values()] == [
        CAPACITY.count(levels) for levels in (1, 2, 3, 4)
    ]


def parts(drawing: Drawing, layer: str) -> list[Mark]:
    """The shapes of a layer that belong to the tubes drawn 1:1 in the upper row, not to the enlarged one."""
    ground = sensors_ground(drawing)
    return [mark for mark in drawing.layer(layer) if min(y for _, y in mark.points) > ground - 20]


def sensors_ground(drawing: Drawing) -> float:
    """The height on the page of what is 0 on the board: the line that is marked so."""
    (level, *others) = [text for text in drawing.texts() if text.words == "0"]
    assert all(other.place[1] == level.place[1] for other in others)
    leaders = [
        line
        for line in drawing.layer("LEADER")
        if abs(line.place[1] - level.place[1]) < 2 and line.points[1][0] > level.place[0]
    ]
    return min(leaders, key=lambda line: abs(line.place[0] - level.place[0])).place[1]


@pytest.mark.parametrize("name", BOARDS)
@EVERY_THICKNESS
def test_drawn_sensors_stand_at_their_heights(name: str, thickness: float) -> None:
    wiring = changed(BOARDS[name], ring_thickness=thickness)
    drawing = read(section_svg(wiring))
    ground = sensors_ground(drawing)
    expected = [thickness * (level + 0.5) + 0.9 for levels in levels_of(wiring) for level in range(levels)]
    bodies = [mark for mark in parts(drawing, "SENSOR") if mark.kind == "polygon"]
    middles = [sum(y for _, y in body.points) / 4 - ground for body in bodies]
    assert sorted(middles) == pytest.approx(sorted(expected), abs=0.002)
    for body in bodies:
        ys = [y for _, y in body.points]
        assert max(ys) - min(ys) == pytest.approx(3.6)
    words = [text.words for text in drawing.texts()]
    for height in expected:
        assert words.count(f"{height:.2f}") >= expected.count(height)


@pytest.mark.parametrize("name", BOARDS)
def test_drawn_rings_lie_on_each_other_beside_their_sensors(name: str) -> None:
    wiring = BOARDS[name]
    drawing = read(section_svg(wiring))
    ground, thickness = sensors_ground(drawing), wiring.geometry.ring_thickness
    rings = parts(drawing, "RING")
    assert len(rings) == 2 * sum(levels_of(wiring))
    for ring in rings:
        bottom = min(y for _, y in ring.points) - ground
        assert bottom / thickness == pytest.approx(round(bottom / thickness), abs=0.002)
        assert max(y for _, y in ring.points) - ground - bottom == pytest.approx(thickness, abs=0.002)
        xs = [x for x, _ in ring.points]
        width = (wiring.geometry.ring_outer_diameter - wiring.geometry.ring_inner_diameter) / 2
        assert max(xs) - min(xs) == pytest.approx(width, abs=0.002)


@pytest.mark.parametrize("distance", [4.5, 5.0, 6.0])
def test_the_drawn_die_lies_under_the_drawn_magnet(distance: float) -> None:
    wiring = changed(FULL, magnet_distance=distance)
    drawing = read(section_svg(wiring))
    dies = [mark for mark in parts(drawing, "HALL") if mark.kind == "circle"]
    magnets = parts(drawing, "MAGNET")
    assert len(dies) == 4
    assert len(magnets) == 8
    for die in dies:
        own = [
            magnet
            for magnet in magnets
            if min(x for x, _ in magnet.points) < die.place[0] < max(x for x, _ in magnet.points)
        ]
        lower = min(own, key=lambda magnet: magnet.points[0][1])
        face = min(y for _, y in lower.points)
        assert face - die.place[1] == pytest.approx(distance, abs=0.002)
        xs = [x for x, _ in lower.points]
        assert sum(xs) / 4 == pytest.approx(die.place[0], abs=0.002)
        assert max(xs) - min(xs) == pytest.approx(wiring.geometry.magnet_diameter)
