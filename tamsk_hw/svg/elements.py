"""Elements of drawings: markup, places, colours and shapes.

Everything that comes from people is escaped. The board is seen from the front and from above, in units of its own:
x to the right, y down, heights upward on the board; depth is drawn `FLAT` times as long as width.

An element names the role of its colour and has the colour twice: as a presentation attribute, so that a drawing is
complete as a file, and as a class (``tamsk-fill-sand-red``), so that the style sheet of a page can give it
another. `stylesheet` is one that follows the reader's theme; a page may override any custom property of it
(``--tamsk-sand-red``).

A shape stands on its foot at (0, 0) and is defined once in each drawing. Names of definitions begin with the
drawing's prefix, so that several drawings can stand on one page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from html import escape

from tamsk_hw.errors import MisuseError, printable
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, Player, Tube

#: Values of an attribute; None leaves it out, True gives it the value ``true``.
Value = str | float | bool | None

#: Attributes of lines with round ends and corners.
ROUND: dict[str, Value] = {"stroke_linecap": "round", "stroke_linejoin": "round"}


def number(value: float) -> str:
    """A number with at most two decimals, and none that say nothing: ``12.5``, ``3``."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_of(words: str) -> str:
    """Words as content of an element; characters that XML does not know become their numbers."""
    return escape(words if words.isprintable() else printable(words), quote=False)


def _attribute(name: str, value: Value) -> str:
    """An attribute with a space before it, or nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        value = "true" if value else "false"
    shown = escape(value if value.isprintable() else printable(value)) if isinstance(value, str) else number(value)
    return f' {name.strip("_").replace("_", "-")}="{shown}"'


def tag(name: str, *content: str, **attributes: Value) -> str:
    """An element. ``content`` is markup already; ``class_`` is written ``class``, ``data_t`` ``data-t``."""
    opened = f"<{name}{''.join(_attribute(*each) for each in attributes.items())}"
    return f"{opened}>{''.join(content)}</{name}>" if content else f"{opened}/>"


def text(words: str, x: float | None, y: float, size: float, weight: int | None = None, /, **more: Value) -> str:
    """A line of text; ``more``: other attributes."""
    return tag("text", text_of(words), x=x, y=y, font_size=size, font_weight=weight, **more)


def box(width: float, height: float, rx: float, stroke: float, /, **ink: Value) -> str:
    """A rectangle with round corners round (0, 0)."""
    x, y = -width / 2, -height / 2
    return tag("rect", x=x, y=y, width=width, height=height, rx=rx, stroke_width=stroke, **ink)


def checked_prefix(prefix: str) -> str:
    """The beginning of ids: letters, digits, ``-`` and ``_``; raises `MisuseError` for another."""
    if not (prefix + "a").replace("-", "").replace("_", "").isalnum() or not prefix.isascii():
        raise MisuseError(f"{prefix!r} begins no id; allowed: letters, digits, - and _")
    return prefix


def at(x: float, y: float, *more: str) -> str:
    """A transform that moves to a place, then does ``more``."""
    return " ".join((f"translate({number(x)} {number(y)})", *more))


#: Depth over width of a circle that lies on the board.
FLAT = 0.72

#: The distance of two columns, and of two tubes in a column.
COLUMN, ROW = 132.0, 107.0

#: The outer radius of a ring, that of a tube, and the height of a ring: the unit of a tube's height (R1.2).
RING, TUBE, LEVEL = 52.0, 32.0, 15.0

#: The board alone: its width and height, and the place of D4's foot in it.
BOARD_WIDTH, BOARD_HEIGHT = 980.0, 900.0
_CENTRE_X, _CENTRE_Y = BOARD_WIDTH / 2, 492.0


#: Room beside, above and below the outermost tubes' feet: for the board's edge, a glass and a sign.
_BESIDE, _ABOVE, _BELOW = 94.0, 171.0, 87.0

#: A board of a few tubes is drawn larger, up to this.
_LARGEST = 1.8


def foot(tube: Tube) -> tuple[float, float]:
    """The middle of a tube's foot on the board."""
    return _CENTRE_X + (tube.column - 3) * COLUMN, _CENTRE_Y - (tube.height - 3) * ROW


