"""The lights as a pure function of a diagnosis: 42 pixels (fewer where tubes are missing), their current never
above the supply's.

Rhythms all follow one clock with a period of one second, so that the whole board never flashes more than once a
second: people with photosensitive epilepsy are safe below three.

====================  =====================================================================================
glass at level 1      its owner's colour
glass not started     its owner's colour, barely lit
running glass         its owner's colour, six brightnesses for the sand left
its last 30 seconds   the same, swelling and fading
doubtful glass        amber
lost glass            barely lit, next to grey
glass in the hand     the tube that it left swells and fades dimly in its owner's colour
legal destination     green
full tube             dim warm white
something to right    violet, in turn with what the tube holds; a missing glass pale blue, with its owner's colour
open ring             white, in turn with what the tube holds
timer                 the colour of the player it counts against, fading as it runs; swelling at the end
players               first pixel: his turn (or late: amber; won: swelling); second: the same, white when he may
                      drop a ring; both violet, in turn, when people must decide; all four lit when the board is
                      set up and waits for the start button
====================  =====================================================================================

While the board is out of reach everything is shown at a quarter.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, tau
from typing import Protocol, assert_never

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.panel.diagnosis import (
    TIMER_SECONDS,
    Asks,
    Diagnosis,
    Holds,
    PlayerSign,
    Stance,
    TimerSign,
    TubeSign,
)
from tamsk_hw.panel.palette import DARK, PALETTE, SAND_STEPS, Colour, Palette, scaled

#: What the lights may draw unless configured otherwise (mA).
DEFAULT_MILLIAMPS = 1200.0

#: What a WS2812B draws dark, and what each of its three channels adds at full (mA).
IDLE_MILLIAMPS = 1.0
CHANNEL_MILLIAMPS = 20.0

#: Swelling and fading go down to this share of the light.
PULSE_FLOOR = 0.25

#: Everything is dimmed to this share while the board is out of reach.
STALE_LEVEL = 0.25

_STEPS = len(SAND_STEPS)


class PixelMap(Protocol):
    """Which pixel shows what; the wiring map is one (`tamsk_hw.board.wiring.Wiring`)."""

    @property
    def tube_pixels(self) -> tuple[int | None, ...]:
        """The pixel of each of the 37 tubes, in board order; None for one that is not fitted."""

    @property
    def timer_pixel(self) -> int:
        """The timer's pixel."""

    @property
    def player_pixels(self) -> Mapping[Player, tuple[int, int]]:
        """Each player's two pixels."""

    @property
    def pixel_count(self) -> int:
        """How many pixels the chain has."""


def milliamps(picture: bytes) -> float:
    """What a picture (three bytes a pixel) draws, in mA, by the model of docs/design.md, Power."""
    return len(picture) / 3 * IDLE_MILLIAMPS + sum(picture) * CHANNEL_MILLIAMPS / 255


def capped(picture: bytes, milliamp_cap: float) -> bytes:
    """The picture, dimmed evenly as far as its current must not exceed ``milliamp_cap`` mA.

    All dark when the cap is below what dark pixels draw, which no picture can help.
    """
    light = sum(picture)
    allowed = (milliamp_cap - len(picture) / 3 * IDLE_MILLIAMPS) * 255 / CHANNEL_MILLIAMPS
    if light <= allowed:
        return picture
    if allowed <= 0:
        return bytes(len(picture))
    share = allowed / light
    return bytes([int(part * share) for part in picture])


def pulse(t: float) -> float:
    """Brightness of what swells and fades: 1 at every full second of ``t``, `PULSE_FLOOR` half a second later."""
    return PULSE_FLOOR + (1 - PULSE_FLOOR) * (0.5 + 0.5 * cos(tau * t))


def sand_step(share: float) -> int:
    """The step of `SAND_STEPS` that shows so much sand (share of a full glass, 0 … 1)."""
    step = int(share * _STEPS)
    return step if step < _STEPS else _STEPS - 1


