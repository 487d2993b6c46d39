"""The colours of the drawing: every element names the role of its colour, and themes give the roles their colours.

An element has its colour twice: as a presentation attribute, so that a drawing is complete as a file, and as a
class (``tamsk-fill-sand-red``), so that the style sheet of a page can give it another. `stylesheet` is one that
follows the reader's theme; a page may override any custom property of it (``--tamsk-sand-red``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Theme(Enum):
    """The colours that stand in the attributes; the value is the name that a page puts in ``data-theme``."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Shades:
    """The colours of one role, in the form ``#rrggbb``."""

    light: str
    dark: str


def _both(colour: str) -> Shades:
    """A colour of a thing that looks the same by day and by night."""
    return Shades(colour, colour)


class Role(Enum):
    """The roles of colours; the value is the end of their class names and custom properties."""

    PAGE = "page"
    """The background of everything."""
    TEXT = "text"
    QUIET = "quiet"
    """Text that nobody needs at once."""
    CARD = "card"
    """The background of what stands beside the board."""
    LINE = "line"
    PLATE = "plate"
    """The board."""
    PLATE_EDGE = "plate-edge"
    PLACE = "place"
    """The board where a ring may come to lie."""
    NAME = "name"
    """The names of the tubes, on the board."""
    WALL = "wall"
    """The outside of a tube."""
    RIM = "rim"
    HOLE = "hole"
    LEVEL = "level"
    """The lines on a tube that show how many rings it takes."""
    LID = "lid"
    """The lid of a full tube."""
    LID_BAR = "lid-bar"
    RING = "ring"
    RING_SIDE = "ring-side"
    RING_EDGE = "ring-edge"
    BULB = "bulb"
    """The inside of a glass."""
    BULB_EDGE = "bulb-edge"
    RED = "red"
    """The red player's caps and card."""
    BLACK = "black"
    ON_PLAYER = "on-player"
    """Text on either player's colour."""
    CAP_EDGE = "cap-edge"
    SAND_RED = "sand-red"
    SAND_BLACK = "sand-black"
    SAND_TIMER = "sand-timer"
    DEAD = "dead"
    """The inside of a lost glass."""
    DEAD_SAND = "dead-sand"
    DEAD_MARK = "dead-mark"
    ALLOWED = "allowed"
    """Where a glass or a ring may go."""
    DOUBT = "doubt"
    """What is in doubt or urgent."""
    ON_DOUBT = "on-doubt"
    WRONG = "wrong"
    """What is to be put right."""
    ON_WRONG = "on-wrong"
    SHADE = "shade"
    """Shadows, always half transparent."""
    SHINE = "shine"


_SHADES: dict[Role, Shades] = {
    Role.PAGE: Shades("#f5f2ec", "#0f1318"),
    Role.TEXT: Shades("#1b2026", "#eef2f6"),
    Role.QUIET: Shades("#55606c", "#a3afbc"),
    Role.CARD: Shades("#ffffff", "#1a2028"),
    Role.LINE: Shades("#c9c3b6", "#364250"),
    Role.PLATE: Shades("#3d4b5a", "#25303b"),
    Role.PLATE_EDGE: Shades("#2b3642", "#3a4856"),
    Role.PLACE: Shades("#344150", "#1e2731"),
    Role.NAME: Shades("#dde5ec", "#b9c5d0"),
    Role.WALL: Shades("#93a2b1", "#7b8a99"),
    Role.RIM: Shades("#c7d2dc", "#a9b7c4"),
    Role.HOLE: Shades("#141b23", "#0b1016"),
    Role.LEVEL: Shades("#56646f", "#3f4b56"),
    Role.LID: Shades("#59646e", "#4a555f"),
    Role.LID_BAR: _both("#f3ead0"),
    Role.RING: Shades("#f6ecd2", "#eadfc2"),
    Role.RING_SIDE: Shades("#d3bf8d", "#c0ac7b"),
    Role.RING_EDGE: Shades("#6f5d31", "#5c4c26"),
    Role.BULB: Shades("#f3f8fb", "#e3ebf1"),
    Role.BULB_EDGE: Shades("#1b242d", "#0d1319"),
    Role.RED: Shades("#c0271d", "#c62d22"),
    Role.BLACK: Shades("#15181d", "#0a0c0f"),
    Role.ON_PLAYER: _both("#ffffff"),
    Role.CAP_EDGE: Shades("#e9eef3", "#c9d3dc"),
    Role.SAND_RED: _both("#d8382b"),
    Role.SAND_BLACK: _both("#262b33"),
    Role.SAND_TIMER: _both("#b87400"),
    Role.DEAD: Shades("#a9b2ba", "#8b959e"),
    Role.DEAD_SAND: Shades("#7d8790", "#68727b"),
    Role.DEAD_MARK: Shades("#20262c", "#14191e"),
    Role.ALLOWED: Shades("#4fe08a", "#45d580"),
    Role.DOUBT: _both("#ffb000"),
    Role.ON_DOUBT: _both("#1b1400"),
    Role.WRONG: Shades("#a312e8", "#a312e8"),
    Role.ON_WRONG: _both("#ffffff"),
    Role.SHADE: _both("#000000"),
    Role.SHINE: _both("#ffffff"),
}


def colour(role: Role, theme: Theme) -> str:
    """The colour of a role in a theme, as ``#rrggbb``."""
    shades = _SHADES[role]
    return shades.light if theme is Theme.LIGHT else shades.dark


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours in the attributes of elements, each with the class by which a page may change it."""

    theme: Theme

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
