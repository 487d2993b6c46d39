"""The cells of the tubes in the picture of a game: a glass with its sand, requests, rings and free places."""

from __future__ import annotations

from typing import assert_never

from rich.style import Style

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.panel.diagnosis import Asks, Holds, TubeSign, whole_seconds
from tamsk_hw.terminal.hexagon import CELL, EDGE, PLAIN, QUIET, STRONG, Cell, Piece
from tamsk_hw.words.translating import letter_words, tr_in

#: Styles of the game's pictures: blocks and ink of the players, what is urgent, allowed, asked or new.
PLAYER = {
    Player.RED: Style(color="white", bgcolor="#b3261e", bold=True),
    Player.BLACK: Style(color="white", bgcolor="#2b4fb8", bold=True),
}
INK = {
    Player.RED: Style(color="#ff6b5e", bold=True),
    Player.BLACK: Style(color="#82a8ff", bold=True),
}
AMBER = Style(color="#ffb000", bold=True)
GREEN = Style(color="#3ddc68", bold=True)
VIOLET = Style(color="white", bgcolor="#7a1fd0", bold=True)
RING = Style(color="#e8c268", bold=True)
LOST = Style(color="grey62", bgcolor="grey27", bold=True)
NEWS = Style(color="black", bgcolor="#e8c268", bold=True)
BLOCKED = Style(color="grey66", bgcolor="grey27")
BLOCKED_EDGE = Style(color="grey46", bgcolor="grey27")
BLOCKED_RING = Style(color="#9c8247", bgcolor="grey27")

#: Sand left, from nearly none to a full glass.
_SAND = "▁▂▃▄▅▆▇█"


def cell(tube: Tube, sign: TubeSign, counted: int, seen: int) -> Cell:
    """The text of a tube's cell; ``counted`` of the ``seen`` rings count."""
    return _glass(sign), _rings(tube, sign, counted, seen)


def _asks_for(sign: TubeSign) -> str | None:
    """A tube's request to put a glass right, in the six columns of its cell; None without one."""
    of = "?" if sign.player is None or sign.holds is Holds.LIFTED else letter_words(sign.player)
    match sign.asks:
        case Asks.TAKE_AWAY:
            return tr_in("six columns", " {letter} off", letter=of)
        case Asks.SET_UPRIGHT:
            return tr_in("six columns", "{letter} lean", letter=of)
        case Asks.TURN_OVER:
            return tr_in("six columns", "{letter} turn", letter=of)
        case Asks.BELONGS:
            return tr_in(
                "six columns", "{letter} here", letter="?" if sign.asked is None else letter_words(sign.asked)
            )
        case Asks.RING_OFF | Asks.RING_BACK | Asks.RING_OPEN | None:
            return None
        case Asks.CARRY | Asks.PUT_HERE | Asks.PUT_HERE_TURNED | Asks.DROP_RING:
            return None
        case _:
            assert_never(sign.asks)


def _advice(sign: TubeSign) -> str | None:
    """What an advice asks of a tube, in the six columns of its cell; None without one."""
    match sign.asks:
        case Asks.CARRY:
            return tr_in("six columns", "{letter} lift", letter=letter_words(sign.hand))
        case Asks.PUT_HERE:
            return tr_in("six columns", "{letter} put ", letter=letter_words(sign.hand))
        case Asks.PUT_HERE_TURNED:
            return tr_in("six columns", "{letter} over", letter=letter_words(sign.hand))
        case Asks.DROP_RING:
            return tr_in("six columns", "{letter} ring", letter=letter_words(sign.hand))
        case _:
            return None


def _glass(sign: TubeSign) -> tuple[Piece, ...]:
    """The upper row of a cell: the glass with its sand, a request, or the tube's own state."""
    asked = _asks_for(sign)
    if asked is not None:
        return ((asked, VIOLET),)
    advised = _advice(sign)
    if advised is not None:
        return ((advised, PLAYER[sign.hand]),)
    match sign.holds:
        case Holds.EMPTY:
            return ((" " * CELL, PLAIN),)
        case Holds.FULL:
            return ((tr_in("six columns", " full "), BLOCKED),)
        case Holds.DESTINATION:
            return ((tr_in("six columns", "→ here"), GREEN),)
    of, block = letter_words(sign.owner), PLAYER[sign.owner]
    match sign.holds:
        case Holds.LIFTED:
            return ((tr_in("six columns", "{letter} hand", letter=of), INK[sign.owner]),)
        case Holds.STILL:
            return ((f"  {of}   ", block),)
        case Holds.UNSTARTED:
            return ((f" {of} ", block), (tr_in("three columns", "new"), QUIET))
        case Holds.RUNNING:
            return ((f" {of}{_sand(sign)}", block), (f"{whole_seconds(sign.seconds):3}", STRONG))
        case Holds.URGENT:
            return ((f" {of}{_sand(sign)}", block), (f"{whole_seconds(sign.seconds):3}", AMBER))
        case Holds.DOUBTFUL:
            return ((f" {of}?", block), (tr_in("three columns", "out"), AMBER))
        case Holds.LOST:
            return ((f" {of} ", LOST), (tr_in("three columns", "out"), QUIET))
        case _:
            assert_never(sign.holds)


def _sand(sign: TubeSign) -> str:
    """The sand left above, as a block."""
    return _SAND[min(int(sign.share * len(_SAND)), len(_SAND) - 1)]


def _rings(tube: Tube, sign: TubeSign, counted: int, seen: int) -> tuple[Piece, ...]:
    """The lower row of a cell: the tube's name, its counted rings and its free places."""
    blocked = sign.holds is Holds.FULL
    name = (tube.name, BLOCKED if blocked else PLAIN)
    match sign.asks:
        case Asks.RING_OFF | Asks.RING_BACK:
            return (name, (f" {counted - seen:+d} ".rjust(CELL - 2), VIOLET))
        case Asks.RING_OPEN | Asks.DROP_RING:
            is_open = True
        case Asks.PUT_HERE | Asks.PUT_HERE_TURNED:
            is_open = sign.ring
        case Asks.CARRY | Asks.TAKE_AWAY | Asks.SET_UPRIGHT | Asks.TURN_OVER | Asks.BELONGS | None:
            is_open = False
        case _:
            assert_never(sign.asks)
    capacity = CAPACITY[tube]
    free = capacity - counted
    # The cell's lower edge continues where there is nothing else to show.
    edge = ("_" * (CELL - 2 - capacity), BLOCKED_EDGE if blocked else EDGE)
    rings = ("●" * counted, BLOCKED_RING if blocked else RING)
    if is_open and free:
        return (name, edge, rings, ("+", GREEN), ("·" * (free - 1), QUIET))
    return (name, edge, rings, ("·" * free, QUIET))
