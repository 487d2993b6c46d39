"""The record of the live stream outside the machine: what the service said, and what it promised to keep."""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.machine.outside import COMMAND

Json = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A game as the live stream has told it: its header, its events, and the rulings on them."""

    header: Json
    events: list[Json]
    rulings: list[Json]

    @property
    def stream(self) -> str:
        """The game's recorded stream, as `tamsk-hw replay` reads it."""
        return "".join(f"{json.dumps(each)}\n" for each in (self.header, *self.events))


def lives(lines: Iterable[Json]) -> list[list[Json]]:
    """The numbered lines of each life of the service in turn, without those that were sent again."""
    life, last, kept = None, 0, list[list[Json]]()
    for line in lines:
        if "live" in line:
            if life != line["life"]:
                life, last = line["life"], 0
                kept.append([])
        elif line.get("seq", 0) > last:
            last = line["seq"]
            kept[-1].append(line)
    return kept


def promises(lines: Iterable[Json]) -> list[Said]:
    """The part of its game that each life of the service said to be on the disk."""
    return [said(life, promised=True) for life in lives(lines) if any("header" in line for line in life)]


def said(lines: Iterable[Json], *, promised: bool) -> Said:
    """The last game in the lines of one life; ``promised``: of it what the newest `saved` says is on the disk.

    Raises:
        ValueError: no game is in them.
    """
    kept = list(lines)
    begins = [index for index, line in enumerate(kept) if "header" in line]
    if not begins:
        raise ValueError("no game has been recorded")
    game = kept[begins[-1] :]
    if promised:
        to = max((line["saved"] for line in game if "saved" in line), default=0)
        game = [line for line in game if line["seq"] <= to or "header" in line]
    return Said(
        next(line["header"] for line in kept[begins[-1] :]),
        [line["event"] for line in game if "event" in line],
        [line["ruling"] for line in game if "ruling" in line],
    )


def notices(lines: Iterable[Json]) -> list[str]:
    """The codes of the notices in some lines, in order."""
    return [line["notice"]["code"] for line in lines if "notice" in line]


class Record:
    """`tamsk-hw live` outside the machine, whose lines are kept in a file."""

    def __init__(self, file: Path, live: Path) -> None:
        """Begin to record what is said at the socket ``live``, from the beginning of its current game."""
        self._file = file
        with file.open("wb") as out:
            self._process = subprocess.Popen(
                [*COMMAND, "live", "--since", "0", "--socket", str(live)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.DEVNULL,
            )

    def lines(self) -> list[Json]:
        """All whole lines up to now."""
        text = self._file.read_text(encoding="utf-8")
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def said(self) -> Said:
        """The game as it was told in the first life of the service."""
        return said(lives(self.lines())[0], promised=False)

    def promises(self) -> list[Said]:
        """The part of the game of which each life of the service said that it is on the disk."""
        return promises(self.lines())

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()
