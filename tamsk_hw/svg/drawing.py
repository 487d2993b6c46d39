"""The drawing of a table: board, glasses and rings, as one SVG.

It needs nothing from elsewhere: no font, no script, no style. On a page with `tamsk_hw.svg.elements.stylesheet` it
follows the reader's theme. Every tube and glass has an id that stays the same all game long (``tube-D4``,
``glass-red-1``) and what a script needs as ``data-`` attributes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import atan2

from tamsk_hw.game.tubes import NEIGHBOURS, Player, Tube
from tamsk_hw.panel.diagnosis import Diagnosis, TubeRequest, diagnose
from tamsk_hw.partner.intention import MoveGlass
from tamsk_hw.referee.view import GlassState, GlassView, View
from tamsk_hw.svg.elements import (
    BOARD_HEIGHT,
    BOARD_WIDTH,
    FLAT,
    Ink,
    Role,
    Theme,
    Value,
    at,
    box,
    checked_prefix,
    definitions,
    fit,
    foot,
    number,
    tag,
    text,
    text_of,
)
from tamsk_hw.svg.signs import blind_sign, counts_down, ghost, held_place, question_in_hand, sign_of, way
from tamsk_hw.svg.things import hourglass, rim_height, tube_name, tube_of_board
from tamsk_hw.words.arbiter import drawing_description, drawing_title, glass_words, tube_words
from tamsk_hw.words.translating import tr_in

_FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"

#: Half the width of the board's edge round the outermost tubes, and the thickness of the board.
_EDGE, _THICK = 84.0, 20.0

#: The name of the lowest piece.
_PLATE = "plate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A state of a table, to be drawn; a notebook shows it by itself.

    ``prefix`` begins every id, for several drawings on one page: letters, digits, ``-`` and ``_``; raises
    `MisuseError` for another.
    """

    view: View
    diagnosis: Diagnosis
    theme: Theme = Theme.LIGHT
    prefix: str = ""
    leaning: frozenset[Tube] = frozenset()
    """Tubes whose glass is seen to lean."""

    def __post_init__(self) -> None:
        checked_prefix(self.prefix)

    @property
    def _ink(self) -> Ink:
        return Ink(self.theme, self.prefix)

    def svg(self) -> str:
        """The SVG as text. The same state gives the same text."""
        ink, prefix = self._ink, self.prefix
        return tag(
            "svg",
            tag("title", text_of(drawing_title(self.view)), id=f"{prefix}title"),
            tag("desc", text_of(drawing_description(self.view, self.diagnosis)), id=f"{prefix}desc"),
            definitions(ink),
            tag("rect", width=BOARD_WIDTH, height=BOARD_HEIGHT, **ink.fill(Role.PAGE)),
            tag("g", self._whole_board(ink), class_="board"),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(BOARD_WIDTH)} {number(BOARD_HEIGHT)}",
            role="img",
            aria_labelledby=f"{prefix}title {prefix}desc",
            class_="tamsk",
            font_family=_FONT,
            text_anchor="middle",
            data_t=f"{self.view.t:.3f}",
        )

    _repr_svg_ = svg  # by this name Jupyter asks for it

    def layers(self) -> Iterator[tuple[str, str]]:
        """The board alone as SVGs of the same size, one upon the other: each with its id, the lowest first.

        A browser draws a change in one of them without the others. The first has the definitions for all. Neither
        title nor description is in them. A board out of reach is not drawn pale; `stale_sign` belongs above it.
        """
        ink = self._ink
        for name, content in self._board(ink):
            first = definitions(ink) if name == _PLATE else ""
            yield self._layer(name, first + self._fitted(content))

    def stale_sign(self) -> tuple[str, str] | None:
        """The layer, with its id, that says that the board is out of reach; None when it is not."""
        return self._layer("stale", _stale(self._ink)) if self.diagnosis.stale else None

    def _layer(self, name: str, content: str) -> tuple[str, str]:
        """An SVG of the board's size, with its id."""
        name = f"{self.prefix}layer-{name}"
        return name, tag(
            "svg",
            content,
            id=name,
            class_="layer",
            viewBox=f"0 0 {number(BOARD_WIDTH)} {number(BOARD_HEIGHT)}",
            font_family=_FONT,
            text_anchor="middle",
        )

    def _fitted(self, content: str, *, pale: bool = False) -> str:
        """The board and what is on it, as large as there is room."""
        x, y, scale = fit(self.view.tubes)
        return tag(
            "g",
            content,
            opacity=0.4 if pale else None,
            transform=None if scale == 1 else at(x, y, f"scale({number(scale)})"),
        )

    def _whole_board(self, ink: Ink) -> str:
        """The board and everything on it."""
        stale = self.diagnosis.stale
        board = self._fitted("".join(content for _, content in self._board(ink)), pale=stale)
        return board + (_stale(ink) if stale else "")

    def _board(self, ink: Ink) -> Iterator[tuple[str, str]]:
        """The board and everything on it in named pieces, the hindmost first: what is in front hides it."""
        view, signs = self.view, self.diagnosis.tubes
        names = dict(_named(view.glasses))
        standing: dict[Tube, list[str]] = {}
        for name, glass in names.items():
            if glass.standing is not None:
                standing.setdefault(glass.standing, []).append(self._glass(ink, name, glass))
        yield _PLATE, _plate(ink, view.tubes)
        tubes = sorted(view.tubes, key=lambda tube: (-tube.height, tube.column))
        for row, (_, abreast) in enumerate(groupby(tubes, key=lambda tube: tube.height), 1):
            parts = []
            for tube in abreast:
                seen, sign = view.rings_seen[tube], signs[tube]
                words, counted = tube_words(tube, sign, seen), view.rings[tube]
                kinds = sign.holds, sign.asks
                parts.append(tube_of_board(ink, tube, *kinds, counted=counted, seen=seen, words=words))
                parts += standing.get(tube, ())
            yield f"row-{row}", "".join(parts)
        labels = (tube_name(tube) for tube in view.tubes)
        yield (
            "names",
            tag(
                "g",
                *labels,
                font_size=28,
                font_weight=700,
                stroke_width=6,
                stroke_linejoin="round",
                paint_order="stroke",  # they can be read across rings, too
                aria_hidden="true",
                **ink.both(Role.NAME, Role.PLATE, "names"),
            ),
        )
        yield "signs", "".join(self._above(ink, names))

    def _above(self, ink: Ink, names: Mapping[str, GlassView]) -> Iterator[str]:
        """Everything above the board: homes of glasses, orders and signs, glasses in the hand."""
        view, signs = self.view, self.diagnosis.tubes
        astray = [glass for glass in names.values() if glass.standing is not glass.tube]
        occupied = {glass.standing for glass in names.values()}
        empty = [mend for mend in view.wrong if mend.tube not in occupied]
        homes = {one.tube: signs[one.tube].asked for one in empty if signs[one.tube].asks is TubeRequest.BELONGS}
        homes |= {glass.tube: glass.owner for glass in astray if glass.tube not in occupied}
        for tube, owner in homes.items():
            yield ghost(ink, tube, owner, there=False)
        for mend in empty:
            if signs[mend.tube].asks in (TubeRequest.TAKE_AWAY, TubeRequest.SET_UPRIGHT):
                owner = mend.has if isinstance(mend.has, Player) else None
                yield ghost(ink, mend.tube, owner, there=True)
        if view.over is None:
            yield from (way(ink, glass.standing, glass.tube) for glass in astray if glass.standing is not None)
        for name, glass in names.items():
            if glass.standing is None:
                yield self._glass(ink, name, glass)
                if glass.state is GlassState.DOUBTFUL:
                    yield question_in_hand(ink, glass)
        if (advice := self.diagnosis.advice) is not None and isinstance(advice.act, MoveGlass):
            at = advice.act.at
            if at is not None and signs[at].asks is TubeRequest.CARRY:
                yield way(ink, at, advice.act.to, advice.player)
        yield from (blind_sign(ink, tube) for tube in view.tubes if signs[tube].blind)
        # Nothing lies over the seconds of a glass: they come last.
        for tube in sorted(view.tubes, key=lambda tube: counts_down(signs[tube])):
            yield sign_of(ink, view, tube, signs)

    def _glass(self, ink: Ink, name: str, glass: GlassView) -> str:
        """A glass where it stands, or above the tube that it left."""
        if glass.standing is None:
            place = held_place(glass.tube)
        else:
            x, y = foot(glass.standing)
            place = (x, y - rim_height(glass.standing) + 3)
        return hourglass(
            ink,
            glass,
            name=name,
            words=glass_words(glass),
            place=place,
            t=self.view.t,
            leans=glass.standing in self.leaning,
        )


