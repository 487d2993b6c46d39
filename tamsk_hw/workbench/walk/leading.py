"""Leading a person through a walk: the one loop with board, panel, keyboard and screen."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console

from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.panel.hardware import PanelNotice
from tamsk_hw.table.loop import PanelHardware
from tamsk_hw.terminal.keyboard import Keyboard, Typing
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.workbench.listening import Board, Clock
from tamsk_hw.workbench.walk.screen import LineScreen, PictureScreen, WalkScreen
from tamsk_hw.workbench.walk.walk import Walk

#: Seconds that one wait for the board takes at most: buttons, keys and tones are looked at as often.
LOOK_SECONDS: Final = 0.02

#: Seconds between two pictures on the terminal while nobody does anything.
PICTURE_SECONDS: Final = 0.1


def _open_panel(board: Board, notice: Callable[[PanelNotice], None]) -> PanelHardware:
    return PanelHardware(board.configuration, board.wiring, notice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """Console, clock, keyboard, screen and panel of a walk; by default standard input and the console."""

    console: Console = field(default_factory=Console)
    clock: Clock = field(default_factory=Clock)
    keyboard: Keyboard | None = None
    screen: WalkScreen | None = None
    open_panel: Callable[[Board, Callable[[PanelNotice], None]], PanelHardware] = _open_panel


def lead(walk: Walk, board: Board, link: SerialLink | None, equipment: Equipment, *, alone: bool = False) -> None:
    """Lead a person through ``walk`` until it is over.

    ``link``: the line to the board, None for a walk without one; its owner closes it. ``alone``: nobody is there,
    so that keyboard and panel are not touched.

    Raises:
        ConfigError: there are neither buttons nor a standard input, and the walk must be led.
        LinkError: the board cannot be used, and never could since the walk began.
        Stopped: the program was stopped.
    """
    live = not alone and LiveScreen.fits(equipment.console)
    with ExitStack() as stack:
        keyboard = Keyboard(None)
        if not alone:
            typing = Typing.KEYS if walk.single_keys else Typing.SHOWN if live else Typing.LINES
            keyboard = stack.enter_context(equipment.keyboard or Keyboard.standard(typing))
        screen: WalkScreen = equipment.screen or (PictureScreen(equipment.console) if live else LineScreen())
        stack.enter_context(screen)
        panel = None if alone else stack.enter_context(equipment.open_panel(board, walk.panel_reports))
        _Leading(walk, link, panel, keyboard, screen, equipment.clock).go()


class _Leading:
    """The loop over one walk."""

    def __init__(
        self,
        walk: Walk,
        link: SerialLink | None,
        panel: PanelHardware | None,
        keyboard: Keyboard,
        screen: WalkScreen,
        clock: Clock,
    ) -> None:
        self._walk, self._link, self._panel = walk, link, panel
        self._keyboard, self._screen, self._clock = keyboard, screen, clock
        self._shown_at = float("-inf")

    def go(self) -> None:
        """Take what has come, hand out what is due, wait for more, until the walk is over."""
        walk = self._walk
        while not walk.over:
            now = self._clock.now()
            self._take_from_board(now)
            acted = self._take_from_person(now)
            walk.advance(now)
            notes = walk.take_notes()
            for note in notes:
                self._screen.say(note)
                walk.sound(note.kind, now)
            if walk.over:
                return
            self._show_panel(now)
            if acted or notes or now >= self._shown_at + PICTURE_SECONDS:
                self._shown_at = now
                self._screen.show(walk, now, self._keyboard.line)
            self._clock.wait(None if self._link is None else self._link.fileno(), LOOK_SECONDS)

    def _take_from_board(self, now: float) -> None:
        link = self._link
        if link is None:
            return
        events = link.poll(now)
        self._walk.count(link.statistics)
        for event in events:
            self._walk.hear(event, now)
        if link.connected and self._walk.self_test_due(now):
            with contextlib.suppress(LinkError):  # lost in this very moment: it is asked for again
                link.session.start_self_test()

    def _take_from_person(self, now: float) -> bool:
        """Hand on what was typed and pressed; True when there was something."""
        texts = self._keyboard.take()
        presses = [] if self._panel is None else self._panel.buttons.take_events(now)
        self._walk.can_type = self._keyboard.open
        if self._panel is not None:
            if self._walk.must_be_led and not self._panel.buttons.are_wired and not self._keyboard.open:
                raise ConfigError("no buttons and no standard input: nobody could press start; allow one of them")
            self._walk.hold(self._panel.buttons.held, now)
        for press in presses:
            self._walk.press(press, now)
        for text in texts:
            self._walk.typed(text, now)
        return bool(texts or presses)

    def _show_panel(self, now: float) -> None:
        if self._panel is not None:
            self._panel.show(self._walk.lights(now))
            self._panel.buzzer.play(self._walk.tone(now))
