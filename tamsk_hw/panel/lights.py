"""The lights, a pure function of a diagnosis: 42 pixels (fewer if tubes are missing) within the supply's current.

Red, green and blue are what a WS2812B is driven with (0 … 255 each), light in proportion. The default colours keep
their distance from one another (CIELAB, at least 20) for normal sight and for protanopia, deuteranopia and
tritanopia alike, a glass's colour at every brightness that it is shown with; a test simulates all four.

All rhythms follow one clock with a period of one second, so that the board never flashes more than once a second.
Below three flashes a second people with photosensitive epilepsy are safe.

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
advice                in the colour of the player whose hand is asked. The glass to carry: lit, with a short dark
                      wink. Where to: as long dark as lit; swelling and fading if the glass is to be turned over. A
                      ring to be dropped, there or anywhere: a short white flash, then dark
timer                 the colour of the player it counts against, fading as it runs; swelling at the end.
                      To be turned over, as advised: as long lit as dark
players               first pixel: his turn (or late: amber; won: swelling); second: the same, white when he may
                      drop a ring; both violet, in turn, when people must decide; all four lit when the board is
                      set up and waits for the start button; both as long lit as dark: press the button, a claim
                      is advised
lots are drawn        a white light runs round the edge, ever slower, and stops at the seat of who gets red
====================  =====================================================================================

While the board is out of reach everything is dimmed to a quarter.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from math import atan2, cos, sqrt, tau
from typing import Final, assert_never

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import SettingError
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, TUBES, Player
from tamsk_hw.panel.diagnosis import (
    CORRECTIONS,
    TIMER_SECONDS,
    Diagnosis,
    PlayerSign,
    PlayerStatus,
    TimerSign,
    TubeRequest,
    TubeSign,
    TubeState,
)

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
    """Tubes that the glass in the hand may go to: green."""
    ring: Colour = (255, 255, 240)
    """A ring may be dropped: white."""
    wrong: Colour = (170, 20, 255)
    """Something to be put right, and in a short flash a tube whose rings cannot be read: violet."""
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
        return {player: tuple(scaled(own, step) for step in SAND_STEPS) for player, own in self.owner.items()}

    @cached_property
    def unstarted(self) -> dict[Player, Colour]:
        """Each player's colour for a glass that has not been started."""
        return {player: scaled(colour, UNSTARTED_LEVEL) for player, colour in self.owner.items()}


#: The colours of the reference build.
PALETTE = Palette()


#: The default limit of the lights' current (mA).
DEFAULT_MILLIAMPS = 1200.0

#: The current of a dark WS2812B, and of each of its three channels at full brightness (mA).
IDLE_MILLIAMPS = 1.0
CHANNEL_MILLIAMPS = 20.0

#: The share of the light at the bottom of a pulse.
PULSE_FLOOR = 0.25

#: The length of a short flash, from the beginning of each second on (seconds).
FLASH_SECONDS = 0.25

#: The share of the light while the board is out of reach.
STALE_LEVEL = 0.25

#: Seconds for which the light of a lot runs, and in all, with its seat.
LOT_RUNS, LOT_SECONDS = 4.0, 9.0

#: The tubes of the edge, clockwise from D7.
_EDGE = sorted(
    (tube for tube in TUBES if CAPACITY[tube] == 1),
    key=lambda tube: atan2((tube.column - 3) * sqrt(3) / 2, tube.height - 3) % tau,
)

_STEPS = len(SAND_STEPS)

#: States of a tube that swell and fade.
_SWELLING = frozenset({TubeState.LIFTED, TubeState.URGENT})


#: The timer's name among the places of lights.
TIMER_PLACE: Final = "timer"


def pixel_names(wiring: Wiring) -> dict[str, int]:
    """The pixel of every place: the fitted tubes in board order, the timer, each player's two."""
    pixels = {tube.name: pixel for tube in TUBES if (pixel := wiring.tube_pixels[tube]) is not None}
    pixels[TIMER_PLACE] = wiring.timer_pixel
    for player in PLAYERS:
        for number, pixel in enumerate(wiring.player_pixels[player], start=1):
            pixels[f"{player} {number}"] = pixel
    return pixels


