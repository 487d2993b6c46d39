"""The terminal's keys at a running game: read, turned into events, given back while the program is suspended."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Protocol, Self

from tamsk_hw.panel.desk import Desk
from tamsk_hw.panel.prompts import Prompt, Ways
from tamsk_hw.referee.events import ButtonName, Event
from tamsk_hw.referee.view import View
from tamsk_hw.system.stopping import Stopped
from tamsk_hw.system.suspending import Suspension
from tamsk_hw.terminal.keyboard import SUSPEND, Keyboard, Typing
from tamsk_hw.terminal.screen import Screen


class Played(Protocol):
    """The game that the keys act on."""

    @property
    def is_offered(self) -> bool:
        """An unfinished game is offered to be resumed."""

    def view(self) -> View:
        """The game as it stands."""


class GameKeys:
    """The keys of a terminal on standard input; without one nothing is read.

    ``demo``: simulated players press for themselves. While it is entered the terminal gives single keys.
    """

    def __init__(self, keyboard: Keyboard | None = None, *, demo: bool = False) -> None:
        self._keyboard = Keyboard.standard(Typing.ARROWS) if keyboard is None else keyboard
        self._desk = Desk()
        self._suspension = Suspension()
        self._demo = demo
        self._stack = ExitStack()

    @property
    def prompt(self) -> Prompt | None:
        """The question to the person at the keys, or the answer to the last key."""
        return self._desk.prompt

    def ways(self, buttons: frozenset[ButtonName]) -> Ways:
        """The ways to press something; ``buttons`` are those that work."""
        return Ways(buttons=buttons, keys=self.are_read, demo=self._demo)

    @property
    def are_read(self) -> bool:
        """There is a terminal whose keys are read."""
        return self._keyboard.is_terminal and self._keyboard.open

    @property
    def waiting(self) -> list[int]:
        """The descriptor that becomes readable with a key, if there is one."""
        descriptor = self._keyboard.fileno() if self.are_read else None
        return [] if descriptor is None else [descriptor]

    def take(self, played: Played, now: float) -> list[Event]:
        """The events of the keys since the last call, at ``now``.

        Raises:
            Stopped: the keys ended the program.
        """
        keys = self._keyboard.take() if self.are_read else []
        if SUSPEND in keys:
            self._suspension.is_asked = True
            keys = [key for key in keys if key != SUSPEND]
        if keys or self._desk.prompt is not None:
            view = played.view()
            self._desk.look(view, now)
        events = [self._desk.take(key, view, offered=played.is_offered, now=now) for key in keys]
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
