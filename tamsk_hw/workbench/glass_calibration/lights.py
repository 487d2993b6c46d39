"""The lights while glasses are timed: a pure function of the glasses' views.

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

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, Player, Tube
from tamsk_hw.panel.lights import DARK, DEFAULT_MILLIAMPS, PALETTE, Colour, Palette, pulse, scaled
from tamsk_hw.workbench.glass_calibration.figures import TIMER
from tamsk_hw.workbench.glass_calibration.session import TimingPhase
from tamsk_hw.workbench.glass_calibration.state import GlassStanding, TimedGlassView
from tamsk_hw.workbench.walk.lights import coloured

#: The brightness of a running glass that does not end next, and of a turning that is not needed (shares).
_RUNNING, _FAINT = 0.3, 0.15

_OWNER: Final[dict[str, Player]] = {tube.name: player for player in PLAYERS for tube in START_TUBES[player]}


def glass_pixels(
    views: Iterable[TimedGlassView],
    elsewhere: Iterable[Tube],
    phase: TimingPhase,
    t: float,
    wiring: Wiring,
    palette: Palette = PALETTE,
    milliamp_cap: float = DEFAULT_MILLIAMPS,
    *,
    connected: bool = True,
) -> bytes:
    """The whole picture: red, green, blue for each pixel. ``t``: the watchers' time in seconds, of any origin."""
    first_half = t % 1.0 < 0.5
    colours: dict[str, Colour] = {}
    asked = False
    for view in views:
        own = palette.ring if view.name == TIMER else palette.owner[_OWNER[view.name]]
        colours[view.name] = _held(view, own, phase, pulse(t), palette)
        if view.in_question:
            asked = True
            colours[view.name] = palette.ring if first_half else DARK
        if view.selected and first_half:
            colours[view.name] = palette.ring
    colours |= {tube.name: palette.wrong for tube in elsewhere}
    players = [f"{player} {number}" for player in PLAYERS for number in (1, 2)]
    if asked:
        colours |= dict.fromkeys(players, palette.wrong if first_half else DARK)
    elif phase in (TimingPhase.SETTING_UP, TimingPhase.REVIEW):
        colours |= dict.fromkeys(players, palette.ring)
    return coloured(colours, wiring, milliamp_cap, stale=not connected)


def _held(view: TimedGlassView, own: Colour, phase: TimingPhase, swell: float, palette: Palette) -> Colour:
    """The light of one glass."""
    match view.standing:
        case GlassStanding.MISSING | GlassStanding.HAND:
            return scaled(palette.belongs, swell)
        case GlassStanding.LEANING:
            return palette.wrong
        case GlassStanding.RUNNING:
            return own if view.expected_next else scaled(own, _RUNNING)
        case _ if phase is TimingPhase.SETTING_UP:
            return scaled(own, _RUNNING)
        case GlassStanding.UNKNOWN:
            return scaled(palette.doubtful, _RUNNING)
    if view.is_complete:
        return palette.lost
    return palette.destination if view.turning_helps else scaled(palette.destination, _FAINT)
