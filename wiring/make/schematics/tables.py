"""Tables: each row a group ``data-row`` with its cells as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wiring.make.schematics.page import LINE, MIDDLE, THIN, Point, Sheet, width_of

#: From row to row, and the height of the heading.
ROW, HEAD = 4.5, 5.5


@dataclass(frozen=True, slots=True)
class Table:
    """The content of a table: the ``kind`` of its rows, the headings of its columns, the rows."""

    kind: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def widths(self) -> tuple[float, ...]:
        """The width of each column."""
        columns = zip(self.heads, *self.rows, strict=True)
        return tuple(max(width_of(words) for words in column) + 1.8 for column in columns)

    @property
    def width(self) -> float:
        """The width of the table."""
        return sum(self.widths)

    def parts(self, most: int) -> tuple[Table, ...]:
        """The table in parts of at most ``most`` rows, about equally long."""
        count = max(1, -(-len(self.rows) // most))
        each = max(1, -(-len(self.rows) // count))
        starts = range(0, max(1, len(self.rows)), each)
        return tuple(Table(self.kind, self.heads, self.rows[start : start + each]) for start in starts)


def draw_table(sheet: Sheet, table: Table, at: Point, widths: Sequence[float] = (), row: float = ROW) -> float:
    """Draw a table with its upper left corner ``at`` a place; gives where it ends below.

    ``row`` is from row to row, ``widths`` are those of the columns where they are to be wider than they must.
    """
    widths = widths or table.widths
    x, y = at
    right = x + sum(widths)
    _line(sheet, table.heads, (x, y + 3.8), widths, None)
    y += HEAD
    sheet.wire((x, y), (right, y), line=LINE)
    for words in table.rows:
        _line(sheet, words, (x, y + row / 2 + MIDDLE), widths, table)
        y += row
        sheet.wire((x, y), (right, y), line=THIN)
    return y


def _line(sheet: Sheet, words: Sequence[str], at: Point, widths: Sequence[float], table: Table | None) -> None:
    """The cells of a row, or the headings."""
    group = sheet.group(row=table.kind) if table else sheet.group()
    x = at[0]
    for number, (word, width) in enumerate(zip(words, widths, strict=True)):
        if word:
            cell = table.heads[number] if table else ""
            sheet.text(word, (x + 0.8, at[1]), bold=table is None, group=group, cell=cell)
        x += width
