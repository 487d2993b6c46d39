"""Signs above the board, before everything else: where to go, what is advised, in doubt, or to be put right."""

from collections.abc import Sequence
from typing import assert_never

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.panel.diagnosis import CORRECTIONS, TubeRequest, TubeSign, TubeState, whole_seconds
from tamsk_hw.referee.view import GlassView, View
from tamsk_hw.svg.elements import (
    BULBS,
    LEVEL,
    NECK,
    OF_PLAYER,
    ROUND,
    Ink,
    Role,
    at,
    box,
    foot,
    number,
    tag,
    text,
    use,
)
from tamsk_hw.svg.things import GLASS_HEIGHT, SCALE, rim_height, top_height

#: The arrows of the orders, each in a square of 20 round (0, 0).
_UP = "M0 10V-8M-7.5 -2L0 -9.5L7.5 -2"
_DOWN = "M0 -10V8M-7.5 2L0 9.5L7.5 2"
_OVER = "M-8 3A8.5 8.5 0 1 1 5 6.5M11 1L5 7L-1.5 3"
_UPRIGHT = "M-8 9L3 -8M-3 -9.5L4 -9.5L5 -2.5M-11 10H11"

#: Requests about a glass that is in a tube or belongs there, each with its arrow on a badge.
_ORDERS = {
    TubeRequest.TAKE_AWAY: _UP,
    TubeRequest.SET_UPRIGHT: _UPRIGHT,
    TubeRequest.TURN_OVER: _OVER,
    TubeRequest.BELONGS: _DOWN,
}

#: Requests of an advice to a tube.
_ADVICES = frozenset({TubeRequest.CARRY, TubeRequest.PUT_HERE, TubeRequest.PUT_HERE_TURNED, TubeRequest.DROP_RING})

#: The size of a badge, and the width of one mark on that of an advice.
_WIDTH, _HEIGHT, _MARK = 62.0, 34.0, 27.0

#: The width of the arrow of a destination and of the last seconds of a glass, with their edges.
_ARROW, _SECONDS = 38.0, 48.0


def _beside(width: float) -> float:
    """The distance to the side at which a sign of this width leaves the seconds of a glass free."""
    return (width + _SECONDS) / 2 + 4


def _badge(ink: Ink, x: float, y: float, mark: str, name: str) -> str:
    """The sign of everything that must be put right: an exclamation mark, and what to do."""
    return tag(
        "g",
        box(_WIDTH, _HEIGHT, 9, 2.5, **ink.both(Role.WRONG, Role.ON_WRONG)),
        tag("path", d="M-16 -10V2M-16 9V9.1", stroke_width=5.5, stroke_linecap="round", **ink.line(Role.ON_WRONG)),
        mark,
        class_=f"wrong-sign {name}",
        transform=at(x, y),
    )


def _arrow(ink: Ink, path: str, x: float = 11, role: Role = Role.ON_WRONG) -> str:
    """An arrow on a badge, at ``x``."""
    return tag("g", tag("path", d=path, stroke_width=4.2, **ROUND, **ink.line(role)), transform=at(x, 0))


def _ring(ink: Ink, x: float) -> str:
    """A ring on a badge, at ``x``."""
    return tag("ellipse", cx=x, rx=10, ry=6.5, stroke_width=5, **ink.line(Role.RING))


def _advice(ink: Ink, x: float, y: float, sign: TubeSign, asks: TubeRequest, *, aside: bool) -> str:
    """The sign of an advice, in the colour of the player whose hand is asked: what to do, from left to right."""
    match asks:
        case TubeRequest.CARRY:
            arrows = [_UP]
        case TubeRequest.PUT_HERE | TubeRequest.DROP_RING:
            arrows = [_DOWN]
        case _:
            arrows = [_OVER, _DOWN]
    ring = sign.ring or asks is TubeRequest.DROP_RING
    count = len(arrows) + ring
    places = [_MARK * (place - (count - 1) / 2) for place in range(count)]
    width = _MARK * count + 16
    marks = [_arrow(ink, path, place, Role.ON_PLAYER) for path, place in zip(arrows, places, strict=False)]
    frame = box(width, _HEIGHT, _HEIGHT / 2, 3, **ink.both(OF_PLAYER[sign.hand], Role.CAP_EDGE))
    return tag(
        "g",
        frame,
        *marks,
        _ring(ink, places[-1]) if ring else "",
        class_=f"advice-sign {asks.value}",
        transform=at(x + _beside(width) if aside else x, y),
    )