def _asking(asks: Asks, palette: Palette) -> Colour:
    """The light of what a tube asks."""
    match asks:
        case Asks.TAKE_AWAY | Asks.SET_UPRIGHT | Asks.TURN_OVER | Asks.RING_OFF | Asks.RING_BACK:
            return palette.wrong
        case Asks.BELONGS:
            return palette.belongs
        case Asks.RING_OPEN:
            return palette.ring
        case _:
            assert_never(asks)


def _held(sign: TubeSign, swell: float, palette: Palette) -> Colour:
    """The light of what a tube holds."""
    match sign.holds:
        case Holds.EMPTY:
            return DARK
        case Holds.FULL:
            return palette.full
        case Holds.DESTINATION:
            return palette.destination
        case Holds.LIFTED:
            return scaled(palette.running[sign.owner][0], swell)
        case Holds.STILL:
            return palette.owner[sign.owner]
        case Holds.UNSTARTED:
            return palette.unstarted[sign.owner]
        case Holds.RUNNING:
            return palette.running[sign.owner][sand_step(sign.share)]
        case Holds.URGENT:
            return scaled(palette.running[sign.owner][sand_step(sign.share)], swell)
        case Holds.DOUBTFUL:
            return palette.doubtful
        case Holds.LOST:
            return palette.lost
        case _:
            assert_never(sign.holds)


def _timer(sign: TimerSign, swell: float, palette: Palette) -> Colour:
    """The light of the 15-second count."""
    colour = palette.running[sign.against][sand_step(sign.seconds / TIMER_SECONDS)]
    return scaled(colour, swell) if sign.urgent else colour


def _player(player: Player, sign: PlayerSign, swell: float, palette: Palette) -> tuple[Colour, Colour]:
    """The lights of a player's two pixels."""
    match sign.stance:
        case Stance.WAITING | Stance.BEATEN:
            colour = DARK
        case Stance.LATE:
            colour = palette.doubtful
        case Stance.WON:
            colour = scaled(palette.owner[player], swell)
        case Stance.READY | Stance.TO_MOVE | Stance.MOVING | Stance.TIED:
            colour = palette.owner[player]
        case _:
            assert_never(sign.stance)
    return colour, palette.ring if sign.due else colour


def pixels(
    diagnosis: Diagnosis,
    t: float,
    wiring: PixelMap,
    palette: Palette = PALETTE,
    milliamp_cap: float = DEFAULT_MILLIAMPS,
) -> bytes:
    """The whole picture: red, green, blue for each pixel of the chain, in the chain's order.

    ``t`` is the watchers' own time in seconds (any origin), never game time: a game played at ten times its speed
    must not flash at ten times the rate. The picture draws at most ``milliamp_cap`` mA (see `milliamps`).
    """
    picture = bytearray(3 * wiring.pixel_count)
    swell = pulse(t)
    asking_half = t % 1.0 < 0.5
    for pixel, sign in zip(wiring.tube_pixels, diagnosis.tubes, strict=True):
        if pixel is None:
            continue
        asks = sign.asks
        if asks is None:
            if sign.holds is Holds.EMPTY:
                continue
            colour = _held(sign, swell, palette)
        elif asking_half:
            colour = _asking(asks, palette)
        elif asks is Asks.BELONGS and sign.asked is not None:
            colour = palette.owner[sign.asked]
        else:
            colour = _held(sign, swell, palette)
        picture[3 * pixel : 3 * pixel + 3] = colour
    if diagnosis.timer is not None:
        start = 3 * wiring.timer_pixel
        picture[start : start + 3] = _timer(diagnosis.timer, swell, palette)
    for player in PLAYERS:
        if diagnosis.asking and asking_half:
            lit = (palette.wrong, palette.wrong)
        else:
            lit = _player(player, diagnosis.players[player], swell, palette)
        for pixel, colour in zip(wiring.player_pixels[player], lit, strict=True):
            picture[3 * pixel : 3 * pixel + 3] = colour
    if diagnosis.stale:
        picture = bytearray(int(part * STALE_LEVEL) for part in picture)
    return capped(bytes(picture), milliamp_cap)
