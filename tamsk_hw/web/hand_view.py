"""What the page draws of all that lies at hand at a simulated board: where it is taken, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.hands.eyes import TimerPlace
from tamsk_hw.panel.prompts import Confirmation, Deed, Resignation
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import Phase
from tamsk_hw.svg.places import fit, foot
from tamsk_hw.svg.signs import held_place
from tamsk_hw.svg.tubes import rim_height
from tamsk_hw.web.at_hand import SeenGlass, TableAtHand
from tamsk_hw.web.drawn import ring_row, small_glass, small_timer
from tamsk_hw.web.scene import TableScene
from tamsk_hw.words import table_page as words
from tamsk_hw.words.desk import confirmation_words


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
