"""Hour-glasses: the players' and the timer, with their sand.

The sand of a glass is four rectangles behind the glass's outline: ``sure`` and ``soft`` are the lowest and the
highest that may be above the neck, ``sand`` the middle, ``fallen`` what is below. A page moves the sand by setting
their ``y`` and ``height`` as `above` and `fallen` make them, which costs a browser less than a ``transform``.
``data-t``, ``data-fraction`` and ``data-seconds`` have what it reckons with: the time of the view, the lowest and
highest share of a full glass (0 … 1), and seconds to run.
"""

from __future__ import annotations

from math import sqrt
from typing import assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.referee.view import GlassState, GlassView
from tamsk_hw.svg.markup import Value, at, tag, text_of
from tamsk_hw.svg.shapes import BULB, BULBS, HEIGHT, NECK, SAND, disc, use
from tamsk_hw.svg.theme import Ink, Role

#: An interval of sand is drawn from this width on (share of a full glass).
VISIBLE_DOUBT = 0.04

#: The size of a glass on the board.
SCALE = 1.1

#: The height of a glass as `hourglass` draws it.
GLASS_HEIGHT = SCALE * (HEIGHT + 12)

_SAND_OF = {Player.RED: Role.SAND_RED, Player.BLACK: Role.SAND_BLACK}


def filling(share: float) -> float:
    """The height of ``share`` (0 … 1) of the sand in the upper bulb (0 … 1), which is narrow where it ends.

    Below, the room above the sand has this height, since the glass is the same upside down.
    """
    return sqrt(share)


def above(share: float) -> dict[str, Value]:
    """Place and height of the sand above the neck: ``share`` (0 … 1) of a full glass."""
    height = SAND * filling(share)
    return {"y": -height, "height": height}


def fallen(share: float) -> dict[str, Value]:
    """Place and height of the sand below when ``share`` (0 … 1) of a full glass is above."""
    height = SAND * (1 - filling(share))
    return {"y": BULB - height, "height": height}


def levels(fraction: tuple[float, float]) -> tuple[float, float, float]:
    """The lowest, middle and highest share of sand as drawn; equal where the interval is too narrow to matter."""
    low, high = fraction
    middle = (low + high) / 2
    return (low, middle, high) if high - low >= VISIBLE_DOUBT else (middle, middle, middle)


def sand(ink: Ink, prefix: str, role: Role, fraction: tuple[float, float], *, runs: bool) -> str:
    """The sand of a glass round its neck at (0, 0); ``runs``: it is falling."""
    low, middle, high = levels(fraction)

    def heap(name: str, place: dict[str, Value], opacity: float | None = None) -> str:
        return tag("rect", x=-24, width=48, fill_opacity=opacity, **place, **ink.fill(role, name))

    stream = tag("path", d=f"M0 -2V{BULB}", stroke_width=2.6, **ink.line(role, "stream")) if runs else ""
    return tag(
        "g",
        heap("soft", above(high), 0.32),
        heap("sand", above(middle), 0.5),
        heap("sure", above(low)),
        stream,
        heap("fallen", fallen(middle)),
        clip_path=f"url(#{prefix}bulbs)",
    )


def _body(ink: Ink, inside: Role) -> str:
    """The bulbs before the sand is in them."""
    return tag("path", d=BULBS, **ink.fill(inside))


def _outline(ink: Ink, dashes: str | None = None) -> str:
    """The bulbs' outline and the light on them."""
    return tag("path", d=BULBS, stroke_width=2.2, stroke_dasharray=dashes, **ink.line(Role.BULB_EDGE)) + tag(
        "path",
        d="M-14 -35Q-15.5 -24 -10 -15M-10 15Q-15 22 -14 33",
        stroke_width=3,
        stroke_linecap="round",
        stroke_opacity=0.75,
        **ink.line(Role.SHINE),
    )


