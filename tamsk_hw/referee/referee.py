"""The referee: events in, rulings out. Time comes in with the events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from tamsk_hw.errors import MisuseError
from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.arbiter import on_arbiter
from tamsk_hw.referee.away import on_link
from tamsk_hw.referee.ending import decide_by_sand, end_game
from tamsk_hw.referee.events import (
    Arbiter,
    BaseEvent,
    Button,
    ButtonName,
    Event,
    Fault,
    Holder,
    Lift,
    Link,
    Press,
    Rings,
    Seat,
    Tick,
    Tilt,
    TimerLifted,
    TimerSeated,
    TubeEvent,
)
from tamsk_hw.referee.hands import lean_due, on_lift, on_seat, on_tilt, rule_leaning
from tamsk_hw.referee.header import Header, parse_header
from tamsk_hw.referee.rings import announce, on_rings, rings_due
from tamsk_hw.referee.rulings import Caution, Reason, Ruling, Warned
from tamsk_hw.referee.sands import rule_sand
from tamsk_hw.referee.setup import on_setup_event, press_start
from tamsk_hw.referee.state import State
from tamsk_hw.referee.stream import check_tube, parse_event
from tamsk_hw.referee.timer import on_timer_lifted, on_timer_seated
from tamsk_hw.referee.turns import expire, settle, warn_overtime
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.referee.viewing import view_of


class Referee:
    """Rules on one game.

    Args:
        header: a `Header` or its JSON object; the default is a level-3 game.

    Raises:
        StreamError: the header's JSON object is refused.
    """

    def __init__(self, header: Header | Mapping[str, Any] | None = None) -> None:
        if header is None:
            header = Header()
        elif not isinstance(header, Header):
            header = parse_header(header)
        self._state = State(header)
        self._due: float | None = None
        """When something next falls due: known anew whenever the state has changed."""
        self._view: View | None = None

    @property
    def header(self) -> Header:
        """The game's header."""
        return self._state.header

    @property
    def now(self) -> float:
        """The time up to which everything is ruled (seconds)."""
        return self._state.now

    @property
    def is_over(self) -> bool:
        """The game is over; nothing is ruled on any more."""
        return self._state.phase is Phase.OVER

    @property
    def next_deadline(self) -> float | None:
        """The time at which something falls due by itself (seconds), if anything does; `advance` to it then."""
        return self._due

    @property
    def rings_due(self) -> dict[Tube, tuple[float, float]]:
        """The tubes where either player may drop a ring now, with the times when the right opened and lapses."""
        return rings_due(self._state)

    def handle(self, event: Event | Mapping[str, Any]) -> list[Ruling]:
        """Take one event; return its rulings, preceded by any that fell due earlier.

        Raises:
            MisuseError: the event is older than the time already ruled on.
            StreamError: ``event`` is a JSON object that is no event, or names a tube that the board does not have.
        """
        if not isinstance(event, BaseEvent):
            event = parse_event(event)
        state = self._state
        check_tube(event, state.header.ruleset)
        self._pass_time(event.t)
        if state.phase is not Phase.OVER:
            _take(state, event)
            settle(state)
            self._due = _run_due(state)
        return self._given()

    def advance(self, t: float) -> list[Ruling]:
        """Let time pass to ``t`` (seconds); return the rulings on what fell due.

        Raises:
            MisuseError: ``t`` is before the time already ruled on.
        """
        self._pass_time(t)
        return self._given()

    def view(self, t: float | None = None) -> View:
        """The state of the game, for lights, sound, picture and page.

        It is the state at ``t`` (seconds) if that is later than `now`: sand and deadlines run on until then. Only
        `advance` rules on what falls due.
        """
        state, view = self._state, self._view
        at = state.now if t is None else max(state.now, t)
        if view is None or (view.t != at and state.phase in (Phase.PLAY, Phase.SAND)):
            view = self._view = view_of(state, at)
        return view

    def _pass_time(self, t: float) -> None:
        state = self._state
        self._view = None
        if not isinstance(t, (int, float)) or not state.now <= t <= 1e15:
            raise MisuseError(f"time cannot go from {state.now} s to {t} s; allowed: {state.now} s or later")
        while self._due is not None and self._due <= t:
            state.now = max(state.now, self._due)
            self._due = _run_due(state)
        state.now = t

    def _given(self) -> list[Ruling]:
        given = self._state.out
        self._state.out = []
        return given


