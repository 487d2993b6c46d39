"""On which line of a TOML file a key stands, which `tomllib` does not tell.

The file is taken apart into its statements, each of which is read by `tomllib` itself: nothing here knows more of
TOML than that a statement ends with its line, unless a bracket or a text is still open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tamsk_hw.system.bounded_toml import TomlError, parse_toml

#: The full name of a table or key, part by part.
Path = tuple[str, ...]

#: Lines that one statement may have before the search for its end is given up: no setting is that long.
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Lines:
    """Line numbers (from 1) of a file's tables and keys."""

    first: dict[Path, int]
    """The line on which each table or key is first given."""
    twice: tuple[Path, int] | None
    """A table or key that is given a second time, and where."""
    stuck: int | None
    """The first statement that is no TOML; None when the file was read to its end."""


def lines_of(text: str) -> Lines:
    """Find every table and key in ``text``, up to the first syntax error."""
    first: dict[Path, int] = {}
    given: set[Path] = set()
    twice = None
    table: Path = ()
    line = 1
    rows = text.replace("\r\n", "\n").split("\n")
    while line <= len(rows):
        read = _statement(rows, line)
        if read is None:
            return Lines(first, twice, line)
        statement, count = read
        names = list(_names(parse_toml(statement)))
        opening = statement.lstrip()
        if opening.startswith("["):
            table = names[-1]
            names = [table[:end] for end in range(1, len(table) + 1)]
        else:
            names = [table + name for name in names]
        for name in names:
            first.setdefault(name, line)
        if opening.startswith("[["):
            given = {name for name in given if name[: len(table)] != table}
        elif names:
            if names[-1] in given:
                twice = twice or (names[-1], line)
            given.add(names[-1])
        line += count
    return Lines(first, twice, None)


def _statement(rows: list[str], line: int) -> tuple[str, int] | None:
    """The statement that begins on ``line`` and how many lines it has; None when it is no TOML."""
    for count in range(1, min(_LONGEST, len(rows) - line + 1) + 1):
        statement = "\n".join(rows[line - 1 : line - 1 + count])
        try:
            parse_toml(statement)
        except TomlError:
            continue
        return statement, count
    return None


def _names(values: dict[str, object], place: Path = ()) -> Iterator[Path]:
    """Every table and key in one statement's values, the whole before its parts."""
    for name, value in values.items():
        yield (*place, name)
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict):
            yield from _names(inner, (*place, name))
