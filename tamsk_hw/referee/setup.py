"""The time before the start: setting up the board, and beginning the game (R1.3, R1.5, R9.2)."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.players import PLAYERS, START_TUBES, Player
from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.events import Lift, Rings, Seat, Tilt, TubeEvent
from tamsk_hw.referee.glasses import Glass, Lean
from tamsk_hw.referee.rulings import Caution, Content, Empty, Mend, RingCount, Setup, Started, Warned
from tamsk_hw.referee.state import Seen, State
from tamsk_hw.referee.turns import begin_turn
from tamsk_hw.referee.view import Phase

#: The owner of the glass that starts on a tube (R1.3).
STARTERS: dict[Tube, Player] = {tube: player for player in PLAYERS for tube in START_TUBES[player]}


def on_setup_event(state: State, event: TubeEvent) -> None:
    """Note an event before the start; rule ``setup`` when the board becomes ready."""
    match event:
        case Seat(_, tube, end, colour):
            state.glasses.leaning.pop(tube, None)
            state.before_start.glasses[tube] = Seen(end, colour)
        case Lift(_, tube):
            leaned = state.glasses.leaning.pop(tube, None) is not None
            if state.before_start.glasses.pop(tube, None) is None and not leaned:
                state.out.append(Warned(state.now, "R9.4", Caution.SENSOR_FAULT, None, tube))
        case Tilt(_, tube):
            state.glasses.leaning.setdefault(tube, Lean(state.now))
        case Rings(_, tube, count):
            state.rings.seen[tube] = count
        case _:
            assert_never(event)
    was_ready, state.before_start.ready = state.before_start.ready, not problems(state)
    if state.before_start.ready and not was_ready:
        state.out.append(Setup(state.now, "R1.3", ()))


def problems(state: State) -> tuple[Mend, ...]:
    """The problems that keep the game from starting, in board order."""
    starters = {} if state.header.ruleset.start is Start.FREE else STARTERS
    found: list[Mend] = []
    for tube in TUBES:
        should = starters.get(tube)
        seen = state.before_start.glasses.get(tube)
        has: Content
        if tube in state.glasses.leaning:
            found.append(Mend(tube, None, should or Empty()))
        elif seen is None:
            if should is not None:
                found.append(Mend(tube, Empty(), should))
        else:
            has = seen.colour
            if should is None or has not in (None, should):
                found.append(Mend(tube, has, should or Empty()))
        if state.rings.seen[tube]:
            found.append(Mend(tube, RingCount(state.rings.seen[tube]), RingCount(0)))
    return tuple(found)


def press_start(state: State) -> None:
    """Begin the game, or rule on the problems (R1.5, R9.2)."""
    wrong = problems(state)
    if wrong:
        state.out.append(Setup(state.now, "R9.2", wrong))
        return
    state.phase = Phase.PLAY
    if state.header.ruleset.start is Start.CORNERS:
        for player in PLAYERS:
            for tube in START_TUBES[player]:
                _stand(state, player, tube)
    state.out.append(Started(state.now, "R1.5", state.header.ruleset.level, Player.RED))
    begin_turn(state, Player.RED)


def _stand(state: State, player: Player, tube: Tube) -> None:
    """Add the glass of a start tube, empty above (R9.2)."""
    end = state.before_start.glasses[tube].end
    settings = state.header.sand
    sand = None
    if state.has_sand:
        sand = Sand.empty(end, state.now, settings.of(tube.name), settings.tolerance)
    glass = Glass(owner=player, tube=tube, end=end, standing=tube, sand=sand)
    state.glasses.every.append(glass)
    state.glasses.at[tube] = glass
