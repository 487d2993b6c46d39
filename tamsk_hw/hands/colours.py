"""The colours of lights that can be awaited; apart, since the command line names them without a simulator."""

from collections.abc import Callable
from typing import Final

#: The least part of a colour that counts as bright, and the most of a light that counts as dark.
_BRIGHT, _DARK = 50, 2

#: Each colour with its condition on red, green and blue, 0 … 255. Dim lights, for what is measured or next, have
#: none.
COLOURS: Final[dict[str, Callable[[int, int, int], bool]]] = {
    "dark": lambda red, green, blue: max(red, green, blue) <= _DARK,
    "lit": lambda red, green, blue: max(red, green, blue) > _DARK,
    "green": lambda red, green, blue: green >= _BRIGHT and green > 2 * max(red, blue),
    "white": lambda red, green, blue: min(red, green, blue) >= _BRIGHT,
    "violet": lambda red, green, blue: blue >= _BRIGHT and red > blue / 2 and green < red / 2,
}


def is_colour(light: str, name: str) -> bool:
    """A light, ``rrggbb``, has the colour of that name."""
    return COLOURS[name](*bytes.fromhex(light))