def _next_due(state: State) -> float | None:
    """The next time at which something falls due."""
    if state.phase is Phase.SETUP or state.phase is Phase.OVER:
        return None
    due = [at for glass in state.glasses.every if (at := glass.due()) is not None]
    if state.phase is Phase.PLAY:
        turn = state.turn
        clocks = map(state.due, (turn.deadline, turn.overtime_due, turn.rights_until))
        due += [at for at in clocks if at is not None]
        due += [lean_due(state, lean) for lean in state.glasses.leaning.values() if not lean.ruled]
    return min(due, default=None)


def _run_due(state: State) -> float | None:
    """Rule on all that is due by now, in the order of docs/formats.md; each ruling may make more fall due.

    Returns the next time at which something falls due.
    """
    while _is_due(state, due := _next_due(state)):
        if rule_sand(state):
            settle(state)
            if state.phase is Phase.SAND:
                decide_by_sand(state)
        elif _is_due(state, state.due(state.turn.deadline)):
            expire(state)
            settle(state)
        elif _is_due(state, state.due(state.turn.overtime_due)):
            warn_overtime(state)
        elif _is_due(state, state.due(state.turn.rights_until)):
            settle(state)
        else:
            rule_leaning(state)
    return due


def _is_due(state: State, at: float | None) -> bool:
    return at is not None and at <= state.now


def _take(state: State, event: Event) -> None:
    """Rule on the event itself."""
    match event:
        case Seat() | Lift() | Tilt() | Rings():
            _take_tube(state, event)
        case Tick():
            pass
        case Link(_, link, away):
            on_link(state, link, away)
        case Fault(_, sensor, detail, cleared):
            if sensor.player is not None:
                (state.holders.at_fault.discard if cleared else state.holders.at_fault.add)(sensor.player)
            if not cleared:
                state.out.append(
                    Warned(state.now, "R9.5", Caution.SENSOR_FAULT, None, sensor.tube, sensor, detail)
                )
        case Holder(_, player, count):
            state.holders.counts[player] = count
        case TimerSeated():
            on_timer_seated(state, event)
        case TimerLifted():
            on_timer_lifted(state)
        case Button(_, button, press):
            _press(state, button, press)
        case Arbiter():
            if state.phase is not Phase.SETUP:
                on_arbiter(state, event)
        case _:
            assert_never(event)


def _take_tube(state: State, event: TubeEvent) -> None:
    """Rule on what happened to glasses and rings; after the end of play it changes nothing (R5.3)."""
    match state.phase:
        case Phase.SETUP:
            on_setup_event(state, event)
        case Phase.PLAY:
            _take_play(state, event)
        case Phase.SAND | Phase.OVER:
            pass
        case _:
            assert_never(state.phase)


def _take_play(state: State, event: TubeEvent) -> None:
    """Rule on what happened to glasses and rings in a game."""
    match event:
        case Seat():
            on_seat(state, event)
        case Lift():
            on_lift(state, event)
        case Tilt():
            on_tilt(state, event)
        case Rings():
            for _ in on_rings(state, event):
                settle(state)
                if state.phase is not Phase.PLAY:
                    return
        case _:
            assert_never(event)


def _press(state: State, button: ButtonName, press: Press) -> None:
    """A button: begin, announce a claim (R4.6) or resign (R5.5)."""
    match button:
        case ButtonName.START:
            if state.phase is Phase.SETUP and press is Press.SHORT:
                press_start(state)
        case ButtonName.RED:
            _player_press(state, Player.RED, press)
        case ButtonName.BLACK:
            _player_press(state, Player.BLACK, press)
        case _:
            assert_never(button)


def _player_press(state: State, player: Player, press: Press) -> None:
    if state.phase is Phase.SETUP:
        return
    if press is Press.LONG:
        end_game(state, player.opponent, Reason.RESIGNED, "R5.5")
    else:
        announce(state, player)
