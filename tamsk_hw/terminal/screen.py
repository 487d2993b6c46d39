"""Screens of a running program, a live picture on a terminal or a line per ruling elsewhere, and of a replay."""

import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import copy_context
from dataclasses import replace
from threading import Condition, Thread
from typing import Final, Self

import click
from rich.console import Console
from rich.live import Live

from tamsk_hw.facts.notices import GameOnSpeed, GameSlowed, Notice
from tamsk_hw.game.notation import Ply
from tamsk_hw.panel.diagnosis import LEFT, RIGHT, Diagnosis, HeadlineKind, InputMethods, diagnose
from tamsk_hw.referee.playback import SPEEDS, Moment, Playback
from tamsk_hw.referee.rulings import BaseRuling, Ruling, Started
from tamsk_hw.referee.sheet import plies
from tamsk_hw.referee.view import View
from tamsk_hw.system.output import Language, Output
from tamsk_hw.system.service import Priority, goes_to_journal, prefixed
from tamsk_hw.terminal.picture import HEIGHT, WIDTH, Scene, picture, small_picture
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.prompts import PromptWords, how_besides, how_words, keys_line, orders, prompt_words
from tamsk_hw.words.rulings import line, set_up_words
from tamsk_hw.words.table import replay_words
from tamsk_hw.words.translating import speaking, tr

#: Rulings of which the picture is given the words: more than a terminal has rows.
_RECENT: Final = 100


class Replay:
    """The place in a recorded stream. Times ``now`` are real seconds, ``t`` the stream's."""

    def __init__(self, playback: Playback, now: float) -> None:
        self.playback = playback
        self.t = playback.begins
        self.speed = SPEEDS[0]
        self.is_paused = False
        self.is_left = False
        """The person at the keys wants to end."""
        self._now = now

    def advance(self, now: float) -> None:
        """Real time has passed to ``now``; at its end the stream stands still."""
        if not self.is_paused:
            self.t = min(self.playback.ends, self.t + (now - self._now) * self.speed)
            self.is_paused = self.t >= self.playback.ends
        self._now = now

    def press(self, key: str) -> None:
        """Do what a key says (they stand in the picture); others do nothing."""
        match key:
            case " ":
                if self.is_paused and self.t >= self.playback.ends:
                    self.t = self.playback.begins
                self.is_paused = not self.is_paused
            case _ if key == RIGHT:
                self._step(self.playback.next_moment(self.t))
            case _ if key == LEFT:
                self._step(self.playback.previous_moment(self.t))
            case "+" | "=":
                self.speed = next((each for each in SPEEDS if each > self.speed), self.speed)
            case "-":
                self.speed = next((each for each in reversed(SPEEDS) if each < self.speed), self.speed)
            case "q":
                self.is_left = True

    def _step(self, moment: Moment | None) -> None:
        """Stand still at a moment, if there is one."""
        self.is_paused = True
        if moment is not None:
            self.t = moment.t

    def scene(self) -> Scene:
        """The contents of the picture."""
        view = self.playback.at(self.t)
        rulings = self.playback.rulings_to(self.t)
        return Scene(
            view=view,
            diagnosis=diagnose(view, ways=InputMethods(demo=True)),
            recent=[line(ruling) for ruling in rulings[-_RECENT:]],
            plies=plies(rulings),
            speed=self.speed,
            board=replay_words(self.playback.ends, is_paused=self.is_paused),
            keys=tr("space pause · ← → ruling · + - speed · q end"),
        )


#: Some of the picture's characters that not every terminal has.
_GLYPHS = "●·▆─→◀▶"

#: Rulings in words that the picture keeps at hand, and rulings and notices that wait for its thread.
_KEPT, _WAITING = 200, 2000

#: Real seconds of one wait for the terminal, and at most for the thread at the end.
_LOOK, _PATIENCE = 0.1, 2.0


