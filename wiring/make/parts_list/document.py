"""`parts.csv` and `parts.md` from the rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit.model import Unit
from wiring.make.parts_list.besides import besides_rows
from wiring.make.parts_list.rows import METRES, Origin, Row, circuit_rows
from wiring.make.parts_list.wire import cable_rows
from wiring.make.templates import render

#: The shares of a quantity: by unit, and for the glasses.
UNITS: Final = (*(unit.value for unit in Unit), "glasses")

#: The columns of `parts.csv`.
COLUMNS: Final = (
    "group",
    "item",
    "value",
    "package",
    "maker",
    "number",
    "origin",
    "quantity",
    "measure",
    "spares",
    *UNITS,
    "designators",
    "where",
    "alternatives",
    "notes",
)

#: The most ranges of designators with the same letters that are written out; of more, only first and last.
_SHOWN: Final = 6


def rows(board: Board) -> tuple[Row, ...]:
    """All rows of a board's list."""
    return (*circuit_rows(board), *cable_rows(board), *besides_rows(board))


def condensed(designators: Iterable[str]) -> tuple[str, ...]:
    """Designators, with consecutive ones as a range of their last number: ``U10–17``, ``RE-D4-1–4``."""
    found: list[tuple[str, int | None, int | None]] = []
    for ref in designators:
        match = re.fullmatch(r"(.*?)(\d+)", ref)
        if match is None:
            found.append((ref, None, None))
            continue
        stem, last = match[1], int(match[2])
        if found and found[-1][0] == stem and found[-1][2] == last - 1:
            found[-1] = (stem, found[-1][1], last)
        else:
            found.append((stem, last, last))
    return tuple(_range(*entry) for entry in found)


def _range(stem: str, first: int | None, last: int | None) -> str:
    if first is None:
        return stem
    return f"{stem}{first}" if first == last else f"{stem}{first}–{last}"


def amount(value: float) -> str:
    """A quantity without trailing zeros: ``64``, ``4.75``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def table(board: Board) -> str:
    """The text of `parts.csv`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(board):
        writer.writerow(
            (
                row.group,
                row.item,
                row.value,
                row.package,
                row.maker,
                row.number,
                row.origin.value,
                amount(row.quantity),
                row.measure,
                amount(row.spares),
                *(amount(row.per_unit[unit]) if unit in row.per_unit else "" for unit in UNITS),
                " ".join(condensed(part.ref for part in row.parts)),
                row.where,
                "; ".join(row.alternatives),
                row.notes,
            )
        )
    return out.getvalue()


def document(board: Board) -> str:
    """The text of `parts.md`."""
    groups = groupby(rows(board), key=lambda row: row.group)
    cells = [(group, [_cells(row) for row in members]) for group, members in groups]
    return render("parts_list/parts.md.j2", board=board, groups=cells)


def _cells(row: Row) -> tuple[str, ...]:
    """Quantity, spares, part, order, use, remarks."""
    unit = " m" if row.measure == METRES else ""
    name = ", ".join(filter(None, (row.item, row.value)))
    package = f" ({row.package})" if row.package and row.package not in row.value else ""
    return (
        f"{amount(row.quantity)}{unit}",
        f"{amount(row.spares)}{unit}" if row.spares else "",
        name + package,
        f"{row.maker} {row.number}" if row.origin is Origin.ORDER else row.origin.value,
        _used(row),
        "; ".join(filter(None, (*row.alternatives, row.notes))),
    )


def _used(row: Row) -> str:
    """The use of a part, for a reader: its places, then the units with their shares."""
    text = row.where
    if row.parts:
        families = groupby(row.parts, key=lambda part: part.letters)
        text = ", ".join(_family(tuple(part.ref for part in parts)) for _, parts in families)
    shares = ", ".join(f"{unit} {amount(count)}" for unit, count in row.per_unit.items())
    return f"{text}: {shares}" if shares else text


def _family(refs: tuple[str, ...]) -> str:
    """Designators with the same letters: their ranges, or first and last."""
    ranges = condensed(refs)
    return ", ".join(ranges) if len(ranges) <= _SHOWN else f"{refs[0]} … {refs[-1]}"