def _named(glasses: tuple[GlassView, ...]) -> Iterator[tuple[str, GlassView]]:
    """The glasses with their ids: ``glass-red-1`` is the first of red's in the view, the same all game long."""
    counts: Counter[Player] = Counter()
    for glass in glasses:
        counts[glass.owner] += 1
        yield f"glass-{glass.owner.value}-{counts[glass.owner]}", glass


@lru_cache(maxsize=16)
def _plate(ink: Ink, tubes: tuple[Tube, ...]) -> str:
    """The board under its tubes: the outline of the outermost ones, rounded."""
    present = set(tubes)
    feet = {tube: foot(tube) for tube in tubes}
    middle_x = sum(x for x, _ in feet.values()) / len(feet)
    middle_y = sum(y for _, y in feet.values()) / len(feet)
    outer = [place for tube, place in feet.items() if sum(near in present for near in NEIGHBOURS[tube]) < 6]
    outer.sort(key=lambda place: atan2(place[1] - middle_y, place[0] - middle_x))
    path = "M" + "L".join(f"{number(x)} {number(y / FLAT)}" for x, y in outer) + "Z"
    strokes: dict[str, Value] = {"stroke_width": 2 * _EDGE, "stroke_linejoin": "round"}
    return tag(
        "g",
        tag(
            "path",
            d=path,
            transform=f"translate(0 {_THICK}) scale(1 {FLAT})",
            **strokes,
            **ink.both(Role.PLATE_EDGE, Role.PLATE_EDGE),
        ),
        tag("path", d=path, transform=f"scale(1 {FLAT})", **strokes, **ink.both(Role.PLATE, Role.PLATE)),
        class_="plate",
    )


def _stale(ink: Ink) -> str:
    """The sign across a board that cannot be reached."""
    x, y = BOARD_WIDTH / 2, BOARD_HEIGHT / 2
    return tag(
        "g",
        box(580, 112, 24, 5, **ink.both(Role.WRONG, Role.ON_WRONG)),
        text(tr_in("across the board", "board out of reach"), None, 16, 48, 700, **ink.fill(Role.ON_WRONG)),
        class_="stale",
        transform=at(x, y),
    )


def drawing_of(view: View, *, theme: Theme = Theme.LIGHT, prefix: str = "") -> Drawing:
    """The drawing of a view; the rest are the fields of `Drawing`.

    Raises:
        MisuseError: the prefix begins no id.
    """
    return Drawing(view=view, diagnosis=diagnose(view), theme=theme, prefix=prefix)