def _mark(ink: Ink, asks: TubeRequest, count: int) -> str:
    """The order of a badge; ``count``: rings to be put back, below 0 taken off."""
    match asks:
        case TubeRequest.RING_OFF | TubeRequest.RING_BACK:
            return text(f"+{count}" if count > 0 else f"−{-count}", 10, 8, 24, 700, **ink.fill(Role.ON_WRONG))
        case TubeRequest.TAKE_AWAY | TubeRequest.SET_UPRIGHT | TubeRequest.TURN_OVER | TubeRequest.BELONGS:
            return _arrow(ink, _ORDERS[asks])
        case (
            TubeRequest.RING_OPEN
            | TubeRequest.CARRY
            | TubeRequest.PUT_HERE
            | TubeRequest.PUT_HERE_TURNED
            | TubeRequest.DROP_RING
        ):
            return ""
        case _:
            assert_never(asks)


def _question(ink: Ink, x: float, y: float) -> str:
    """The sign of a glass that may have run out."""
    return tag(
        "g",
        tag("circle", r=17, stroke_width=2, **ink.both(Role.DOUBT, Role.ON_DOUBT)),
        text("?", None, 9.5, 27, 700, **ink.fill(Role.ON_DOUBT)),
        class_="doubt",
        transform=at(x, y),
    )


def _countdown(ink: Ink, x: float, y: float, seconds: float, t: float) -> str:
    """The last seconds of a glass at time ``t`` of the game; a page counts them down to ``data-until``."""
    return tag(
        "g",
        box(46, 32, 16, 2, **ink.both(Role.DOUBT, Role.ON_DOUBT)),
        text(
            *(str(whole_seconds(seconds)), None, 8.5, 24, 700),
            data_until=f"{t + seconds:.3f}",
            **ink.fill(Role.ON_DOUBT, "seconds"),
        ),
        class_="urgent",
        transform=at(x, y),
    )


def blind_sign(ink: Ink, tube: Tube) -> str:
    """The sign beside the foot of a tube whose rings cannot be read: an eye that is crossed out."""
    x, y = foot(tube)
    eye = "M-12 0Q0 -11 12 0Q0 11 -12 0ZM0 -2.5V2.5M-10 9L10 -9"
    return tag(
        "g",
        tag("circle", r=18, stroke_width=2, **ink.both(Role.WRONG, Role.ON_WRONG)),
        tag("path", d=eye, stroke_width=3.4, **ROUND, **ink.line(Role.ON_WRONG)),
        class_="unread",
        transform=at(x + 56, y + 34),
    )


def _destination(ink: Ink, x: float, y: float) -> str:
    """The arrow above a legal destination."""
    path = "M0 -34V-6M-13 -18L0 -4L13 -18"
    return tag(
        "g",
        tag("path", d=path, stroke_width=12, **ROUND, **ink.line(Role.HOLE)),
        tag("path", d=path, stroke_width=7, **ROUND, **ink.line(Role.ALLOWED)),
        class_="destination-sign",
        transform=at(x, y),
    )


def ghost(ink: Ink, tube: Tube, player: Player | None, *, there: bool) -> str:
    """The outline of a glass: in broken lines one that belongs in a tube, else one that is there and is none's."""
    x, y = foot(tube)
    bulbs = tag("path", d=BULBS, stroke_width=5.5, **ink.line(Role.HOLE)) + tag(
        "path", d=BULBS, stroke_width=2.5, stroke_dasharray=None if there else "7 6", **ink.line(Role.CAP_EDGE)
    )
    name = "timer" if player is None else player.value
    return tag(
        "g",
        use(ink, f"foot-{name}"),
        tag("g", bulbs, transform=at(0, -NECK)),
        use(ink, f"head-{name}"),
        class_="stranger" if there else "home",
        opacity=0.75 if there else 0.5,
        transform=at(x, y - rim_height(tube) + 3, f"scale({SCALE})"),
    )


