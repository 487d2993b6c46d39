"""``tamsk-hw calibrate sensors``: the walk at the board, by buttons and lights, by keys and terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from tamsk_hw.board.calibration_file import (
    FIELD_NAMES,
    KnownCalibration,
    backup_of,
    calibration_text,
    check_can_be_saved,
    field_names,
    read_calibration,
    save_calibration,
)
from tamsk_hw.board.link import (
    Connected,
    LinkEvent,
    Lost,
    Refused,
    SelfTestDone,
    SerialLink,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol.messages import Hello, Snapshot
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import ConfigError, LinkError
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.panel.buttons import NoButtons
from tamsk_hw.panel.sounds import Sound, Sounds
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.table.panel_hardware import PanelHardware
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.words.link import link_error, link_words
from tamsk_hw.workbench.listening import Board, Clock, board_of, port_of
from tamsk_hw.workbench.sensor_calibration.lights import walk_pixels
from tamsk_hw.workbench.sensor_calibration.margins import Judgement
from tamsk_hw.workbench.sensor_calibration.picture import walk_picture
from tamsk_hw.workbench.sensor_calibration.report import report_lines
from tamsk_hw.workbench.sensor_calibration.showing import Key, Part, Showing
from tamsk_hw.workbench.sensor_calibration.walk import Walk, Wanted
from tamsk_hw.workbench.typed_lines import TypedLines

#: Seconds that a board is given to answer before the walk begins.
ANSWER_WITHIN: Final = 5.0

#: Seconds after which the loop looks at buttons and keys when the board says nothing.
LOOK_SECONDS: Final = 0.02

#: Seconds between two pictures, on the terminal and in lights.
PICTURE_SECONDS: Final = 0.1

_BUTTONS: Final = {
    (ButtonName.START, Press.SHORT): Key.GO_ON,
    (ButtonName.START, Press.LONG): Key.QUIT,
    (ButtonName.RED, Press.SHORT): Key.SKIP,
    (ButtonName.BLACK, Press.SHORT): Key.BACK,
}

_WORDS: Final = {
    "": Key.GO_ON,
    "b": Key.BACK,
    "back": Key.BACK,
    "s": Key.SKIP,
    "skip": Key.SKIP,
    "q": Key.QUIT,
    "quit": Key.QUIT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorsSettings:
    """``only``: names of `Part`, all of them when it is empty; ``tubes``: names of `FIELD_NAMES`, alike.

    ``rings_to_weigh``: rings that go into each holder.
    """

    only: Sequence[str] = ()
    tubes: Sequence[str] = ()
    rings_to_weigh: int = 32
    port: str | None = None
    config: Path | None = None


class Screen(Protocol):
    """Where the walk is shown."""

    def notice(self, words: str) -> None:
        """Say something besides."""

    def draw(self, showing: Showing, snapshot: Snapshot | None, typed: str) -> None:
        """Show how things stand."""


class PlainScreen:
    """A line for what is to be done whenever that changes, and one for what is in the way."""

    def __init__(self) -> None:
        self._prompt: tuple[str, str] | None = None
        self._trouble: str | None = None

    def notice(self, words: str) -> None:
        """Print the words."""
        click.echo(words)

    def draw(self, showing: Showing, snapshot: Snapshot | None, typed: str) -> None:
        """Print what has changed."""
        prompt = (showing.title, showing.prompt)
        if prompt != self._prompt:
            click.echo(f"{showing.title}: {showing.prompt}.")
            self._trouble = None
        if showing.trouble is not None and showing.trouble != self._trouble:
            click.echo(f"  {showing.trouble}")
        self._prompt, self._trouble = prompt, showing.trouble


class PictureScreen:
    """The board as a picture, drawn again and again."""

    def __init__(self, live: Live, wiring: Wiring, port: str) -> None:
        self._live, self._wiring, self._port = live, wiring, port
        self._notices: list[str] = []

    def notice(self, words: str) -> None:
        """Keep the words for the picture."""
        self._notices = [words]

    def draw(self, showing: Showing, snapshot: Snapshot | None, typed: str) -> None:
        """Draw the picture anew."""
        picture = walk_picture(
            showing, snapshot, self._wiring, port=self._port, notices=self._notices, typed=typed
        )
        self._live.update(picture, refresh=True)


class BoardLine:
    """The link to the board; what comes is handed to the walk once there is one."""

    def __init__(self, link: SerialLink) -> None:
        self.link = link
        self.walk: Walk | None = None
        self.hello: Hello | None = None
        self.snapshot: Snapshot | None = None
        self.away: str | None = None
        """Why the board is out of reach, in words; None while it is there."""
        self.notices: list[str] = []

    def poll(self, now: float) -> None:
        """Take what has come. Raises `LinkError` for a board that cannot be used, before one ever was."""
        for event in self.link.poll(now):
            self._take(event)
        if self.walk is not None and self.link.connected and self.walk.test_due(now):
            self.link.start_self_test()

    def _take(self, event: LinkEvent) -> None:
        walk = self.walk
        match event:
            case SnapshotArrived():
                self.snapshot = event.snapshot
                if walk is not None:
                    walk.see(event.snapshot, event.time, missed=event.missed)
            case SelfTestDone():
                if walk is not None:
                    walk.tested(event.report.shortest)
            case Connected():
                if self.away is not None:
                    self.notices.append("The board is back: it goes on where it was.")
                self.hello, self.away = event.hello, None
                if walk is not None:
                    walk.lost()  # what was under way before a reset is not known
            case Lost():
                self.away, self.snapshot = link_words(event.reason), None
                if walk is not None:
                    walk.lost()
            case Refused() | Unreachable():
                if self.hello is None:
                    raise link_error(event.reason)
                self.away = link_words(event.reason)
            case _:
                pass


def calibrate_sensors(
    settings: SensorsSettings, *, console: Console | None = None, clock: Clock | None = None
) -> int:
    """Measure what is asked for, as a person leads it; save what is complete, however it ends.

    Gives the program's exit status: 0 when all is measured and none is bad, else 1.

    Raises:
        ConfigError: the configuration or what is asked for is refused, nobody could press start, or the file
            cannot be written.
        WiringError: the wiring map is refused.
        LinkError: no board answers, or one that cannot be used.
        Stopped: it was stopped; what was complete is saved.
    """
    board = board_of(settings.config)
    wanted = wanted_of(settings, board.wiring)
    console, clock = console or Console(), clock or Clock()
    path = board.configuration.calibration_file
    check_can_be_saved(path)
    link = SerialLink(
        port_of(settings.port, board.configuration),
        board.wiring.hash,
        board_id=board.configuration.board.board_id,
    )
    try:
        line = BoardLine(link)
        hello = _connect(line, clock)
        if wanted.holders and not hello.holders:
            if Part.HOLDERS.value in settings.only:
                raise LinkError(f"board {hello.board_id:08x} has no ring holders: leave --only holders out")
            wanted = replace(wanted, holders=False)
        walk = line.walk = Walk(wanted, board.wiring, board.known, board.configuration.sensing)
        try:
            _shown(line, walk, board, console, clock)
        except BaseException:
            # Minutes of somebody's patience are in these figures, whatever ended them.
            _save(walk, path, board, early=True)
            raise
    finally:
        link.close()
    _save(walk, path, board, early=not walk.done)
    good = all(each.judgement in (Judgement.GOOD, Judgement.WEAK) for each in walk.verdicts().all)
    return 0 if good and walk.done else 1


def wanted_of(settings: SensorsSettings, wiring: Wiring) -> Wanted:
    """What is to be measured. Raises `ConfigError` for names that there are not, and for nothing at all."""
    parts = {Part(name) for name in settings.only} or set(Part)
    names = [name.upper() if name.upper() in TUBE_OF_NAME else name.lower() for name in settings.tubes]
    fitted = field_names(wiring)
    for given, name in zip(settings.tubes, names, strict=True):
        if name not in FIELD_NAMES:
            raise ConfigError(f"--tube {given}: there is no such tube; allowed are A1 to G4, and timer")
        if name not in fitted:
            raise ConfigError(f"--tube {given}: this board has no such tube; allowed are {', '.join(fitted)}")
    holders = Part.HOLDERS in parts and (not names or Part.HOLDERS.value in settings.only)
    if holders and not wiring.holders:
        if Part.HOLDERS.value in settings.only:
            raise ConfigError("--only holders: the wiring map has no ring holders")
        holders = False
    chosen = [name for name in fitted if not names or name in names]
    wanted = Wanted(
        fields=tuple(FIELD_NAMES.index(name) for name in chosen) if Part.FIELDS in parts else (),
        tubes=tuple(tube for tube in wiring.tubes if tube.name in chosen) if Part.RINGS in parts else (),
        holders=holders,
        rings_to_weigh=settings.rings_to_weigh,
    )
    if not (wanted.fields or wanted.tubes or wanted.holders):
        raise ConfigError("--only and --tube together leave nothing to be measured: the timer has no ring sensors")
    return wanted


def _connect(line: BoardLine, clock: Clock) -> Hello:
    """Wait until the board has said who it is."""
    until = clock.now() + ANSWER_WITHIN
    while line.hello is None or line.snapshot is None:
        if clock.now() >= until:
            raise LinkError(
                f"{line.link.port}: no board answers within {ANSWER_WITHIN:g} s: check cable and supply, and look "
                "with tamsk-hw frames at what comes"
            )
        line.poll(clock.now())
        clock.wait(line.link.fileno(), LOOK_SECONDS)
    return line.hello


def _shown(line: BoardLine, walk: Walk, board: Board, console: Console, clock: Clock) -> None:
    """Show the walk as the terminal allows, and loop until it is over."""
    if not LiveScreen.fits(console):
        with TypedLines.standard(keys=False) as typed:
            _loop(line, walk, board, clock, PlainScreen(), typed)
        return
    live = Live(Text(""), console=console, screen=True, auto_refresh=False, transient=True)
    with TypedLines.standard(keys=True) as typed, live:
        _loop(line, walk, board, clock, PictureScreen(live, board.wiring, line.link.port), typed)


def _loop(line: BoardLine, walk: Walk, board: Board, clock: Clock, screen: Screen, typed: TypedLines) -> None:
    lights = board.configuration.lights
    sounds = Sounds()
    drawn_at = float("-inf")
    taken, trouble = 0, None
    if board.known.problem is not None:
        screen.notice(f"{board.configuration.calibration_file} {board.known.problem}; it is replaced at the end.")
    with PanelHardware(board.configuration, board.wiring, screen.notice) as panel:
        while not walk.done:
            now = clock.now()
            line.poll(now)
            keys = [
                key
                for event in panel.buttons.take_events(now)
                if (key := _BUTTONS.get(_pressed(event))) is not None
            ]
            for words in typed.take():
                key = _WORDS.get(words.strip().lower())
                if key is None:
                    screen.notice(f"{words!r}: press Enter to go on, or type back, skip or quit.")
                else:
                    keys.append(key)
            if Key.QUIT in keys:
                return
            if isinstance(panel.buttons, NoButtons) and not typed.open:
                raise ConfigError("no buttons and no standard input: nobody could press start; allow one of them")
            for key in keys:
                if line.away is None:
                    walk.press(key, now)
            for notice in line.notices:
                screen.notice(notice)
            line.notices.clear()
            showing = walk.showing(now)
            if line.away is not None:
                away = f"The board is out of reach: {line.away}. When it is back it goes on at the same place."
                showing = replace(showing, trouble=away, awaits_start=False)
            if showing.trouble is not None and showing.trouble != trouble:
                sounds.play(Sound.VIOLATION, now)
            elif walk.taken > taken:
                sounds.play(Sound.LAST_SECONDS, now)
            changed = walk.taken > taken or showing.trouble != trouble or bool(keys)
            taken, trouble = walk.taken, showing.trouble
            panel.buzzer.play(sounds.tone_at(now))
            if changed or now - drawn_at >= PICTURE_SECONDS:
                drawn_at = now
                screen.draw(showing, line.snapshot, typed.line)
                panel.show(
                    walk_pixels(
                        showing, now, board.wiring, lights.palette, lights.milliamps, stale=line.away is not None
                    )
                )
            clock.wait(line.link.fileno(), LOOK_SECONDS)


def _pressed(event: Button) -> tuple[ButtonName, Press]:
    return event.button, event.press


def _save(walk: Walk, path: Path, board: Board, *, early: bool) -> None:
    """Save what is complete beside what the file holds by now, and say how each sensor stands."""
    verdicts = walk.verdicts()
    if any(each.judgement is not Judgement.LEFT_OUT for each in verdicts.all):
        click.echo("\n".join(report_lines(verdicts)))
    if early:
        click.echo("Ended early.")
    if not verdicts.saves_something:
        click.echo(f"Nothing was completed; {path} stays as it is.")
        return
    known = verdicts.merged(read_calibration(path, board.known.fitted))
    existed = path.exists()
    now = datetime.now().astimezone()
    try:
        save_calibration(path, known, now)
    except ConfigError:
        click.echo("This is what was to be saved; put it into that file by hand:\n")
        click.echo(calibration_text(known, now))
        raise
    before = f"; the one before is {backup_of(path).name}" if existed else ""
    click.echo(f"What was completed is saved in {path}{before}.")
    click.echo(f"This board is {_words_of(known)}.")


def _words_of(known: KnownCalibration) -> str:
    """How far the board is calibrated, now that the file is there."""
    return replace(known, modified=0.0).words
