"""The whole world of a simulated board as eyes see it, as facts and as the JSON object of a ``look`` line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.panel.lights import pixel_names
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.faults import BrokenPart
from tamsk_hw.simulator.things import TimerPlace
from tamsk_hw.simulator.world import World


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
class Observation:
    """The world. `t` is its time in seconds; `rings` has every tube with rings on it.

    `glasses` are always six, `buttons` those that are down. `lights` has the colour of each place as `rrggbb`
    ("D4", "timer", "red 1" …), null while no program drives them. `plugged`: the board's cable is in.
    """

    t: float = field(compare=False)
    glasses: tuple[GlassSeen, ...]
    timer: TimerSeen
    rings: Mapping[Tube, int]
    players: Mapping[Player, PlayerSeen]
    buttons: tuple[ButtonName, ...]
    lights: Mapping[str, str] | None
    lamp: bool
    faults: tuple[str, ...]
    plugged: bool


def observe(
    world: World, wiring: Wiring, faults: Sequence[BrokenPart], lights: bytes | None, *, plugged: bool
) -> Observation:
    """The world as it is now; ``lights``: three bytes for each pixel, if a program drives them."""
    now = world.now
    return Observation(
        t=round(now, 3),
        glasses=tuple(
            GlassSeen(
                name=glass.name,
                owner=glass.owner,
                tube=glass.tube,
                hand=world.hand_of(glass),
                leaning=glass.leaning,
                end=glass.down,
                above=round(glass.above(now), 4),
                runs=glass.runs_out_at(now) is not None,
            )
            for glass in world.glasses
        ),
        timer=TimerSeen(
            place=world.timer_place,
            end=world.timer.down,
            above=round(world.timer.above(now), 4),
            runs=world.timer.runs_out_at(now) is not None,
        ),
        rings={tube: count for tube in TUBES if (count := world.rings[tube])},
        players={
            player: PlayerSeen(
                holder=world.holders[player].rings,
                rings=world.rings_in_hand(player),
                aside=world.holders[player].aside,
                free_hands=len(world.free_hands(player)),
            )
            for player in PLAYERS
        },
        buttons=tuple(filter(world.is_down, ButtonName)),
        lights=None if lights is None else colours(lights, wiring),
        lamp=world.lamp_on,
        faults=tuple(map(str, faults)),
        plugged=plugged,
    )


def colours(lights: bytes, wiring: Wiring) -> dict[str, str]:
    """The colour of each place, ``rrggbb``, in a picture of three bytes for each pixel."""
    return {name: lights[3 * pixel : 3 * pixel + 3].hex() for name, pixel in pixel_names(wiring).items()}


#: The least part of a colour that counts as bright, and the most of a light that counts as dark.
_BRIGHT, _DARK = 50, 2

#: Each colour with its condition on red, green and blue, 0 … 255. Dim lights, for what is measured or next, have
#: none.
COLOURS: Final[dict[str, Callable[[int, int, int], bool]]] = {
    "dark": lambda red, green, blue: max(red, green, blue) <= _DARK,
    "lit": lambda red, green, blue: max(red, green, blue) > _DARK,
    "green": lambda red, green, blue: green >= _BRIGHT and green > 2 * max(red, blue),
    "white": lambda red, green, blue: min(red, green, blue) >= _BRIGHT,
    "violet": lambda red, green, blue: blue >= _BRIGHT and red > blue / 2 and green < red / 2,
}


def is_colour(light: str, name: str) -> bool:
    """A light, ``rrggbb``, has the colour of that name."""
    return COLOURS[name](*bytes.fromhex(light))