def milliamps(picture: bytes) -> float:
    """The current that a picture (three bytes a pixel) draws, in mA."""
    return len(picture) / 3 * IDLE_MILLIAMPS + sum(picture) * CHANNEL_MILLIAMPS / 255


def capped(picture: bytes, milliamp_cap: float) -> bytes:
    """The picture, dimmed evenly if it would draw more than ``milliamp_cap`` mA.

    It is all dark if the cap is below the current of dark pixels.
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
    """The brightness of a pulse: 1 at every full second of ``t``, `PULSE_FLOOR` half a second later."""
    return PULSE_FLOOR + (1 - PULSE_FLOOR) * (0.5 + 0.5 * cos(tau * t))


def sand_step(share: float) -> int:
    """The step of `SAND_STEPS` for an amount of sand (share of a full glass, 0 … 1)."""
    step = int(share * _STEPS)
    return step if step < _STEPS else _STEPS - 1


def _held(sign: TubeSign, swell: float, palette: Palette) -> Colour:
    """The light of what a tube holds."""
    match sign.holds:
        case TubeState.EMPTY:
            return DARK
        case TubeState.FULL:
            return palette.full
        case TubeState.DESTINATION:
            return palette.destination
        case TubeState.LIFTED:
            return scaled(palette.running[sign.owner][0], swell)
        case TubeState.STILL:
            return palette.owner[sign.owner]
        case TubeState.UNSTARTED:
            return palette.unstarted[sign.owner]
        case TubeState.RUNNING:
            return palette.running[sign.owner][sand_step(sign.share)]
        case TubeState.URGENT:
            return scaled(palette.running[sign.owner][sand_step(sign.share)], swell)
        case TubeState.DOUBTFUL:
            return palette.doubtful
        case TubeState.LOST:
            return palette.lost
        case _:
            assert_never(sign.holds)


def _asking(asks: TubeRequest, sign: TubeSign, within: float, swell: float, palette: Palette) -> Colour:
    """The light of a tube that asks something, ``within`` (0 … 1) a second.

    A request takes turns with what the tube holds, each for half a second; an advice has rhythms of its own. All
    lights rise at the beginning or in the second half of a second only, so that the whole board rises once.
    """
    asking_half, flash = within < 0.5, within < FLASH_SECONDS
    match asks:
        case (
            TubeRequest.TAKE_AWAY
            | TubeRequest.SET_UPRIGHT
            | TubeRequest.TURN_OVER
            | TubeRequest.RING_OFF
            | TubeRequest.RING_BACK
        ):
            request = palette.wrong
        case TubeRequest.BELONGS:
            if not asking_half and sign.asked is not None:
                return palette.owner[sign.asked]
            request = palette.belongs
        case TubeRequest.CARRY:
            return palette.owner[sign.hand] if flash or not asking_half else DARK
        case TubeRequest.PUT_HERE:
            if sign.ring and flash:
                return palette.ring
            return DARK if asking_half else palette.owner[sign.hand]
        case TubeRequest.PUT_HERE_TURNED:
            return palette.ring if sign.ring and flash else scaled(palette.owner[sign.hand], swell)
        case TubeRequest.DROP_RING:
            return palette.ring if flash else DARK
        case TubeRequest.RING_OPEN:
            request = palette.ring
        case _:
            assert_never(asks)
    return request if asking_half else _held(sign, swell, palette)


def _timer(sign: TimerSign, swell: float, palette: Palette) -> Colour:
    """The light of the 15-second count."""
    colour = palette.running[sign.against][sand_step(sign.seconds / TIMER_SECONDS)]
    return scaled(colour, swell) if sign.urgent else colour


def _player(
    player: Player, sign: PlayerSign, asking_half: bool, swell: float, palette: Palette
) -> tuple[Colour, Colour]:
    """The lights of a player's two pixels."""
    if sign.claim:
        lit = palette.owner[player] if asking_half else DARK
        return lit, lit
    match sign.stance:
        case PlayerStatus.WAITING | PlayerStatus.BEATEN:
            colour = DARK
        case PlayerStatus.LATE:
            colour = palette.doubtful
        case PlayerStatus.WON:
            colour = scaled(palette.owner[player], swell)
        case PlayerStatus.READY | PlayerStatus.TO_MOVE | PlayerStatus.MOVING | PlayerStatus.TIED:
            colour = palette.owner[player]
        case _:
            assert_never(sign.stance)
    return colour, palette.ring if sign.due else colour


