"""Tubes with the rings round them, and what is marked flat on the board."""

from __future__ import annotations

from functools import lru_cache

from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.panel.diagnosis import MENDS, Asks, Holds, TubeSign
from tamsk_hw.svg.markup import at, tag, text_of
from tamsk_hw.svg.places import FLAT, LEVEL, RING, TUBE, foot
from tamsk_hw.svg.shapes import disc, seams, side, use
from tamsk_hw.svg.theme import Ink, Role


def rim_height(tube: Tube) -> float:
    """The height at which a glass stands in a tube."""
    return CAPACITY[tube] * LEVEL


def top_height(tube: Tube, seen: int) -> float:
    """The height of the tube or of the ``seen`` rings round it, whichever is taller."""
    return max(CAPACITY[tube], seen) * LEVEL


@lru_cache(maxsize=256)
def rings(ink: Ink, prefix: str, count: int) -> str:
    """A stack of rings, the lowest on the board: one drum with lines on it, drawn as quickly as a single ring."""
    if not count:
        return ""
    height = count * LEVEL
    path, lines = side(RING, FLAT, height), seams(RING, count)
    return tag(
        "g",
        tag("path", d=path, **ink.fill(Role.RING_SIDE)),
        tag("path", d=path, fill=f"url(#{prefix}shade)", stroke="none"),
        tag("path", d=lines, class_="seams") if lines else "",
        disc(RING, height, **ink.fill(Role.RING)),
        disc(RING - 5, height, stroke_width=1, stroke_opacity=0.25),
        stroke_width=1.5,
        **ink.line(Role.RING_EDGE, "rings"),
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


def _flat_marks(ink: Ink, holds: Holds, asks: Asks | None) -> str:
    """The marks round the foot of a tube."""
    if asks in MENDS:
        return tag("ellipse", rx=RING + 9, ry=(RING + 9) * FLAT, stroke_width=11, **ink.line(Role.ON_WRONG)) + tag(
            "ellipse", rx=RING + 9, ry=(RING + 9) * FLAT, stroke_width=6.5, **ink.line(Role.WRONG, "wrong")
        )
    if holds is Holds.DESTINATION:
        return tag(
            "ellipse", rx=RING + 7, ry=(RING + 7) * FLAT, stroke_width=6, **ink.line(Role.ALLOWED, "destination")
        )
    return ""


def _shadow(ink: Ink) -> str:
    """The shadow of rings or of a tube, to the right."""
    return tag("ellipse", cx=9, cy=6, rx=RING, ry=RING * FLAT, fill_opacity=0.28, **ink.fill(Role.SHADE))


def tube_of_board(
    ink: Ink, prefix: str, tube: Tube, sign: TubeSign, *, counted: int, seen: int, words: str
) -> str:
    """A tube at its place, ``seen`` rings round it of which ``counted`` count."""
    return _drawn(ink, prefix, tube, sign.holds, sign.asks, counted, seen, words)


@lru_cache(maxsize=1024)
def _drawn(
    ink: Ink, prefix: str, tube: Tube, holds: Holds, asks: Asks | None, counted: int, seen: int, words: str
) -> str:
    """The same. Kept, because from one drawing to the next hardly any tube changes."""
    capacity = CAPACITY[tube]
    kinds = f"tamsk-tube {holds.value}" + ("" if asks is None else f" {asks.value}")
    top = rim_height(tube)
    parts = [
        tag("title", text_of(words)),
        disc(RING, 0, **ink.fill(Role.PLACE)),
        _flat_marks(ink, holds, asks),
        _shadow(ink) if seen else "",
        rings(ink, prefix, seen),
        use(f"tube-{max(0, capacity - seen)}", prefix, 0, -seen * LEVEL),
    ]
    if holds is Holds.FULL:
        parts.append(_lid(ink, top_height(tube, seen)))
    if asks in (Asks.RING_OPEN, Asks.DROP_RING):
        parts.append(_outlined(ink, Role.ALLOWED, seen, "ring-open"))
    if asks is Asks.RING_BACK:
        parts += [_outlined(ink, Role.WRONG, level, "ring-missing") for level in range(seen, counted)]
    if asks is Asks.RING_OFF:
        parts += [_outlined(ink, Role.WRONG, level, "ring-extra", dashes=None) for level in range(counted, seen)]
    if holds is Holds.DESTINATION:
        parts.append(disc(TUBE - 2, top, stroke_width=5, **ink.line(Role.ALLOWED)))
    return tag(
        "g",
        *parts,
        id=f"{prefix}tube-{tube.name}",
        class_=kinds,
        data_tube=tube.name,
        data_rings=str(seen),
        data_counted=str(counted),
        data_capacity=str(capacity),
        transform=at(*foot(tube)),
    )


def tube_name(tube: Tube) -> str:
    """The name of a tube, on the board to the left of its foot."""
    x, y = foot(tube)
    return tag("text", tube.name, x=x - 60, y=y + 44)
