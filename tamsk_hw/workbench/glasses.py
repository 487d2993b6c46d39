"""``tamsk-hw calibrate glasses``: measures how long each glass runs from full, in both directions.

The timing is led by buttons and lights, by keys and terminal. Lights, with a period of one second:

=====================  ====================================================================================
run down, to be turned green; barely green when that run itself is not wanted, but the one after it
running                its owner's colour; the one expected to end next at full brightness
selected               white, in turn with what it shows
an open call           those whose it may be flash white; the players' lights violet, in turn
runs, not timed        amber, dim: leave it until it has run down
missing, in the hand   pale blue swells on the tube where it belongs
wrong tube, leaning    violet
enough of it           barely lit, next to grey
players                all four white: press start when all sand is down, or when the figures may stand
=====================  ====================================================================================
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Final, assert_never

from rich.style import Style
from rich.text import Text

from tamsk_hw.board.calibration import KnownCalibration, backup_of, check_can_be_saved
from tamsk_hw.board.link_events import Connected, LinkEvent, Lost, NoAnswer, Refused, SnapshotArrived, Unreachable
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, End, Player
from tamsk_hw.panel.lights import DARK, Colour, pulse, scaled
from tamsk_hw.referee.events import Event
from tamsk_hw.terminal.picture import GOOD, HEIGHT, PLAIN, QUIET, STRONG, UNSURE, WIDTH, Sheet
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.words.notices import known_words
from tamsk_hw.workbench import figures
from tamsk_hw.workbench.board import Board, board_of, report, save_measured
from tamsk_hw.workbench.figures import TIMER
from tamsk_hw.workbench.timing import GlassTiming
from tamsk_hw.workbench.walk import COMPLAINT, Equipment, Note, Spoken, coloured, lead, write_heading

#: The brightness of a running glass that does not end next, and of a turning that is not needed (shares).
_RUNNING, _FAINT = 0.3, 0.15

_OWNER: Final[dict[str, Player]] = {tube.name: player for player in PLAYERS for tube in START_TUBES[player]}

# The rows of the notes, the newest last.
_NOTES_ROW: Final = 13
_NOTES_ROWS: Final = HEIGHT - 3 - _NOTES_ROW

_NEXT = Style(color="black", bgcolor="#e8e8e8", bold=True)

#: The first columns of the table's entries.
_NAME, _STANDS, _LEFT, _END_A, _END_B = 1, 13, 36, 45, 63
_HEADS: Final = " glass       stands                 ends in  end A down, s     end B down, s"

_PROMPTS: Final = {
    "setting up": (
        "Mark each glass with its tube's name, for good, and stand it there.",
        "Wait until all sand is down, also in the timer. Then press start.",
    ),
    "timing": (
        "Turn each green glass over on its own tube, in one go, when you like.",
        "As its last grain falls press start, or type its name and press Enter.",
    ),
    "review": ("Some runs do not agree with the others. Start keeps them;", "drop NUMBER throws one out."),
    "done": ("Done.", ""),
}

_KEYS: Final = (
    "start or Enter: last grain · red, black: select · start held: take back",
    "typed: a name (D1, timer) · back · drop 3 · void D1 (it was touched) · end",
)


# ---- the command


def calibrate_glasses(
    *,
    only: Sequence[str] = (),
    runs: int = 2,
    port: str | None = None,
    config: Path | None = None,
    equipment: Equipment | None = None,
) -> int:
    """Time glasses until there are enough runs or a person ends it; then save the complete ones.

    ``only``: names of `TIMED_NAMES`, all of them when it is empty; ``runs`` of each direction, 2 or more. Returns
    the program's exit status, 0 when all that was asked for is complete, else 1.

    Raises:
        ConfigError: the configuration is refused, there is neither button nor input, or the file cannot be saved.
        WiringError: the wiring map is refused.
        LinkError: the board cannot be used.
        Stopped: it was stopped; what was complete is saved.
    """
    board = board_of(config, port)
    names = timed_names(only, board.known)
    path = board.configuration.calibration_file
    check_can_be_saved(path)
    walk = GlassWalk(board, names, runs)
    if board.known.problem is not None:
        kept = f"a new one replaces it, the old one stays as {backup_of(path).name}"
        walk.note(f"{path} {board.known.problem}; {kept}.", COMPLAINT)
    elif board.known.unmeasured:
        walk.note(f"This board is {known_words(board.known)}.")
    with board.line() as link:
        try:
            lead(walk, link, equipment or Equipment())
        finally:
            # Minutes of somebody's patience are in these figures, whatever ended them.
            if walk.board.hello is not None:
                _keep(walk)
    return 0 if all(map(walk.figures.complete, walk.names)) else 1


def timed_names(only: Sequence[str], known: KnownCalibration) -> tuple[str, ...]:
    """The glasses to be timed. Raises `ConfigError` for one whose start tube the board has not."""
    possible = tuple(name for name in figures.TIMED_NAMES if name in known.fitted)
    for name in only:
        if name not in possible:
            raise ConfigError(
                f"--only {name}: this board has no tube {name}, on which that glass is timed; "
                f"allowed: {', '.join(possible)}"
            )
    return tuple(only) or possible


def _keep(timing: GlassTiming) -> None:
    """Save the complete glasses into the present file, and print the table."""
    if not timing.figures.runs:
        report(["No glass was timed; nothing is saved."])
        return
    report(table_lines(timing))
    if not timing.figures.completed:
        report(["Nothing is complete; nothing is saved."])
        return
    saved = save_measured(timing.setup, partial(figures.merged, figures=timing.figures))
    report(saved_lines(timing, saved))


def table_lines(timing: GlassTiming) -> list[str]:
    """The durations with their spread, the runs that do not agree, and the glasses that are missing."""
    lines = [f"{'glass':<7}{'end A down':<30}end B down"]
    session = timing.figures
    for name in timing.names:
        cells = []
        for end in figures.ENDS:
            found = session.of(name, end)
            if not found.runs:
                cells.append("–")
                continue
            runs = "1 run" if len(found.runs) == 1 else f"{len(found.runs)} runs, ±{found.half_range:.2f} s"
            cells.append(f"{found.mean:.2f} s ({runs})")
        lines.append(f"{name:<7}{cells[0]:<30}{cells[1]}".rstrip())
    lines += [f"Odd: {words}." for words in figures.run_words(session.odd)]
    dropped = [str(run.number) for run in session.runs if run.dropped]
    if dropped:
        lines.append(f"Thrown out: run {', '.join(dropped)}.")
    missing = [name for name in timing.names if not session.complete(name)]
    if missing:
        lines.append(f"Not complete, so not kept: {', '.join(missing)}.")
    return lines


def saved_lines(timing: GlassTiming, saved: KnownCalibration) -> list[str]:
    """The tolerance after saving, and the glasses still to be timed."""
    tolerance = timing.figures.tolerance()
    assert tolerance is not None
    kept = saved.calibration.sand.tolerance
    lines = [f"Tolerance {100 * kept:.2f} %: so far a run in a game may be off these durations."]
    if kept > tolerance:
        lines.append(
            f"This session alone would give {100 * tolerance:.2f} %; glasses timed earlier keep the larger one. "
            "Time all of them again to better it."
        )
    doubt = timing.figures.timer_doubt()
    if doubt is not None:
        lines.append(f"The timer's own durations may be off by {doubt:.2f} s.")
    untimed = [
        *(name for name in saved.untimed if name in saved.fitted),
        *([] if saved.timer_timed else ["timer"]),
    ]
    if untimed:
        lines.append(f"Still to be timed: {', '.join(untimed)}.")
    lines.append(f"Saved in {timing.setup.configuration.calibration_file}.")
    return lines


# ---- the walk


class GlassWalk(GlassTiming):
    """The timing at a board: its link events through sensing, and how it is shown."""

    def __init__(self, setup: Board, names: Sequence[str], runs: int) -> None:
        super().__init__(setup, names, runs)
        self._sensing = Sensing(setup.wiring, setup.known.calibration, setup.configuration.sensing, False)
        self._sensed_to = float("-inf")

    def on_link_event(self, event: LinkEvent, t: float) -> None:
        """Take what the link reports. Raises `LinkError` for a board that cannot be used, before one ever was."""
        self.board.on_event(event)
        self._sensed_to = sensed_at = max(event.time, self._sensed_to)
        sensed: Sequence[Event] = ()
        match event:
            case SnapshotArrived():
                sensed = self._sensing.feed(event.snapshot, sensed_at, event.missed)
            case Connected():
                self.note("The board is connected.")
                self.link_restored(event.time)
                sensed = self._sensing.link_restored(sensed_at)
            case Lost(_, reason, last_heard):
                self.note(f"The board is out of reach: {link_words(reason)}.", COMPLAINT)
                self.link_lost(last_heard)
                sensed = self._sensing.link_lost(sensed_at)
            case Refused(_, reason) | Unreachable(_, reason):
                if self.board.hello is None and not isinstance(reason, NoAnswer):
                    raise link_error(reason)
                self.note(link_words(reason), COMPLAINT)

        for each in sensed:
            self.handle(each)

    # ---- shown

    @property
    def prompt(self) -> tuple[str, str]:
        """The prompt in two lines."""
        if self.open_calls:
            return (
                "Whose last grain was it? Its time is kept.",
                "Select the glass with red or black, then press start; or type its name.",
            )
        return _PROMPTS[self.phase]

    def spoken(self, t: float) -> Spoken:
        """The prompt as a line."""
        return (" ".join(self.prompt),), "", ""

    def lights(self, t: float) -> bytes:
        """The lights at ``t``."""
        palette, first_half = self.setup.configuration.lights.palette, t % 1.0 < 0.5
        asked, selected = self.in_question(t), self.selection(t)
        colours = {name: self._look(glass, t)[2] for name, glass in self.glasses.items()}
        colours |= dict.fromkeys(asked, palette.ring if first_half else DARK)
        if selected is not None and first_half:
            colours[selected] = palette.ring
        colours |= {tube.name: palette.wrong for tube in self.elsewhere}
        players = [f"{player} {number}" for player in PLAYERS for number in (1, 2)]
        if asked:
            colours |= dict.fromkeys(players, palette.wrong if first_half else DARK)
        elif self.phase in ("setting up", "review"):
            colours |= dict.fromkeys(players, palette.ring)
        return coloured(colours, self.setup, stale=not self.board.connected)

    def _look(self, glass: figures.TimedGlass, t: float) -> tuple[str, Style, Colour]:
        """A glass's words with their style, and its light."""
        palette, needs = self.setup.configuration.lights.palette, self.wanting(glass.name)
        own = palette.ring if glass.name == TIMER else palette.owner[_OWNER[glass.name]]
        end = "" if glass.sand is None else f", end {glass.sand.end}"
        standing = glass.standing(t)
        match standing:
            case "missing":
                return "missing", UNSURE, scaled(palette.belongs, pulse(t))
            case "in the hand":
                return "in the hand", UNSURE, scaled(palette.belongs, pulse(t))
            case "leaning":
                return "leaning", UNSURE, palette.wrong
            case _ if self.phase == "setting up":
                return f"stands{end}", PLAIN, scaled(own, _RUNNING)
            case "running":
                return f"runs{end}", STRONG, own if self.ends_next(glass.name) else scaled(own, _RUNNING)
            case "runs, not timed":
                return f"does not count{end}", UNSURE, scaled(palette.doubtful, _RUNNING)
            case "run down" if not any(needs.values()):
                return f"done{end}", QUIET, palette.lost
            case "run down":
                helps = glass.sand is not None and needs[glass.sand.end.other] > 0
                return f"turn over{end}", GOOD, scaled(palette.destination, 1.0 if helps else _FAINT)
            case _:
                assert_never(standing)

    def picture(self, t: float, notes: Sequence[Note], typed: str) -> Text:
        """The glasses as they are now."""
        sheet = Sheet()
        write_heading(sheet, "TAMSK glasses", f"board at {self.setup.port}")
        for row, line in enumerate(self.prompt, 1):
            sheet.write(row, 1, line, UNSURE if self.open_calls else GOOD)
        sheet.write(4, 0, _HEADS, QUIET)
        for row, glass in enumerate(self.glasses.values(), 5):
            self._write_row(sheet, row, glass, t)
        lines = [(line, sound) for text, sound in notes for line in wrap(text, WIDTH - 2, subsequent_indent="  ")]
        for row, (line, sound) in enumerate(lines[-_NOTES_ROWS:], _NOTES_ROW):
            sheet.write(row, 1, line, UNSURE if sound is COMPLAINT else PLAIN)
        sheet.write(HEIGHT - 3, 1, _KEYS[0], QUIET)
        sheet.write(HEIGHT - 2, 1, _KEYS[1], QUIET)
        sheet.write(HEIGHT - 1, 1, f"> {typed[-(WIDTH - 6) :]}_", STRONG)
        return sheet.text()

    def _write_row(self, sheet: Sheet, row: int, glass: figures.TimedGlass, t: float) -> None:
        """Write a glass's row."""
        name, ends, is_next = glass.name, self.expected_ends(), self.ends_next(glass.name)
        sign = "?" if name in self.in_question(t) else ">" if name == self.selection(t) else " "
        sheet.write(row, 0, sign, UNSURE)
        at = sheet.write(row, _NAME, name, _NEXT if is_next else STRONG)
        sheet.write(row, at + 1, str(_OWNER.get(name, "")), QUIET)
        words, style, _ = self._look(glass, t)
        sheet.write(row, _STANDS, words, style)
        if name in ends:
            sheet.write(row, _LEFT, _minutes(ends[name] - t), _NEXT if is_next else PLAIN)
        for column, end in ((_END_A, End.A), (_END_B, End.B)):
            found, needs = self.figures.of(name, end), self.wanting(name)[end]
            sheet.write(row, column, _short(found), UNSURE if found.odd else PLAIN)
            done = len(found.runs)
            sheet.write(row, column + 12, f"{done}/{done + needs}", GOOD if not needs else QUIET)


def _short(found: figures.Direction) -> str:
    if not found.runs:
        return "–"
    spread = f" ±{found.half_range:.1f}" if len(found.runs) > 1 else ""
    return f"{found.mean:.1f}{spread}"


def _minutes(seconds: float) -> str:
    whole = abs(round(seconds))
    return f"{'-' if seconds < 0 and whole else ''}{whole // 60}:{whole % 60:02d}"
