"""The lights while glasses are timed: a pure function of how they stand.

=====================  ====================================================================================
run down, to be turned green; barely green when that run itself is not wanted, but the one after it
running                its owner's colour; the one expected to end next at full brightness
selected               white, in turn with what it shows
an open call           those whose it may be flash white; the players' lights violet, in turn
runs, not timed        amber, dim: leave it until it has run down
missing, in the hand   pale blue swells on the tube where it belongs
wrong tube, leaning    violet
enough of it           barely lit, next to grey
players                all four white: press start when all sand is down, or when the figures may stand
=====================  ====================================================================================

Everything follows one clock with a period of one second (`tamsk_hw.panel.lights`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tamsk_hw.game.players import PLAYERS, START_TUBES, Player
from tamsk_hw.game.tubes import TUBE_OF_NAME, Tube
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS, STALE_LEVEL, PixelMap, capped, pulse
from tamsk_hw.panel.palette import DARK, PALETTE, Colour, Palette, scaled
from tamsk_hw.workbench.glass_calibration.figures import TIMER
from tamsk_hw.workbench.glass_calibration.session import Phase
from tamsk_hw.workbench.glass_calibration.state import GlassView, Standing

#: How bright a glass runs that is not expected to end next, and what is not asked for (shares).
_RUNNING, _FAINT = 0.3, 0.15

_OWNER: Final[dict[str, Player]] = {tube.name: player for player in PLAYERS for tube in START_TUBES[player]}


def glass_pixels(
    views: Iterable[GlassView],
    elsewhere: Iterable[Tube],
    phase: Phase,
    t: float,
    wiring: PixelMap,
    palette: Palette = PALETTE,
    milliamp_cap: float = DEFAULT_MILLIAMPS,
    *,
    connected: bool = True,
) -> bytes:
    """The whole picture: red, green, blue for each pixel. ``t``: the watchers' time in seconds, of any origin."""
    picture = bytearray(3 * wiring.pixel_count)
    first_half = t % 1.0 < 0.5

    def light(pixel: int | None, colour: Colour) -> None:
        if pixel is None:
            return  # a tube that is not fitted
        picture[3 * pixel : 3 * pixel + 3] = colour

    asked = False
    for view in views:
        timer = view.name == TIMER
        pixel = wiring.timer_pixel if timer else wiring.tube_pixels[TUBE_OF_NAME[view.name]]
        own = palette.ring if timer else palette.owner[_OWNER[view.name]]
        colour = _held(view, own, phase, pulse(t), palette)
        if view.in_question:
            asked = True
            colour = palette.ring if first_half else DARK
        if view.selected and first_half:
            colour = palette.ring
        light(pixel, colour)
    for tube in elsewhere:
        light(wiring.tube_pixels[tube], palette.wrong)
    for player in PLAYERS:
        for pixel in wiring.player_pixels[player]:
            if asked:
                light(pixel, palette.wrong if first_half else DARK)
            elif phase in (Phase.SETTING_UP, Phase.REVIEW):
                light(pixel, palette.ring)
    if not connected:
        picture = bytearray(int(part * STALE_LEVEL) for part in picture)
    return capped(bytes(picture), milliamp_cap)


def _held(view: GlassView, own: Colour, phase: Phase, swell: float, palette: Palette) -> Colour:
    """The light of one glass."""
    match view.standing:
        case Standing.MISSING | Standing.HAND:
            return scaled(palette.belongs, swell)
        case Standing.LEANING:
            return palette.wrong
        case Standing.RUNNING:
            return own if view.expected_next else scaled(own, _RUNNING)
        case _ if phase is Phase.SETTING_UP:
            return scaled(own, _RUNNING)
        case Standing.UNKNOWN:
            return scaled(palette.doubtful, _RUNNING)
    if view.is_complete:
        return palette.lost
    return palette.destination if view.turning_helps else scaled(palette.destination, _FAINT)
