"""What a walk over the board lights: pure, from what is shown to three bytes for each pixel.

====================  ==================================================================================
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

from tamsk_hw.game.players import PLAYERS
from tamsk_hw.panel.lights import STALE_LEVEL, PixelMap, capped, pulse
from tamsk_hw.panel.palette import DARK, Colour, Palette, scaled
from tamsk_hw.workbench.sensor_calibration.showing import Lit, Showing

#: How bright a tube is that was measured, and the one that is next (shares of their colours).
_DONE_LEVEL, _NEXT_LEVEL = 0.06, 0.15


def walk_pixels(
    showing: Showing, t: float, wiring: PixelMap, palette: Palette, milliamp_cap: float, *, stale: bool = False
) -> bytes:
    """The whole picture in the chain's order at time ``t`` (seconds, any origin), within ``milliamp_cap`` mA.

    ``stale``: the board is out of reach.
    """
    picture = bytearray(3 * wiring.pixel_count)
    pixel_of = (*wiring.tube_pixels, wiring.timer_pixel)
    for index, lit in showing.lit.items():
        place = pixel_of[index]
        if place is not None:
            picture[3 * place : 3 * place + 3] = bytes(_colour(lit, t, palette))
    if showing.awaits_start:
        for player in PLAYERS:
            for pixel in wiring.player_pixels[player]:
                picture[3 * pixel : 3 * pixel + 3] = bytes(scaled(palette.ring, pulse(t)))
    if stale:
        picture = bytearray(int(part * STALE_LEVEL) for part in picture)
    return capped(bytes(picture), milliamp_cap)


def _colour(lit: Lit, t: float, palette: Palette) -> Colour:
    match lit:
        case Lit.HERE:
            return palette.destination
        case Lit.TURN:
            return palette.destination if t % 0.5 < 0.25 else DARK
        case Lit.WRONG:
            return palette.wrong if t % 1.0 < 0.5 else DARK
        case Lit.MISSING:
            return palette.ring
        case Lit.NEXT:
            return scaled(palette.belongs, _NEXT_LEVEL)
        case Lit.DONE:
            return scaled(palette.destination, _DONE_LEVEL)
        case Lit.BAD:
            return palette.doubtful
