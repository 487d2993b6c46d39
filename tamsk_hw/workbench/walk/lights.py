"""The lights during a walk: pure, from what is asked to three bytes for each pixel.

====================  ==================================================================================
a test: felt now      white
a test: wrong         violet
a test: done          green; amber while only some of a tube's sensors are done
set the glass here    green, steady
turn it over          green and dark, twice a second
take this away        violet, once a second
rings are missing     white, steady
next                  pale blue, dim
measured              green, barely lit
measured, and bad     amber
press start           both players' lights white, swelling
====================  ==================================================================================

While the board is out of reach everything is shown at a quarter, as in a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.panel.lights import DARK, STALE_LEVEL, Colour, Palette, capped, pixel_names, pulse, scaled
from tamsk_hw.workbench.walk.prompt import Lit, Mark, Prompt

#: The brightness of a tube that was measured, and of the one that is next (shares of their colours).
_DONE_LEVEL: Final = 0.06
_NEXT_LEVEL: Final = 0.15


def coloured(colours: Mapping[str, Colour], wiring: Wiring, milliamp_cap: float, *, stale: bool = False) -> bytes:
    """The whole picture in the chain's order, within ``milliamp_cap`` mA: these places, the others dark.

    Places that are not fitted are ignored. ``stale``: the board is out of reach.
    """
    picture = bytearray(3 * wiring.pixel_count)
    pixels = pixel_names(wiring)
    for name, colour in colours.items():
        if name in pixels:
            start = 3 * pixels[name]
            picture[start : start + 3] = bytes(scaled(colour, STALE_LEVEL) if stale else colour)
    return capped(bytes(picture), milliamp_cap)


def prompt_lights(
    prompt: Prompt, t: float, wiring: Wiring, palette: Palette, milliamp_cap: float, *, stale: bool = False
) -> bytes:
    """The lights for ``prompt`` at time ``t`` (seconds, any origin)."""
    colours = {name: _colour(marks, t, palette) for name, marks in prompt.marks.items()}
    if prompt.awaits_start:
        swelling = scaled(palette.ring, pulse(t))
        colours |= {f"{player} {number}": swelling for player in PLAYERS for number in (1, 2)}
    return coloured(colours, wiring, milliamp_cap, stale=stale)


def _colour(marks: tuple[Mark | Lit, ...], t: float, palette: Palette) -> Colour:
    """The colour of one place: the most pressing of its marks."""
    colours = {mark: _of_mark(mark, t, palette) for mark in marks}
    for pressing in (Mark.NOW, Mark.BAD):
        if pressing in colours:
            return colours[pressing]
    if Mark.GOOD in colours and len(colours) > 1:
        return palette.doubtful
    return next(iter(colours.values()), DARK)


def _of_mark(mark: Mark | Lit, t: float, palette: Palette) -> Colour:
    match mark:
        case Mark.WAITING:
            return DARK
        case Mark.NOW | Lit.MISSING:
            return palette.ring
        case Mark.BAD:
            return palette.wrong
        case Mark.GOOD | Lit.HERE:
            return palette.destination
        case Lit.TURN:
            return palette.destination if t % 0.5 < 0.25 else DARK
        case Lit.WRONG:
            return palette.wrong if t % 1.0 < 0.5 else DARK
        case Lit.NEXT:
            return scaled(palette.belongs, _NEXT_LEVEL)
        case Lit.DONE:
            return scaled(palette.destination, _DONE_LEVEL)
        case Lit.BAD:
            return palette.doubtful
        case _:
            assert_never(mark)