def _contents(ink: Ink, prefix: str, glass: GlassView) -> str:
    """Everything between the caps, round the neck."""
    role = _SAND_OF[glass.owner]
    match glass.state:
        case GlassState.RUNNING | GlassState.DOUBTFUL:
            runs = glass.standing is not None and glass.fraction[1] > 0
            return _body(ink, Role.BULB) + sand(ink, prefix, role, glass.fraction, runs=runs) + _outline(ink)
        case GlassState.UNSTARTED:
            at_rest = tag("g", sand(ink, prefix, role, (0.0, 0.0), runs=False), opacity=0.4)
            return _body(ink, Role.BULB) + at_rest + _outline(ink, dashes="5 3")
        case GlassState.NO_SAND:
            return _body(ink, Role.BULB) + sand(ink, prefix, role, (0.0, 0.0), runs=False) + _outline(ink)
        case GlassState.LOST:
            return (
                _body(ink, Role.DEAD)
                + sand(ink, prefix, Role.DEAD_SAND, (0.0, 0.0), runs=False)
                + tag("path", d=BULBS, fill=f"url(#{prefix}hatch)")
                + tag("path", d=BULBS, stroke_width=2.2, **ink.line(Role.DEAD_MARK))
                + _cross(ink)
            )
        case _:
            assert_never(glass.state)


def _cross(ink: Ink) -> str:
    """The mark of a lost glass."""
    path = f"M-21 {-BULB + 8}L21 {BULB - 8}M21 {-BULB + 8}L-21 {BULB - 8}"
    return tag("path", d=path, stroke_width=10, stroke_linecap="round", **ink.line(Role.CAP_EDGE)) + tag(
        "path", d=path, stroke_width=5.5, stroke_linecap="round", **ink.line(Role.DEAD_MARK)
    )


def pair(bounds: tuple[float, float], digits: int) -> str:
    """Two bounds as the value of a data attribute, with a space between."""
    return f"{round(bounds[0], digits):g} {round(bounds[1], digits):g}"


def hourglass(
    ink: Ink,
    prefix: str,
    glass: GlassView,
    *,
    name: str,
    words: str,
    place: tuple[float, float],
    t: float,
    leans: bool = False,
) -> str:
    """A player's glass, its foot at ``place``; one in the hand is drawn aslant, and more so one that ``leans``."""
    owner, held = glass.owner.value, glass.standing is None
    kinds = f"tamsk-glass {owner} {glass.state.value}{' held' if held else ' leaning' if leans else ''}"
    angle = 9 if held else 17 if leans else 0
    return tag(
        "g",
        tag("title", text_of(words)),
        "" if held else disc(21, 0, fill_opacity=0.45, **ink.fill(Role.SHADE)),
        use(f"foot-{owner}", prefix),
        tag("g", _contents(ink, prefix, glass), transform=at(0, -NECK)),
        use(f"head-{owner}", prefix),
        id=f"{prefix}{name}",
        class_=kinds,
        data_owner=owner,
        data_tube=glass.tube.name,
        data_standing="" if glass.standing is None else glass.standing.name,
        data_state=glass.state.value,
        data_end=glass.end.value,
        data_t=f"{t:.3f}",
        data_fraction=pair(glass.fraction, 5),
        data_seconds=pair(glass.seconds, 2),
        transform=at(*place, f"rotate({angle}) scale({SCALE})" if angle else f"scale({SCALE})"),
    )


def timer_glass(
    ink: Ink, prefix: str, *, seconds: float, full: float, t: float, words: str, place: tuple[float, float]
) -> str:
    """The timer with ``seconds`` of ``full`` seconds above, its foot at ``place``, drawn larger than a glass."""
    share = min(1.0, seconds / full)
    return tag(
        "g",
        tag("title", text_of(words)),
        use("foot-timer", prefix),
        tag(
            "g",
            _body(ink, Role.BULB),
            sand(ink, prefix, Role.SAND_TIMER, (share, share), runs=seconds > 0),
            _outline(ink),
            transform=at(0, -NECK),
        ),
        use("head-timer", prefix),
        id=f"{prefix}timer",
        class_="tamsk-timer",
        data_t=f"{t:.3f}",
        data_fraction=pair((share, share), 5),
        data_seconds=pair((seconds, seconds), 2),
        transform=at(*place, "scale(1.3)"),
    )
