"""The palette's meanings stay apart for people who see colours differently."""

from itertools import combinations

import pytest

from tamsk_hw.errors import ConfigError
from tamsk_hw.panel.lights import PALETTE, Colour, Palette

#: Machado, Oliveira and Fernandes (2009), severity 1.0, for linear red, green and blue.
SIGHT = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

#: CIELAB distance below which two meanings could be mistaken for each other; 2 can just be seen side by side.
APART = 20.0


def lab(colour: Colour, sight: str) -> tuple[float, float, float]:
    """CIELAB of a WS2812B's light, which is in proportion to its numbers, as seen with ``sight``."""
    linear = [part / 255 for part in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * part for a, part in zip(row, linear, strict=True)))) for row in SIGHT[sight]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Colour, other: Colour, sight: str) -> float:
    """CIELAB distance (1976) of two lights."""
    return float(sum((a - b) ** 2 for a, b in zip(lab(one, sight), lab(other, sight), strict=True)) ** 0.5)


def meanings(palette: Palette) -> dict[str, Colour]:
    """Everything a tube may be lit with, glasses at each brightness."""
    shown = {
        name: getattr(palette, name)
        for name in ("doubtful", "lost", "full", "destination", "ring", "wrong", "belongs")
    }
    for player in palette.owner:
        shown[f"{player} unstarted"] = palette.unstarted[player]
        for step, colour in enumerate(palette.running[player]):
            shown[f"{player} step {step}"] = colour
    return shown


@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_meanings_look_alike(sight: str) -> None:
    """The brightnesses of one player's glass are one meaning."""
    for (name, colour), (other_name, other) in combinations(meanings(PALETTE).items(), 2):
        if name.split()[0] != other_name.split()[0]:
            assert distance(colour, other, sight) >= APART, f"{name} and {other_name}"


@pytest.mark.parametrize("colour", [(256, 0, 0), (1, 2)])
def test_a_colour_that_cannot_be_lit_is_refused(colour: object) -> None:
    with pytest.raises(ConfigError, match=r"palette: lost is .*allowed: three numbers 0 … 255"):
        Palette(lost=colour)  # type: ignore[arg-type]
