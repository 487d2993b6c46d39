"""The referee: events in, rulings out. Time comes in with the events.

Also the arbiter's decisions (R9.6, R9.7), and the sand that ran on while the board was out of reach (R9.5, R6.4):
rights and deadlines stand still then (`State.clock`).
"""

from collections.abc import Mapping
from math import inf
from typing import Any, assert_never

from tamsk_hw.errors import MisuseError
from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee import events, glasses_in_hand, rings, turns
from tamsk_hw.referee.rulings import Caution, Reason, RingCounted, Ruling, Warned
from tamsk_hw.referee.state import Glass, State
from tamsk_hw.referee.stream import Header, check_tube, parse_event, parse_header
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.referee.viewing import view_of


def on_arbiter(state: State, event: events.Arbiter) -> None:
    """Carry out a decision; one that does not apply changes nothing."""
    if event.action in (events.Action.PAUSE, events.Action.RESUME):
        stood_still, was_paused = state.stands_still, state.watch.paused
        state.watch.paused = event.action is events.Action.PAUSE and state.phase is Phase.PLAY
        state.note_standing_still(stood_still)
        if not was_paused:
            state.watch.lifts = state.glasses.lifts
        elif state.phase is Phase.PLAY and not state.watch.paused:
            glasses_in_hand.rule_missing(state)
        return
    state.question = None
    match event.action:
        case events.Action.AWARD:
            turns.end_game(state, event.player, Reason.AWARDED, "R9.6")
        case events.Action.ABANDON:
            turns.end_game(state, None, Reason.ABANDONED, "R9.6")
        case events.Action.RING:
            assert event.tube is not None
            assert event.player is not None
            _give_ring(state, event.tube, event.player)
            _take_score_again(state)
        case events.Action.UNCOUNT:
            assert event.tube is not None
            rings.uncount_ring(state, event.tube)
            _take_score_again(state)
        case events.Action.EXPIRE | events.Action.REVIVE:
            assert event.tube is not None
            _decide_glass(state, event.tube, event.action)
        case _:
            assert_never(event.action)


def _decide_glass(state: State, tube: Tube, action: events.Action) -> None:
    """Declare the glass that lawfully stands in ``tube`` lost, or revive it."""
    glass = state.glasses.home_at(tube)
    if glass is None or glass.sand is None or not glass.started:
        return
    if action is events.Action.REVIVE:
        if glass.lost:
            glasses_in_hand.revive(state, glass)
            glasses_in_hand.rule_sand(state)  # it is doubtful from now on
    elif not glass.lost:
        possibly = glass.sand.possibly_empty_at() if glass.standing is not None else state.now
        glasses_in_hand.lose(state, glass, possibly, "R9.6")
    if state.phase is Phase.SAND:
        turns.decide_by_sand(state)


def _give_ring(state: State, tube: Tube, player: Player) -> None:
    """Count an uncounted ring for ``player``; in a full tube, or without one, the last counted one is his."""
    if not state.position.left(player):
        return
    kind = RingKind.MOVE if state.rights.entered_last.get(tube) is player else RingKind.CLAIM
    counted = state.rings.counted[tube]
    if state.rings.seen[tube] > state.position.rings[tube] and not state.position.is_full(tube):
        rings.count_ring(state, tube, player, kind, by_arbiter=True)
        rings.restore_rings(state, tube)
    elif counted and counted[-1][0] is not player:
        counted[-1] = (player, counted[-1][1])
        state.position = state.position.ring_given(player)
        state.out.append(RingCounted(state.now, "R9.6", player, tube, kind, state.position.left(player)))


def _take_score_again(state: State) -> None:
    """End the game if the sand has no longer to decide it (R5.3, R9.7)."""
    if state.phase is Phase.SAND:
        turns.end_by_score(state)


#: Seconds by which a connection may have been gone when it is reported lost.
NOTICED_LATE = 0.6


def on_link(state: State, link: events.LinkState, away: tuple[float, float] | None) -> None:
    """The board is out of reach, or in reach again (R9.5)."""
    was_lost, stood_still = state.watch.lost, state.stands_still
    state.watch.lost = link is events.LinkState.LOST
    state.note_standing_still(stood_still)
    # If the link is lost again before everything found was reported, it may have happened at any time since.
    state.watch.unreported = max(state.watch.unreported, state.unseen_by)
    if state.watch.lost:
        state.watch.lost_at = state.watch.lost_at if was_lost else state.now
        state.out.append(Warned(state.now, "R9.5", Caution.LINK_LOST, None, None))
        return
    state.watch.seen_again_at = state.now
    state.watch.unwatched, state.watch.unreported = state.watch.unreported, 0.0
    lost_for = state.now - state.watch.lost_at
    if was_lost and not state.header.sand.exact_hands:
        state.watch.unwatched += lost_for + NOTICED_LATE
    if away is not None:
        state.watch.unwatched += away[1]
        on_time_away(state, *away)


def on_time_away(state: State, least: float, most: float) -> None:
    """Let the sand run for ``least`` to ``most`` seconds that the stream's times do not count.

    Deadlines are times of the stream, so each keeps the seconds that it had left: nothing falls due in that time.
    """
    time_away = events.span_text(events.TimeSpan.of(least, most))
    state.out.append(Warned(state.now, "R9.5", Caution.TIME_AWAY, None, None, detail=time_away))
    if state.timer is not None:
        state.timer = state.timer.unseen(state.now, least, most)
    room = 0.0
    for glass in state.glasses.every:
        if glass.sand is None:
            continue
        if glass.is_running and glass.standing is not None:
            room = max(room, min(most, glass.sand.empty_at() - state.now))
            _note_run_out(state, glass, least, most)
        glass.sand = glass.sand.unseen(state.now, least, most)
    state.watch.unseen += room


