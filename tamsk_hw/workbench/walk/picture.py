"""A prompt as a picture for a terminal of 80 by 24: the board, what to do, what is in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Final

from rich.style import Style
from rich.text import Text

from tamsk_hw.errors import printable
from tamsk_hw.game.tubes import TUBE_OF_NAME, Tube
from tamsk_hw.terminal.picture import (
    BAD,
    CELL,
    EDGE,
    GOOD,
    HEIGHT,
    PLAIN,
    QUIET,
    SIDE_COLUMN,
    STRONG,
    UNSURE,
    WIDTH,
    Cell,
    Piece,
    Sheet,
    draw_board,
)
from tamsk_hw.workbench.walk.prompt import Lit, Mark, Prompt

#: The sign of each mark with its style, and its meaning. The signs differ without colour, too.
SIGNS: Final[dict[Mark | Lit, tuple[Piece, str]]] = {
    Mark.WAITING: (("·", QUIET), "not yet"),
    Mark.NOW: (("●", STRONG), "now"),
    Mark.GOOD: (("+", GOOD), "seen"),
    Mark.BAD: (("!", BAD), "wrong"),
    Lit.HERE: (("▼", Style(color="black", bgcolor="#3ddc68", bold=True)), "set it here"),
    Lit.TURN: (("↻", Style(color="black", bgcolor="#3ddc68", bold=True)), "turn it over"),
    Lit.WRONG: (("✗", Style(color="white", bgcolor="#9b30d0", bold=True)), "take this away"),
    Lit.MISSING: (("○", Style(color="black", bgcolor="white", bold=True)), "rings missing"),
    Lit.NEXT: (("›", Style(color="#9db7f0")), "next"),
    Lit.DONE: (("✓", Style(color="#3ddc68")), "measured"),
    Lit.BAD: (("!", UNSURE), "bad"),
}

#: Columns beside the board.
_SIDE: Final = WIDTH - SIDE_COLUMN - 1


def write_heading(sheet: Sheet, heading: str, corner: str) -> None:
    """Write the first row: ``heading`` on the left, the end of ``corner`` on the right."""
    at = sheet.write(0, 1, heading, STRONG)
    room = WIDTH - at - 4
    cut = corner if len(corner) <= room else f"…{corner[1 - room :]}"
    sheet.write(0, WIDTH - 1 - len(cut), cut, QUIET)


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
    last = HEIGHT - len(footer) - 1
    row, column, room = (2, SIDE_COLUMN, _SIDE) if cells else (5, 4, WIDTH - 8)
    rows = [(line, STRONG) for line in wrap(prompt.title, room)]
    rows += [("", PLAIN), *((line, GOOD) for line in wrap(prompt.words, room))]
    for aside in (prompt.notice, prompt.trouble):
        if aside:
            rows += [("", PLAIN), *((line, UNSURE) for line in wrap(printable(aside), room))]
    for line, style in rows[: last - 1 - row]:
        sheet.write(row, column, line, style)
        row += 1
    draw_board(sheet, cells)
    for pieces in beside[: max(0, last - 2 - row)]:
        row += 1
        at = SIDE_COLUMN
        for text, style in pieces:
            at = sheet.write(row, at, text, style)
    _write_legend(sheet, prompt, last - 1)
    sheet.write(last, 0, "─" * WIDTH, EDGE)
    for place, (line, style) in enumerate(footer, last + 1):
        sheet.write(place, 1, line[: WIDTH - 2], style)
    return sheet.text()


def marks_in_cells(prompt: Prompt) -> dict[Tube, Cell]:
    """The tubes with their marks, each under its name."""
    cells: dict[Tube, Cell] = {}
    for name, marks in prompt.marks.items():
        if name in TUBE_OF_NAME:
            lower = ((" " * ((CELL - len(marks)) // 2), EDGE), *(SIGNS[mark][0] for mark in marks))
            cells[TUBE_OF_NAME[name]] = ((f"  {name}".ljust(CELL), PLAIN),), lower
    return cells


def marks_beside(prompt: Prompt) -> list[list[Piece]]:
    """The other places with their marks, a row each."""
    return [
        [(f"{name:8} ", QUIET), *(SIGNS[mark][0] for mark in marks)]
        for name, marks in prompt.marks.items()
        if name not in TUBE_OF_NAME
    ]


def _write_legend(sheet: Sheet, prompt: Prompt, row: int) -> None:
    """Write the meanings of the marks that are shown."""
    shown = {mark for marks in prompt.marks.values() for mark in marks}
    at = 1
    for mark, ((sign, style), meaning) in SIGNS.items():
        if mark in shown:
            at = sheet.write(row, at, sign, style)
            at = sheet.write(row, at, f" {meaning}   ", QUIET)
