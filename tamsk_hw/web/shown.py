"""The drawing and the hands that a page shows.

A scene as SVG, and the cards of the players beside it.

What the page draws of all that lies at hand at a simulated board: where it is taken, and what it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, Player, Tube
from tamsk_hw.hands.acting import TimerPlace
from tamsk_hw.panel.diagnosis import TIMER_SECONDS, Confirmation, Deed, Diagnosis, Resignation, Stance, TimerSign
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import GlassView, Phase
from tamsk_hw.svg import Drawing, Layout, Theme
from tamsk_hw.svg.elements import FLAT, LEVEL, RING, Ink, Role, disc, fit, foot, tag
from tamsk_hw.svg.elements import at as moved
from tamsk_hw.svg.signs import held_place
from tamsk_hw.svg.things import GLASS_HEIGHT, hourglass, rim_height, rings, timer_glass
from tamsk_hw.web.scene import SeenGlass, TableAtHand, TableScene
from tamsk_hw.words import table as words
from tamsk_hw.words.arbiter import confirmation_words, rings_left_words, timer_words
from tamsk_hw.words.pages import penalty_words, player_name, ring_words
from tamsk_hw.words.table import stance_words

_INK = Ink(Theme.LIGHT)

#: The height of the pole of a stack, and that of the uppermost edge of all rings round it.
_POLE = RINGS_EACH * LEVEL + 14
_TALLEST = RINGS_EACH * LEVEL + RING * FLAT + 2


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of the board with its id; ``at_rest`` is the same while nothing but sand has run."""

    name: str
    svg: Markup
    at_rest: str


@dataclass(frozen=True, slots=True)
class Right:
    """A right that is open, in words; ``until`` is the time of the game at which it lapses, None without one."""

    words: str
    seconds: float | None = None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class TimerCount:
    """The 15-second count: its glass as SVG, its words, and when it ends in the time of the game."""

    glass: Markup
    words: str
    seconds: float
    until: float
    urgent: bool


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """What the page shows of a player beside the board."""

    player: Player
    name: str
    stance: Stance
    stance_words: str
    left: int
    left_words: str
    """The caption of ``left``."""
    rights: tuple[Right, ...]
    timer: TimerCount | None
    stack: Markup
    row: Markup
    """The stack lying on its side, for narrow screens."""

    @property
    def is_on(self) -> bool:
        """The card stands out: his turn, or he has won."""
        return self.stance in (Stance.TO_MOVE, Stance.MOVING, Stance.WON)


def names_of(scene: TableScene) -> dict[Player, str]:
    """The players' names, their colours without."""
    return {player: player_name(player, scene.name_of(player)) for player in PLAYERS}


def board_svg(scene: TableScene, layout: Layout = Layout.BOARD, theme: Theme = Theme.LIGHT) -> str:
    """The drawing of a scene."""
    return Drawing(
        view=scene.view, diagnosis=scene.diagnosis, layout=layout, theme=theme, names=names_of(scene)
    ).svg()


def board_layers(scene: TableScene) -> Iterator[Layer]:
    """The board of a scene as SVGs one upon the other, the lowest first."""
    leaning = frozenset() if scene.at_hand is None else scene.at_hand.leaning
    drawing, still = (
        Drawing(view=view, diagnosis=scene.diagnosis, layout=Layout.BOARD, leaning=leaning)
        for view in (scene.view, scene.still_view)
    )
    for (name, markup), (_, at_rest) in zip(drawing.layers(), still.layers(), strict=True):
        yield Layer(name, Markup(markup), at_rest)


def stale_layer(scene: TableScene) -> Layer | None:
    """The sign above a board that is out of reach."""
    sign = Drawing(view=scene.view, diagnosis=scene.diagnosis).stale_sign()
    return None if sign is None else Layer(sign[0], Markup(sign[1]), sign[1])


def cards_of(scene: TableScene) -> tuple[PlayerCard, ...]:
    """The cards of red and black."""
    names = names_of(scene)
    return tuple(_card(scene, player, names[player]) for player in PLAYERS)