def fit(tubes: Iterable[Tube]) -> tuple[float, float, float]:
    """The place and the scale at which a board of these tubes fills the room of the whole one."""
    feet = [foot(tube) for tube in tubes]
    left, right = min(x for x, _ in feet) - _BESIDE, max(x for x, _ in feet) + _BESIDE
    top, bottom = min(y for _, y in feet) - _ABOVE, max(y for _, y in feet) + _BELOW
    scale = min(_LARGEST, BOARD_WIDTH / (right - left), BOARD_HEIGHT / (bottom - top))
    return (BOARD_WIDTH - scale * (left + right)) / 2, (BOARD_HEIGHT - scale * (top + bottom)) / 2, scale


class Theme(Enum):
    """The colours that stand in the attributes; the value is the name that a page puts in ``data-theme``."""

    LIGHT = "light"
    DARK = "dark"


class Role(Enum):
    """The roles of colours; the value is the end of their class names and custom properties."""

    PAGE = "page", "#f5f2ec", "#0f1318"
    """The background of everything."""
    TEXT = "text", "#1b2026", "#eef2f6"
    QUIET = "quiet", "#55606c", "#a3afbc"
    """Text that nobody needs at once."""
    CARD = "card", "#ffffff", "#1a2028"
    """The background of what stands beside the board."""
    LINE = "line", "#c9c3b6", "#364250"
    PLATE = "plate", "#3d4b5a", "#25303b"
    """The board."""
    PLATE_EDGE = "plate-edge", "#2b3642", "#3a4856"
    PLACE = "place", "#344150", "#1e2731"
    """The board where a ring may come to lie."""
    NAME = "name", "#dde5ec", "#b9c5d0"
    """The names of the tubes, on the board."""
    WALL = "wall", "#93a2b1", "#7b8a99"
    """The outside of a tube."""
    RIM = "rim", "#c7d2dc", "#a9b7c4"
    HOLE = "hole", "#141b23", "#0b1016"
    LEVEL = "level", "#56646f", "#3f4b56"
    """The lines on a tube that show how many rings it takes."""
    LID = "lid", "#59646e", "#4a555f"
    """The lid of a full tube."""
    LID_BAR = "lid-bar", "#f3ead0"
    RING = "ring", "#f6ecd2", "#eadfc2"
    RING_SIDE = "ring-side", "#d3bf8d", "#c0ac7b"
    RING_EDGE = "ring-edge", "#6f5d31", "#5c4c26"
    BULB = "bulb", "#f3f8fb", "#e3ebf1"
    """The inside of a glass."""
    BULB_EDGE = "bulb-edge", "#1b242d", "#0d1319"
    RED = "red", "#c0271d", "#c62d22"
    """The red player's caps and card."""
    BLACK = "black", "#15181d", "#0a0c0f"
    ON_PLAYER = "on-player", "#ffffff"
    """Text on either player's colour."""
    CAP_EDGE = "cap-edge", "#e9eef3", "#c9d3dc"
    SAND_RED = "sand-red", "#d8382b"
    SAND_BLACK = "sand-black", "#262b33"
    SAND_TIMER = "sand-timer", "#b87400"
    DEAD = "dead", "#a9b2ba", "#8b959e"
    """The inside of a lost glass."""
    DEAD_SAND = "dead-sand", "#7d8790", "#68727b"
    DEAD_MARK = "dead-mark", "#20262c", "#14191e"
    ALLOWED = "allowed", "#4fe08a", "#45d580"
    """Places to which a glass or a ring may go."""
    DOUBT = "doubt", "#ffb000"
    """Anything in doubt or urgent."""
    ON_DOUBT = "on-doubt", "#1b1400"
    WRONG = "wrong", "#a312e8"
    """Anything that must be put right."""
    ON_WRONG = "on-wrong", "#ffffff"
    SHADE = "shade", "#000000"
    """Shadows, always half transparent."""
    SHINE = "shine", "#ffffff"

    shades: tuple[str, str]
    """By day and by night, in the form ``#rrggbb``."""

    def __new__(cls, value: str, light: str, dark: str | None = None) -> Role:
        """A role of that name; without ``dark`` its colour is the same by night."""
        member = object.__new__(cls)
        member._value_, member.shades = value, (light, dark or light)
        return member