class PlainScreen:
    """A line per ruling, for logs and pipes. ``lasting``: what cannot be written is left out."""

    is_picture = False
    """It draws the whole board, and needs no words for that."""

    def __init__(self, *, lasting: bool = False) -> None:
        self._unwritten = suppress(OSError) if lasting else nullcontext()
        self._how: str | None = None
        self._asked: PromptWords | None = None
        self._has_keys = False

    def rule(self, rulings: Sequence[Ruling]) -> None:
        """Print each ruling in words."""
        for ruling in rulings:
            with _of_the_log():
                words = line(ruling)
            with self._unwritten:
                click.echo(words)

    def notice(self, notice: Notice) -> None:
        """Print it in words on standard error, with its priority where that is systemd's journal."""
        with _of_the_log():
            words = notice_words(notice)
        self._print(words, Priority.WARNING if notice.is_warning else Priority.NOTICE)

    def say(self, words: str) -> None:
        """Print the words on standard error."""
        self._print(words, Priority.NOTICE)

    def _print(self, words: str, priority: Priority) -> None:
        with self._unwritten:
            click.echo(prefixed(words, priority, sys.stderr), err=True)

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Print what can be pressed, and what the terminal asks, when that is new."""
        with _of_the_log():
            self._show(view, diagnosis)

    def _show(self, view: View, diagnosis: Diagnosis) -> None:
        if diagnosis.ways.keys and not self._has_keys:
            self.say(tr("Keys: {keys}", keys=keys_line()))
        self._has_keys = diagnosis.ways.keys
        how = how_words(diagnosis)
        if how is not None and how != self._how:
            self.say(how)
        self._how = how
        prompt = diagnosis.prompt
        asked = None if prompt is None else prompt_words(prompt, view, diagnosis.ways)
        if asked is not None and asked != self._asked:
            for words in _new_lines(asked, self._asked):
                self.say(words)
        self._asked = asked

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to leave."""


def _of_the_log() -> AbstractContextManager[None]:
    """The language of plain lines: that of the context, but English in systemd's journal."""
    return speaking(Language.ENGLISH) if goes_to_journal(sys.stdout, os.environ) else nullcontext()


def _new_lines(asked: PromptWords, before: PromptWords | None) -> list[str]:
    """A prompt in lines; of a menu that was printed before only the line that is chosen now."""
    if asked.chosen is not None and before is not None and before.lines == asked.lines:
        return [f"> {asked.lines[asked.chosen]}"]
    numbers = ("" if asked.chosen is None else f"{place} " for place in range(1, len(asked.lines) + 1))
    lines = [f"{number}{words}" for number, words in zip(numbers, asked.lines, strict=True)]
    return [asked.title, *(f"  {words}" for words in (*lines, asked.keys) if words)]