def has_rhythm(diagnosis: Diagnosis) -> bool:
    """True if `pixels` differs with the time: something swells, or takes turns with something else."""
    return (
        diagnosis.asking
        or diagnosis.lot is not None
        or any(sign.asks is not None or sign.blind or sign.holds in _SWELLING for sign in diagnosis.tubes)
        or (diagnosis.timer is not None and diagnosis.timer.urgent)
        or diagnosis.timer_hand is not None
        or any(sign.claim or sign.stance is PlayerStatus.WON for sign in diagnosis.players.values())
    )


def _lot_pixels(seat: Player, since: float, wiring: Wiring) -> tuple[int | None, ...]:
    """The pixels that are lit ``since`` seconds after lots were drawn: each of the edge twice, then the seat's."""
    if since >= LOT_RUNS:
        return wiring.player_pixels[seat]
    steps = int(2 * len(_EDGE) * (1 - (1 - since / LOT_RUNS) ** 2))
    return (wiring.tube_pixels[_EDGE[steps % len(_EDGE)]],)


def pixels(
    diagnosis: Diagnosis,
    t: float,
    wiring: Wiring,
    palette: Palette = PALETTE,
    milliamp_cap: float = DEFAULT_MILLIAMPS,
) -> bytes:
    """The whole picture: red, green, blue for each pixel of the chain, in the chain's order.

    ``t`` is the watchers' own time in seconds (any origin), not game time: a game at ten times its speed must not
    flash at ten times the rate. The picture draws at most ``milliamp_cap`` mA (see `milliamps`).
    """
    picture = bytearray(3 * wiring.pixel_count)
    if diagnosis.lot is not None:
        seat, began = diagnosis.lot
        for pixel in _lot_pixels(seat, t - began, wiring):
            if pixel is not None:
                picture[3 * pixel : 3 * pixel + 3] = palette.ring
        return capped(bytes(picture), milliamp_cap)
    swell = pulse(t)
    within = t % 1.0
    asking_half = within < 0.5
    for pixel, sign in zip(wiring.tube_pixels, diagnosis.tubes, strict=True):
        if pixel is None:
            continue
        asks = sign.asks
        if sign.blind and within < FLASH_SECONDS and asks not in CORRECTIONS:
            colour = palette.wrong
        elif asks is None:
            if sign.holds is TubeState.EMPTY:
                continue
            colour = _held(sign, swell, palette)
        else:
            colour = _asking(asks, sign, within, swell, palette)
        picture[3 * pixel : 3 * pixel + 3] = colour
    start = 3 * wiring.timer_pixel
    if diagnosis.timer_hand is not None:
        picture[start : start + 3] = palette.owner[diagnosis.timer_hand] if asking_half else DARK
    elif diagnosis.timer is not None:
        picture[start : start + 3] = _timer(diagnosis.timer, swell, palette)
    for player in PLAYERS:
        if diagnosis.asking and asking_half:
            lit = (palette.wrong, palette.wrong)
        else:
            lit = _player(player, diagnosis.players[player], asking_half, swell, palette)
        for pixel, colour in zip(wiring.player_pixels[player], lit, strict=True):
            picture[3 * pixel : 3 * pixel + 3] = colour
    if diagnosis.stale:
        picture = bytearray(int(part * STALE_LEVEL) for part in picture)
    return capped(bytes(picture), milliamp_cap)
