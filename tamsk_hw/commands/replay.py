"""Refereeing a recorded stream from its first line to its last, printed or in the terminal's live picture."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.live import Live

from tamsk_hw.commands.options import speaking_to_people
from tamsk_hw.errors import ConfigError, InputError, StreamError, printable
from tamsk_hw.forms import to_json
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import is_torn, json_line, read_stream, shown_line
from tamsk_hw.system.files import open_file, read_lines
from tamsk_hw.terminal.keyboard import Keyboard, Typing
from tamsk_hw.terminal.picture import HEIGHT, WIDTH, picture, small_picture
from tamsk_hw.terminal.screen import LiveScreen, Replay

#: Bytes of a line, and of a stream: an ordinary event has 60, an ordinary game 50 000.
LONGEST_LINE: Final = 64 * 1024
MOST_BYTES: Final = 64 * 1024 * 1024


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--capture", "is_capture", is_flag=True, help="FILE is a capture of the raw line: sense it again, too."
)
@click.option("--json", "as_json", is_flag=True, help="Print the rulings as JSON Lines.")
@click.option("--picture", is_flag=True, help="Show the game in a live picture, with keys to pause and step.")
def replay(file: str, is_capture: bool, as_json: bool, picture: bool) -> None:
    """Referee the event stream in FILE (- is standard input) and print the rulings.

    Exits with 0 when the stream was taken to its end, with 2 when it is refused; then nothing is printed
    but one line on standard error. A last line that was cut off is left out, with a warning.
    """
    if picture:
        if is_capture or as_json or file == "-":
            raise click.UsageError("--picture shows a stream in a file, without --capture and --json.")
        stream, name = read_recording(file, lambda warning: None)
        show_game(*read_stream(stream.splitlines(keepends=True), name))
        return
    warnings: list[str] = []
    with speaking_to_people():
        printed = replay_file(file, as_json=as_json, is_capture=is_capture, warn=warnings.append)
    for warning in warnings:
        click.echo(f"tamsk-hw: {printable(warning)}", err=True)
    if as_json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # as JSON Lines are
    click.echo("\n".join([*printed, ""]), nl=False)


def referee_stream(lines: Iterable[str | bytes], name: str) -> list[Ruling]:
    """All rulings on a stream.

    Raises:
        StreamError: the stream is refused; ``name`` and the line are in the message.
    """
    header, events = read_stream(lines, name)
    referee = Referee(header)
    rulings: list[Ruling] = []
    for event in events:
        rulings += referee.handle(event)
    return rulings


def replay_file(file: str, *, as_json: bool, warn: Callable[[str], None], is_capture: bool = False) -> list[str]:
    """The rulings on the stream in ``file`` as lines to print; ``-`` is standard input.

    Of a capture also its events and notices. Nothing is given out before all of it has been taken. An
    unterminated last line that is no JSON is dropped, and ``warn`` is given a line about it.

    Raises:
        StreamError: the stream, or the capture, is refused.
        OSError: it cannot be read.
    """
    if is_capture:
        from tamsk_hw.table import capture as captured

        with _opened(file, "a capture", captured.LONGEST_LINE, captured.MOST_BYTES) as (lines, name):
            return capture_lines(lines, name, as_json=as_json, warn=warn)
    with _opened(file, "a recorded stream", LONGEST_LINE, MOST_BYTES) as (lines, name):
        rulings = referee_stream(_without_torn(_no_capture(lines, name), name, warn), name)
    if as_json:
        return [shown_line(ruling.as_dict()) for ruling in rulings]
    from tamsk_hw.words.rulings import line

    return [line(ruling) for ruling in rulings]


def read_recording(file: str, warn: Callable[[str], None]) -> tuple[bytes, str]:
    """The bytes of the stream in ``file``, as `replay_file` reads it but not refereed, and its name in messages.

    Raises:
        StreamError: it is no file, or too large.
        OSError: it cannot be read.
    """
    with _opened(file, "a recorded stream", LONGEST_LINE, MOST_BYTES) as (lines, name):
        return b"".join(_without_torn(lines, name, warn)), name


@contextmanager
def _opened(file: str, allowed: str, longest: int, most: int) -> Iterator[tuple[Iterator[bytes], str]]:
    """The lines of a file, or of standard input for ``-``, and its name; its faults are `StreamError`.

    A line has at most ``longest`` bytes, all together have at most ``most``.
    """
    name = "standard input" if file == "-" else file
    try:
        stream = sys.stdin.buffer if file == "-" else open_file(Path(file), pipe=True)
    except InputError as error:
        raise StreamError(f"{name}: {error}; allowed is {allowed}") from None
    with nullcontext() if file == "-" else stream:
        try:
            yield read_lines(stream, longest=longest, most=most), name
        except InputError as error:
            raise StreamError(f"{name} {error}; allowed is {allowed}") from None


def _no_capture(lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    """The lines of what is no capture."""
    for number, line in enumerate(lines, start=1):
        if number == 1 and line.startswith(b'{"capture"'):
            raise StreamError(f"{name} line 1: this is a capture; give --capture with it")
        yield line


def _without_torn(lines: Iterable[bytes], name: str, warn: Callable[[str], None]) -> Iterator[bytes]:
    """The lines but for a torn one, which can only be the last."""
    for number, line in enumerate(lines, start=1):
        if is_torn(line):
            warn(f"{name} line {number}: cut off in the middle, as by a power cut: left out")
        else:
            yield line


def capture_lines(lines: Iterable[bytes], name: str, *, as_json: bool, warn: Callable[[str], None]) -> list[str]:
    """The events, rulings and notices of a capture as lines to print, in JSON or in words.

    Nothing is given out before the whole capture has been taken. A last line that is torn is left out, and
    ``warn`` is given a line about it.

    Raises:
        StreamError: the capture is refused.
    """
    from tamsk_hw.board.wiring import load_wiring
    from tamsk_hw.configuration import Places, load_configuration
    from tamsk_hw.table.capture import read_capture
    from tamsk_hw.table.replay import Noticed, replay_capture
    from tamsk_hw.words.notices import notice_words
    from tamsk_hw.words.rulings import line
    from tamsk_hw.words.translating import tr

    captured = read_capture(lines, name)
    wiring = load_wiring()
    if wiring.hash != captured.wiring:
        wiring = load_wiring(load_configuration(None, Places.of(os.environ)).board.wiring)
    heard = replay_capture(captured, wiring, name)
    if captured.torn:
        warn(
            tr(
                "{name} line {line}: the file ends in the middle of this line; it is left out.",
                name=name,
                line=captured.torn,
            )
        )
    printed: list[str] = []
    for each in heard:
        if isinstance(each, Noticed):
            words = notice_words(each.notice)
            fact = {"at": each.at, "notice": to_json(each.notice), "words": words}
            printed.append(json_line(fact) if as_json else words)
        elif as_json:
            printed.append(json_line({"at": each.at, "event": to_json(each.event)}))
            printed += [json_line({**ruling.as_dict(), "at": each.at}) for ruling in each.rulings]
        else:
            printed += map(line, each.rulings)
    return printed


#: Real seconds between two pictures.
PICTURE_SECONDS: Final = 1 / 15


def show_game(header: Header, events: Iterable[Event]) -> None:
    """Show a game, until the keys end it.

    Raises:
        ConfigError: there is no terminal that can show it.
    """
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
