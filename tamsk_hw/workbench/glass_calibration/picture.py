"""What is written while glasses are timed: the picture for a terminal of 80 by 24, and the table at the end."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from rich.style import Style
from rich.text import Text

from tamsk_hw.board.calibration_file import KnownCalibration
from tamsk_hw.game.players import PLAYERS, START_TUBES, End
from tamsk_hw.terminal.hexagon import HEIGHT, PLAIN, WIDTH, Sheet
from tamsk_hw.workbench.glass_calibration.figures import ENDS, Direction, run_words
from tamsk_hw.workbench.glass_calibration.session import GlassTiming, Phase
from tamsk_hw.workbench.glass_calibration.state import GlassView, Kind, Note, Standing

# The rows of the notes, the newest last.
_NOTES_ROW: Final = 13
_NOTES_ROWS: Final = HEIGHT - 3 - _NOTES_ROW

_QUIET = Style(color="grey50")
_STRONG = Style(color="white", bold=True)
_GOOD = Style(color="#3ddc68", bold=True)
_UNSURE = Style(color="#ffb000", bold=True)
_NEXT = Style(color="black", bgcolor="#e8e8e8", bold=True)

_COLOURS: Final = {tube.name: player.value for player in PLAYERS for tube in START_TUBES[player]}

#: Where the columns of the table begin.
_NAME, _STANDS, _LEFT, _END_A, _END_B = 1, 13, 36, 45, 63

_KEYS: Final = (
    "start or Enter: last grain · red, black: select · start held: take back",
    "typed: a name (D1, timer) · back · drop 3 · void D1 (it was touched) · end",
)


def prompt(timing: GlassTiming) -> tuple[str, str]:
    """What to do now, in two lines."""
    if timing.open_calls:
        return (
            "Whose last grain was it? Its time is kept.",
            "Select the glass with red or black, then press start; or type its name.",
        )
    match timing.phase:
        case Phase.SETTING_UP:
            return (
                "Mark each glass with its tube's name, for good, and stand it there.",
                "Wait until all sand is down, also in the timer. Then press start.",
            )
        case Phase.TIMING:
            return (
                "Turn each green glass over on its own tube, in one go, when you like.",
                "As its last grain falls press start, or type its name and press Enter.",
            )
        case Phase.REVIEW:
            return ("Some runs do not agree with the others. Start keeps them;", "drop NUMBER throws one out.")
        case Phase.DONE:
            return ("Done.", "")


def glass_picture(timing: GlassTiming, notes: Sequence[Note], now: float, board: str, typed: str) -> Text:
    """The whole picture at host time ``now``; ``board`` says which, ``typed`` is the line so far."""
    sheet = Sheet()
    sheet.write(0, 1, "TAMSK glasses", _STRONG)
    sheet.write(0, max(20, WIDTH - len(board) - 1), board, _QUIET)
    first, second = prompt(timing)
    sheet.write(1, 1, first, _GOOD if not timing.open_calls else _UNSURE)
    sheet.write(2, 1, second, _GOOD if not timing.open_calls else _UNSURE)
    for column, words in ((_NAME, "glass"), (_STANDS, "stands"), (_LEFT, "ends in")):
        sheet.write(4, column, words, _QUIET)
    sheet.write(4, _END_A, "end A down, s", _QUIET)
    sheet.write(4, _END_B, "end B down, s", _QUIET)
    for row, view in enumerate(timing.views(now), 5):
        _glass_row(sheet, row, view, timing)
    lines = [(line, note.kind) for note in notes for line in wrap(note.words, WIDTH - 2, subsequent_indent="  ")]
    for row, (line, kind) in enumerate(lines[-_NOTES_ROWS:], _NOTES_ROW):
        sheet.write(row, 1, line, _UNSURE if kind is Kind.WARNING else PLAIN)
    sheet.write(HEIGHT - 3, 1, _KEYS[0], _QUIET)
    sheet.write(HEIGHT - 2, 1, _KEYS[1], _QUIET)
    sheet.write(HEIGHT - 1, 1, f"> {typed[-(WIDTH - 6) :]}_", _STRONG)
    return sheet.text()


def _glass_row(sheet: Sheet, row: int, view: GlassView, timing: GlassTiming) -> None:
    mark = "?" if view.in_question else ">" if view.selected else " "
    sheet.write(row, 0, mark, _UNSURE)
    style = _NEXT if view.expected_next else _STRONG
    at = sheet.write(row, _NAME, view.name, style)
    sheet.write(row, at + 1, _COLOURS.get(view.name, ""), _QUIET)
    stands, style = _stands(view, timing.phase)
    sheet.write(row, _STANDS, stands, style)
    if view.left is not None:
        sheet.write(row, _LEFT, _minutes(view.left), _NEXT if view.expected_next else PLAIN)
    for column, end in ((_END_A, End.A), (_END_B, End.B)):
        found = timing.figures.of(view.name, end)
        at = sheet.write(row, column, _short(found), _UNSURE if found.odd else PLAIN)
        done = len(found.runs)
        needs = view.needs[end]
        sheet.write(row, column + 12, f"{done}/{done + needs}", _GOOD if not needs else _QUIET)


def _stands(view: GlassView, phase: Phase) -> tuple[str, Style]:
    end = f", end {view.end}" if view.end is not None else ""
    match view.standing:
        case Standing.MISSING:
            return "missing", _UNSURE
        case Standing.HAND | Standing.LEANING:
            return view.standing.value, _UNSURE
        case _ if phase is Phase.SETTING_UP:
            return f"stands{end}", PLAIN
        case Standing.UNKNOWN:
            return f"does not count{end}", _UNSURE
        case Standing.RUNNING:
            return f"runs{end}", _STRONG
    if view.is_complete:
        return f"done{end}", _QUIET
    return f"turn over{end}", _GOOD


def _short(found: Direction) -> str:
    if not found.runs:
        return "–"
    spread = f" ±{found.half_range:.1f}" if len(found.runs) > 1 else ""
    return f"{found.mean:.1f}{spread}"


def _minutes(seconds: float) -> str:
    whole = abs(round(seconds))
    return f"{'-' if seconds < 0 and whole else ''}{whole // 60}:{whole % 60:02d}"


def table_lines(timing: GlassTiming) -> list[str]:
    """The durations, with their spread, and what does not agree or is missing."""
    lines = [f"{'glass':<7}{'end A down':<30}end B down"]
    figures = timing.figures
    for name in timing.names:
        cells = []
        for end in ENDS:
            found = figures.of(name, end)
            if not found.runs:
                cells.append("–")
                continue
            runs = "1 run" if len(found.runs) == 1 else f"{len(found.runs)} runs, ±{found.half_range:.2f} s"
            cells.append(f"{found.mean:.2f} s ({runs})")
        lines.append(f"{name:<7}{cells[0]:<30}{cells[1]}".rstrip())
    lines += [f"Odd: {words}." for words in run_words(figures.odd)]
    dropped = [str(run.number) for run in figures.runs if run.dropped]
    if dropped:
        lines.append(f"Thrown out: run {', '.join(dropped)}.")
    missing = [name for name in timing.names if not figures.complete(name)]
    if missing:
        lines.append(f"Not complete, so not kept: {', '.join(missing)}.")
    return lines


def saved_lines(timing: GlassTiming, saved: KnownCalibration, path: str) -> list[str]:
    """What was saved, and how well the glasses are known now."""
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
    lines.append(f"Saved in {path}.")
    return lines
