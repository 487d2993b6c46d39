"""The template, read back: everything lies where the shape of the board and the wiring map put it."""

import math

import pytest

from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import Player
from tests.wiring.mechanics.boards import BOARDS, FULL, centres, changed, drawing_of
from tests.wiring.mechanics.drawings import Drawing, Mark, read
from wiring.make.template import template_svg

EVERY_BOARD = pytest.mark.parametrize("name", BOARDS)


def template(name: str) -> Drawing:
    return drawing_of(name, "template.svg")


def near(first: tuple[float, float], second: tuple[float, float], within: float = 0.002) -> bool:
    return math.dist(first, second) <= within


def circles(drawing: Drawing, layer: str) -> list[Mark]:
    return drawing.layer(layer, "circle")


def number_of(drawing: Drawing, pixel: Mark) -> int:
    """The number written nearest to a light hole."""
    numbers = [text for text in drawing.layer("TEXT") if text.words.isdigit()]
    return int(min(numbers, key=lambda text: math.dist(middle(text), pixel.place)).words)


def middle(mark: Mark) -> tuple[float, float]:
    left, bottom, right, top = mark.box
    return (left + right) / 2, (bottom + top) / 2


def cradle(drawing: Drawing, expected: dict[str, tuple[float, float]]) -> tuple[float, float]:
    others = [
        circle.place
        for circle in circles(drawing, "TUBE")
        if not any(near(circle.place, centre) for centre in expected.values())
    ]
    assert len(others) == 1
    return others[0]


@EVERY_BOARD
@pytest.mark.parametrize(
    ("layer", "dimension", "has_cradle"),
    [("TUBE", "tube_outer_diameter", True), ("RING", "ring_outer_diameter", False)],
)
def test_circles_are_where_the_tubes_are(name: str, layer: str, dimension: str, has_cradle: bool) -> None:
    drawing, expected = template(name), centres(BOARDS[name])
    found = circles(drawing, layer)
    assert len(found) == len(expected) + has_cradle
    for centre in expected.values():
        assert sum(near(circle.place, centre) for circle in found) == 1
    for circle in found:
        assert circle.radius == pytest.approx(getattr(BOARDS[name].geometry, dimension) / 2)


@EVERY_BOARD
def test_holes_and_dies_lie_exactly_on_the_axes(name: str) -> None:
    drawing, expected = template(name), centres(BOARDS[name])
    axes = [*expected.values(), cradle(drawing, expected)]
    for layer in ("DRILL", "HALL"):
        found = [circle.place for circle in circles(drawing, layer)]
        assert len(found) == len(axes)
        assert all(any(near(place, axis) for place in found) for axis in axes)


@EVERY_BOARD
def test_pixels_have_the_numbers_of_the_map(name: str) -> None:
    drawing, wiring, expected = template(name), BOARDS[name], centres(BOARDS[name])
    found = {number_of(drawing, pixel): pixel.place for pixel in circles(drawing, "PIXEL")}
    assert sorted(found) == list(range(wiring.pixel_count))
    axes = {**expected, "TIMER": cradle(drawing, expected)}
    numbers = {tube.name: wiring.tube_pixels[tube] for tube in wiring.tubes} | {"TIMER": wiring.timer_pixel}
    for tube, number in numbers.items():
        assert number is not None
        x, y = found[number]
        nearest = sorted(axes, key=lambda other: math.dist(axes[other], (x, y)))
        assert nearest[0] == tube
        # Plainly nearer to its own tube, and west of it.
        assert math.dist(axes[nearest[1]], (x, y)) - math.dist(axes[tube], (x, y)) > 3
        assert x < axes[tube][0]
        assert y == pytest.approx(axes[tube][1], abs=0.002)
    for player, side in ((Player.RED, -1), (Player.BLACK, 1)):
        for number in wiring.player_pixels[player]:
            assert all(side * (found[number][1] - y) > 0 for _, y in axes.values())


@EVERY_BOARD
def test_pixels_collide_with_nothing(name: str) -> None:
    drawing = template(name)
    others = [*circles(drawing, "RING"), *circles(drawing, "FOOT"), *circles(drawing, "TUBE")]
    pixels = circles(drawing, "PIXEL")
    for pixel in pixels:
        for other in (*others, *(hole for hole in pixels if hole is not pixel), *circles(drawing, "SCREW")):
            assert math.dist(pixel.place, other.place) >= pixel.radius + other.radius + 0.4


@EVERY_BOARD
def test_screws_keep_away_from_the_axes(name: str) -> None:
    """A steel screw would bend the field: heads of 5 mm stay 15 mm away from every axis, and out of the wall."""
    drawing = template(name)
    screws = circles(drawing, "SCREW")
    assert len(screws) == 2 * (len(BOARDS[name].tubes) + 1)
    for screw in screws:
        distances = [math.dist(screw.place, tube.place) for tube in circles(drawing, "TUBE")]
        assert min(distances) - 2.5 >= 15
        assert min(distances) - 2.5 >= BOARDS[name].geometry.tube_outer_diameter / 2


@EVERY_BOARD
def test_the_outline_holds_everything(name: str) -> None:
    drawing = template(name)
    (outline,) = drawing.layer("BOARD")
    left, bottom, right, top = outline.box
    for layer in ("FOOT", "PIXEL", "RING", "SCREW"):
        for circle in circles(drawing, layer):
            x1, y1, x2, y2 = circle.box
            assert x1 > left + 2
            assert y1 > bottom + 2
            assert x2 < right - 2
            assert y2 < top - 2
    words = {text.words for text in drawing.texts()}
    assert f"{right - left - outline.stroke:.1f}" in words
    assert f"{top - bottom - outline.stroke:.1f}" in words


@EVERY_BOARD
def test_the_scale_is_100_mm(name: str) -> None:
    lines = template(name).layer("SCALE", "line")
    assert max(math.dist(*line.points) for line in lines) == pytest.approx(100.0)
    ticks = sorted(line.place[0] for line in lines if line.points[0][0] == line.points[1][0])
    assert [tick - ticks[0] for tick in ticks] == pytest.approx([10.0 * step for step in range(11)])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tube_pitch", 43.0),  # feet touch
        ("ring_outer_diameter", 44.8),  # no room for a pixel that is plainly one tube's
        ("tube_outer_diameter", 30.0),  # no room for the sensors in the wall
    ],
)
def test_what_does_not_fit_is_refused(key: str, value: float) -> None:
    with pytest.raises(WiringError, match=rf"^geometry\.{key}: {value:g}; allowed is "):
        template_svg(changed(FULL, **{key: value}))


def test_without_room_for_screws_the_feet_are_glued() -> None:
    drawing = read(template_svg(changed(FULL, tube_outer_diameter=34.0, ring_inner_diameter=35.0)))
    assert not drawing.layer("SCREW")
    assert any("glued" in text.words for text in drawing.texts())
