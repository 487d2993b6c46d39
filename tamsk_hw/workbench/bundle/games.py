"""The bundle's part of the journal: the list of games and the last of them, as streams with their rulings."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tamsk_hw.journal import Archive, GameSummary
from tamsk_hw.workbench.bundle.harmless import HIDDEN, Harmless

#: Games in the list, and bytes of one game's file: an ordinary game has some 50 KiB.
MOST_LISTED: Final = 200
MOST_BYTES: Final = 400_000

#: Names that the journal gives its files.
_NAME: Final = re.compile(r"journal(-[a-z]+-[\d-]+)?\.(db(-wal|-shm)?|watched|lock)", re.ASCII)


def game_list(games: list[GameSummary], harmless: Harmless) -> str:
    """A line for each game, the newest last, without names."""
    lines = ["game  begun             level  turns  events  state"]
    for game in games[-MOST_LISTED:]:
        begun = "?" if game.wall is None else _date(game.wall)
        state = game.state.value if game.note is None else f"{game.state.value}: {harmless.text(game.note)}"
        level = "?" if game.level is None else game.level
        lines.append(f"{game.number:>4}  {begun:16}  {level:>5}  {game.turns:>5}  {game.events:>6}  {state}")
    return "\n".join([*lines, ""])


def game_files(archive: Archive, number: int, harmless: Harmless) -> list[tuple[str, str]]:
    """A game's files: its stream, as ``tamsk-hw replay`` reads it, and the rulings that were shown.

    Raises:
        JournalError: its record is damaged.
    """
    game = archive.load(number)
    stream = [f"{harmless.json(line)}\n" for line in (game.header_line, *(entry.line for entry in game.entries))]
    return [
        (f"games/{number}.events.jsonl", _cut(stream)),
        (
            f"games/{number}.rulings.jsonl",
            _cut([f"{harmless.json(line)}\n" for entry in game.entries for line in entry.rulings]),
        ),
    ]


def _cut(lines: list[str]) -> str:
    """As many whole lines as there is room for."""
    size = 0
    for count, line in enumerate(lines):
        size += len(line.encode("utf-8", "backslashreplace"))
        if size > MOST_BYTES:
            return "".join(lines[:count])
    return "".join(lines)


def folder_list(folder: Path) -> str:
    """The journal's folder: what is set aside there, and how large the database is.

    Raises:
        OSError: it cannot be read.
    """
    files = sorted(folder.glob("journal*"))
    return "".join(
        f"{file.stat().st_size:>12}  {file.name if _NAME.fullmatch(file.name) else HIDDEN}\n"
        for file in files[:MOST_LISTED]
    )


def _date(wall: float) -> str:
    try:
        return f"{datetime.fromtimestamp(wall, UTC):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return "?"