def way(ink: Ink, home: Tube, tube: Tube, player: Player | None = None) -> str:
    """The arrow to the tube where a glass belongs, or on the way that ``player`` is advised to carry it."""
    role, edge, name = Role.WRONG, Role.ON_WRONG, "way-home"
    if player is not None:
        role, edge, name = OF_PLAYER[player], Role.CAP_EDGE, "way-there"
    x0, y0 = foot(home)
    x1, y1 = foot(tube)
    y0, y1 = y0 - rim_height(home) - 50, y1 - rim_height(tube) - 20
    length = max(1.0, ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0, x1, y1 = x0 + 30 * dx, y0 + 30 * dy, x1 - 8 * dx, y1 - 8 * dy
    points = ((x1 - 22 * dx - 13 * dy, y1 - 22 * dy + 13 * dx), (x1 - 22 * dx + 13 * dy, y1 - 22 * dy - 13 * dx))
    left, right = (f"{number(x)} {number(y)}" for x, y in points)
    end = f"{number(x1)} {number(y1)}"
    path = f"M{number(x0)} {number(y0)}L{end}M{left}L{end}L{right}"
    return tag("path", d=path, stroke_width=12, **ROUND, **ink.line(edge)) + tag(
        "path", d=path, stroke_width=7, **ROUND, **ink.line(role, name)
    )


def _top(view: View, tube: Tube, sign: TubeSign) -> float:
    """The height above which a sign is free of what stands in the tube."""
    height = top_height(tube, view.rings_seen[tube])
    stands = sign.player is not None and sign.holds is not TubeState.LIFTED
    return height + (GLASS_HEIGHT if stands or sign.asks in _ORDERS else 0.0)


def counts_down(sign: TubeSign) -> bool:
    """Above the tube are the last seconds of a glass."""
    return sign.holds is TubeState.URGENT and sign.asks not in _ADVICES | CORRECTIONS


def sign_of(ink: Ink, view: View, tube: Tube, signs: Sequence[TubeSign]) -> str:
    """The sign above a tube: an order or an advice, else the doubt or last seconds of a glass, or an arrow.

    It stands aside where the glass in front, in the tube below on the drawing, has its seconds.
    """
    sign = signs[tube]
    x, y = foot(tube)
    height = _top(view, tube, sign)
    top = y - height
    aside = tube.row > 1 and counts_down(signs[tube - 1]) and height == top_height(tube, view.rings_seen[tube])
    if sign.asks in _ADVICES:
        return _advice(ink, x, top - 14, sign, sign.asks, aside=aside)
    if sign.asks in CORRECTIONS:
        count = view.rings[tube] - view.rings_seen[tube]
        x += _beside(_WIDTH) if aside else 0
        return _badge(ink, x, top - 14, _mark(ink, sign.asks, count), sign.asks.value)
    match sign.holds:
        case TubeState.DOUBTFUL:
            return _question(ink, x, top - 8)
        case TubeState.URGENT:
            return _countdown(ink, x, top - 8, sign.seconds, view.t)
        case TubeState.DESTINATION:
            return _destination(ink, x + _beside(_ARROW) if aside else x, top - 10)
        case (
            TubeState.EMPTY
            | TubeState.FULL
            | TubeState.LIFTED
            | TubeState.STILL
            | TubeState.UNSTARTED
            | TubeState.RUNNING
            | TubeState.LOST
        ):
            return ""
        case _:
            assert_never(sign.holds)


def held_place(tube: Tube) -> tuple[float, float]:
    """The foot of a glass that is in the hand, above and beside the tube that it left."""
    x, y = foot(tube)
    return x + 30, y - rim_height(tube) - 2.2 * LEVEL


def question_in_hand(ink: Ink, glass: GlassView) -> str:
    """The question mark of a doubtful glass in the hand."""
    x, y = held_place(glass.tube)
    return _question(ink, x + 52, y - GLASS_HEIGHT / 2)