def _card(scene: TableScene, player: Player, name: str) -> PlayerCard:
    sign = scene.diagnosis.players[player]
    return PlayerCard(
        player=player,
        name=name,
        stance=sign.stance,
        stance_words=stance_words(sign.stance),
        left=sign.left,
        left_words=rings_left_words(sign.left),
        rights=_rights(scene, player) if sign.due else (),
        timer=_timer(scene.diagnosis, player),
        stack=_stack(sign.left),
        row=ring_row(sign.left),
    )


def _rights(scene: TableScene, player: Player) -> tuple[Right, ...]:
    view = scene.view
    own = [
        Right(ring_words(tube), right.seconds, None if right.seconds is None else view.t + right.seconds)
        for tube, right in sorted(view.ring_open.items())
        if right.player is player
    ]
    penalty = [Right(penalty_words())] if scene.diagnosis.players[player].penalty else []
    return (*own, *penalty)


def _timer(diagnosis: Diagnosis, player: Player) -> TimerCount | None:
    timer = diagnosis.timer
    if timer is None or timer.against is not player:
        return None
    return TimerCount(
        _timer_svg(timer, diagnosis.t),
        timer_words(timer),
        timer.seconds,
        diagnosis.t + timer.seconds,
        timer.urgent,
    )


def _timer_svg(timer: TimerSign, t: float) -> Markup:
    height = 1.3 / 1.1 * GLASS_HEIGHT
    glass = timer_glass(
        _INK, "", seconds=timer.seconds, full=TIMER_SECONDS, t=t, words=timer_words(timer), place=(0.0, 0.0)
    )
    return _svg((-40, -height - 4, 80, height + 18), glass)


def _stack(left: int) -> Markup:
    """The rings left on a pole that is as tall as all of them."""
    return _svg((-RING - 8, -_TALLEST, 2 * RING + 16, _TALLEST + 48), _pole(), rings(_INK, "", left))


def ring_row(left: int) -> Markup:
    """So many rings on a pole that lies on its side."""
    lying = tag("g", _pole(), rings(_INK, "", left), transform=moved(0, 0, "rotate(90)", "scale(.6 1)"))
    return _svg((-46, -46, _TALLEST + 46, 92), lying)


def _pole() -> str:
    return disc(RING + 6, 0, **_INK.fill(Role.LINE)) + tag(
        "path", d=f"M0 0V{-_POLE:g}", stroke_width=10, stroke_linecap="round", **_INK.line(Role.LINE)
    )


def small_glass(glass: GlassView) -> Markup:
    """A glass alone."""
    upright = replace(glass, standing=glass.tube)
    drawn = hourglass(_INK, "", upright, name="", words="", place=(0.0, 0.0), t=0.0)
    return _svg((-40, -GLASS_HEIGHT - 4, 80, GLASS_HEIGHT + 18), drawn.replace(' id=""', ""))


def small_timer(above: float) -> Markup:
    """The 15-second timer as it stands, with this share of its sand above (0 … 1)."""
    height = 1.3 / 1.1 * GLASS_HEIGHT
    drawn = timer_glass(
        _INK, "seen-", seconds=above * TIMER_SECONDS, full=TIMER_SECONDS, t=0.0, words="", place=(0.0, 0.0)
    )
    return _svg((-40, -height - 4, 80, height + 18), drawn.replace("#seen-", "#"))


def _svg(box: tuple[float, float, float, float], *content: str) -> Markup:
    """A small drawing that uses the board's definitions; the words beside it say the same."""
    view_box = " ".join(f"{each:g}" for each in box)
    return Markup(tag("svg", *content, viewBox=view_box, aria_hidden="true", focusable="false"))


@dataclass(frozen=True, slots=True)
class TubeAtHand:
    """A tube: its foot on the drawing, and how high above it a glass stands."""

    tube: str
    x: float
    y: float
    rim: float
    rings: int
    glass: SeenGlass | None
    label: str


