"""The shapes of which the drawing is made, defined once in each drawing and used wherever they stand.

A shape stands on its foot at (0, 0), in the units of `tamsk_hw.svg.places`. Names of definitions begin with the
drawing's prefix, so that several drawings can stand on one page.
"""

from __future__ import annotations

from functools import lru_cache

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import CAPACITY
from tamsk_hw.svg.markup import Value, at, number, tag
from tamsk_hw.svg.places import FLAT, LEVEL, TUBE
from tamsk_hw.svg.theme import Ink, Role, Theme

#: The caps of a glass: radius, flatness and height.
_CAP, _CAP_FLAT, _CAP_HEIGHT = 23.0, 0.36, 8.0

#: A bulb of a glass: its height, and the height to which all of the sand fills it.
BULB, SAND = 41.0, 35.0

#: The height of the neck and of a whole glass above its foot.
NECK = _CAP_HEIGHT + BULB + 1
HEIGHT = 2 * NECK

#: Both bulbs round the neck at (0, 0).
BULBS = (
    f"M-18.5 {-BULB}C-22 -21 -17 -11 -2.4 -2.5Q-1.6 0 -2.4 2.5C-17 11 -22 21 -18.5 {BULB}"
    f"H18.5C22 21 17 11 2.4 2.5Q1.6 0 2.4 -2.5C17 -11 22 -21 18.5 {-BULB}Z"
)

#: The colour of a player's things.
OF_PLAYER = {Player.RED: Role.RED, Player.BLACK: Role.BLACK}


def use(name: str, prefix: str, x: float = 0.0, y: float = 0.0) -> str:
    """A shape at a place."""
    return tag("use", href=f"#{prefix}{name}", x=x or None, y=y or None)


def side(radius: float, flat: float, height: float) -> str:
    """The path of the outside of a drum that stands at (0, 0)."""
    rx, ry = number(radius), number(radius * flat)
    return f"M-{rx} {number(-height)}V0A{rx} {ry} 0 0 0 {rx} 0V{number(-height)}Z"


def disc(radius: float, height: float, flat: float = FLAT, /, **attributes: Value) -> str:
    """A circle that lies at a height."""
    return tag("ellipse", cy=-height or None, rx=radius, ry=radius * flat, **attributes)


def seams(radius: float, count: int) -> str:
    """The path of the lines between ``count`` drums of a ring's height that stand on each other at (0, 0)."""
    rx, ry = number(radius), number(radius * FLAT)
    heights = (number(-level * LEVEL) for level in range(1, count))
    return "".join(f"M-{rx} {height}A{rx} {ry} 0 0 0 {rx} {height}" for height in heights)


def _tube(ink: Ink, prefix: str, free: int) -> str:
    """The part of a tube above its rings: ``free`` rings tall, with a line for each level."""
    height = free * LEVEL
    path = side(TUBE, FLAT, height)
    lines = seams(TUBE, free)
    wall = (
        tag("path", d=path, **ink.fill(Role.WALL)),
        tag("path", d=path, fill=f"url(#{prefix}shade)"),
        tag("path", d=lines, stroke_width=1.5, **ink.line(Role.LEVEL)) if lines else "",
    )
    return tag(
        "g",
        *(wall if free else ()),
        disc(TUBE, height, stroke_width=1, **ink.both(Role.RIM, Role.LEVEL)),
        disc(TUBE - 5.5, height, **ink.fill(Role.HOLE)),
        id=f"{prefix}tube-{free}",
    )


def _cap(ink: Ink, player: Player | None, height: float) -> str:
    """A cap: red's are round, black's have an edge, the timer's are plain."""
    role = Role.WALL if player is None else OF_PLAYER[player]
    drum = side(_CAP, _CAP_FLAT, _CAP_HEIGHT)
    outline = ink.both(role, Role.CAP_EDGE)
    parts = [
        tag("path", d=drum, stroke_width=1.4, **outline),
        disc(_CAP, _CAP_HEIGHT, _CAP_FLAT, stroke_width=1.4, **outline),
    ]
    if player is Player.BLACK:
        parts.append(disc(_CAP - 8, _CAP_HEIGHT, _CAP_FLAT, stroke_width=1.2, **ink.line(Role.CAP_EDGE)))
    return tag("g", *parts, transform=at(0, -height) if height else None)


def _caps(ink: Ink, prefix: str, player: Player | None) -> tuple[str, str]:
    """The lower and the upper cap of a glass."""
    name = "timer" if player is None else player.value
    crown = ""
    if player is Player.RED:  # a dome, so that red and black differ in form, too
        top = number(-HEIGHT)
        width, flat = number(_CAP - 3), number(_CAP * _CAP_FLAT - 1)
        crown = tag(
            "path",
            d=f"M-{width} {top}A{width} 15 0 0 1 {width} {top}A{width} {flat} 0 0 1 -{width} {top}Z",
            stroke_width=1.4,
            **ink.both(Role.RED, Role.CAP_EDGE),
        ) + tag(
            "path",
            d=f"M-11 {number(-HEIGHT - 6)}q6 -5 13 -4.5",
            stroke_width=2.2,
            stroke_linecap="round",
            stroke_opacity=0.7,
            **ink.line(Role.SHINE),
        )
    return (
        tag("g", _cap(ink, player, 0.0), id=f"{prefix}foot-{name}"),
        tag("g", _cap(ink, player, HEIGHT - _CAP_HEIGHT), crown, id=f"{prefix}head-{name}"),
    )


def _gradient(prefix: str) -> str:
    """The shadow on the outside of a drum, whatever its colour."""
    stops = ((0, "#000", 0.3), (0.22, "#fff", 0.2), (0.5, "#000", 0.0), (1, "#000", 0.42))
    return tag(
        "linearGradient",
        *(tag("stop", offset=offset, stop_color=shade, stop_opacity=share) for offset, shade, share in stops),
        id=f"{prefix}shade",
    )


def _hatch(ink: Ink, prefix: str) -> str:
    """The pattern of what is dead or closed."""
    stripe = tag("path", d="M0 0V7", stroke_width=2.4, stroke_opacity=0.55, **ink.line(Role.DEAD_MARK))
    return tag(
        "pattern",
        stripe,
        id=f"{prefix}hatch",
        width=7,
        height=7,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )


@lru_cache(maxsize=64)
def definitions(theme: Theme, prefix: str) -> str:
    """All shapes of a drawing."""
    ink = Ink(theme)
    return tag(
        "defs",
        _gradient(prefix),
        _hatch(ink, prefix),
        tag("clipPath", tag("path", d=BULBS), id=f"{prefix}bulbs"),
        *(_tube(ink, prefix, free) for free in range(max(CAPACITY) + 1)),
        *(part for player in (*PLAYERS, None) for part in _caps(ink, prefix, player)),
    )
