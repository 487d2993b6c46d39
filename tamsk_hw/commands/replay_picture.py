"""``tamsk-hw replay --picture`` and ``games replay``: a recorded game in the terminal's live picture."""

from __future__ import annotations

import select
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.live import Live

from tamsk_hw.commands.replay import read_recording
from tamsk_hw.errors import ConfigError
from tamsk_hw.journal import Archive
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.terminal.keyboard import Keyboard, Typing
from tamsk_hw.terminal.picture import HEIGHT, WIDTH, picture, small_picture
from tamsk_hw.terminal.replaying import Replay
from tamsk_hw.terminal.screen import LiveScreen

#: Real seconds between two pictures.
PICTURE_SECONDS: Final = 1 / 15


def show_file(file: Path) -> None:
    """Show the stream in a file, until the keys end it.

    Raises:
        StreamError: the stream is refused.
        ConfigError: there is no terminal that can show it.
    """
    stream, name = read_recording(str(file), lambda warning: None)
    _show(*read_stream(stream.splitlines(keepends=True), name))


def show_game(archive: Archive, number: int) -> None:
    """Show a game of the journal, until the keys end it.

    Raises:
        JournalError: there is no such game, or its record is damaged.
        ConfigError: there is no terminal that can show it.
    """
    _show(*archive.load(number).header_and_events())


def _show(header: Header, events: Iterable[Event]) -> None:
    playback = Playback(header, events)
    console, keyboard = Console(), Keyboard.standard(Typing.STEPS)
    if not LiveScreen.fits(console) or not keyboard.is_terminal:
        raise ConfigError(
            "the picture cannot be shown here",
            f"use a UTF-8 terminal of {WIDTH} by {HEIGHT} characters, or leave --picture out",
        )
    with keyboard, Live(console=console, screen=True, auto_refresh=False, transient=True) as live:
        replay = Replay(playback, time.monotonic())
        while not replay.is_left and keyboard.open:
            for key in keyboard.take():
                replay.press(key)
            replay.advance(time.monotonic())
            width, height = console.size
            draw = small_picture if width < WIDTH or height < HEIGHT else picture
            live.update(draw(replay.scene(), width, height), refresh=True)
            descriptor = keyboard.fileno()
            select.select([] if descriptor is None else [descriptor], [], [], PICTURE_SECONDS)
