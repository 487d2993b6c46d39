"""Acting for hands, and what eyes see.

Faults of a simulated board as a few words, as they are typed and listed (docs/simulate.md, Faults).

The whole world of a simulated board as eyes see it, as facts and as the JSON object of a ``look`` line.

Hands at a simulated board: each deed is begun in the world, and told when it will be done. No I/O, no clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, assert_never

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import StreamError, TamskError
from tamsk_hw.game.tubes import PLAYERS, TUBE_OF_NAME, TUBES, End, Player, Tube, names_of
from tamsk_hw.hands.requests import (
    BreakPart,
    Deed,
    Drop,
    Fetch,
    Knock,
    KnockHolder,
    Lamp,
    LeanGlass,
    LiftGlass,
    PlaceGlass,
    PlaceTimer,
    PressButton,
    PressKind,
    PutAside,
    PutAway,
    PutBack,
    PutTimerAway,
    Repair,
    Replug,
    Reset,
    ResetKind,
    SeatGlass,
    StraightenGlass,
    Take,
    TakeUp,
    Touch,
    TurnGlass,
    TurnTimer,
    Unplug,
    Wait,
)
from tamsk_hw.panel.lights import pixel_names
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import (
    ChainCut,
    ChipMissing,
    Fault,
    HallSensorOpen,
    LoadCellSilent,
    MultiplexerDead,
    ReferenceStuck,
    RingSensorStuck,
    SelectLineStuck,
    SensorRecess,
    SwappedChips,
)
from tamsk_hw.simulator.truth import GlassId, PressLength, PushButton, WorldError
from tamsk_hw.simulator.world import HELD_SECONDS, World

_TUBE: Final = "([A-Ga-g][1-7])"
_BYTE: Final = r"(\d{1,3})"

#: Every fault: its form for people, the pattern of its words, and the fault that they mean.
_FORMS: Final[tuple[tuple[str, str, Callable[..., Fault]], ...]] = (
    (
        "ring TUBE.LEVEL 0|1",
        rf"ring {_TUBE}\.([1-4]) ([01])",
        lambda tube, level, reads: RingSensorStuck(TUBE_OF_NAME[tube.upper()], int(level) - 1, reads == "1"),
    ),
    (
        "recess TUBE.LEVEL MILLIMETRES",
        rf"recess {_TUBE}\.([1-4]) (\d(?:\.\d{{1,2}})?)",
        lambda tube, level, deep: SensorRecess(TUBE_OF_NAME[tube.upper()], int(level) - 1, float(deep)),
    ),
    (
        "glass TUBE 0|255",
        rf"glass {_TUBE} (0|255)",
        lambda tube, rail: HallSensorOpen(TUBE_OF_NAME[tube.upper()], int(rail)),
    ),
    ("timer 0|255", "timer (0|255)", lambda rail: HallSensorOpen(None, int(rail))),
    (
        "reference 1|2|3 READING",
        f"reference ([123]) {_BYTE}",
        lambda index, reads: ReferenceStuck(int(index) - 1, _byte(reads)),
    ),
    (
        "select 0…3 low|high",
        "select ([0-3]) (low|high)",
        lambda line, is_at: SelectLineStuck(int(line), is_at == "high"),
    ),
    ("mux 0…2 READING", f"mux ([012]) {_BYTE}", lambda mux, reads: MultiplexerDead(int(mux), _byte(reads))),
    ("holder red|black", "holder (red|black)", lambda player: LoadCellSilent(Player(player))),
    ("chip N missing", r"chip (\d) missing", lambda chip: ChipMissing(int(chip))),
    ("chain cut N", r"chain cut (\d)", lambda chip: ChainCut(int(chip))),
    ("chips N M swapped", r"chips (\d) (\d) swapped", lambda one, other: SwappedChips(int(one), int(other))),
)

#: The forms of all faults, for people.
FORMS: Final = tuple(form for form, _, _ in _FORMS)


def _byte(text: str) -> int:
    value = int(text)
    if value > 255:
        raise StreamError(f"fault: reading {value}; allowed: 0 to 255")
    return value


def fault_of(words: str) -> Fault:
    """The fault that is named.

    Raises:
        StreamError: the words name none; the message lists the forms.
    """
    said = " ".join(words.split())
    for _, pattern, make in _FORMS:
        if (found := re.fullmatch(pattern, said)) is not None and _is_a_tube(found[0]):
            return make(*found.groups())
    shown = said if len(said) <= 40 else f"{said[:37]}..."
    raise StreamError(f'fault: "{shown}" is none; allowed: {"; ".join(FORMS)}')


def _is_a_tube(words: str) -> bool:
    """A tube that is named is one of the 37."""
    named = re.search(_TUBE + r"\b", words)
    return named is None or named[1].upper() in TUBE_OF_NAME


def words_of(fault: Fault) -> str:
    """The words that name a fault; `fault_of` reads them."""
    match fault:
        case RingSensorStuck(tube, level, reads):
            return f"ring {tube}.{level + 1} {int(reads)}"
        case SensorRecess(tube, level, millimetres):
            return f"recess {tube}.{level + 1} {millimetres:g}"
        case HallSensorOpen(None, rail):
            return f"timer {rail}"
        case HallSensorOpen(tube, rail):
            return f"glass {tube} {rail}"
        case ReferenceStuck(index, value):
            return f"reference {index + 1} {value}"
        case SelectLineStuck(line, high):
            return f"select {line} {'high' if high else 'low'}"
        case MultiplexerDead(mux, value):
            return f"mux {mux} {value}"
        case LoadCellSilent(player):
            return f"holder {player}"
        case ChipMissing(chip):
            return f"chip {chip} missing"
        case ChainCut(chip):
            return f"chain cut {chip}"
        case SwappedChips(first, second):
            return f"chips {first} {second} swapped"
        case _:
            assert_never(fault)


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


_CAUSES: Final = {
    ResetKind.POWER: ResetCause.POWER_ON,
    ResetKind.PIN: ResetCause.EXTERNAL,
    ResetKind.BROWN_OUT: ResetCause.BROWN_OUT,
    ResetKind.WATCHDOG: ResetCause.WATCHDOG,
}


#: The least seconds in which a ring that is let go comes to rest.
LEAST_FALL: Final = 0.2


class Cable(Protocol):
    """The board's cable."""

    @property
    def plugged(self) -> bool:
        """It is in."""

    def unplug(self) -> None:
        """Pull it."""

    def replug(self) -> None:
        """Put it in."""


