"""``tamsk-hw sensors``: shows the reading of every sensor, as a live picture of 80 by 23 characters or once."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import click
from rich.console import Console
from rich.live import Live
from rich.style import Style
from rich.text import Text

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkStatistics, Lost, SnapshotArrived, Unreachable
from tamsk_hw.board.protocol import TIMER_FIELD, Hello, Snapshot
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import PLAYERS, Tube
from tamsk_hw.terminal.picture import (
    BAD,
    CELL,
    EDGE,
    GOOD,
    HEIGHT,
    PLAIN,
    QUIET,
    SIDE_COLUMN,
    UNSURE,
    WIDTH,
    Piece,
    Sheet,
    draw_board,
)
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.words.notices import known_words
from tamsk_hw.workbench.board import (
    Board,
    BoardState,
    Clock,
    Standing,
    await_board,
    board_of,
    flag_names,
    gaps,
    port_of,
    ring_code,
    standing,
)
from tamsk_hw.workbench.walk import write_heading

_END_A = Style(color="#ff9d5c", bold=True)
_END_B = Style(color="#5cc8ff", bold=True)
_RING = Style(color="#e8c268", bold=True)

_STYLES = {
    Standing.GONE: QUIET,
    Standing.ABOVE: UNSURE,
    Standing.LEANING_A: UNSURE,
    Standing.LEANING_B: UNSURE,
    Standing.SEATED_A: _END_A,
    Standing.SEATED_B: _END_B,
    Standing.RAIL: BAD,
}

#: The signs of a ring level: a ring, none, none below a ring, light seen while dark.
_ON, _OFF, _GAP, _DARK = "●", "·", "○", "?"

#: Follows a standing that rests on the reference build's values.
UNCALIBRATED = "?"

_SIDE = WIDTH - SIDE_COLUMN
_FLAG_ROWS = 2

#: Columns from a name to its value.
_VALUE = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorView:
    """A board's sensors as they are now.

    ``trouble``: why nothing comes; None when all is well. ``rate``: snapshots a second, None before two
    came.
    """

    port: str
    wiring: Wiring
    known: KnownCalibration
    settings: SensingSettings
    statistics: LinkStatistics
    hello: Hello | None = None
    snapshot: Snapshot | None = None
    rate: float | None = None
    trouble: str | None = None


def sensor_picture(view: SensorView) -> Text:
    """The whole picture."""
    sheet = Sheet()
    write_heading(sheet, "TAMSK sensors", view.port)
    _headline(sheet, view)
    draw_board(sheet, {tube: (_field(view, tube), _rings(view, tube)) for tube in view.wiring.tubes})
    _side(sheet, view)
    _legend(sheet, view)
    return sheet.text()


def _headline(sheet: Sheet, view: SensorView) -> None:
    if view.trouble is not None:
        lines, style = wrap(view.trouble, WIDTH - 2), BAD
        words = lines[0] if len(lines) == 1 else f"{lines[0][: WIDTH - 3]}…"
    elif view.hello is None:
        words, style = "waiting for the board", UNSURE
    else:
        version = ".".join(map(str, view.hello.firmware))
        words, style = f"board {view.hello.board_id:08x}, firmware {version}", GOOD
    sheet.write(1, 1, words, style)


def _standing(view: SensorView, index: int) -> tuple[str, Standing]:
    """A field's reading with its sign, in five columns, and what it stands for."""
    if view.snapshot is None:
        return "  -  ", Standing.GONE
    reading = view.snapshot.fields[index]
    stands = standing(reading, view.known.calibration.fields[index], view.settings)
    doubt = "" if view.known.is_measured(index) else UNCALIBRATED
    # An empty tube has no sign of its own, and needs no doubt to follow it.
    sign = f"{stands.value}{doubt}" if stands is not Standing.GONE else ""
    return f"{reading:3} {sign}", stands


def _field(view: SensorView, tube: Tube) -> tuple[Piece, ...]:
    text, stands = _standing(view, tube)
    return ((text.ljust(CELL), _STYLES[stands]),)


def _rings(view: SensorView, tube: Tube) -> tuple[Piece, ...]:
    pieces: list[Piece] = [(tube.name, PLAIN)]
    if view.snapshot is None:
        return tuple(pieces)
    code = ring_code(view.snapshot, view.wiring, tube)
    missing = gaps(code)
    pieces.append(("_" * (CELL - 2 - len(code)), EDGE))
    for level, sign in enumerate(code):
        if level in missing:
            pieces.append((_GAP, BAD))
        else:
            pieces.append({"1": (_ON, _RING), "0": (_OFF, QUIET), "?": (_DARK, UNSURE)}[sign])
    return tuple(pieces)


def _side(sheet: Sheet, view: SensorView) -> None:
    """The column beside the board."""
    snapshot, statistics = view.snapshot, view.statistics
    text, stands = _standing(view, TIMER_FIELD)
    rows: list[tuple[str, str, Style]] = [("timer", text, _STYLES[stands])]
    if snapshot is not None:
        for place, (reading, due) in enumerate(zip(snapshot.references, REFERENCE_READINGS, strict=True), 1):
            off = abs(reading - due) > view.settings.reference_margin
            rows.append((f"{place}/4 of 5 V", f"{reading:3}{' !' * off}", BAD if off else PLAIN))
        weights = zip(PLAYERS, snapshot.holders, strict=True)
        rows += [(f"{player} holder", str(reading), PLAIN) for player, reading in weights]
        names = flag_names(snapshot.faults)
        rows.append(("flags", "" if names else "none", QUIET))
        lines = wrap(" ".join(names), _SIDE - 2)[:_FLAG_ROWS]
        for place, line in enumerate(lines, 2 + len(rows)):
            sheet.write(place, SIDE_COLUMN + 1, line, UNSURE)
        rows += [("", "", PLAIN)] * _FLAG_ROWS
    rows += [
        ("snapshots", "-" if view.rate is None else f"{view.rate:.0f} a second", PLAIN),
        ("frames", str(statistics.frames), PLAIN),
        ("damaged", str(statistics.damaged), UNSURE if statistics.damaged else PLAIN),
        ("missing", str(statistics.missing), UNSURE if statistics.missing else PLAIN),
        ("resets", str(statistics.board_resets), UNSURE if statistics.board_resets else PLAIN),
        ("clock", f"{100 * statistics.clock_error:+.2f} %", PLAIN),
    ]
    for row, (name, value, style) in enumerate(rows, 2):
        sheet.write(row, SIDE_COLUMN, name, QUIET)
        sheet.write(row, SIDE_COLUMN + _VALUE, value, style)


