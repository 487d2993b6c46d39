"""Things on the board: hour-glasses and the timer with their sand, and tubes with their rings.

The sand of a glass is four rectangles behind the glass's outline: ``sure`` and ``soft`` are the lowest and the
highest that may be above the neck, ``sand`` the middle, ``fallen`` what is below. A page moves the sand by setting
their ``y`` and ``height`` as `above` and `fallen` make them, which costs a browser less than a ``transform``.
``data-t``, ``data-fraction`` and ``data-seconds`` have the time of the view, the lowest and highest share of a
full glass (0 … 1), and seconds to run.
"""

from functools import lru_cache
from math import sqrt
from typing import assert_never

from tamsk_hw.game.tubes import CAPACITY, RINGS_EACH, Player, Tube
from tamsk_hw.panel.diagnosis import CORRECTIONS, TIMER_SECONDS, TubeRequest, TubeState
from tamsk_hw.referee.view import GlassState, GlassView
from tamsk_hw.svg.elements import (
    BULB,
    BULBS,
    FLAT,
    HEIGHT,
    LEVEL,
    NECK,
    RING,
    SAND,
    TUBE,
    Ink,
    Role,
    Value,
    at,
    disc,
    foot,
    seams,
    side,
    tag,
    text_of,
    use,
)

#: An interval of sand is drawn from this width on (share of a full glass).
VISIBLE_DOUBT = 0.04

#: The size of a glass on the board.
SCALE = 0.94

#: The height of the pole on which a player's rings are.
_POLE = RINGS_EACH * LEVEL + 14

#: The height of a glass as `hourglass` draws it.
GLASS_HEIGHT = SCALE * (HEIGHT + 12)

#: The colour of a player's sand.
SAND_OF = {Player.RED: Role.SAND_RED, Player.BLACK: Role.SAND_BLACK}


def filling(share: float) -> float:
    """The height of ``share`` (0 … 1) of the sand in the upper bulb (0 … 1), which is narrow where it ends.

    Below, the room above the sand has this height, since the glass is the same upside down.
    """
    return sqrt(share)


def above(share: float) -> dict[str, Value]:
    """Place and height of the sand above the neck: ``share`` (0 … 1) of a full glass."""
    height = SAND * filling(share)
    return {"y": -height, "height": height}


def fallen(share: float) -> dict[str, Value]:
    """Place and height of the sand below when ``share`` (0 … 1) of a full glass is above."""
    height = SAND * (1 - filling(share))
    return {"y": BULB - height, "height": height}


def levels(fraction: tuple[float, float]) -> tuple[float, float, float]:
    """The lowest, middle and highest share of sand as drawn; equal where the interval is too narrow to matter."""
    low, high = fraction
    middle = (low + high) / 2
    return (low, middle, high) if high - low >= VISIBLE_DOUBT else (middle, middle, middle)


def sand(ink: Ink, role: Role, fraction: tuple[float, float], *, runs: bool) -> str:
    """The sand of a glass round its neck at (0, 0); ``runs``: it is falling."""
    low, middle, high = levels(fraction)

    def heap(name: str, place: dict[str, Value], opacity: float | None = None) -> str:
        return tag("rect", x=-24, width=48, fill_opacity=opacity, **place, **ink.fill(role, name))

    stream = tag("path", d=f"M0 -2V{BULB}", stroke_width=2.6, **ink.line(role, "stream")) if runs else ""
    return tag(
        "g",
        heap("soft", above(high), 0.32),
        heap("sand", above(middle), 0.5),
        heap("sure", above(low)),
        stream,
        heap("fallen", fallen(middle)),
        clip_path=f"url(#{ink.prefix}bulbs)",
    )


def _body(ink: Ink, inside: Role) -> str:
    """The bulbs before the sand is in them."""
    return tag("path", d=BULBS, **ink.fill(inside))


def _outline(ink: Ink, dashes: str | None = None) -> str:
    """The bulbs' outline and the light on them."""
    return tag("path", d=BULBS, stroke_width=2.2, stroke_dasharray=dashes, **ink.line(Role.BULB_EDGE)) + tag(
        "path",
        d="M-14 -35Q-15.5 -24 -10 -15M-10 15Q-15 22 -14 33",
        stroke_width=3,
        stroke_linecap="round",
        stroke_opacity=0.75,
        **ink.line(Role.SHINE),
    )