class HandsAtBoard:
    """The hands of everybody at one board, and the panel beside it.

    They belong to the players, not to whoever asks: what one client lifted another may seat.
    """

    def __init__(self, board: SimulatedBoard, wiring: Wiring, cable: Cable) -> None:
        self._board = board
        self._wiring = wiring
        self._cable = cable
        self._faults: list[Fault] = []
        self.lights: bytes | None = None
        """Three bytes for each pixel of the lights, None while no program drives them."""

    @property
    def world(self) -> World:
        """The world in which they are."""
        return self._board.world

    def look(self) -> Look:
        """The world as eyes see it now."""
        return look_at(self.world, self._wiring, self._faults, self.lights, plugged=self._cable.plugged)

    @property
    def buttons(self) -> frozenset[PushButton]:
        """The buttons that are down now."""
        return frozenset(button for button in PushButton if self.world.is_down(button))

    def show(self, picture: bytes) -> None:
        """The lights are these from now on. Raises `WorldError` for a picture of another length."""
        wanted = 3 * self._wiring.pixel_count
        if len(picture) != wanted:
            raise WorldError(f"a picture of {len(picture)} bytes; this board's lights take {wanted}")
        self.lights = picture

    def begin(self, deed: Deed) -> float:
        """Begin a deed now; give the world's time at which it will be done.

        Raises:
            TamskError: it cannot be done; nothing has changed.
        """
        world = self.world
        if (tube := getattr(deed, "tube", None)) is not None and tube not in self._wiring.tubes:
            raise WorldError(f"this board has no tube {tube}; it has {names_of(self._wiring.tubes)}")
        match deed:
            case LiftGlass(player, tube):
                return world.lift(player, tube)
            case SeatGlass(player, tube, turned, glass, travel):
                return world.seat(player, tube, turned=turned, glass=self._glass(glass), travel=travel)
            case TurnGlass(player, glass):
                return world.turn_glass(player, glass=self._glass(glass))
            case TurnTimer(player):
                return world.turn_timer(player)
            case PutTimerAway(player):
                return world.put_timer_away(player)
            case PlaceTimer(player, end):
                return world.place_timer(player, end=end)
            case PlaceGlass(player, tube, glass, full, end):
                return world.place(player, tube, full=full, end=end, glass=self._glass(glass))
            case PutAway(player, glass):
                return world.put_away(player, glass=self._glass(glass))
            case LeanGlass(player, tube, glass):
                return world.lean(player, tube, glass=self._glass(glass))
            case StraightenGlass(player, tube):
                return world.straighten(player, tube)
            case Drop(player, tube, within):
                return world.drop_ring(player, tube, within=None if within is None else max(within, LEAST_FALL))
            case TakeUp(player):
                return world.take_up_ring(player)
            case PutBack(player, to):
                return world.put_back_ring(player, to=to)
            case Take(player, tube, to):
                return world.take_ring(player, tube, to=to)
            case PutAside(player):
                return world.put_rings_aside(player)
            case Fetch(player):
                return world.fetch_rings(player)
            case Touch(player, tube):
                return world.touch(player, tube)
            case PressButton(button, press):
                return self._press(button, press)
            case Knock(tube):
                return world.wobble(tube)
            case KnockHolder(player):
                world.knock(player)
                return world.now
            case Lamp(on):
                world.lamp(on)
                return world.now
            case BreakPart(words):
                self.break_part(fault_of(words))
                return world.now
            case Repair(words):
                self._repair(words)
                return world.now
            case Unplug():
                if not self._cable.plugged:
                    raise WorldError("the cable is out already")
                self._cable.unplug()
                return world.now
            case Replug():
                if self._cable.plugged:
                    raise WorldError("the cable is in already")
                self._cable.replug()
                return world.now
            case Reset(cause):
                self._board.reset(_CAUSES[cause])
                return world.now
            case Wait(seconds):
                return world.now + seconds
            case _:
                assert_never(deed)

    def break_part(self, fault: Fault) -> None:
        """Break a part. Raises `WorldError` for one that the board does not have, or that is broken like that."""
        if fault in self._faults:
            raise WorldError("it is broken like that already")
        self._board.put_fault(fault)
        self._faults.append(fault)

    def let_go(self, button: PushButton) -> None:
        """Let a button go whose holder has gone."""
        if self.world.is_held(button):
            self.world.let_go(button)

    def _press(self, button: PushButton, press: PressKind) -> float:
        world = self.world
        match press:
            case PressKind.SHORT:
                return world.press(button)
            case PressKind.LONG:
                world.press(button, PressLength.LONG)
                return world.now + HELD_SECONDS
            case PressKind.DOWN:
                world.hold(button)
            case PressKind.UP:
                world.let_go(button)
            case _:
                assert_never(press)
        return world.now

    def _repair(self, words: str | None) -> None:
        if words is None:
            repaired = list(self._faults)
        else:
            fault = fault_of(words)
            if fault not in self._faults:
                raise WorldError("that is not broken")
            repaired = [fault]
        for each in repaired:
            self._board.clear_fault(each)
            self._faults.remove(each)

    def _glass(self, name: str | None) -> GlassId | None:
        return None if name is None else self.world.glass(name)


def reason(error: TamskError) -> str:
    """The reason for a refusal, in one line."""
    return " ".join(str(error).split())
