"""Charts of a game's course: rings left, and sand, over its time.

As the drawing of a table they need nothing from elsewhere, and follow the theme of a page with
`tamsk_hw.svg.elements.stylesheet`. The area of the lines is light in both themes, so that red and black stand out
from it; each line has dashes of its own, which its name at the end repeats. A page may light up a line under the
cursor: it is a group of the class ``line``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Player
from tamsk_hw.referee.playback import Course, GlassCourse
from tamsk_hw.svg.elements import Ink, Role, Theme, checked_prefix, number, tag, text_of
from tamsk_hw.svg.things import SAND_OF
from tamsk_hw.words import pages
from tamsk_hw.words.translating import tr

_WIDTH, _HEIGHT = 720.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 598.0, 44.0, 258.0

#: Seconds between two marks of an axis, of which the first that gives few enough is taken.
_STEPS: Final = (10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0)
_MOST_MARKS: Final = 8

#: The dashes of a player's lines: of the first, second and third.
_DASHES = {Player.RED: (None, "16 4", "16 4 3 4"), Player.BLACK: ("7 4", "2 3", "7 4 2 4")}

_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart; a notebook shows it by itself. ``prefix`` begins every id, as of `tamsk_hw.svg.Drawing`."""

    title: str
    description: str
    course: Course
    top: float
    """The value at the upper edge; at the lower one it is 0."""
    marks: tuple[float, ...]
    """The values that are marked."""
    lines: tuple[_Curve, ...]
    prefix: str = ""

    def __post_init__(self) -> None:
        checked_prefix(self.prefix)

    def svg(self) -> str:
        """The SVG as text. The same game gives the same text."""
        ink, prefix = Ink(Theme.LIGHT), self.prefix
        return tag(
            "svg",
            tag("title", text_of(self.title), id=f"{prefix}title"),
            tag("desc", text_of(self.description), id=f"{prefix}desc"),
            tag("rect", width=_WIDTH, height=_HEIGHT, **ink.fill(Role.PAGE)),
            tag("text", text_of(self.title), x=_LEFT, y=26, font_size=17, font_weight=600, **ink.fill(Role.TEXT)),
            tag("rect", x=_LEFT, y=_TOP, width=_RIGHT - _LEFT, height=_BOTTOM - _TOP, **ink.fill(Role.BULB)),
            self._axes(ink),
            *self._lines(ink),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(_WIDTH)} {number(_HEIGHT)}",
            role="img",
            aria_labelledby=f"{prefix}title {prefix}desc",
            class_="tamsk chart",
            font_family="system-ui, sans-serif",
            font_size=14,
        )

    _repr_svg_ = svg  # by this name Jupyter asks for it

    def _x(self, t: float) -> float:
        span = self.course.ends - self.course.begins or 1.0
        return _LEFT + (t - self.course.begins) / span * (_RIGHT - _LEFT)

    def _y(self, value: float) -> float:
        return _BOTTOM - value / self.top * (_BOTTOM - _TOP)

    def _axes(self, ink: Ink) -> str:
        parts = []
        for value in self.marks:
            y = self._y(value)
            parts.append(tag("path", d=_steps([(_LEFT, y), (_RIGHT, y)]), **ink.line(Role.LINE)))
            parts.append(
                tag("text", number(value), x=_LEFT - 8, y=y + 5, text_anchor="end", **ink.fill(Role.QUIET))
            )
        span = self.course.ends - self.course.begins
        step = _step(span)
        for place in range(int(span / step) + 1):
            x = self._x(self.course.begins + place * step)
            parts.append(tag("path", d=_steps([(x, _BOTTOM), (x, _BOTTOM + 6)]), **ink.line(Role.QUIET)))
            words = text_of(pages.clock_words(place * step))
            parts.append(tag("text", words, x=x, y=_BOTTOM + 23, text_anchor="middle", **ink.fill(Role.QUIET)))
        return tag("g", *parts, aria_hidden="true")

    def _lines(self, ink: Ink) -> list[str]:
        """The lines, and their names at their ends, apart from one another."""
        made, free = [], _BOTTOM
        for line in sorted(self.lines, key=lambda line: (-line.points[-1][2], line.label), reverse=True):
            y = min(self._y(line.points[-1][2]), free)
            free = y - 17
            made.append(self._line(ink, line, y))
        return made

    def _line(self, ink: Ink, line: _Curve, y: float) -> str:
        """A line, with its name at the height ``y``."""
        upper = [(self._x(t), self._y(most)) for t, _, most in line.points]
        lower = [(self._x(t), self._y(least)) for t, least, _ in line.points]
        role = SAND_OF[line.player]
        band = ""
        if any(least != most for _, least, most in line.points):
            band = tag("path", d=f"{_steps([*upper, *reversed(lower)])}Z", opacity=0.25, **ink.fill(role))
        look = {"stroke_width": 2.5, "stroke_dasharray": line.dashes, **ink.line(role)}
        stroke = tag("path", d=_steps(upper), **look)
        sample = tag("line", x1=_RIGHT + 6, x2=_RIGHT + 34, y1=y, y2=y, **look)
        name = tag("text", text_of(line.label), x=_RIGHT + 40, y=y + 5, **ink.fill(Role.TEXT))
        return tag("g", band, stroke, sample, name, id=f"{self.prefix}{line.name}", class_="line")


