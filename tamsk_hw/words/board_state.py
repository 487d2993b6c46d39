"""The state of a game in words, for whoever cannot see the drawing: all of it, and each thing on the board."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.players import PLAYERS
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.panel.diagnosis import Asks, Diagnosis, Holds, TimerSign, TubeSign
from tamsk_hw.referee.view import GlassState, GlassView, View
from tamsk_hw.words.orders import orders
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.sentences import capital

#: What stands beside the number of a player's rings.
RINGS_LEFT = "rings left"

#: What stands where the board cannot be reached.
OUT_OF_REACH = "board out of reach"


def _rings(count: int) -> str:
    return "1 ring" if count == 1 else f"{count} rings"


def _seconds(bounds: tuple[float, float]) -> str:
    """Seconds to run, as an interval where that matters."""
    low, high = (round(each) for each in bounds)
    return f"{high} s" if high - low <= 1 else f"{low} to {high} s"


def glass_words(glass: GlassView) -> str:
    """A glass: whose, where, and its sand: ``red's glass on D4, 80 to 90 s left``."""
    if glass.standing is None:
        where = f"in the hand, from {glass.tube}"
    elif glass.standing is glass.tube:
        where = f"on {glass.tube}"
    else:
        where = f"on {glass.standing}, belongs on {glass.tube}"
    return f"{glass.owner}'s glass {where}{_sand_words(glass)}"


def _sand_words(glass: GlassView) -> str:
    """The sand of a glass, after a comma."""
    match glass.state:
        case GlassState.RUNNING:
            return f", {_seconds(glass.seconds)} left"
        case GlassState.DOUBTFUL:
            return f", may have run out, at most {round(glass.seconds[1])} s left"
        case GlassState.LOST:
            return ", has run out"
        case GlassState.UNSTARTED:
            return ", not started"
        case GlassState.NO_SAND:
            return ""
        case _:
            assert_never(glass.state)


def _asks_words(sign: TubeSign) -> str:
    """A tube's request to the players, after a comma."""
    match sign.asks:
        case None:
            return ""
        case Asks.TAKE_AWAY:
            return ", take the glass away"
        case Asks.SET_UPRIGHT:
            return ", set the glass upright"
        case Asks.TURN_OVER:
            return ", turn the glass over"
        case Asks.BELONGS:
            return f", a {sign.asked} glass belongs here" if sign.asked else ", a glass belongs here"
        case Asks.RING_OFF:
            return ", too many rings"
        case Asks.RING_BACK:
            return ", a ring is missing"
        case Asks.RING_OPEN:
            return ", a ring may be dropped"
        case _:
            assert_never(sign.asks)


def tube_words(tube: Tube, sign: TubeSign, seen: int) -> str:
    """A tube with what lies round it, ``seen`` rings, and what it asks: ``D4: 1 of 4 rings``."""
    state = ""
    if sign.holds is Holds.FULL:
        state = ", full"
    elif sign.holds is Holds.DESTINATION:
        state = ", the glass may go here"
    return f"{tube}: {seen} of {_rings(CAPACITY[tube])}{state}{_asks_words(sign)}"


def timer_words(timer: TimerSign) -> str:
    """The 15-second timer."""
    return f"15 seconds for {timer.against}: {timer.seconds:.0f} s left"


def drawing_title(view: View) -> str:
    """The state of a game in a few words."""
    turn = f", turn {view.number}" if view.number else ""
    return f"TAMSK, level {view.level}{turn}"


def drawing_description(view: View, diagnosis: Diagnosis) -> str:
    """The state of a game in sentences: what matters now, rings left, each glass, what is to be put right."""
    left = ", ".join(f"{player} {_rings(view.left[player])}" for player in PLAYERS)
    sentences = [headline(diagnosis).rstrip("."), f"Rings left: {left}"]
    if diagnosis.timer is not None:
        sentences.append(timer_words(diagnosis.timer))
    sentences += [capital(glass_words(glass)) for glass in view.glasses]
    if view.over is None:
        sentences += [capital(order) for order in orders(view.wrong, setup=view.number == 0)]
    if view.full:
        sentences.append(f"Full: {', '.join(tube.name for tube in sorted(view.full))}")
    return "".join(f"{sentence}. " for sentence in sentences).rstrip()
