"""The colours of the lights, which the colour-blind can tell apart.

Red, green and blue are what a WS2812B is driven with (0 … 255 each), light in proportion. The default colours keep
their distance from one another (CIELAB, at least 20) for normal sight and for protanopia, deuteranopia and
tritanopia alike, a glass's colour at every brightness that it is shown with; a test simulates all four.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from tamsk_hw.errors import SettingError
from tamsk_hw.game.players import Player

#: Red, green and blue, 0 … 255 each.
Colour = tuple[int, int, int]

DARK: Colour = (0, 0, 0)

#: Brightness of a running glass by steps of its sand, from nearly none to a full glass (shares of its colour).
#: Six steps are half a minute each for a three-minute glass; each is about a third brighter than the one before,
#: which the eye takes for equal steps.
SAND_STEPS: tuple[float, ...] = (0.2, 0.28, 0.38, 0.53, 0.73, 1.0)

#: Brightness of a glass that has not been started, below every running one (share of its colour).
UNSTARTED_LEVEL = 0.08


def scaled(colour: Colour, share: float) -> Colour:
    """A colour at ``share`` (0 … 1) of its light."""
    red, green, blue = colour
    return round(red * share), round(green * share), round(blue * share)


@dataclass(frozen=True)
class Palette:
    """The colour of each meaning. Raises `SettingError` for a colour with a part outside 0 … 255."""

    red: Colour = (255, 25, 0)
    """A red glass, and what concerns the red player."""
    black: Colour = (0, 0, 255)
    """A black glass (blue: there is no black light), and what concerns the black player."""
    doubtful: Colour = (240, 150, 0)
    """A glass that may have run out, and a player who is late: amber."""
    lost: Colour = (14, 6, 12)
    """A glass that ran out: barely lit, next to grey."""
    full: Colour = (60, 50, 40)
    """A full tube: dim, warm white."""
    destination: Colour = (20, 230, 70)
    """Where the glass in the hand may go: green."""
    ring: Colour = (255, 255, 240)
    """A ring may be dropped: white."""
    wrong: Colour = (170, 20, 255)
    """Something to be put right: violet."""
    belongs: Colour = (90, 130, 210)
    """A glass belongs here: pale blue."""

    def __post_init__(self) -> None:
        for field in fields(self):
            colour = getattr(self, field.name)
            if len(colour) != 3 or not all(isinstance(part, int) and 0 <= part <= 255 for part in colour):
                raise SettingError("palette", field.name, colour, "three numbers 0 … 255")

    @cached_property
    def owner(self) -> dict[Player, Colour]:
        """Each player's colour."""
        return {Player.RED: self.red, Player.BLACK: self.black}

    @cached_property
    def running(self) -> dict[Player, tuple[Colour, ...]]:
        """Each player's colour at the brightness of each of `SAND_STEPS`."""
        return {
            player: tuple(scaled(colour, step) for step in SAND_STEPS) for player, colour in self.owner.items()
        }

    @cached_property
    def unstarted(self) -> dict[Player, Colour]:
        """Each player's colour for a glass that has not been started."""
        return {player: scaled(colour, UNSTARTED_LEVEL) for player, colour in self.owner.items()}


#: The colours of the reference build.
PALETTE = Palette()