class LiveScreen:
    """The live picture, drawn in a thread of its own: the loop hands over the state, and goes on.

    Drawing takes longer than all the rest of a round, and a terminal may take no more (Ctrl-S, a slow line). Only
    the newest state is drawn. ``is_read`` waits until the terminal has taken everything, at most so many seconds,
    and returns whether it has. ``lasting``: what cannot be written is left out. When the screen is left, the last
    picture stays in the terminal.
    """

    is_picture = True

    def __init__(
        self,
        console: Console,
        is_read: Callable[[float], bool],
        *,
        speed: float,
        board: str,
        page: str | None = None,
        lasting: bool = False,
    ) -> None:
        self._console, self._is_read = console, is_read
        self._speed, self._board, self._page = speed, board, page
        self._unwritten = suppress(OSError) if lasting else nullcontext()
        self._live = Live(console=console, screen=True, auto_refresh=False, transient=True)
        self._said: deque[Ruling | Notice | str] = deque(maxlen=_WAITING)
        self._newest: tuple[View, Diagnosis] | None = None
        self._closing = False
        self._error: OSError | None = None
        self._changed = Condition()
        self._thread: Thread | None = None
        # While there is a thread, what follows belongs to it.
        self._kept: float | None = None
        self._recent: deque[str] = deque(maxlen=_KEPT)
        self._rulings: list[Ruling] = []
        self._plies: tuple[Ply, ...] | None = None
        self._how: str | None = None
        self._last: Scene | None = None

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
        """Show what was ruled, from the next picture on."""
        self._said.extend(rulings)

    def notice(self, notice: Notice) -> None:
        """Show it among the rulings, in words; the speed of the game has a place of its own, too."""
        self._said.append(notice)

    def say(self, words: str) -> None:
        """Show the words among the rulings."""
        self._said.append(words)

    def show(self, view: View, diagnosis: Diagnosis) -> None:
        """Redraw the picture, in the size that the terminal has now.

        Raises:
            OSError: an earlier picture could not be shown.
        """
        with self._changed:
            error, self._error = self._error, None
            if error is not None:
                with self._unwritten:
                    raise error
            self._newest = view, diagnosis
            self._changed.notify()

    def __enter__(self) -> Self:
        """Take the terminal; also again after it was left."""
        with self._unwritten:
            self._live.start()
        self._closing = False
        self._thread = Thread(target=copy_context().run, args=(self._run,), name="picture", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Draw what is newest, and leave the terminal as it was."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(_PATIENCE)
        with self._unwritten:
            self._live.stop()
            if self._last is not None and self._console.width >= WIDTH:
                asks_nothing = replace(self._last.diagnosis, ways=InputMethods(), prompt=None)
                self._console.print(picture(replace(self._last, diagnosis=asks_nothing)))

    # The thread

    def _take(self) -> tuple[View, Diagnosis] | None:
        """The newest state; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closing)
            newest, self._newest = self._newest, None
            return newest

    def _run(self) -> None:
        while (newest := self._take()) is not None:
            while self._said:
                self._keep(self._said.popleft())
            try:
                self._draw(*newest)
            except OSError as error:
                with self._changed:
                    self._error = error
            while not self._is_read(_LOOK) and not self._closing:
                pass

    def _keep(self, said: Ruling | Notice | str) -> None:
        """Keep what was said for the pictures to come."""
        if isinstance(said, str):
            self._recent.append(said)
        elif isinstance(said, BaseRuling):
            if isinstance(said, Started):
                self._rulings.clear()
            self._rulings.append(said)
            self._recent.append(line(said))
            self._plies = None
        else:
            if isinstance(said, GameSlowed | GameOnSpeed):
                self._kept = said.kept if isinstance(said, GameSlowed) else None
            self._recent.append(notice_words(said))

    def _draw(self, view: View, diagnosis: Diagnosis) -> None:
        how = how_besides(diagnosis)
        if how is not None and how != self._how:
            self._recent.append(how)
        self._how = how
        if self._plies is None:
            self._plies = plies(self._rulings)
        scene = self._last = Scene(
            view=view,
            diagnosis=diagnosis,
            recent=list(self._recent),
            plies=self._plies,
            speed=self._speed,
            kept=self._kept,
            board=self._board,
            page=self._page,
        )
        width, height = self._console.size
        is_small = width < WIDTH or height < HEIGHT
        drawn = small_picture(scene, width, height) if is_small else picture(scene, width, height)
        self._live.update(drawn, refresh=True)


#: A place where a game is shown.
Screen = PlainScreen | LiveScreen


#: Seconds for which the same is wrong with the set-up before it is said: people put one glass after the other.
SETTLED_SECONDS = 3.0


class SetupWords:
    """Hints of what the set-up lacks, for people who see no picture; each is given once, when it persists."""

    def __init__(self) -> None:
        self._seen = self._said = ""
        self._since = 0.0

    def feed(self, diagnosis: Diagnosis, now: float) -> str | None:
        """The line to show at ``now`` (seconds); None for nothing new."""
        news = diagnosis.headline
        words = ""
        if news.news is HeadlineKind.SETUP:
            with _of_the_log():
                words = set_up_words(orders(news.corrections, setup=True))
        if words != self._seen:
            self._seen, self._since = words, now
        if words == self._said or now < self._since + SETTLED_SECONDS:
            return None
        self._said = words
        return words or None


def screen_for(
    output: Output, *, speed: float, board: str, page: str | None = None, lasting: bool = False
) -> Screen:
    """The live picture where it fits, plain lines elsewhere; ``page``: the address of the page beside it.

    ``lasting``: the referee goes on though nothing can be shown; what cannot be written is left out.
    """
    console = Console()
    if LiveScreen.fits(console):
        is_read = output.wait_until_read
        return LiveScreen(console, is_read, speed=speed, board=board, page=page, lasting=lasting)
    screen = PlainScreen(lasting=lasting)
    if page is not None:
        screen.say(tr("The table in browsers: {address}", address=page))
    if sys.stdout.isatty():
        screen.say(
            tr(
                "Plain lines: the picture needs a UTF-8 terminal of {width} by {height} characters.",
                width=WIDTH,
                height=HEIGHT,
            )
        )
    return screen
