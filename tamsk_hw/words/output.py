"""The output's own lines."""

from __future__ import annotations


def left_out_words(lines: int) -> str:
    """The line that replaces ``lines`` lines which nobody read in time."""
    return f"… {lines} {'line' if lines == 1 else 'lines'} left out, as nobody read them"


def torn_words(name: str, line: int) -> str:
    """The warning for an unterminated last line of a file, which a crash left."""
    return f"{name} line {line}: the file ends in the middle of this line; it is left out."
