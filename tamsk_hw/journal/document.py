"""A stored game as one JSON document, as `tamsk-hw games export` writes it (docs/formats.md, Exports)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from tamsk_hw.journal.entries import StoredGame


def iso_time(wall: float | None) -> str | None:
    """A time in seconds since 1970 as ISO 8601 text, in UTC; None for None and for a year past 9999."""
    try:
        return None if wall is None else datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return None


def game_document(game: StoredGame) -> str:
    """All that the journal has of a game, as one JSON object in plain ASCII, without a newline at its end."""
    record = {
        "number": game.number,
        "state": game.state.value,
        "note": game.note,
        "red": game.red,
        "black": game.black,
        "board": game.board,
        "program": game.program,
        "imported": iso_time(game.imported),
        "annotations": [{"written": iso_time(each.wall), "text": each.text} for each in game.annotations],
        "sittings": [
            {"begun": iso_time(each.wall), "monotonic_zero": each.monotonic_zero, "boot": each.boot}
            for each in game.sittings
        ],
        "header": json.loads(game.header_line),
        "entries": [
            {
                "number": entry.number,
                "written": iso_time(entry.wall),
                "event": json.loads(entry.line),
                "rulings": [json.loads(line) for line in entry.rulings],
            }
            for entry in game.entries
        ],
    }
    return json.dumps(record, indent=2)
