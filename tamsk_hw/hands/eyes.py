"""The whole world of a simulated board as eyes see it, as facts and as the JSON object of a ``look`` line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.players import PLAYERS, End, Player
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.hands.fault_words import words_of
from tamsk_hw.panel.lights import pixel_names
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.truth import PushButton
from tamsk_hw.simulator.world import World


class TimerPlace(Enum):
    """The places of the 15-second timer."""

    CRADLE = "cradle"
    HAND = "hand"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassSeen:
    """A glass. It stands or leans in `tube`, is in the hand of `hand`, or lies off the board when both are null.

    `above` is the share of its sand in the upper part, 0 to 1; `runs`: sand runs.
    """

    name: str
    owner: Player
    tube: Tube | None
    hand: Player | None
    leaning: bool
    end: End
    above: float
    runs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerSeen:
    """The 15-second timer; `off`: it lies off the board."""

    place: TimerPlace
    end: End
    above: float
    runs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeen:
    """A player's rings: in the `holder`, in the hands (`rings`), `aside` on the table; and hands that are free."""

    holder: int
    rings: int
    aside: int
    free_hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The world. `t` is its time in seconds; `rings` has every tube with rings on it.

    `glasses` are always six, `buttons` those that are down. `lights` has the colour of each place as `rrggbb`
    ("D4", "timer", "red 1" …), null while no program drives them. `plugged`: the board's cable is in.
    """

    t: float = field(compare=False)
    glasses: tuple[GlassSeen, ...]
    timer: TimerSeen
    rings: Mapping[Tube, int]
    players: Mapping[Player, PlayerSeen]
    buttons: tuple[PushButton, ...]
    lights: Mapping[str, str] | None
    lamp: bool
    faults: tuple[str, ...]
    plugged: bool


def look_at(world: World, wiring: Wiring, faults: Sequence[Fault], lights: bytes | None, *, plugged: bool) -> Look:
    """The world as it is now; ``lights``: three bytes for each pixel, if a program drives them."""
    if world.timer_in_cradle():
        place = TimerPlace.CRADLE
    else:
        place = TimerPlace.OFF if world.timer_in_box() else TimerPlace.HAND
    return Look(
        t=round(world.now, 3),
        glasses=tuple(
            GlassSeen(
                name=glass.name,
                owner=glass.owner,
                tube=world.tube_of(glass),
                hand=world.holder_of(glass),
                leaning=world.is_leaning(glass),
                end=world.end_down(glass),
                above=round(world.share_above(glass), 4),
                runs=world.is_running(glass),
            )
            for glass in world.glasses
        ),
        timer=TimerSeen(
            place=place,
            end=world.timer_end_down(),
            above=round(world.timer_share_above(), 4),
            runs=world.timer_runs_out_at() is not None,
        ),
        rings={tube: count for tube in TUBES if (count := world.rings(tube))},
        players={
            player: PlayerSeen(
                holder=world.rings_in_holder(player),
                rings=world.rings_in_hand(player),
                aside=world.rings_aside(player),
                free_hands=world.free_hands(player),
            )
            for player in PLAYERS
        },
        buttons=tuple(button for button in PushButton if world.is_down(button)),
        lights=None if lights is None else colours(lights, wiring),
        lamp=world.lamp_on,
        faults=tuple(map(words_of, faults)),
        plugged=plugged,
    )


def colours(lights: bytes, wiring: Wiring) -> dict[str, str]:
    """The colour of each place, ``rrggbb``, in a picture of three bytes for each pixel."""
    return {name: lights[3 * pixel : 3 * pixel + 3].hex() for name, pixel in pixel_names(wiring).items()}


def as_json(value: Any) -> Any:
    """Facts as JSON has them: enums by value, tubes by name, dataclasses as objects."""
    match value:
        case Tube():
            return value.name
        case Enum():
            return value.value
        case Mapping():
            return {as_json(key): as_json(each) for key, each in value.items()}
        case tuple():
            return [as_json(each) for each in value]
        case _ if is_dataclass(value):
            return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value
