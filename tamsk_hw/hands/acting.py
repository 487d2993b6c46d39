"""Hands at a simulated board: each deed is begun in the world, and told when it will be done. No I/O, no clock."""

from __future__ import annotations

from typing import Final, Protocol, assert_never

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import names_of
from tamsk_hw.hands.deeds import (
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
from tamsk_hw.hands.eyes import Look, look_at
from tamsk_hw.hands.fault_words import fault_of
from tamsk_hw.simulator.any_board import AnyBoard
from tamsk_hw.simulator.button_moves import HELD_SECONDS
from tamsk_hw.simulator.faults import Fault
from tamsk_hw.simulator.truth import GlassId, PressLength, PushButton, WorldError
from tamsk_hw.simulator.world import World

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

    def __init__(self, board: AnyBoard, wiring: Wiring, cable: Cable) -> None:
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
