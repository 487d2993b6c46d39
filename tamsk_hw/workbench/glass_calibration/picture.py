"""The prompts while glasses are timed, and the picture for a terminal of 80 by 24."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from rich.style import Style
from rich.text import Text

from tamsk_hw.game.tubes import PLAYERS, START_TUBES, End
from tamsk_hw.terminal.picture import GOOD, HEIGHT, PLAIN, QUIET, STRONG, UNSURE, WIDTH, Sheet
from tamsk_hw.workbench.glass_calibration.figures import Direction
from tamsk_hw.workbench.glass_calibration.session import GlassTiming, TimingPhase
from tamsk_hw.workbench.glass_calibration.state import GlassStanding, TimedGlassView
from tamsk_hw.workbench.walk.picture import write_heading
from tamsk_hw.workbench.walk.prompt import Note, NoteKind

# The rows of the notes, the newest last.
_NOTES_ROW: Final = 13
_NOTES_ROWS: Final = HEIGHT - 3 - _NOTES_ROW

_NEXT = Style(color="black", bgcolor="#e8e8e8", bold=True)

_COLOURS: Final = {tube.name: player.value for player in PLAYERS for tube in START_TUBES[player]}

#: The first columns of the table's entries.
_NAME, _STANDS, _LEFT, _END_A, _END_B = 1, 13, 36, 45, 63

_KEYS: Final = (
    "start or Enter: last grain · red, black: select · start held: take back",
    "typed: a name (D1, timer) · back · drop 3 · void D1 (it was touched) · end",
)


def prompt(timing: GlassTiming) -> tuple[str, str]:
    """The prompt in two lines."""
    if timing.open_calls:
        return (
            "Whose last grain was it? Its time is kept.",
            "Select the glass with red or black, then press start; or type its name.",
        )
    match timing.phase:
        case TimingPhase.SETTING_UP:
            return (
                "Mark each glass with its tube's name, for good, and stand it there.",
                "Wait until all sand is down, also in the timer. Then press start.",
            )
        case TimingPhase.TIMING:
            return (
                "Turn each green glass over on its own tube, in one go, when you like.",
                "As its last grain falls press start, or type its name and press Enter.",
            )
        case TimingPhase.REVIEW:
            return ("Some runs do not agree with the others. Start keeps them;", "drop NUMBER throws one out.")
        case TimingPhase.DONE:
            return ("Done.", "")


def glass_picture(timing: GlassTiming, notes: Sequence[Note], now: float, board: str, typed: str) -> Text:
    """The whole picture at host time ``now``; ``board`` names the board, ``typed`` is the line so far."""
    sheet = Sheet()
    write_heading(sheet, "TAMSK glasses", board)
    first, second = prompt(timing)
    sheet.write(1, 1, first, GOOD if not timing.open_calls else UNSURE)
    sheet.write(2, 1, second, GOOD if not timing.open_calls else UNSURE)
    for column, words in ((_NAME, "glass"), (_STANDS, "stands"), (_LEFT, "ends in")):
        sheet.write(4, column, words, QUIET)
    sheet.write(4, _END_A, "end A down, s", QUIET)
    sheet.write(4, _END_B, "end B down, s", QUIET)
    for row, view in enumerate(timing.views(now), 5):
        _glass_row(sheet, row, view, timing)
    lines = [(line, note.kind) for note in notes for line in wrap(note.words, WIDTH - 2, subsequent_indent="  ")]
    for row, (line, kind) in enumerate(lines[-_NOTES_ROWS:], _NOTES_ROW):
        sheet.write(row, 1, line, UNSURE if kind is NoteKind.WARNING else PLAIN)
    sheet.write(HEIGHT - 3, 1, _KEYS[0], QUIET)
    sheet.write(HEIGHT - 2, 1, _KEYS[1], QUIET)
    sheet.write(HEIGHT - 1, 1, f"> {typed[-(WIDTH - 6) :]}_", STRONG)
    return sheet.text()


def _glass_row(sheet: Sheet, row: int, view: TimedGlassView, timing: GlassTiming) -> None:
    mark = "?" if view.in_question else ">" if view.selected else " "
    sheet.write(row, 0, mark, UNSURE)
    style = _NEXT if view.expected_next else STRONG
    at = sheet.write(row, _NAME, view.name, style)
    sheet.write(row, at + 1, _COLOURS.get(view.name, ""), QUIET)
    stands, style = _stands(view, timing.phase)
    sheet.write(row, _STANDS, stands, style)
    if view.left is not None:
        sheet.write(row, _LEFT, _minutes(view.left), _NEXT if view.expected_next else PLAIN)
    for column, end in ((_END_A, End.A), (_END_B, End.B)):
        found = timing.figures.of(view.name, end)
        at = sheet.write(row, column, _short(found), UNSURE if found.odd else PLAIN)
        done = len(found.runs)
        needs = view.needs[end]
        sheet.write(row, column + 12, f"{done}/{done + needs}", GOOD if not needs else QUIET)


def _stands(view: TimedGlassView, phase: TimingPhase) -> tuple[str, Style]:
    end = f", end {view.end}" if view.end is not None else ""
    match view.standing:
        case GlassStanding.MISSING:
            return "missing", UNSURE
        case GlassStanding.HAND | GlassStanding.LEANING:
            return view.standing.value, UNSURE
        case _ if phase is TimingPhase.SETTING_UP:
            return f"stands{end}", PLAIN
        case GlassStanding.UNKNOWN:
            return f"does not count{end}", UNSURE
        case GlassStanding.RUNNING:
            return f"runs{end}", STRONG
    if view.is_complete:
        return f"done{end}", QUIET
    return f"turn over{end}", GOOD


def _short(found: Direction) -> str:
    if not found.runs:
        return "–"
    spread = f" ±{found.half_range:.1f}" if len(found.runs) > 1 else ""
    return f"{found.mean:.1f}{spread}"


def _minutes(seconds: float) -> str:
    whole = abs(round(seconds))
    return f"{'-' if seconds < 0 and whole else ''}{whole // 60}:{whole % 60:02d}"
