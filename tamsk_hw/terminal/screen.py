"""Screens of a running program: a live picture on a terminal, a plain line per ruling elsewhere."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

import click
from rich.console import Console, RenderableType
from rich.live import Live

from tamsk_hw.facts.notices import Notice
from tamsk_hw.panel.diagnosis import Diagnosis, News
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.system.journald import Priority, prefixed
from tamsk_hw.terminal.picture import HEIGHT, WIDTH, picture
from tamsk_hw.terminal.priority import priority_of
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import headline, line, orders

#: Some of the picture's characters that not every terminal has.
_GLYPHS = "●·▆─→◀"

#: Rulings in words that the picture keeps at hand.
_KEPT = 12


class Screen(Protocol):
    """A place where a game is shown."""

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Show what was ruled."""

    def notice(self, notice: Notice) -> None:
        """Show what people should know besides."""

    def say(self, words: str) -> None:
        """Show a line of the screen's own."""

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Show how things stand."""

    def __enter__(self) -> Self:
        """Begin to show."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""


class PlainScreen:
    """A line per ruling, for logs and pipes."""

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Print each ruling in words."""
        for ruling in rulings:
            click.echo(line(ruling))

    def notice(self, notice: Notice) -> None:
        """Print it in words on standard error, with its priority where that is systemd's journal."""
        self._print(notice_words(notice), priority_of(notice))

    def say(self, words: str) -> None:
        """Print the words on standard error."""
        self._print(words, Priority.NOTICE)

    def _print(self, words: str, priority: Priority) -> None:
        click.echo(prefixed(words, priority, sys.stderr), err=True)

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Show nothing between the lines."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to leave."""


class LiveScreen:
    """The live picture. When it is left, the last picture stays in the terminal."""

    def __init__(self, console: Console, *, speed: float, board: str) -> None:
        self._console = console
        self._speed = speed
        self._board = board
        self._recent: deque[str] = deque(maxlen=_KEPT)
        self._live = Live(console=console, screen=True, auto_refresh=False, transient=True)
        self._last: RenderableType | None = None

    @staticmethod
    def fits(console: Console) -> bool:
        """Standard output is a terminal that is large enough and can show the picture's characters."""
        if not sys.stdout.isatty() or not console.is_terminal or console.is_dumb_terminal:
            return False
        try:
            _GLYPHS.encode(console.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return console.width >= WIDTH and console.height >= HEIGHT

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Keep the rulings for the picture."""
        self._recent.extend(line(ruling) for ruling in rulings)

    def notice(self, notice: Notice) -> None:
        """Keep it among the rulings, in words."""
        self.say(notice_words(notice))

    def say(self, words: str) -> None:
        """Keep the words among the rulings."""
        self._recent.append(words)

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Redraw the picture."""
        drawn = picture(view, diagnosis, list(self._recent), speed=self._speed, board=self._board)
        self._last = drawn
        self._live.update(drawn, refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
        if self._last is not None:
            self._console.print(self._last)


#: Seconds for which the same is wrong with the set-up before it is said: people put one glass after the other.
SETTLED_SECONDS = 3.0


class SetupWords:
    """Hints of what the set-up lacks, for people who see no picture; each is given once, when it persists.

    ``starts_free``: an empty board is ready from the first (R8), and no ruling says that it has become so.
    """

    def __init__(self, *, starts_free: bool = False) -> None:
        self._starts_free = starts_free
        self._was_wrong = False
        self._seen = self._said = ""
        self._since = 0.0

    def hear(self, diagnosis: Diagnosis, now: float) -> str | None:
        """The line to show at ``now`` (seconds); None for nothing new."""
        words = self._words(diagnosis)
        if words != self._seen:
            self._seen, self._since = words, now
        if words == self._said or now < self._since + SETTLED_SECONDS:
            return None
        self._said = words
        return words or None

    def _words(self, diagnosis: Diagnosis) -> str:
        match diagnosis.headline.news:
            case News.SETUP:
                self._was_wrong = True
                return f"Set up the board: {'; '.join(orders(diagnosis.headline.mends, setup=True))}."
            case News.READY:
                return headline(diagnosis) if self._starts_free and not self._was_wrong else ""
            case _:
                self._was_wrong = False
                return ""


class LastingScreen:
    """A screen for a referee that goes on though nothing can be shown: what cannot be written is left out."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.is_picture = not isinstance(screen, PlainScreen)
        """It draws the whole board, and needs no words for that."""

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Show what was ruled."""
        with suppress(OSError):
            self._screen.rule(rulings)

    def notice(self, notice: Notice) -> None:
        """Show what people should know besides."""
        with suppress(OSError):
            self._screen.notice(notice)

    def say(self, words: str) -> None:
        """Show a line of the screen's own."""
        with suppress(OSError):
            self._screen.say(words)

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Show how things stand."""
        with suppress(OSError):
            self._screen.show(view, diagnosis)

    def __enter__(self) -> Self:
        with suppress(OSError):
            self._screen.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        with suppress(OSError):
            self._screen.__exit__(kind, error, trace)


def screen_for(console: Console, *, speed: float, board: str) -> Screen:
    """The live picture where it fits, plain lines elsewhere."""
    if LiveScreen.fits(console):
        return LiveScreen(console, speed=speed, board=board)
    screen = PlainScreen()
    if sys.stdout.isatty():
        screen.say(f"Plain lines: the picture needs a UTF-8 terminal of {WIDTH} by {HEIGHT} characters.")
    return screen
