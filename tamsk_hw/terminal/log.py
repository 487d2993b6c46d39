"""The lines below the board: the last rulings, the keys, or the terminal's question."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from tamsk_hw.terminal.cells import NEWS
from tamsk_hw.terminal.hexagon import PLAIN, QUIET, STRONG, Piece, Sheet
from tamsk_hw.words.prompts import PromptWords


def draw_log(sheet: Sheet, top: int, recent: Sequence[str], width: int) -> None:
    """Draw the last rulings from row ``top`` to the last one, the newest at the bottom and brightest."""
    room = sheet.height - top
    rows: list[Piece] = []
    newest = len(recent) - 1
    for place in range(newest, -1, -1):
        if len(rows) >= room:
            break
        indent = " " * (recent[place].find("  ") + 2)
        style = STRONG if place == newest else QUIET
        parts = wrap(
            recent[place], max(width - 1, 1), subsequent_indent=indent if len(indent) < width // 2 else ""
        )
        rows = [*((part, style) for part in parts), *rows]
    for row, (text, style) in enumerate(rows[-room:], start=top):
        sheet.write(row, 1, text, style)


def draw_keys(sheet: Sheet, row: int, width: int, keys: str) -> None:
    """Draw the keys at the end of a row, as far as they have room there."""
    sheet.write(row, max(0, width - len(keys) - 3), f" {keys} ", QUIET)


def draw_prompt(sheet: Sheet, top: int, words: PromptWords, width: int) -> None:
    """Draw what is asked from row ``top`` on; of many lines those around the chosen one."""
    row = top
    for part in wrap(words.title, max(width - 4, 1)):
        sheet.write(row, 1, f" {part} ", NEWS)
        row += 1
    room = sheet.height - row - bool(words.keys)
    chosen = words.chosen or 0
    first = max(0, min(chosen - room // 2, len(words.lines) - room))
    for place, line in list(enumerate(words.lines))[first : first + max(room, 0)]:
        if words.chosen is None:
            sheet.write(row, 3, line, PLAIN)
        else:
            is_chosen = place == words.chosen
            number = f"{place + 1}" if place < 9 else " "
            sheet.write(row, 1, f"{'▶' if is_chosen else ' '} {number} {line}", STRONG if is_chosen else PLAIN)
        row += 1
    if words.keys and row < sheet.height:
        sheet.write(row, 3, words.keys, QUIET)
