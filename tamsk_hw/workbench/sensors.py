"""``tamsk-hw sensors``: shows the reading of every sensor, as a live picture of 80 by 23 characters or once."""

from collections import deque
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from textwrap import wrap

import click
from rich.console import Console
from rich.style import Style
from rich.text import Text

from tamsk_hw.board.calibration import KnownCalibration
from tamsk_hw.board.link_events import LinkEvent, Lost, SnapshotArrived, Unreachable
from tamsk_hw.board.protocol import RING_INPUTS, TIMER_FIELD, RingSignal
from tamsk_hw.board.ring_sensing import is_near
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.game.tubes import PLAYERS, Tube
from tamsk_hw.terminal import picture
from tamsk_hw.terminal.picture import Cell, Piece, Sheet
from tamsk_hw.terminal.screen import LiveScreen
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.words.notices import known_words
from tamsk_hw.workbench import board as boards
from tamsk_hw.workbench.sensor_steps import dead_multiplexers
from tamsk_hw.workbench.walk import Equipment, Note, Walk, WalkScreen, lead, write_heading

_END_A = Style(color="#ff9d5c", bold=True)
_END_B = Style(color="#5cc8ff", bold=True)
_RING = Style(color="#e8c268", bold=True)

#: The styles of standings; that of all others is unsure.
_STYLES = {
    boards.Standing.GONE: picture.QUIET,
    boards.Standing.SEATED_A: _END_A,
    boards.Standing.SEATED_B: _END_B,
    boards.Standing.RAIL: picture.BAD,
}

#: The signs of a ring level: a ring, none, none below a ring, unknown, its converter does not answer.
_ON, _OFF, _GAP, _UNKNOWN, _SILENT = "●", "·", "○", "?", "x"

#: Follows the counts of a sensor that is near to its threshold; sensors in a row of the table.
_NEAR, _CELLS = "!", 4

#: Follows a standing that rests on the reference build's values.
UNCALIBRATED = "?"

_SIDE = picture.WIDTH - picture.SIDE_COLUMN
_FLAG_ROWS = 2

#: Columns from a name to its value.
_VALUE = 14


#: Seconds of listening after the first snapshot: to measure the rate, and until each ring sensor was told of.
LISTEN = 1.2

#: Seconds over which the rate of snapshots is measured.
_RATE_SECONDS = 1.0


