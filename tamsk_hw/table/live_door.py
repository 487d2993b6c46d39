"""What readers of the live stream ask for, at a running game: as if it had been pressed at the board."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, Final, Protocol, assert_never

from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Tube
from tamsk_hw.journal.changes import Answer, Changed
from tamsk_hw.live.journal_requests import ChangeGames, ImportStream
from tamsk_hw.live.lines import Names
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import Advise, DoEvent, DoGame, GameAnswer, SetUp
from tamsk_hw.live.server import Asked
from tamsk_hw.panel.possible import Hindrance, hindrance
from tamsk_hw.partner.advice import Advice
from tamsk_hw.referee.events import Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.header import Header, parse_header
from tamsk_hw.referee.view import Phase, View


class Asking(Protocol):
    """The games that requests act on."""

    @property
    def is_offered(self) -> bool:
        """An unfinished game is offered to be resumed."""

    @property
    def can_resume(self) -> bool:
        """It can be resumed at this board."""

    def view(self) -> View:
        """The game as it stands."""

    @property
    def names(self) -> Names:
        """The players' names."""

    def change(self, deed: ChangeGames | ImportStream, answer: Answer) -> Hindrance | None:
        """Change the journal's games; ``answer`` hears when that is on the disk, unless something hinders it."""

    def set_up(self, asked: SetUp, now: float) -> int | Hindrance:
        """Set up a game anew, or change its names; give the line's number of the stream that says so.

        Raises:
            TamskError: rules that this board cannot play, or a name that cannot be kept.
        """


class LiveDoor:
    """Takes requests, and has each answered once."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._waiting: deque[Asked] = deque()
        self._advised: tuple[Advice, _Position] | None = None

    def advice(self, view: View) -> Advice | None:
        """The advice that a reader asked to show, while the position for which he gave it stands."""
        return self._advised[0] if self._advised is not None and self._advised[1] == _position(view) else None

    def take(self, games: Asking, now: float) -> list[Button | Arbiter]:
        """The presses and decisions that were asked for since the last call, at ``now``.

        After one by which another game may begin, the rest waits for the next call.
        """
        self._waiting += self._publisher.take()
        events: list[Button | Arbiter] = []
        while self._waiting:
            asked = self._waiting.popleft()
            event = self._take(asked, games, now)
            if event is None:
                continue
            events.append(replace(event, t=now))
            if _is_of_games(event, games):
                self._publisher.expect_game(asked)
                break
            self._publisher.expect(asked, event)
        return events

    def _take(self, asked: Asked, games: Asking, now: float) -> Button | Arbiter | None:
        """The press or decision that a request is; None when that is all, and it is answered."""
        event: Button | Arbiter
        match asked.request.deed:
            case DoEvent(event):
                why = hindrance(event, games.view(), games.is_offered)
            case DoGame(GameAnswer.REMATCH) if (why := _hindrance(GameAnswer.NEXT, games)) is None:
                _set_up(asked, SetUp(None, games.names.swapped), games, now)
                return None
            case DoGame(answer):
                event, why = _press(answer), _hindrance(answer, games)
            case SetUp() as deed:
                _set_up(asked, deed, games, now)
                return None
            case Advise(advice):
                self._advise(asked, advice, games)
                return None
            case ChangeGames() | ImportStream() as deed:
                why = games.change(deed, partial(self._hear_of, asked))
                if why is not None:
                    asked.hindered(why)
                return None
            case _:
                assert_never(asked.request.deed)
        if why is None and event == _RESUME and games.is_offered and not games.can_resume:
            why = Hindrance.OTHER_TUBES
        if why is None:
            return event
        asked.hindered(why)
        return None

    def _advise(self, asked: Asked, advice: Advice | None, games: Asking) -> None:
        view = games.view()
        if advice is not None and (games.is_offered or not view.is_played):
            asked.hindered(Hindrance.NO_GAME)
            return
        self._advised = None if advice is None else (advice, _position(view))
        asked.done(self._publisher.stream.newest)

    def _hear_of(self, asked: Asked, outcome: Changed | JournalError) -> None:
        """Answer a request for a change of the journal; in whatever thread."""
        if isinstance(outcome, JournalError):
            asked.refused(str(outcome))
        else:
            asked.done(self._publisher.stream.newest, outcome)


#: What an advice depends on: the turn, where each glass lawfully stands, and the rings that lie there.
_Position = tuple[Phase, int, tuple[Tube, ...], tuple[int, ...]]


def _position(view: View) -> _Position:
    return view.phase, view.number, tuple(glass.tube for glass in view.glasses), view.rings_seen


_RESUME: Final = Button(0.0, ButtonName.START, Press.SHORT)
_ABANDON: Final = Button(0.0, ButtonName.START, Press.LONG)


def _is_of_games(event: Button | Arbiter, games: Asking) -> bool:
    """Another game begins by the event, or one goes on."""
    is_start = isinstance(event, Button) and event.button is ButtonName.START
    return is_start and (games.is_offered or games.view().phase is Phase.OVER)


def _press(answer: GameAnswer) -> Button:
    """The press of the start button that gives the answer."""
    match answer:
        case GameAnswer.RESUME | GameAnswer.NEXT | GameAnswer.REMATCH:
            return _RESUME
        case GameAnswer.ABANDON:
            return _ABANDON
        case _:
            assert_never(answer)


def _hindrance(answer: GameAnswer, games: Asking) -> Hindrance | None:
    """The reason for which nobody asked for this answer; None when somebody did."""
    match answer:
        case GameAnswer.RESUME | GameAnswer.ABANDON:
            return None if games.is_offered else Hindrance.NOT_OFFERED
        case GameAnswer.NEXT | GameAnswer.REMATCH:
            if games.is_offered:
                return Hindrance.OFFERED
            return None if games.view().phase is Phase.OVER else Hindrance.NOT_OVER
        case _:
            assert_never(answer)


def _set_up(asked: Asked, deed: SetUp, games: Asking, now: float) -> None:
    try:
        answer = games.set_up(deed, now)
    except TamskError as error:
        asked.refused(str(error))
        return
    if isinstance(answer, Hindrance):
        asked.hindered(answer)
    else:
        asked.done(answer)


class SetUpEffect(Enum):
    """Effects of a request to set up."""

    NAMES = "names"
    """The players of the game have other names."""
    GAME = "game"
    """A game is set up by other rules, or the next one."""


def set_up_effect(asked: SetUp, phase: Phase, *, offered: bool, goes_on: bool = True) -> SetUpEffect | Hindrance:
    """The effect of a request at a game in ``phase``, or what hinders it.

    ``offered``: an unfinished game waits to be resumed; ``goes_on``: another game may follow this one.
    """
    if offered:
        return Hindrance.OFFERED
    if asked.ruleset is None and phase is not Phase.OVER:
        return SetUpEffect.NAMES
    match phase:
        case Phase.SETUP:
            return SetUpEffect.GAME
        case Phase.PLAY | Phase.SAND:
            return Hindrance.RUNNING
        case Phase.OVER:
            return SetUpEffect.GAME if goes_on else Hindrance.ENDED
        case _:
            assert_never(phase)


def ruleset_with(base: Ruleset, given: Mapping[str, Any]) -> Ruleset:
    """The ruleset with the given keys, as a header has them, in place of its own.

    Raises:
        StreamError: they are not understood, or do not go with the rest.
    """
    rules = Header(ruleset=base).as_dict()["ruleset"] | given
    return parse_header({"tamsk": 1, "ruleset": rules}, "setup").ruleset
