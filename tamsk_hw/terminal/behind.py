"""A picture that is drawn in a thread of its own: the loop hands over what is to be seen, and goes on.

Drawing takes longer than all the rest of a round, and a terminal may take no more (Ctrl-S, a slow line). Only the
newest state is drawn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextvars import copy_context
from threading import Condition, Thread
from types import TracebackType
from typing import Final, Self

from rich.console import Console

from tamsk_hw.facts.notices import Notice
from tamsk_hw.panel.diagnosis import Diagnosis
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.system.output import Output
from tamsk_hw.terminal.screen import LiveScreen, Screen, screen_for

#: Lines that wait for the thread; more than any picture shows.
_KEPT: Final = 200

#: Real seconds of one wait for the terminal, and at most for the thread at the end.
_LOOK, _PATIENCE = 0.1, 2.0


class DrawnBehind:
    """A screen whose picture is drawn by a thread.

    ``is_read`` waits until the terminal has taken everything, at most so many seconds, and gives whether it has.
    Between entering and leaving, ``screen`` belongs to the thread.
    """

    def __init__(self, screen: Screen, is_read: Callable[[float], bool]) -> None:
        self._screen = screen
        self._is_read = is_read
        self._calls: deque[Callable[[], None]] = deque(maxlen=_KEPT)
        self._newest: tuple[View, Diagnosis] | None = None
        self._closing = False
        self._error: OSError | None = None
        self._changed = Condition()
        self._thread: Thread | None = None

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Show what was ruled."""
        if rulings:
            self._calls.append(lambda: self._screen.rule(rulings))

    def notice(self, notice: Notice) -> None:
        """Show what people should know besides."""
        self._calls.append(lambda: self._screen.notice(notice))

    def say(self, words: str) -> None:
        """Show a line of the screen's own."""
        self._calls.append(lambda: self._screen.say(words))

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Show how things stand.

        Raises:
            OSError: an earlier picture could not be shown.
        """
        with self._changed:
            error, self._error = self._error, None
            if error is not None:
                raise error
            self._newest = view, diagnosis
            self._changed.notify()

    def __enter__(self) -> Self:
        """Take the terminal; also again after it was left."""
        self._screen.__enter__()
        self._closing = False
        self._thread = Thread(target=copy_context().run, args=(self._run,), name="picture", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Draw what is newest, and leave the terminal as it was."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(_PATIENCE)
        self._screen.__exit__(kind, error, trace)

    def _take(self) -> tuple[View, Diagnosis] | None:
        """The newest state; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closing)
            newest, self._newest = self._newest, None
            return newest

    def _run(self) -> None:
        while (newest := self._take()) is not None:
            while self._calls:
                self._calls.popleft()()
            try:
                self._screen.show(*newest)
            except OSError as error:
                with self._changed:
                    self._error = error
            while not self._is_read(_LOOK) and not self._closing:
                pass


def screen_behind(output: Output, *, speed: float, board: str, page: str | None = None) -> Screen:
    """As `screen_for` on standard output; a picture is drawn behind."""
    screen = screen_for(Console(), speed=speed, board=board, page=page)
    return DrawnBehind(screen, output.wait_until_read) if isinstance(screen, LiveScreen) else screen
