"""The guided walks at a board: self-test, calibration of the sensors, calibration of the glasses.

A walk is pure: link events, presses, keys and the time come in; words, a picture of 80 by 24, lights (three bytes
for each pixel) and tones come out. `lead` gives it a board, a panel, a keyboard and a screen. Lights:

====================  ==================================================================================
a test: felt now      white
a test: wrong         violet
a test: done          green; amber while only some of a tube's sensors are done
set the glass here    green, steady
turn it over          green and dark, twice a second
take this away        violet, once a second
rings are missing     white, steady
next                  pale blue, dim
measured              green, barely lit
measured, and bad     amber
press start           both players' lights white, swelling
====================  ==================================================================================

While the board is out of reach all lights are shown at a quarter, as in a game.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from textwrap import wrap
from typing import Final, Self

import click
from rich.console import Console
from rich.live import Live
from rich.style import Style
from rich.text import Text

from tamsk_hw.board.link_events import LinkEvent, LinkStatistics
from tamsk_hw.board.protocol import RingSignals, Snapshot
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.errors import ConfigError, printable
from tamsk_hw.game.tubes import PLAYERS, TUBE_OF_NAME, Tube
from tamsk_hw.panel.hardware import PanelNotice
from tamsk_hw.panel.lights import DARK, STALE_LEVEL, Colour, Palette, capped, pixel_names, pulse, scaled
from tamsk_hw.panel.sounds import Sound, Sounds
from tamsk_hw.referee.events import Button
from tamsk_hw.table.loop import PanelHardware
from tamsk_hw.terminal import picture
from tamsk_hw.terminal.keyboard import Keyboard, Typing
from tamsk_hw.terminal.picture import Cell, Piece, Sheet
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.words.hardware import panel_words
from tamsk_hw.workbench.board import Board, BoardState, Clock
from tamsk_hw.workbench.measurements import Signals

#: Seconds that one wait for the board takes at most: buttons, keys and tones are looked at as often.
LOOK_SECONDS: Final = 0.02

#: Seconds between two pictures on the terminal while nobody does anything.
PICTURE_SECONDS: Final = 0.1

#: Notes that the picture keeps.
_KEPT: Final = 20


class Answer(Enum):
    """An answer, given by a key or by a button."""

    YES = "yes"
    """Yes, or go on."""
    NO = "no"
    BACK = "back"
    """The question or the step before once more."""
    SKIP = "skip"
    """Leave this part out."""
    QUIT = "quit"
    """End the walk."""


_ACT_HERE: Final = Style(color="black", bgcolor="#3ddc68", bold=True)
_TAKE_AWAY: Final = Style(color="white", bgcolor="#9b30d0", bold=True)


class Mark(Enum):
    """The state of a place: in a test of a pixel, a ring sensor or an end of a glass, else of a tube.

    Each has its sign and style in a picture, its meaning, its light, and seconds of a blink (0: steady). The signs
    differ without colour, too.
    """

    WAITING = "·", picture.QUIET, "not yet", lambda palette: DARK
    NOW = "●", picture.STRONG, "now", lambda palette: palette.ring
    SEEN = "+", picture.GOOD, "seen", lambda palette: palette.destination
    FAULTY = "!", picture.BAD, "wrong", lambda palette: palette.wrong
    HERE = "▼", _ACT_HERE, "set it here", lambda palette: palette.destination
    TURN = "↻", _ACT_HERE, "turn it over", lambda palette: palette.destination, 0.5
    WRONG = "✗", _TAKE_AWAY, "take this away", lambda palette: palette.wrong, 1.0
    MISSING = "○", Style(color="black", bgcolor="white", bold=True), "rings missing", lambda palette: palette.ring
    NEXT = "›", Style(color="#9db7f0"), "next", lambda palette: scaled(palette.belongs, 0.15)
    DONE = "✓", Style(color="#3ddc68"), "measured", lambda palette: scaled(palette.destination, 0.06)
    DOUBTFUL = "!", picture.UNSURE, "bad", lambda palette: palette.doubtful

    def __init__(
        self, sign: str, style: Style, meaning: str, light: Callable[[Palette], Colour], blink: float = 0.0
    ) -> None:
        self.sign: Piece = sign, style
        self.meaning, self.light, self.blink = meaning, light, blink


#: Marks by the name of their place: a tube's (``"D4"``), ``"timer"``, ``"red 1"``.
Marks = Mapping[str, tuple[Mark, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A request to the person at the board.

    ``title``: where in the walk this is. ``words``: what to do. ``answers``: what each answer means here.
    ``progress`` counts; ``notice``: what was noticed last; ``trouble``: what is in the way. ``awaits_start``: the
    players' lights ask for the start button. ``keys_only``: the start button gives no answer.
    """

    title: str
    words: str
    answers: Mapping[Answer, str] = field(default_factory=dict)
    marks: Marks = field(default_factory=dict)
    progress: str = ""
    notice: str = ""
    trouble: str = ""
    awaits_start: bool = False
    keys_only: bool = False


