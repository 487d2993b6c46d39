"""``tamsk-hw calibrate glasses``: the glasses timed at the board, by buttons and lights, by keys and terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from tamsk_hw.board.calibration_file import (
    KnownCalibration,
    backup_of,
    check_can_be_saved,
    read_calibration,
    save_calibration,
)
from tamsk_hw.board.link import Connected, LinkEvent, Lost, Refused, SerialLink, SnapshotArrived, Unreachable
from tamsk_hw.board.sensing import Sensed, Sensing
from tamsk_hw.errors import ConfigError
from tamsk_hw.panel.buttons import NoButtons
from tamsk_hw.panel.sounds import Sound, Sounds
from tamsk_hw.system.stopping import Stopped
from tamsk_hw.table.panel_hardware import PanelHardware
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.words.faults import as_event
from tamsk_hw.words.link import link_error, link_words
from tamsk_hw.workbench.glass_calibration.figures import TIMED_NAMES, Figures, merged
from tamsk_hw.workbench.glass_calibration.lights import glass_pixels
from tamsk_hw.workbench.glass_calibration.picture import glass_picture, prompt, saved_lines, table_lines
from tamsk_hw.workbench.glass_calibration.session import GlassTiming, Phase
from tamsk_hw.workbench.glass_calibration.state import Kind, Note
from tamsk_hw.workbench.listening import Board, Clock, board_of, port_of
from tamsk_hw.workbench.typed_lines import TypedLines

#: Seconds after which the loop looks at buttons and keys when the board says nothing.
LOOK_SECONDS = 0.02

#: Seconds after which it is said that no board answers.
ANSWER_WITHIN = 5.0

#: Seconds between two pictures, on the terminal and in lights.
PICTURE_SECONDS = 0.1

_SOUNDS = {Kind.TAKEN: Sound.LAST_SECONDS, Kind.WARNING: Sound.VIOLATION}


@dataclass(frozen=True, slots=True, kw_only=True)
class GlassesSettings:
    """``only``: names of `TIMED_NAMES`, all of them when it is empty; ``runs`` of each direction, 2 or more."""

    port: str | None = None
    config: Path | None = None
    only: Sequence[str] = ()
    runs: int = 2


class GlassScreen(Protocol):
    """Where the walk is shown."""

    def note(self, notes: Sequence[Note]) -> None:
        """Say something."""

    def draw(self, now: float, typed: str) -> None:
        """Show how things stand."""


class PlainGlasses:
    """A line for each note; the prompt whenever it changes."""

    def __init__(self, timing: GlassTiming) -> None:
        self._timing = timing
        self._prompt: tuple[str, str] | None = None

    def note(self, notes: Sequence[Note]) -> None:
        """Print the words."""
        for each in notes:
            click.echo(each.words)

    def draw(self, now: float, typed: str) -> None:
        """Print what to do when that has changed."""
        words = prompt(self._timing)
        if words != self._prompt and self._timing.phase is not Phase.DONE:
            self._prompt = words
            click.echo(" ".join(words))


class LiveGlasses:
    """The picture, drawn again and again."""

    def __init__(self, timing: GlassTiming, live: Live, board: str) -> None:
        self._timing = timing
        self._live = live
        self._board = board
        self._notes: list[Note] = []

    def note(self, notes: Sequence[Note]) -> None:
        """Keep the words for the picture."""
        self._notes = [*self._notes, *notes][-20:]

    def draw(self, now: float, typed: str) -> None:
        """Draw the picture anew."""
        drawn = glass_picture(self._timing, self._notes, now, self._board, typed)
        self._live.update(drawn, refresh=True)


class GlassBoard:
    """The board's link and sensing, handed on to a `GlassTiming`."""

    def __init__(self, link: SerialLink, sensing: Sensing, timing: GlassTiming) -> None:
        self.link = link
        self._sensing = sensing
        self._timing = timing
        self._sensed_to = float("-inf")
        self._ever = False
        self._silent_at: float | None = None
        self.notes: list[Note] = []

    def poll(self, now: float) -> None:
        """Take what has come. Raises `LinkError` for a board that cannot be used, before one ever was."""
        for event in self.link.poll(now):
            self._take(event)
        self._timing.advance(now)
        if self._silent_at is None:
            self._silent_at = now + ANSWER_WITHIN
        elif not self._ever and now >= self._silent_at:
            self._silent_at = float("inf")
            words = f"{self.link.port}: no board answers yet; check cable and supply."
            self.notes.append(Note(words, Kind.WARNING))

    def _take(self, event: LinkEvent) -> None:
        self._sensed_to = t = max(event.time, self._sensed_to)
        match event:
            case SnapshotArrived():
                self._hand_on(self._sensing.feed(event.snapshot, t, event.missed))
            case Connected():
                self._ever = True
                self._timing.link_restored(event.time)
                self._hand_on(self._sensing.link_restored(t))
                self.notes.append(Note("The board is connected."))
            case Lost(_, reason, last_heard):
                self._timing.link_lost(last_heard)
                self._hand_on(self._sensing.link_lost(t))
                self.notes.append(Note(f"The board is out of reach: {link_words(reason)}.", Kind.WARNING))
            case Refused(_, reason) | Unreachable(_, reason):
                if not self._ever:
                    raise link_error(reason)
                self.notes.append(Note(link_words(reason), Kind.WARNING))
            case _:
                pass

    def _hand_on(self, sensed: Sequence[Sensed]) -> None:
        for each in sensed:
            self._timing.handle(as_event(each))