class SensorsWalk(Walk):
    """The sensors of the board ``setup``. Nothing is asked, and only the program's stop ends it."""

    def __init__(self, setup: boards.Board) -> None:
        super().__init__(setup)
        self._times: deque[float] = deque()

    def on_link_event(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a port that cannot be opened, and never could."""
        self.board.on_event(event)
        match event:
            case SnapshotArrived():
                self._times.append(event.time)
            case Lost():
                self._times.clear()
            case Unreachable() if not self.statistics.opens:
                raise link_error(event.reason)

    def advance(self, t: float) -> None:
        """Forget snapshots too old to count for the rate."""
        while self._times and self._times[0] < t - _RATE_SECONDS:
            self._times.popleft()

    @property
    def rate(self) -> float | None:
        """Snapshots a second, None before two came."""
        spent = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return (len(self._times) - 1) / spent if spent > 0 else None

    def picture(self, t: float, notes: Sequence[Note] = (), typed: str = "") -> Text:
        """The whole picture."""
        sheet = Sheet()
        write_heading(sheet, "TAMSK sensors", self.setup.port)
        _headline(sheet, self.board)
        wiring = self.setup.wiring
        silent = {} if self.board.snapshot is None else dead_multiplexers(wiring, self.board.snapshot)
        # Of a dead multiplexer the reference is marked, not each field.
        dead = frozenset(place for place, channel in wiring.inputs.items() if channel.mux in silent)
        cells: dict[Tube, Cell] = {}
        for tube in wiring.tubes:
            reading, style = _field(self, tube, dead)
            cells[tube] = [(reading.ljust(picture.CELL), style)], _rings(self, tube)
        picture.draw_board(sheet, cells)
        _side(sheet, self, *_field(self, TIMER_FIELD, dead))
        _legend(sheet, self.setup.known)
        return sheet.text()


def _headline(sheet: Sheet, board: boards.BoardState) -> None:
    if board.away is not None:
        lines, style = wrap(link_words(board.away), picture.WIDTH - 2), picture.BAD
        words = lines[0] if len(lines) == 1 else f"{lines[0][: picture.WIDTH - 3]}…"
    elif board.hello is None:
        words, style = "waiting for the board", picture.UNSURE
    else:
        version = ".".join(map(str, board.hello.firmware))
        words, style = f"board {board.hello.board_id:08x}, firmware {version}", picture.GOOD
    sheet.write(1, 1, words, style)


def _field(walk: SensorsWalk, index: int, dead: frozenset[int]) -> tuple[str, Style]:
    """A field's reading with its sign, in five columns."""
    if walk.board.snapshot is None:
        return "  -  ", picture.QUIET
    reading, known = walk.board.snapshot.fields[index], walk.setup.known
    stands = walk.setup.standing(walk.board.snapshot, index)
    doubt = "" if known.is_measured(index) else UNCALIBRATED
    # An empty tube has no sign of its own, and needs no doubt to follow it.
    sign = f"{stands.value}{doubt}" if stands is not boards.Standing.GONE else ""
    return f"{reading:3} {sign}", picture.QUIET if index in dead else _STYLES.get(stands, picture.UNSURE)


def _rings(walk: SensorsWalk, tube: Tube) -> tuple[Piece, ...]:
    pieces: list[Piece] = [(tube.name, picture.PLAIN)]
    if walk.board.snapshot is None:
        return tuple(pieces)
    code = boards.ring_code(walk.board.snapshot, walk.setup.wiring, tube)
    missing, bits = boards.gaps(code), walk.setup.wiring.ring_bits[tube]
    pieces.append(("_" * (picture.CELL - 2 - len(code)), picture.EDGE))
    for level, sign in enumerate(code):
        if _is_silent(walk.board.signals.get(bits[level])):
            pieces.append((_SILENT, picture.QUIET))
        elif level in missing:
            pieces.append((_GAP, picture.BAD))
        else:
            pieces.append({"1": (_ON, _RING), "0": (_OFF, picture.QUIET), "?": (_UNKNOWN, picture.UNSURE)}[sign])
    return tuple(pieces)


def _side(sheet: Sheet, walk: SensorsWalk, timer: str, style: Style) -> None:
    """The column beside the board; the timer's field comes first."""
    snapshot, statistics = walk.board.snapshot, walk.statistics
    rows: list[tuple[str, str, Style]] = [("timer", timer, style)]
    if snapshot is not None:
        for place, (reading, due) in enumerate(zip(snapshot.references, REFERENCE_READINGS, strict=True), 1):
            off = abs(reading - due) > walk.setup.configuration.sensing.reference_margin
            rows.append((f"{place}/4 of 5 V", f"{reading:3}{' !' * off}", picture.BAD if off else picture.PLAIN))
        weights = zip(PLAYERS, snapshot.holders, strict=True)
        rows += [(f"{player} holder", str(reading), picture.PLAIN) for player, reading in weights]
        names = boards.flag_names(snapshot.faults)
        rows.append(("flags", "" if names else "none", picture.QUIET))
        lines = wrap(" ".join(names), _SIDE - 2)[:_FLAG_ROWS]
        for place, line in enumerate(lines, 2 + len(rows)):
            sheet.write(place, picture.SIDE_COLUMN + 1, line, picture.UNSURE)
        rows += [("", "", picture.PLAIN)] * _FLAG_ROWS
    rows += _weakest(walk)
    rows += [
        ("snapshots", "-" if walk.rate is None else f"{walk.rate:.0f} a second", picture.PLAIN),
        ("frames", str(statistics.frames), picture.PLAIN),
        ("damaged", str(statistics.damaged), picture.UNSURE if statistics.damaged else picture.PLAIN),
        ("missing", str(statistics.missing), picture.UNSURE if statistics.missing else picture.PLAIN),
        ("resets", str(statistics.board_resets), picture.UNSURE if statistics.board_resets else picture.PLAIN),
        ("clock", f"{100 * statistics.clock_error:+.2f} %", picture.PLAIN),
    ]
    for row, (name, value, style) in enumerate(rows, 2):
        sheet.write(row, picture.SIDE_COLUMN, name, picture.QUIET)
        sheet.write(row, picture.SIDE_COLUMN + _VALUE, value, style)


def _weakest(walk: SensorsWalk) -> list[tuple[str, str, Style]]:
    """The ring with the least signal beyond its sensor's threshold: its place, counts and threshold."""
    rings = walk.board.snapshot.rings if walk.board.snapshot is not None else 0
    places = boards.ring_places(walk.setup.wiring)
    found = [
        (signal.counts - signal.threshold_counts, places[bit], signal)
        for bit, signal in walk.board.signals.items()
        if bit in places and rings >> bit & 1 and signal.counts is not None
    ]
    if not found:
        return []
    _, place, signal = min(found, key=lambda each: each[0])
    text = _signal(signal, ring=True)
    return [("weakest ring", f"{place} {text}", picture.BAD if text.endswith(_NEAR) else picture.PLAIN)]


def signal_lines(walk: SensorsWalk) -> list[str]:
    """A table of all ring sensors: the counts of each, its threshold, and the reading without light."""
    board, cells, silent = walk.board, [], set()
    rings = board.snapshot.rings if board.snapshot is not None else 0
    for bit, place in sorted(boards.ring_places(walk.setup.wiring).items(), key=lambda each: each[1]):
        signal = board.signals.get(bit)
        if _is_silent(signal):
            silent.add(bit // RING_INPUTS)
        elif signal is None:
            cells.append(f"{place} no signal yet")
        else:
            cells.append(f"{place} {_signal(signal, ring=bool(rings >> bit & 1))} ({signal.dark_counts})")
    rows = [cells[at : at + _CELLS] for at in range(0, len(cells), _CELLS)]
    lines = ["".join(f"{cell:{picture.WIDTH // _CELLS}}" for cell in row).rstrip() for row in rows]
    if lines:
        lines.insert(0, f"ring sensors: counts/threshold (dark reading); {_NEAR} is near to its threshold")
    if silent:
        lines.append(f"no answer from converter {' '.join(map(str, sorted(silent)))}, or not connected: {_SILENT}")
    return lines


def _is_silent(signal: RingSignal | None) -> bool:
    """The converter of this sensor does not answer."""
    return signal is not None and signal.is_silent


def _signal(signal: RingSignal, *, ring: bool) -> str:
    if signal.counts is None:
        return "bright"
    near = _NEAR if is_near(signal.counts, signal.threshold_counts, ring) else ""
    return f"{signal.counts:.0f}/{signal.threshold_counts:.0f}{near}"


def _legend(sheet: Sheet, known: KnownCalibration) -> None:
    row = picture.HEIGHT - 4
    sheet.write(row, 0, "─" * picture.WIDTH, picture.EDGE)
    fields = "195 A  field 0-255; A B seated, a b leaning, ~ above the tube, ! end of scale"
    rings = f"{_ON}{_OFF}{_GAP}{_UNKNOWN}{_SILENT} ring, none, gap, unknown, no converter; from the bottom up"
    sheet.write(row + 1, 1, fields, picture.QUIET)
    sheet.write(row + 2, 1, rings, picture.QUIET)
    doubt = f"; {UNCALIBRATED} behind a sign: its field is not" if known.unmeasured else ""
    style = picture.UNSURE if known.unmeasured or known.problem else picture.QUIET
    sheet.write(row + 3, 1, f"{known_words(known)}{doubt}", style)


def show_sensors(
    port: str | None,
    config: Path | None,
    *,
    once: bool,
    console: Console | None = None,
    clock: boards.Clock | None = None,
) -> None:
    """Show the sensors until the program is stopped; ``once``, or where no live picture fits, a single time.

    Raises:
        ConfigError: the configuration is refused.
        WiringError: the wiring map is refused.
        LinkError: the port cannot be opened, or, shown once, no board answers on it that may be used.
        Stopped: it was stopped; the last picture stays.
    """
    board = boards.board_of(config, port)
    console, clock = console or Console(), clock or boards.Clock()
    walk = SensorsWalk(board)
    thresholds = board.known.thresholds(board.wiring)
    with closing(SerialLink(board.port, board.wiring.hash, thresholds=thresholds)) as link:
        if once or not LiveScreen.fits(console):
            walk.board = boards.await_board(link, clock)
            for events in boards.polls_within(link, clock, LISTEN):
                walk.statistics = link.statistics
                for event in events:
                    walk.on_link_event(event, event.time)
            click.echo(_printed(walk.picture(clock.now()), console))
            boards.report(["", *signal_lines(walk)])
            return
        equipment = Equipment(console=console, clock=clock, screen=WalkScreen(console))
        try:
            lead(walk, link, equipment, alone=True)
        finally:
            if walk.statistics.opens:
                console.print(walk.picture(clock.now()))


def _printed(text: Text, console: Console) -> str:
    """The picture for printing: with colours on a terminal, plain elsewhere, never cut."""
    if not console.is_terminal:
        return "\n".join(line.rstrip() for line in text.plain.splitlines())
    with console.capture() as capture:
        console.print(text, soft_wrap=True)
    return capture.get().rstrip("\n")
