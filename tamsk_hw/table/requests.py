"""What readers of the live stream and the terminal's keys ask of a running game, as if pressed at the board."""

from collections import deque
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Final, Self, assert_never

from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.game.tubes import Tube
from tamsk_hw.journal.changes import Changed
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import Advise, ChangeGames, DoEvent, DoGame, GameAnswer, ImportStream, SetUp
from tamsk_hw.live.server import PendingRequest
from tamsk_hw.panel.diagnosis import InputMethods, Prompt
from tamsk_hw.panel.keys import KeyCommands, Rejection, rejection_of
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import Arbiter, Button, ButtonName, Event, Press
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.service import Stopped, Suspension
from tamsk_hw.table.table import BoardTable
from tamsk_hw.terminal.keyboard import SUSPEND, Keyboard, Typing
from tamsk_hw.terminal.screen import Screen


class RequestHandler:
    """Takes requests, and has each answered once."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._waiting: deque[PendingRequest] = deque()
        self._advised: tuple[Advice, _Position] | None = None

    def advice(self, view: View) -> Advice | None:
        """The advice that a reader asked to show, while the position for which he gave it stands."""
        return self._advised[0] if self._advised is not None and self._advised[1] == _position(view) else None

    def take(self, games: BoardTable, now: float) -> list[Button | Arbiter]:
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

    def _take(self, asked: PendingRequest, games: BoardTable, now: float) -> Button | Arbiter | None:
        """The press or decision that a request is; None when that is all, and it is answered."""
        event: Button | Arbiter
        match asked.command:
            case DoEvent(event):
                why = rejection_of(event, games.view(), games.is_offered)
                if why is None and games.draw_lots(event, now):
                    asked.done(self._publisher.stream.newest)
                    return None
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
                assert_never(asked.command)
        if why is None and event == _RESUME and games.is_offered and not games.can_resume:
            why = Rejection.OTHER_TUBES
        if why is None:
            return event
        asked.hindered(why)
        return None

    def _advise(self, asked: PendingRequest, advice: Advice | None, games: BoardTable) -> None:
        view = games.view()
        if advice is not None and (games.is_offered or not view.is_played):
            asked.hindered(Rejection.NO_GAME)
            return
        self._advised = None if advice is None else (advice, _position(view))
        asked.done(self._publisher.stream.newest)

    def _hear_of(self, asked: PendingRequest, outcome: Changed | JournalError) -> None:
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


def _is_of_games(event: Button | Arbiter, games: BoardTable) -> bool:
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


def _hindrance(answer: GameAnswer, games: BoardTable) -> Rejection | None:
    """The reason for which nobody asked for this answer; None when somebody did."""
    match answer:
        case GameAnswer.RESUME | GameAnswer.ABANDON:
            return None if games.is_offered else Rejection.NOT_OFFERED
        case GameAnswer.NEXT | GameAnswer.REMATCH:
            if games.is_offered:
                return Rejection.OFFERED
            return None if games.view().phase is Phase.OVER else Rejection.NOT_OVER
        case _:
            assert_never(answer)


def _set_up(asked: PendingRequest, deed: SetUp, games: BoardTable, now: float) -> None:
    try:
        answer = games.set_up(deed, now)
    except TamskError as error:
        asked.refused(str(error))
        return
    if isinstance(answer, Rejection):
        asked.hindered(answer)
    else:
        asked.done(answer)


class GameKeys:
    """The keys of a terminal on standard input; without one nothing is read.

    ``demo``: simulated players press for themselves. While it is entered the terminal gives single keys.
    """

    def __init__(self, keyboard: Keyboard | None = None, *, demo: bool = False) -> None:
        self._keyboard = Keyboard.standard(Typing.ARROWS) if keyboard is None else keyboard
        self._desk = KeyCommands()
        self._suspension = Suspension()
        self._demo = demo
        self._stack = ExitStack()

    @property
    def prompt(self) -> Prompt | None:
        """The question to the person at the keys, or the answer to the last key."""
        return self._desk.prompt

    def ways(self, buttons: frozenset[ButtonName], *, live: bool) -> InputMethods:
        """The ways to press something; ``buttons`` are those that work, ``live``: the live stream is published."""
        return InputMethods(buttons=buttons, keys=self.are_read, live=live, demo=self._demo)

    @property
    def are_read(self) -> bool:
        """There is a terminal whose keys are read."""
        return self._keyboard.is_terminal and self._keyboard.open

    @property
    def waiting(self) -> list[int]:
        """The descriptor that becomes readable with a key, if there is one."""
        descriptor = self._keyboard.fileno() if self.are_read else None
        return [] if descriptor is None else [descriptor]

    def take(self, games: BoardTable, now: float) -> list[Event]:
        """The events of the keys since the last call, at ``now``.

        Raises:
            Stopped: the keys ended the program.
        """
        keys = self._keyboard.take() if self.are_read else []
        if SUSPEND in keys:
            self._suspension.is_asked = True
            keys = [key for key in keys if key != SUSPEND]
        if keys or self._desk.prompt is not None:
            view = games.view()
            self._desk.advance(view, now)
        events = [self._desk.on_key(key, view, offered=games.is_offered, now=now) for key in keys]
        if self._desk.is_left:
            raise Stopped(0)
        return [event for event in events if event is not None]

    def suspend_if_asked(self, screen: Screen) -> None:
        """After Ctrl-Z leave the terminal, wait to be continued, and take the terminal again."""
        if self._suspension.is_asked:
            screen.__exit__(None, None, None)
            self._keyboard.__exit__(None, None, None)
            self._suspension.suspend()
            self._keyboard.__enter__()
            screen.__enter__()

    def __enter__(self) -> Self:
        if self._keyboard.is_terminal:
            self._stack.enter_context(self._suspension)
            self._stack.enter_context(self._keyboard)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