@dataclass(frozen=True, slots=True)
class HeldGlass:
    """A glass in a hand, at the foot of its drawing."""

    glass: SeenGlass
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class SideOfTable:
    """What lies before a player."""

    player: Player
    rings: Markup
    rings_label: str
    holder: int
    held: int
    off: tuple[tuple[SeenGlass, Markup, str], ...]
    claim: str


@dataclass(frozen=True, slots=True)
class HandView:
    """Everything that can be taken or pressed. ``fit`` is the transform of the drawing's board."""

    fit: str
    places: tuple[TubeAtHand, ...]
    behind: tuple[TubeAtHand, ...]
    """The places from behind to the front, as they hide each other."""
    held: tuple[HeldGlass, ...]
    sides: tuple[SideOfTable, ...]
    timer: Markup | None
    """Its drawing; None while it lies off the board or is in a hand."""
    timer_label: str
    down: frozenset[str]
    """The buttons that are down."""
    asks: Mapping[str, str]
    """The question before a long press, by button; a press that takes nothing away has none."""
    said: dict[str, str]
    may_begin_again: bool


def hand_view(scene: TableScene) -> HandView | None:
    """What lies at hand in a scene; None where people cannot take anything."""
    at_hand = scene.at_hand
    if at_hand is None:
        return None
    x, y, scale = fit(scene.view.tubes)
    places = tuple(_place(at_hand, tube) for tube in scene.view.tubes)
    timer = at_hand.look.timer
    return HandView(
        fit=f"translate({x:g} {y:g}) scale({scale:g})",
        places=places,
        behind=tuple(sorted(places, key=lambda place: place.y)),
        held=tuple(_held(glass) for glass in at_hand.held),
        sides=tuple(_side(at_hand, player) for player in PLAYERS),
        timer=small_timer(timer.above) if timer.place is TimerPlace.CRADLE else None,
        timer_label=words.timer_label(is_there=timer.place is TimerPlace.CRADLE, runs=timer.runs),
        down=frozenset(button.value for button in at_hand.look.buttons),
        asks=_asks(scene),
        said=words.table_texts(),
        may_begin_again=scene.view.phase is Phase.OVER,
    )


def _asks(scene: TableScene) -> dict[str, str]:
    view, offered = scene.view, scene.state.offered
    deeds: dict[str, Resignation | Deed] = {}
    if offered:
        deeds = {ButtonName.START.value: Deed.ABANDON_OFFERED}
    elif view.is_played:
        deeds = {player.value: Resignation(player) for player in PLAYERS}
    return {button: confirmation_words(Confirmation(deed), view) for button, deed in deeds.items()}


def _place(at_hand: TableAtHand, tube: Tube) -> TubeAtHand:
    rings, glass = at_hand.look.rings.get(tube, 0), at_hand.standing(tube)
    x, y = foot(tube)
    seen = None if glass is None else glass.seen
    label = words.place_label(tube, rings, None if seen is None else seen.owner, leans=bool(seen and seen.leaning))
    return TubeAtHand(tube.name, x, y, rim_height(tube), rings, glass, label)


def _held(glass: SeenGlass) -> HeldGlass:
    assert glass.seen.hand is not None
    x, y = held_place(glass.view.tube)
    return HeldGlass(glass, x, y, words.held_label(glass.seen.owner, glass.seen.hand))


def _side(at_hand: TableAtHand, player: Player) -> SideOfTable:
    seen = at_hand.look.players[player]
    return SideOfTable(
        player=player,
        rings=ring_row(seen.holder),
        rings_label=words.rings_label(player, seen.holder, seen.rings),
        holder=seen.holder,
        held=seen.rings,
        off=tuple(_off(at_hand, player)),
        claim=words.button_label(player),
    )


def _off(at_hand: TableAtHand, player: Player) -> Iterator[tuple[SeenGlass, Markup, str]]:
    for glass in at_hand.off:
        if glass.seen.owner is player:
            yield glass, small_glass(glass.view), words.off_label(player)