def _contents(ink: Ink, glass: GlassView) -> str:
    """Everything between the caps, round the neck."""
    role = SAND_OF[glass.owner]
    match glass.state:
        case GlassState.RUNNING | GlassState.DOUBTFUL:
            runs = glass.standing is not None and glass.fraction[1] > 0
            return _body(ink, Role.BULB) + sand(ink, role, glass.fraction, runs=runs) + _outline(ink)
        case GlassState.UNSTARTED:
            at_rest = tag("g", sand(ink, role, (0.0, 0.0), runs=False), opacity=0.4)
            return _body(ink, Role.BULB) + at_rest + _outline(ink, dashes="5 3")
        case GlassState.NO_SAND:
            return _body(ink, Role.BULB) + sand(ink, role, (0.0, 0.0), runs=False) + _outline(ink)
        case GlassState.LOST:
            return (
                _body(ink, Role.DEAD)
                + sand(ink, Role.DEAD_SAND, (0.0, 0.0), runs=False)
                + tag("path", d=BULBS, fill=f"url(#{ink.prefix}hatch)")
                + tag("path", d=BULBS, stroke_width=2.2, **ink.line(Role.DEAD_MARK))
                + _cross(ink)
            )
        case _:
            assert_never(glass.state)


def _cross(ink: Ink) -> str:
    """The mark of a lost glass."""
    path = f"M-21 {-BULB + 8}L21 {BULB - 8}M21 {-BULB + 8}L-21 {BULB - 8}"
    return tag("path", d=path, stroke_width=10, stroke_linecap="round", **ink.line(Role.CAP_EDGE)) + tag(
        "path", d=path, stroke_width=5.5, stroke_linecap="round", **ink.line(Role.DEAD_MARK)
    )


def pair(bounds: tuple[float, float], digits: int) -> str:
    """Two bounds as the value of a data attribute, with a space between."""
    return f"{round(bounds[0], digits):g} {round(bounds[1], digits):g}"


def hourglass(
    ink: Ink,
    glass: GlassView,
    *,
    name: str,
    words: str,
    place: tuple[float, float],
    t: float,
    leans: bool = False,
    alone: bool = False,
) -> str:
    """A player's glass, its foot at ``place``; one in the hand is drawn aslant, and more so one that ``leans``.

    ``alone``: beside the board, so upright and without a shadow.
    """
    owner, held = glass.owner.value, glass.standing is None
    kinds = f"tamsk-glass {owner} {glass.state.value}{' held' if held else ' leaning' if leans else ''}"
    angle = 0 if alone else 9 if held else 17 if leans else 0
    return tag(
        "g",
        tag("title", text_of(words)),
        "" if held or alone else disc(21, 0, fill_opacity=0.45, **ink.fill(Role.SHADE)),
        use(ink, f"foot-{owner}"),
        tag("g", _contents(ink, glass), transform=at(0, -NECK)),
        use(ink, f"head-{owner}"),
        id=f"{ink.prefix}{name}",
        class_=kinds,
        data_owner=owner,
        data_tube=glass.tube.name,
        data_standing="" if glass.standing is None else glass.standing.name,
        data_state=glass.state.value,
        data_end=glass.end.value,
        data_t=f"{t:.3f}",
        data_fraction=pair(glass.fraction, 5),
        data_seconds=pair(glass.seconds, 2),
        transform=at(*place, f"rotate({angle}) scale({SCALE})" if angle else f"scale({SCALE})"),
    )


def timer_glass(ink: Ink, *, seconds: float, t: float, words: str) -> str:
    """The timer with ``seconds`` to run above, its foot at (0, 0), drawn larger than a glass."""
    share = min(1.0, seconds / TIMER_SECONDS)
    return tag(
        "g",
        tag("title", text_of(words)),
        use(ink, "foot-timer"),
        tag(
            "g",
            _body(ink, Role.BULB),
            sand(ink, Role.SAND_TIMER, (share, share), runs=seconds > 0),
            _outline(ink),
            transform=at(0, -NECK),
        ),
        use(ink, "head-timer"),
        id=f"{ink.prefix}timer",
        class_="tamsk-timer",
        data_t=f"{t:.3f}",
        data_fraction=pair((share, share), 5),
        data_seconds=pair((seconds, seconds), 2),
        transform="scale(1.3)",
    )


def rim_height(tube: Tube) -> float:
    """The height at which a glass stands in a tube."""
    return CAPACITY[tube] * LEVEL


def top_height(tube: Tube, seen: int) -> float:
    """The height of the tube or of the ``seen`` rings round it, whichever is taller."""
    return max(CAPACITY[tube], seen) * LEVEL


@lru_cache(maxsize=256)
def rings(ink: Ink, count: int) -> str:
    """A stack of rings, the lowest on the board: one drum with lines on it, drawn as quickly as a single ring."""
    if not count:
        return ""
    height = count * LEVEL
    path, lines = side(RING, FLAT, height), seams(RING, count)
    return tag(
        "g",
        tag("path", d=path, **ink.fill(Role.RING_SIDE)),
        tag("path", d=path, fill=f"url(#{ink.prefix}shade)", stroke="none"),
        tag("path", d=lines, class_="seams") if lines else "",
        disc(RING, height, **ink.fill(Role.RING)),
        disc(RING - 5, height, stroke_width=1, stroke_opacity=0.25),
        stroke_width=1.5,
        **ink.line(Role.RING_EDGE, "rings"),
    )