#: Something that the person at the board should know besides the prompt, and its sound, if it is heard, too.
Note = tuple[str, Sound | None]

#: The sounds of what was taken, and of what does not count or is asked.
TAKEN: Final = Sound.LAST_SECONDS
COMPLAINT: Final = Sound.VIOLATION

#: A prompt in lines: what to do, what was noticed last, what is in the way.
Spoken = tuple[tuple[str, ...], str, str]


class Step:
    """A step of a walk. Times are seconds of one clock that never goes back. The defaults do nothing."""

    def __init__(self) -> None:
        self.over = False
        """True when the step has come to its end."""
        self.signals = Signals()
        """The signals of the ring sensors since the moment from which on they count."""

    def on_snapshot(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""

    def restart(self) -> None:
        """Start the present run of snapshots again, since some were missed."""

    def on_signals(self, told: RingSignals) -> None:
        """Take the signals of a converter's ring sensors."""
        self.signals.take(told)

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer; never `Answer.SKIP` or `Answer.QUIT`, which are the walk's own."""

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""

    def prompt(self) -> Prompt:
        """The present prompt."""
        raise NotImplementedError


class Walk:
    """A guided walk. Times are seconds of one clock that never goes back. The defaults do nothing."""

    #: On a terminal each key is an answer by itself.
    single_keys = False

    #: Somebody must be able to press or type something; without that the walk is refused.
    must_be_led = True

    def __init__(self, setup: Board) -> None:
        self.setup = setup
        """The board as it is configured and known."""
        self.board = BoardState()
        """The board as its link reports it."""
        self.statistics = LinkStatistics()
        self.can_type = True
        """True as long as more may be typed."""
        self.notes: list[Note] = []
        """The notes that have not been shown yet."""
        self.sounds = Sounds()

    @property
    def over(self) -> bool:
        """True when the walk has ended, completed or not."""
        return False

    # ---- what comes in

    def on_link_event(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a board that the walk cannot begin with."""

    def on_press(self, button: Button, t: float) -> None:
        """Take the press of a button."""

    def on_typed(self, text: str, t: float) -> None:
        """Take a line that was typed, or a key."""

    def on_panel_notice(self, notice: PanelNotice) -> None:
        """Take what the panel's hardware reports."""
        self.note(panel_words(notice))

    def advance(self, t: float) -> None:
        """Time has passed to ``t``."""

    # ---- what comes out

    def spoken(self, t: float) -> Spoken:
        """The prompt at ``t`` in lines."""
        raise NotImplementedError

    def picture(self, t: float, notes: Sequence[Note], typed: str) -> Text:
        """The prompt at ``t`` as a picture. ``notes``: the last ones, the newest at the end."""
        raise NotImplementedError

    def lights(self, t: float) -> bytes:
        """The lights at ``t``: three bytes a pixel, within the configured current."""
        raise NotImplementedError

    def tone(self, t: float) -> float | None:
        """The buzzer's tone at ``t`` in hertz, None for silence."""
        return self.sounds.tone_at(t)

    # ---- for the walks themselves

    def note(self, words: str, sound: Sound | None = None) -> None:
        """Keep a note for the screen, and for the ear, if it has a sound."""
        self.notes.append((words, sound))


# ---- a prompt shown, as lights and as a picture

#: Columns beside the board.
_SIDE: Final = picture.WIDTH - picture.SIDE_COLUMN - 1


def coloured(colours: Mapping[str, Colour], setup: Board, *, stale: bool = False) -> bytes:
    """The whole picture in the chain's order, within the configured current: these places, the others dark.

    Places that are not fitted are ignored. ``stale``: the board is out of reach.
    """
    picture = bytearray(3 * setup.wiring.pixel_count)
    pixels = pixel_names(setup.wiring)
    for name, colour in colours.items():
        if name in pixels:
            start = 3 * pixels[name]
            picture[start : start + 3] = bytes(scaled(colour, STALE_LEVEL) if stale else colour)
    return capped(bytes(picture), setup.configuration.lights.milliamps)


def prompt_lights(prompt: Prompt, t: float, setup: Board, *, stale: bool = False) -> bytes:
    """The lights for ``prompt`` at time ``t`` (seconds, any origin)."""
    palette = setup.configuration.lights.palette
    colours = {name: _colour(marks, t, palette) for name, marks in prompt.marks.items()}
    if prompt.awaits_start:
        swelling = scaled(palette.ring, pulse(t))
        colours |= {f"{player} {number}": swelling for player in PLAYERS for number in (1, 2)}
    return coloured(colours, setup, stale=stale)


def _colour(marks: tuple[Mark, ...], t: float, palette: Palette) -> Colour:
    """The colour of one place: the most pressing of its marks."""
    pressing = [mark for mark in (Mark.NOW, Mark.FAULTY) if mark in marks]
    if not pressing and Mark.SEEN in marks and len(set(marks)) > 1:
        return palette.doubtful
    look = (*pressing, *marks, Mark.WAITING)[0]
    is_lit = not look.blink or t % look.blink < look.blink / 2
    return look.light(palette) if is_lit else DARK


def write_heading(sheet: Sheet, heading: str, corner: str) -> None:
    """Write the first row: ``heading`` on the left, the end of ``corner`` on the right."""
    at = sheet.write(0, 1, heading, picture.STRONG)
    room = picture.WIDTH - at - 4
    cut = corner if len(corner) <= room else f"…{corner[1 - room :]}"
    sheet.write(0, picture.WIDTH - 1 - len(cut), cut, picture.QUIET)


def prompt_picture(
    prompt: Prompt,
    *,
    heading: str,
    corner: str,
    cells: Mapping[Tube, Cell],
    beside: Sequence[Sequence[Piece]],
    footer: Sequence[Piece],
) -> Text:
    """The whole picture.

    ``cells``: what stands in the tubes, empty where no board is shown; ``beside``: the rows for what lies beside
    it; ``footer``: the last rows, how to answer.
    """
    sheet = Sheet()
    write_heading(sheet, heading, corner)
    last = picture.HEIGHT - len(footer) - 1
    row, column, room = (2, picture.SIDE_COLUMN, _SIDE) if cells else (5, 4, picture.WIDTH - 8)
    rows = [(line, picture.STRONG) for line in wrap(prompt.title, room)]
    rows += [("", picture.PLAIN), *((line, picture.GOOD) for line in wrap(prompt.words, room))]
    for aside in (prompt.notice, prompt.trouble):
        if aside:
            rows += [("", picture.PLAIN), *((line, picture.UNSURE) for line in wrap(printable(aside), room))]
    for line, style in rows[: last - 1 - row]:
        sheet.write(row, column, line, style)
        row += 1
    picture.draw_board(sheet, cells)
    for pieces in beside[: max(0, last - 2 - row)]:
        row += 1
        _write_pieces(sheet, row, picture.SIDE_COLUMN, pieces)
    shown = {mark for marks in prompt.marks.values() for mark in marks}
    legend = [(mark.sign, (f" {mark.meaning}   ", picture.QUIET)) for mark in Mark if mark in shown]
    _write_pieces(sheet, last - 1, 1, [piece for pair in legend for piece in pair])
    sheet.write(last, 0, "─" * picture.WIDTH, picture.EDGE)
    for place, (line, style) in enumerate(footer, last + 1):
        sheet.write(place, 1, line[: picture.WIDTH - 2], style)
    return sheet.text()


def _write_pieces(sheet: Sheet, row: int, column: int, pieces: Sequence[Piece]) -> None:
    for text, style in pieces:
        column = sheet.write(row, column, text, style)


def marks_in_cells(prompt: Prompt) -> dict[Tube, Cell]:
    """The tubes with their marks, each under its name."""
    cells: dict[Tube, Cell] = {}
    for name, marks in prompt.marks.items():
        if name in TUBE_OF_NAME:
            lower = ((" " * ((picture.CELL - len(marks)) // 2), picture.EDGE), *(mark.sign for mark in marks))
            cells[TUBE_OF_NAME[name]] = ((f"  {name}".ljust(picture.CELL), picture.PLAIN),), lower
    return cells


def marks_beside(prompt: Prompt) -> list[list[Piece]]:
    """The other places with their marks, a row each."""
    return [
        [(f"{name:8} ", picture.QUIET), *(mark.sign for mark in marks)]
        for name, marks in prompt.marks.items()
        if name not in TUBE_OF_NAME
    ]


# ---- leading


class WalkScreen:
    """Shows a walk while it is entered: a live picture on ``console``, or without one lines."""

    def __init__(self, console: Console | None) -> None:
        self._live: Live | None = None
        if console is not None:
            self._live = Live(Text(""), console=console, screen=True, auto_refresh=False, transient=True)
        self._notes: deque[Note] = deque(maxlen=_KEPT)
        self._drawn: Text | None = None
        self._spoken: Spoken = ((), "", "")

    def note(self, note: Note) -> None:
        """Show a note."""
        self._notes.append(note)
        if self._live is None:
            click.echo(printable(note[0]))

    def show(self, walk: Walk, t: float, typed: str) -> None:
        """Show the walk at ``t``; ``typed``: the line that is being typed."""
        if self._live is None:
            self._print(walk.spoken(t))
        elif (picture := walk.picture(t, list(self._notes), typed)) != self._drawn:
            self._drawn = picture
            self._live.update(picture, refresh=True)

    def _print(self, spoken: Spoken) -> None:
        """Print the lines that have changed."""
        (task, notice, trouble), (task_before, notice_before, trouble_before) = spoken, self._spoken
        self._spoken = spoken
        lines = [f"  {notice}"] if notice and notice != notice_before else []
        if task != task_before:
            lines += task
        if trouble and (trouble, task) != (trouble_before, task_before):
            lines.append(f"  {trouble}")
        for line in lines:
            click.echo(printable(line))

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """Console, clock, keyboard, screen and panel of a walk; by default standard input and the console."""

    console: Console = field(default_factory=Console)
    clock: Clock = field(default_factory=Clock)
    keyboard: Keyboard | None = None
    screen: WalkScreen | None = None
    open_panel: Callable[[Configuration, Wiring, Callable[[PanelNotice], None]], PanelHardware] = PanelHardware


def lead(walk: Walk, link: SerialLink | None, equipment: Equipment, *, alone: bool = False) -> None:
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
        screen = stack.enter_context(equipment.screen or WalkScreen(equipment.console if live else None))
        panel = None
        if not alone:
            setup = walk.setup
            opened = equipment.open_panel(setup.configuration, setup.wiring, walk.on_panel_notice)
            panel = stack.enter_context(opened)
        shown_at = float("-inf")
        while not walk.over:
            now = equipment.clock.now()
            if link is not None:
                events = link.poll(now)
                walk.statistics = link.statistics
                for event in events:
                    walk.on_link_event(event, now)
            acted = _take_from_person(walk, panel, keyboard, now)
            walk.advance(now)
            notes, walk.notes = walk.notes, []
            for words, sound in notes:
                screen.note((words, sound))
                if sound is not None:
                    walk.sounds.play(sound, now)
            if walk.over:
                return
            if panel is not None:
                panel.show(walk.lights(now))
                panel.buzzer.play(walk.tone(now))
            if acted or notes or now >= shown_at + PICTURE_SECONDS:
                shown_at = now
                screen.show(walk, now, keyboard.line)
            equipment.clock.wait(None if link is None else link.fileno(), LOOK_SECONDS)


def _take_from_person(walk: Walk, panel: PanelHardware | None, keyboard: Keyboard, now: float) -> bool:
    """Pass on typed texts and pressed buttons; True when there were any."""
    texts = keyboard.take()
    presses = [] if panel is None else panel.buttons.take_events(now)
    walk.can_type = keyboard.open
    if panel is not None and walk.must_be_led and not panel.buttons.are_wired and not keyboard.open:
        raise ConfigError("no buttons and no standard input: nobody could press start; allow one of them")
    for press in presses:
        walk.on_press(press, now)
    for text in texts:
        walk.on_typed(text, now)
    return bool(texts or presses)
