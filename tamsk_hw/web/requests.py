"""Requests of a page to the table.

A command is behind a button of the desk: ``award-red``, ``ring-D4-black``, ``start``. Browsers send its code
alone; the service decides whether it is possible.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, assert_never

from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import PLAYERS, TUBES, Player, Tube
from tamsk_hw.live.requests import GameAnswer
from tamsk_hw.live.stream import TableState
from tamsk_hw.panel.diagnosis import Confirmation
from tamsk_hw.panel.keys import decisions, is_played, rejection_of
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.rulings import ArbiterNeeded, LateRing, Ruling, Turn
from tamsk_hw.referee.view import GlassState, GlassView, Phase, View
from tamsk_hw.words.prompts import decision_words, owner_of
from tamsk_hw.words.translating import capital, tr

#: A press of a button, a decision, or the answer to an offered game or one that is over.
Command = Button | Arbiter | GameAnswer

START: Final = Button(0.0, ButtonName.START, Press.SHORT)


def press(player: Player, kind: Press) -> Button:
    """A press of a player's button: short to announce a claim (R4.4), long to resign (R5.5)."""
    return Button(0.0, ButtonName(player.value), kind)


def decide(action: Action, tube: Tube | None = None, player: Player | None = None) -> Arbiter:
    """A decision of the arbiter (R9.6, R9.7)."""
    return Arbiter(0.0, action, tube, player)


def _all() -> Iterator[tuple[str, Command]]:
    yield "start", START
    for answer in GameAnswer:
        yield ("abandon-offered" if answer is GameAnswer.ABANDON else answer.value), answer
    yield "abandon", decide(Action.ABANDON)
    yield "pause", decide(Action.PAUSE)
    yield "unpause", decide(Action.RESUME)
    for player in PLAYERS:
        yield f"claim-{player.value}", press(player, Press.SHORT)
        yield f"resign-{player.value}", press(player, Press.LONG)
        yield f"award-{player.value}", decide(Action.AWARD, None, player)
        yield from ((f"ring-{tube.name}-{player.value}", decide(Action.RING, tube, player)) for tube in TUBES)
    for action in (Action.EXPIRE, Action.REVIVE, Action.UNCOUNT):
        yield from ((f"{action.value}-{tube.name}", decide(action, tube)) for tube in TUBES)


#: Every command by its code, and every code by its command.
COMMANDS: Final[Mapping[str, Command]] = dict(_all())
_CODES: Final = {command: code for code, command in COMMANDS.items()}


def code_of(command: Command) -> str:
    """The code of a command."""
    return _CODES[command]


def label_of(command: Command, view: View | None = None) -> str:
    """The words on the button of a command; by the ``view`` the owner of its glass is named, too."""
    match command:
        case Button(button=ButtonName.START):
            return tr("Start the game")
        case Button(button=button, press=Press.SHORT):
            return tr("{Player} claims", player=Player(button.value))
        case Button(button=button):
            return tr("{Player} resigns", player=Player(button.value))
        case Arbiter():
            owner = None if view is None or command.tube is None else owner_of(command.tube, view)
            return capital(decision_words(command, owner))
        case GameAnswer.RESUME:
            return tr("Resume the unfinished game")
        case GameAnswer.ABANDON:
            return tr("Abandon the unfinished game")
        case GameAnswer.NEXT:
            return tr("Next game")
        case GameAnswer.REMATCH:
            return tr("Rematch, colours swapped")
        case _:
            assert_never(command)


def request_for(command: Command) -> dict[str, Any]:
    """The request to the service (docs/live.md, Requests)."""
    if isinstance(command, GameAnswer):
        return {"do": {"game": command.value}}
    event = to_json(command)
    del event["t"]
    return {"do": event}


def is_possible(command: Command, state: TableState) -> bool:
    """The command would have an effect as the game stands."""
    if isinstance(command, GameAnswer):
        if command in (GameAnswer.NEXT, GameAnswer.REMATCH):
            return not state.offered and state.view.phase is Phase.OVER
        return state.offered
    return rejection_of(command, state.view, state.offered) is None


def confirmation(command: Command) -> Confirmation | None:
    """The question before it is done; None for a command that takes nothing away."""
    match command:
        case Arbiter(action=action) if action not in (Action.REVIVE, Action.PAUSE, Action.RESUME):
            return Confirmation(command)
        case Button(press=Press.LONG):
            return Confirmation(command)
        case GameAnswer.ABANDON:
            return Confirmation(Button(0.0, ButtonName.START, Press.LONG))
        case _:
            return None


def game_commands(state: TableState) -> list[Command]:
    """Commands that begin, resume or follow the game."""
    if state.offered:
        return [GameAnswer.RESUME, GameAnswer.ABANDON]
    match state.view.phase:
        case Phase.SETUP:
            return [START]
        case Phase.OVER:
            return [GameAnswer.NEXT, GameAnswer.REMATCH]
        case Phase.PLAY | Phase.SAND:
            return []
        case _:
            assert_never(state.view.phase)


def player_commands(state: TableState) -> list[Command]:
    """Presses that are possible on a player's behalf."""
    presses = [press(player, kind) for kind in (Press.SHORT, Press.LONG) for player in PLAYERS]
    return [each for each in presses if is_possible(each, state)]


def decisions_now(state: TableState) -> list[Arbiter]:
    """The decisions that are possible now."""
    return [] if state.offered else list(decisions(state.view))


def glasses_at(tube: Tube, view: View) -> list[GlassView]:
    """The glasses that stand in a tube or belong there."""
    return [glass for glass in view.glasses if tube in (glass.tube, glass.standing)]


def decisions_at(tube: Tube, state: TableState) -> list[Arbiter]:
    """The decisions that are possible now about a tube and about its glasses."""
    homes = {glass.tube for glass in glasses_at(tube, state.view)}
    return [
        each
        for each in decisions_now(state)
        if each.tube is tube or (each.action in (Action.EXPIRE, Action.REVIVE) and each.tube in homes)
    ]


def answers_now(state: TableState, rulings: Iterable[Ruling]) -> list[Arbiter] | None:
    """The decisions that answer the open question (R9.3, R5.4); None without one, and while no game is played.

    ``rulings`` are those of the game. To R9.3's question the other answer is no decision: that glass is put right
    on the board.
    """
    view = state.view
    if view.question is None or not is_played(view, state.offered):
        return None
    found: list[Arbiter] = []
    match view.question.about:
        case Tube():
            on_move = _on_move_when_asked(rulings)
            found = [] if on_move is None else [decide(Action.AWARD, None, on_move.opponent)]
        case Player() as player:
            own = [glass for glass in view.glasses if glass.owner is player]
            doubtful = [glass.tube for glass in own if glass.state is GlassState.DOUBTFUL]
            found = [decide(Action.AWARD, None, player), *(decide(Action.EXPIRE, tube) for tube in doubtful)]
        case None:
            found = [decide(Action.AWARD, None, player) for player in PLAYERS]
        case LateRing(tube):
            found = [decide(Action.RING, tube, player) for player in PLAYERS if tube is not None]
        case str():
            pass
        case _:
            assert_never(view.question.about)
    return [each for each in found if is_possible(each, state)]


def _on_move_when_asked(rulings: Iterable[Ruling]) -> Player | None:
    """The player who was to move when the last question was asked; the turn may have passed on since."""
    turn = asked = None
    for ruling in rulings:
        match ruling:
            case Turn(player=player):
                turn = player
            case ArbiterNeeded():
                asked = turn
    return asked
