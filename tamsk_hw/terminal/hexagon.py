"""The board as a hexagon of characters, for every picture on a terminal of 80 by 24.

A tube is a cell of two rows with six columns of text, and shares its sides with its neighbours. What stands in
the cells is the picture's: the game (`tamsk_hw.terminal.picture`) or what the sensors read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from rich.style import Style
from rich.text import Text

from tamsk_hw.game.tubes import TUBES, Tube

#: Columns and rows of the smallest picture; a terminal of 80 by 24 keeps one row free.
WIDTH = 80
HEIGHT = 23

#: Columns of text in a tube's cell, between its two sides.
CELL = 6

#: Where the board begins. It has two rows for each tube of column D and one above them.
BOARD_ROW = 2
BOARD_COLUMN = 1

#: Where there is room beside the board.
SIDE_COLUMN = 54

#: Lines that divide, and text that nothing else asks for.
EDGE = Style(color="grey35")
PLAIN = Style(color="grey85")

#: Styles of the workbench's pictures: asides, headings, what is good, what is in doubt, what is wrong.
QUIET = Style(color="grey50")
STRONG = Style(color="white", bold=True)
GOOD = Style(color="#3ddc68", bold=True)
UNSURE = Style(color="#ffb000", bold=True)
BAD = Style(color="white", bgcolor="#b3261e", bold=True)

#: The tube above each in its column.
_ABOVE = {low: high for low, high in pairwise(TUBES) if low.column == high.column}

#: A piece of a cell: text and its style.
Piece = tuple[str, Style]

#: What stands in a cell: its upper and its lower row.
Cell = tuple[Iterable[Piece], Iterable[Piece]]


class Sheet:
    """Rows of cells to write on, each a character with its style."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.width, self.height = width, height
        self._characters = [[" "] * width for _ in range(height)]
        self._styles: list[list[Style]] = [[PLAIN] * width for _ in range(height)]

    def write(self, row: int, column: int, text: str, style: Style = PLAIN) -> int:
        """Writes text, cut at the right edge and below the last row; returns the column behind it."""
        for character in text:
            if column >= self.width or row >= self.height:
                break
            self._characters[row][column] = character
            self._styles[row][column] = style
            column += 1
        return column

    def text(self) -> Text:
        """The whole sheet as one text."""
        text = Text(no_wrap=True, overflow="crop", end="")
        for row in range(self.height):
            characters, styles = self._characters[row], self._styles[row]
            start = 0
            for column in range(1, self.width + 1):
                if column == self.width or styles[column] is not styles[start]:
                    text.append("".join(characters[start:column]), styles[start])
                    start = column
            if row < self.height - 1:
                text.append("\n")
        return text


def draw_board(sheet: Sheet, cells: Mapping[Tube, Cell]) -> None:
    """Draws the tubes of a board, each with what stands in its cell."""
    for tube, (upper, lower) in cells.items():
        _draw_cell(sheet, tube, upper, lower, top=_ABOVE.get(tube) not in cells)


def _draw_cell(sheet: Sheet, tube: Tube, upper: Iterable[Piece], lower: Iterable[Piece], *, top: bool) -> None:
    """Draws a tube: a hexagon of two rows of `CELL` columns; ``top``: none stands above it in its column."""
    row = BOARD_ROW + 1 + round((6 - tube.height) * 2)
    column = BOARD_COLUMN + tube.column * (CELL + 1)
    if top:
        sheet.write(row - 1, column + 1, "_" * CELL, EDGE)
    for line, (left, right) in enumerate((("/", "\\"), ("\\", "/"))):
        sheet.write(row + line, column, left, EDGE)
        sheet.write(row + line, column + CELL + 1, right, EDGE)
    for line, pieces in enumerate((upper, lower)):
        at = column + 1
        for text, style in pieces:
            at = sheet.write(row + line, at, text, style)