def _legend(sheet: Sheet, view: SensorView) -> None:
    row = HEIGHT - 4
    sheet.write(row, 0, "─" * WIDTH, EDGE)
    sheet.write(row + 1, 1, "195 A  field 0-255; A B seated, a b leaning, ~ above the tube, ! end of scale", QUIET)
    sheet.write(
        row + 2, 1, f"{_ON}{_OFF}{_GAP}{_DARK}   ring, none, gap, light while dark; from the bottom up", QUIET
    )
    doubt = f"; {UNCALIBRATED} behind a sign: its field is not" if view.known.unmeasured else ""
    style = UNSURE if view.known.unmeasured or view.known.problem else QUIET
    sheet.write(row + 3, 1, f"{known_words(view.known)}{doubt}", style)


#: Seconds of listening after the first snapshot, to measure the rate.
LISTEN = 0.5

#: Seconds between two pictures.
PICTURE_SECONDS = 0.1

#: Seconds over which the rate of snapshots is measured.
_RATE_SECONDS = 1.0


class SensorWatch:
    """The link to a board, and the board's newest state."""

    def __init__(self, port: str, board: Board) -> None:
        self._board = board
        self._link = SerialLink(port, board.wiring.hash)
        self._state = BoardState()
        self._times: deque[float] = deque()

    def await_board(self, clock: Clock) -> None:
        """Wait for the board. Raises `LinkError` when it cannot be used or does not answer."""
        self._state = await_board(self._link, clock)

    def poll(self, clock: Clock, seconds: float) -> None:
        """Take the events that have come, then wait for more, at most ``seconds``.

        Raises:
            LinkError: the port cannot be opened, and never could.
        """
        now = clock.now()
        for event in self._link.poll(now):
            self._state.on_event(event)
            match event:
                case SnapshotArrived():
                    self._times.append(event.time)
                case Lost():
                    self._times.clear()
                case Unreachable() if not self.was_open:
                    raise link_error(event.reason)
                case _:
                    pass
        while self._times and self._times[0] < now - _RATE_SECONDS:
            self._times.popleft()
        clock.wait(self._link.fileno(), seconds)

    @property
    def was_open(self) -> bool:
        """The port was opened at least once."""
        return self._link.statistics.opens > 0

    def view(self) -> SensorView:
        """The present view."""
        away = self._state.away
        spent = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return SensorView(
            port=self._link.port,
            wiring=self._board.wiring,
            known=self._board.known,
            settings=self._board.configuration.sensing,
            statistics=self._link.statistics,
            hello=self._state.hello,
            snapshot=self._state.snapshot,
            rate=(len(self._times) - 1) / spent if spent > 0 else None,
            trouble=None if away is None else link_words(away),
        )

    def close(self) -> None:
        """Let the port go."""
        self._link.close()


def show_sensors(
    port: str | None,
    config: Path | None,
    *,
    once: bool,
    console: Console | None = None,
    clock: Clock | None = None,
) -> None:
    """Show the sensors until the program is stopped; ``once``, or where no live picture fits, a single time.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is refused.
        LinkError: the port cannot be opened, or, shown once, no board answers on it that may be used.
        Stopped: it was stopped; the last picture stays.
    """
    board = board_of(config)
    console, clock = console or Console(), clock or Clock()
    watch = SensorWatch(port_of(port, board.configuration), board)
    try:
        if once or not LiveScreen.fits(console):
            click.echo(_printed(_once(watch, clock), console))
        else:
            _live(watch, clock, console)
    finally:
        watch.close()


def _once(watch: SensorWatch, clock: Clock) -> SensorView:
    watch.await_board(clock)
    until = clock.now() + LISTEN
    while clock.now() < until:
        watch.poll(clock, 0.02)
    return watch.view()


def _printed(view: SensorView, console: Console) -> str:
    """The picture for printing: with colours on a terminal, plain elsewhere, never cut."""
    text = sensor_picture(view)
    if not console.is_terminal:
        return "\n".join(line.rstrip() for line in text.plain.splitlines())
    with console.capture() as capture:
        console.print(text, soft_wrap=True)
    return capture.get().rstrip("\n")


def _live(watch: SensorWatch, clock: Clock, console: Console) -> None:
    drawn_at = float("-inf")
    picture = sensor_picture(watch.view())
    try:
        with Live(picture, console=console, screen=True, auto_refresh=False, transient=True) as live:
            while True:
                watch.poll(clock, PICTURE_SECONDS / 4)
                if clock.now() >= drawn_at + PICTURE_SECONDS:
                    drawn_at = clock.now()
                    picture = sensor_picture(watch.view())
                    live.update(picture, refresh=True)
    finally:
        if watch.was_open:
            console.print(picture)