def rings_on_pole(ink: Ink, count: int) -> str:
    """A stack of rings on a pole that is as tall as all of a player's."""
    return "".join(
        (
            disc(RING + 6, 0, **ink.fill(Role.LINE)),
            tag("path", d=f"M0 0V{-_POLE:g}", stroke_width=10, stroke_linecap="round", **ink.line(Role.LINE)),
            rings(ink, count),
        )
    )


def _outlined(ink: Ink, role: Role, level: int, name: str, *, dashes: str | None = "9 6") -> str:
    """The outline of a ring on ``level`` others: in broken lines one that does not lie there."""
    path = side(RING, FLAT, LEVEL).removesuffix("Z")
    strokes = ((Role.HOLE, 7.0, 0.55), (role, 3.5, None))  # dark below, to stand out from rings and board alike
    return tag(
        "g",
        *(
            tag("g", tag("path", d=path), disc(RING, LEVEL), stroke_width=width, opacity=opacity, **ink.line(each))
            for each, width, opacity in strokes
        ),
        class_=name,
        stroke_dasharray=dashes,
        transform=at(0, -level * LEVEL),
    )


def _lid(ink: Ink, height: float) -> str:
    """The lid of a full tube: no entry."""
    return tag(
        "g",
        disc(TUBE - 2, height, stroke_width=2, **ink.both(Role.LID, Role.HOLE)),
        tag("rect", x=-17, y=-height - 4.5, width=34, height=9, rx=2, **ink.fill(Role.LID_BAR)),
        class_="lid",
    )


def _flat_marks(ink: Ink, holds: TubeState, asks: TubeRequest | None) -> str:
    """The marks round the foot of a tube."""
    if asks in CORRECTIONS:
        edge = disc(RING + 9, 0, stroke_width=11, **ink.line(Role.ON_WRONG))
        return edge + disc(RING + 9, 0, stroke_width=6.5, **ink.line(Role.WRONG, "wrong"))
    if holds is TubeState.DESTINATION:
        return disc(RING + 7, 0, stroke_width=6, **ink.line(Role.ALLOWED, "destination"))
    return ""


def _shadow(ink: Ink) -> str:
    """The shadow of rings or of a tube, to the right."""
    return tag("ellipse", cx=9, cy=6, rx=RING, ry=RING * FLAT, fill_opacity=0.28, **ink.fill(Role.SHADE))


@lru_cache(maxsize=1024)
def tube_of_board(
    ink: Ink, tube: Tube, holds: TubeState, asks: TubeRequest | None, *, counted: int, seen: int, words: str
) -> str:
    """A tube at its place, ``seen`` rings round it of which ``counted`` count.

    Kept, because from one drawing to the next hardly any tube changes.
    """
    capacity = CAPACITY[tube]
    kinds = f"tamsk-tube {holds.value}" + ("" if asks is None else f" {asks.value}")
    top = rim_height(tube)
    parts = [
        tag("title", text_of(words)),
        disc(RING, 0, **ink.fill(Role.PLACE)),
        _flat_marks(ink, holds, asks),
        _shadow(ink) if seen else "",
        rings(ink, seen),
        use(ink, f"tube-{max(0, capacity - seen)}", 0, -seen * LEVEL),
    ]
    if holds is TubeState.FULL:
        parts.append(_lid(ink, top_height(tube, seen)))
    if asks in (TubeRequest.RING_OPEN, TubeRequest.DROP_RING):
        parts.append(_outlined(ink, Role.ALLOWED, seen, "ring-open"))
    if asks is TubeRequest.RING_BACK:
        parts += [_outlined(ink, Role.WRONG, level, "ring-missing") for level in range(seen, counted)]
    if asks is TubeRequest.RING_OFF:
        parts += [_outlined(ink, Role.WRONG, level, "ring-extra", dashes=None) for level in range(counted, seen)]
    if holds is TubeState.DESTINATION:
        parts.append(disc(TUBE - 2, top, stroke_width=5, **ink.line(Role.ALLOWED)))
    return tag(
        "g",
        *parts,
        id=f"{ink.prefix}tube-{tube.name}",
        class_=kinds,
        data_tube=tube.name,
        data_rings=str(seen),
        data_counted=str(counted),
        data_capacity=str(capacity),
        transform=at(*foot(tube)),
    )


def tube_name(tube: Tube) -> str:
    """The name of a tube, at the lower left of the place of its rings, where no other tube is as near."""
    x, y = foot(tube)
    return tag("text", tube.name, x=x - 36, y=y + 34)