def _note_run_out(state: State, glass: Glass, least: float, most: float) -> None:
    """Note when ``glass`` may have run out unseen: the order of the glasses may decide the game (R5.3, R5.4)."""
    assert glass.sand is not None
    possibly, certainly = glass.sand.possibly_empty_at(), glass.sand.empty_at()
    if possibly - state.now > most:
        return
    earliest = possibly + state.watch.unseen
    if glass.run_out_unseen is not None:
        earliest = min(earliest, glass.run_out_unseen[0])
    latest = certainly + state.watch.unseen if certainly - state.now <= least else inf
    glass.run_out_unseen = (earliest, latest)


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
        """The time at which something next falls due; found again whenever the state has changed."""
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
    def is_paused(self) -> bool:
        """An arbiter has the game pause (R9.5)."""
        return self._state.watch.paused

    @property
    def next_deadline(self) -> float | None:
        """The time at which something falls due by itself (seconds), if anything does; `advance` to it then."""
        return self._due

    @property
    def rings_due(self) -> dict[Tube, tuple[float, float]]:
        """The tubes where either player may drop a ring now, with the times when the right opened and lapses."""
        return rings.rings_due(self._state)

    def handle(self, event: events.Event | Mapping[str, Any]) -> list[Ruling]:
        """Take one event; return its rulings, preceded by any that fell due earlier.

        Raises:
            MisuseError: the event is older than the time already ruled on.
            StreamError: ``event`` is a JSON object that is no event, or names a tube that the board does not have.
        """
        if not isinstance(event, events.BaseEvent):
            event = parse_event(event)
        state = self._state
        check_tube(event, state.header.ruleset)
        self._pass_time(event.t)
        if state.phase is not Phase.OVER:
            _take(state, event)
            turns.settle(state)
            self._due = _run_due(state)
            rings.remember_rights(state)
            rings.keep_asking(state)
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
            rings.remember_rights(state)
            rings.keep_asking(state)
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
        due += [glasses_in_hand.lean_due(state, lean) for lean in state.glasses.leaning.values() if not lean.ruled]
    return min(due, default=None)


def _run_due(state: State) -> float | None:
    """Rule on all that is due by now, in the order of docs/formats.md; each ruling may make more fall due.

    Returns the next time at which something falls due.
    """
    while _is_due(state, due := _next_due(state)):
        if glasses_in_hand.rule_sand(state):
            turns.settle(state)
            if state.phase is Phase.SAND:
                turns.decide_by_sand(state)
        elif _is_due(state, state.due(state.turn.deadline)):
            turns.expire(state)
            turns.settle(state)
        elif _is_due(state, state.due(state.turn.overtime_due)):
            turns.warn_overtime(state)
        elif _is_due(state, state.due(state.turn.rights_until)):
            turns.settle(state)
        else:
            glasses_in_hand.rule_leaning(state)
    return due


def _is_due(state: State, at: float | None) -> bool:
    return at is not None and at <= state.now


def _take(state: State, event: events.Event) -> None:
    """Rule on the event itself."""
    match event:
        case (
            events.Seat() | events.Lift() | events.Tilt() | events.Rings()
        ):  # after the end of play they change nothing (R5.3)
            if state.phase is Phase.SETUP:
                glasses_in_hand.on_setup_event(state, event)
            elif state.phase is Phase.PLAY:
                _take_play(state, event)
        case events.Tick():
            pass
        case events.Link(_, link, away):
            on_link(state, link, away)
        case events.Fault(_, sensor, detail, cleared, unread):
            if sensor.player is not None:
                at_fault = state.rings.holders_at_fault
                (at_fault.discard if cleared else at_fault.add)(sensor.player)
            are_others = bool(unread) and sensor in state.rings.unread
            rings.on_ring_sensor(state, event)
            if not cleared and not are_others:
                state.out.append(
                    Warned(state.now, "R9.5", Caution.SENSOR_FAULT, None, sensor.tube, sensor, detail)
                )
        case events.Holder(_, player, count):
            state.rings.in_holders[player] = count
        case events.TimerSeated():
            turns.on_timer_seated(state, event)
        case events.TimerLifted():
            turns.on_timer_lifted(state)
        case events.Button(_, button, press):
            _press(state, button, press)
        case events.Arbiter():
            if state.phase is not Phase.SETUP:
                on_arbiter(state, event)
        case _:
            assert_never(event)


def _take_play(state: State, event: events.TubeEvent) -> None:
    """Rule on what happened to glasses and rings in a game."""
    match event:
        case events.Seat():
            glasses_in_hand.on_seat(state, event)
        case events.Lift():
            glasses_in_hand.on_lift(state, event)
        case events.Tilt():
            glasses_in_hand.on_tilt(state, event)
        case events.Rings():
            for _ in rings.on_rings(state, event):
                turns.settle(state)
                if state.phase is not Phase.PLAY:
                    return
        case _:
            assert_never(event)


def _press(state: State, button: events.ButtonName, press: events.Press) -> None:
    """A button: begin, announce a claim (R4.6) or resign (R5.5)."""
    if button is events.ButtonName.START:
        if state.phase is Phase.SETUP and press is events.Press.SHORT:
            glasses_in_hand.press_start(state)
    elif state.phase is not Phase.SETUP:
        player = Player(button.value)
        if press is events.Press.LONG:
            turns.end_game(state, player.opponent, Reason.RESIGNED, "R5.5")
        else:
            rings.announce(state, player)
