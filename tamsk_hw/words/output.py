"""The output's own lines."""

from __future__ import annotations


def left_out_words(lines: int) -> str:
    """The line in place of so many that nobody read in time."""
    return f"… {lines} {'line' if lines == 1 else 'lines'} left out, as nobody read them"
