"""The charts of a game's course: every value at its place, complete as a file, nothing from people unescaped."""

import re
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.playback import Course, GlassCourse, SandAt
from tamsk_hw.svg import rings_chart, sand_chart
from tamsk_hw.svg.chart import Chart
from tests.svg.drawn import SPACE, named

COURSE = Course(
    begins=10.0,
    ends=110.0,
    rings=((10.0, {Player.RED: 32, Player.BLACK: 32}), (60.0, {Player.RED: 16, Player.BLACK: 32})),
    glasses=(
        GlassCourse(
            "red-1",
            Player.RED,
            (
                SandAt(10.0, 60.0, 120.0, False),
                SandAt(60.0, 10.0, 70.0, False),
                SandAt(85.0, 0.0, 0.0, True),
                SandAt(110.0, 0.0, 0.0, True),
            ),
        ),
        GlassCourse(
            "black-1", Player.BLACK, (SandAt(60.0, 120.0, 120.0, False), SandAt(110.0, 70.0, 70.0, False))
        ),
    ),
)
NO_SAND = Course(0.0, 0.0, COURSE.rings[:1], ())


def read(chart: Chart) -> Element:
    return ElementTree.fromstring(chart.svg())


def points(element: Element) -> list[tuple[float, float]]:
    """The points of a path."""
    numbers = re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d") or "")
    return [(float(x), float(y)) for x, y in numbers]


def plot(root: Element) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of the area of the lines."""
    x, y, width, height = (
        float(root.findall(f"{SPACE}rect")[1].get(name) or "") for name in ("x", "y", "width", "height")
    )
    return x, x + width, y, y + height


def test_rings_fall_in_steps_from_the_upper_edge() -> None:
    root = read(rings_chart(COURSE))
    left, right, top, bottom = plot(root)
    (red,) = named(root, "rings-red").findall(f"{SPACE}path")
    middle, half = (left + right) / 2, (top + bottom) / 2
    assert points(red) == [(left, top), (middle, top), (middle, half), (right, half)]
    (black,) = named(root, "rings-black").findall(f"{SPACE}path")
    assert {y for _, y in points(black)} == {top}
    assert black.get("stroke-dasharray")
    assert red.get("stroke-dasharray") is None
    texts = ["".join(each.itertext()) for each in root.iter(f"{SPACE}text")]
    assert {"red 16", "black 32", "0:00", "1:30"} <= set(texts)
    assert "".join(root.find(f"{SPACE}desc").itertext()) == "Red 16 and black 32 of 32 rings left after 1:40."  # type: ignore[union-attr]


def test_uncertain_sand_is_an_area_and_ends_where_the_glass_is_lost() -> None:
    root = read(sand_chart(COURSE))
    left, right, top, bottom = plot(root)
    area, line = named(root, "sand-red-1").findall(f"{SPACE}path")
    assert points(line)[0] == (left, top)  # 120 seconds, as much as there is
    assert points(line)[-1] == (pytest.approx(left + 0.75 * (right - left)), bottom)
    assert points(area)[-1] == (left, pytest.approx((top + bottom) / 2))
    (certain,) = named(root, "sand-black-1").findall(f"{SPACE}path")
    assert points(certain)[0] == (pytest.approx((left + right) / 2), top)
    assert "Red 1 ran out at 1:15; black 1 has not run out." in sand_chart(COURSE).svg()


def test_labels_do_not_lie_on_one_another() -> None:
    same = tuple(GlassCourse(f"red-{number}", Player.RED, (SandAt(10.0, 0.0, 0.0, True),)) for number in range(6))
    root = read(sand_chart(Course(10.0, 110.0, COURSE.rings, same)))
    ends = [float(each.get("y") or "") for each in root.findall(f"{SPACE}g[@class='line']/{SPACE}text")]
    assert len(ends) == 6
    assert all(below - above >= 14 for above, below in pairwise(sorted(ends)))
    assert all(44 < y < 270 for y in ends)


@pytest.mark.parametrize("seconds", [1.0, 540.0, 3.6e7, 3.6e20])
def test_an_axis_has_few_marks_however_much_it_shows(seconds: float) -> None:
    """A glass may run for hours, and if its tolerance is near 1 nobody knows for how long."""
    samples = (SandAt(0.0, 0.0, seconds, False), SandAt(seconds, 0.0, 0.0, True))
    course = Course(0.0, seconds, COURSE.rings[:1], (GlassCourse("red-1", Player.RED, samples),))
    for chart in (rings_chart(course), sand_chart(course)):
        assert len(chart.marks) <= 9
        assert chart.top >= max(each[2] for line in chart.lines for each in line.points)
        assert chart.svg().count("<text") <= 30