def colour(role: Role, theme: Theme) -> str:
    """The colour of a role in a theme, as ``#rrggbb``."""
    return role.shades[theme is Theme.DARK]


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours in the attributes of elements, each with the class by which a page may change it.

    ``prefix`` begins the ids of the drawing.
    """

    theme: Theme
    prefix: str = ""

    def fill(self, role: Role, also: str = "") -> dict[str, str]:
        """Attributes of an area without an outline; ``also``: more classes."""
        return {"class_": f"tamsk-fill-{role.value} {also}".rstrip(), "fill": colour(role, self.theme)}

    def line(self, role: Role, also: str = "") -> dict[str, str]:
        """Attributes of a line or outline without an area."""
        return {
            "class_": f"tamsk-line-{role.value} {also}".rstrip(),
            "fill": "none",
            "stroke": colour(role, self.theme),
        }

    def both(self, area: Role, outline: Role, also: str = "") -> dict[str, str]:
        """Attributes of an area with an outline."""
        return {
            "class_": f"tamsk-fill-{area.value} tamsk-line-{outline.value} {also}".rstrip(),
            "fill": colour(area, self.theme),
            "stroke": colour(outline, self.theme),
        }


def _properties(theme: Theme) -> str:
    """The custom properties of a theme."""
    return "".join(f"--tamsk-{role.value}:{colour(role, theme)};" for role in Role)


def stylesheet() -> str:
    """The style sheet of a page: the drawing follows the reader's theme, or ``data-theme`` of a parent."""
    light, dark = _properties(Theme.LIGHT), _properties(Theme.DARK)
    rules = [
        f":root{{{light}}}",
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}",
        f'[data-theme="{Theme.LIGHT.value}"]{{{light}}}',
        f'[data-theme="{Theme.DARK.value}"]{{{dark}}}',
    ]
    for role in Role:
        value = f"var(--tamsk-{role.value},{colour(role, Theme.LIGHT)})"
        rules += [f".tamsk-fill-{role.value}{{fill:{value}}}", f".tamsk-line-{role.value}{{stroke:{value}}}"]
    return "\n".join([*rules, ""])


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


def use(ink: Ink, name: str, x: float = 0.0, y: float = 0.0) -> str:
    """A shape at a place."""
    return tag("use", href=f"#{ink.prefix}{name}", x=x or None, y=y or None)


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


def _tube(ink: Ink, free: int) -> str:
    """The part of a tube above its rings: ``free`` rings tall, with a line for each level."""
    height = free * LEVEL
    path = side(TUBE, FLAT, height)
    lines = seams(TUBE, free)
    wall = (
        tag("path", d=path, **ink.fill(Role.WALL)),
        tag("path", d=path, fill=f"url(#{ink.prefix}shade)"),
        tag("path", d=lines, stroke_width=1.5, **ink.line(Role.LEVEL)) if lines else "",
    )
    return tag(
        "g",
        *(wall if free else ()),
        disc(TUBE, height, stroke_width=1, **ink.both(Role.RIM, Role.LEVEL)),
        disc(TUBE - 5.5, height, **ink.fill(Role.HOLE)),
        id=f"{ink.prefix}tube-{free}",
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


def _caps(ink: Ink, player: Player | None) -> tuple[str, str]:
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
        tag("g", _cap(ink, player, 0.0), id=f"{ink.prefix}foot-{name}"),
        tag("g", _cap(ink, player, HEIGHT - _CAP_HEIGHT), crown, id=f"{ink.prefix}head-{name}"),
    )


def _gradient(ink: Ink) -> str:
    """The shadow on the outside of a drum, whatever its colour."""
    stops = ((0, "#000", 0.3), (0.22, "#fff", 0.2), (0.5, "#000", 0.0), (1, "#000", 0.42))
    return tag(
        "linearGradient",
        *(tag("stop", offset=offset, stop_color=shade, stop_opacity=share) for offset, shade, share in stops),
        id=f"{ink.prefix}shade",
    )


def _hatch(ink: Ink) -> str:
    """The pattern of what is dead or closed."""
    stripe = tag("path", d="M0 0V7", stroke_width=2.4, stroke_opacity=0.55, **ink.line(Role.DEAD_MARK))
    return tag(
        "pattern",
        stripe,
        id=f"{ink.prefix}hatch",
        width=7,
        height=7,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )


@lru_cache(maxsize=64)
def definitions(ink: Ink) -> str:
    """All shapes of a drawing."""
    return tag(
        "defs",
        _gradient(ink),
        _hatch(ink),
        tag("clipPath", tag("path", d=BULBS), id=f"{ink.prefix}bulbs"),
        *(_tube(ink, free) for free in range(max(CAPACITY) + 1)),
        *(part for player in (*PLAYERS, None) for part in _caps(ink, player)),
    )
