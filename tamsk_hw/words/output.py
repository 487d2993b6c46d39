"""The output's own lines."""

from __future__ import annotations

from tamsk_hw.words.translating import ntr, tr


def left_out_words(lines: int) -> str:
    """The line that replaces ``lines`` lines which nobody read in time."""
    return ntr(
        "… {count} line left out, as nobody read them", "… {count} lines left out, as nobody read them", lines
    )


def torn_words(name: str, line: int) -> str:
    """The warning for an unterminated last line of a file, which a crash left."""
    return tr(
        "{name} line {line}: the file ends in the middle of this line; it is left out.", name=name, line=line
    )