def calibrate_glasses(
    settings: GlassesSettings,
    *,
    console: Console | None = None,
    clock: Clock | None = None,
) -> int:
    """Time glasses until there are runs enough or a person ends it; then save what is complete.

    Gives the program's exit status, 0 when all that was asked for is complete, else 1.

    Raises:
        ConfigError: the configuration is refused, there is neither button nor input, or the file cannot be saved.
        WiringError: the wiring map is refused.
        LinkError: the board cannot be used.
        Stopped: it was stopped; what was complete is saved.
    """
    board = board_of(settings.config)
    console, clock = console or Console(), clock or Clock()
    port = port_of(settings.port, board.configuration)
    timing = GlassTiming(_names(settings.only, board.known), settings.runs, board.known)
    link = SerialLink(port, board.wiring.hash, board_id=board.configuration.board.board_id)
    sensing = Sensing.of_wiring(board.wiring, board.known.calibration, board.configuration.sensing, False)
    path = board.configuration.calibration_file
    check_can_be_saved(path)
    saved: KnownCalibration | None = None
    try:
        _walk(timing, GlassBoard(link, sensing, timing), board, console, clock, path)
    except Stopped:
        saved = _saved(timing, path, board.known.fitted)
        _report(timing, saved, path)
        raise
    except BaseException:
        # Minutes of somebody's patience are in these figures, whatever ended them.
        _save(path, timing.figures, board.known.fitted)
        raise
    finally:
        link.close()
    _report(timing, _saved(timing, path, board.known.fitted), path)
    return 0 if all(map(timing.figures.complete, timing.names)) else 1


def _names(only: Sequence[str], known: KnownCalibration) -> tuple[str, ...]:
    """The glasses to be timed. Raises `ConfigError` for one whose start tube the board has not."""
    possible = tuple(name for name in TIMED_NAMES if name in known.fitted)
    for name in only:
        if name not in possible:
            raise ConfigError(
                f"--only {name}: this board has no tube {name}, on which that glass is timed; "
                f"allowed: {', '.join(possible)}"
            )
    return tuple(only) or possible


def _walk(
    timing: GlassTiming, glasses: GlassBoard, board: Board, console: Console, clock: Clock, path: Path
) -> None:
    """Show the walk as the terminal allows, and loop until it is over."""
    name = f"board at {glasses.link.port}"
    if not LiveScreen.fits(console):
        with TypedLines.standard(keys=False) as typed:
            _loop(timing, glasses, board, clock, PlainGlasses(timing), typed, path)
        return
    live = Live(Text(""), console=console, screen=True, auto_refresh=False, transient=True)
    with TypedLines.standard(keys=True) as typed, live:
        _loop(timing, glasses, board, clock, LiveGlasses(timing, live, name), typed, path)


def _loop(
    timing: GlassTiming,
    glasses: GlassBoard,
    board: Board,
    clock: Clock,
    screen: GlassScreen,
    typed: TypedLines,
    path: Path,
) -> None:
    drawn_at = float("-inf")
    sounds = Sounds()
    lights = board.configuration.lights
    if board.known.problem is not None:
        old = backup_of(path).name
        screen.note(
            [
                Note(
                    f"{path} {board.known.problem}; a new one replaces it, the old one stays as {old}.",
                    Kind.WARNING,
                )
            ]
        )
    elif board.known.unmeasured:
        screen.note([Note(f"This board is {board.known.words}.")])

    def say(words: str) -> None:
        screen.note([Note(words)])

    with PanelHardware(board.configuration, board.wiring, say) as panel:
        if isinstance(panel.buttons, NoButtons) and not typed.open:
            raise ConfigError(
                "no buttons and no standard input: nobody could call a last grain; allow one of them"
            )
        while timing.phase is not Phase.DONE:
            glasses.poll(clock.now())
            for press in panel.buttons.take_events(clock.now()):
                timing.press(press)
            for line in typed.take():
                timing.typed(line, clock.now())
            now = clock.now()
            notes = [*glasses.notes, *timing.take_notes()]
            glasses.notes.clear()
            if notes:
                screen.note(notes)
                for note in notes:
                    if note.kind in _SOUNDS:
                        sounds.play(_SOUNDS[note.kind], now)
            panel.buzzer.play(sounds.tone_at(now))
            if notes or now - drawn_at >= PICTURE_SECONDS:
                drawn_at = now
                screen.draw(now, typed.line)
                panel.show(
                    glass_pixels(
                        timing.views(now),
                        timing.elsewhere,
                        timing.phase,
                        now,
                        board.wiring,
                        lights.palette,
                        lights.milliamps,
                        connected=glasses.link.connected,
                    )
                )
            clock.wait(glasses.link.fileno(), LOOK_SECONDS)


def _save(path: Path, figures: Figures, fitted: tuple[str, ...]) -> KnownCalibration | None:
    """Save what is complete beside what the file holds by now; None when nothing is."""
    if not figures.completed:
        return None
    known = merged(read_calibration(path, fitted), figures)
    save_calibration(path, known, datetime.now().astimezone())
    return known


def _saved(timing: GlassTiming, path: Path, fitted: tuple[str, ...]) -> KnownCalibration | None:
    """The same; where the disk fails, what was timed is at least printed."""
    try:
        return _save(path, timing.figures, fitted)
    except ConfigError:
        click.echo("\n".join(table_lines(timing)))
        raise


def _report(timing: GlassTiming, saved: KnownCalibration | None, path: Path) -> None:
    if not timing.figures.runs:
        click.echo("No glass was timed; nothing is saved.")
        return
    lines = table_lines(timing)
    lines += ["Nothing is complete; nothing is saved."] if saved is None else saved_lines(timing, saved, str(path))
    click.echo("\n".join(lines))