@dataclass(frozen=True, slots=True)
class _Curve:
    """A line: time, least and most value of each point. Between least and most lies an area."""

    name: str
    player: Player
    points: tuple[tuple[float, float, float], ...]
    label: str
    dashes: str | None


def rings_chart(course: Course, *, prefix: str = "") -> Chart:
    """The rings that each player has left, over the game."""
    lines = []
    for player in PLAYERS:
        points: list[tuple[float, float, float]] = []
        for t, rings in course.rings:
            if points:
                points.append((t, points[-1][1], points[-1][2]))  # a ring is dropped at once
            points.append((t, rings[player], rings[player]))
        left = rings[player]
        points.append((course.ends, left, left))
        label, dashes = pages.line_label(player, left), _DASHES[player][0]
        lines.append(_Curve(f"rings-{player.value}", player, tuple(points), label, dashes))
    marks = (0, 8, 16, 24, 32)
    return Chart(
        tr("Rings left"), pages.rings_description(course), course, RINGS_EACH, marks, tuple(lines), prefix
    )


def sand_chart(course: Course, *, prefix: str = "") -> Chart:
    """The seconds that each glass has to run, over the game; an area shows what is uncertain about it."""
    most = max([60.0, *(each.most for glass in course.glasses for each in glass.samples)])
    step = max(60.0, _step(most))
    marks = tuple(step * place for place in range(int(most / step) + 1))
    lines = tuple(
        _Curve(f"sand-{glass.name}", glass.owner, _until_lost(glass), label, _dashes(glass))
        for glass, label in zip(course.glasses, pages.glass_labels(course), strict=True)
    )
    title = tr("Sand in the glasses, seconds")
    return Chart(title, pages.sand_description(course), course, most, marks, lines, prefix)


def _dashes(glass: GlassCourse) -> str | None:
    """The dashes of a glass's line, by its number."""
    return _DASHES[glass.owner][(int(glass.name.rpartition("-")[2]) - 1) % 3]


def _step(seconds: float) -> float:
    """The seconds between two marks of an axis, so that there are few however long it is."""
    step = next((each for each in _STEPS if seconds / each <= _MOST_MARKS), _STEPS[-1])
    while seconds / step > _MOST_MARKS:
        step *= 2
    return step


def _until_lost(glass: GlassCourse) -> tuple[tuple[float, float, float], ...]:
    """The points of a glass's line, which ends where it is lost."""
    points = []
    for each in glass.samples:
        points.append((each.t, each.least, each.most))
        if each.is_lost:
            break
    return tuple(points)


def _steps(points: Sequence[_Point]) -> str:
    """A path through the points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
