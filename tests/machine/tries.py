"""The logbook of `make vm-soak`: a line for each try of a fault, and the table of them.

Lines are only ever added, each whole, so that several machines can write at once and a stop at any time loses
nothing but the try that was running.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tests.machine.image import PROJECT

KEPT: Final = PROJECT / "build" / "vm" / "tries"

#: What is tried of every game beside its faults.
END: Final = "the game is played to its end"


@dataclass(frozen=True)
class Try:
    """One try of a fault."""

    fault: str
    seed: int
    passed: bool
    seconds: float | None
    """What the fault's stopwatch said; None where nothing is timed."""

    image: str
    """The key of the image, which is another one for every change of the program."""

    why: str = ""
    """The end of what was said of a failure."""


def logbook(architecture: str) -> Path:
    """The file of an architecture's tries."""
    return KEPT / f"{architecture}.jsonl"


def tries_in(file: Path) -> list[Try]:
    """Read a logbook; one that is not there is empty."""
    if not file.exists():
        return []
    return [Try(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def keep(file: Path, tried: Try) -> None:
    """Add a try to a logbook by one write, after which it is on the disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, f"{json.dumps(asdict(tried))}\n".encode())
        os.fsync(handle)
    finally:
        os.close(handle)


def left(tries: Iterable[Try], faults: Iterable[str], seed: int, image: str) -> list[str]:
    """The faults still to be tried with a seed: not those that passed, or failed with this very image."""
    newest = {tried.fault: tried for tried in tries if tried.seed == seed}
    return [
        fault for fault in faults if not (tried := newest.get(fault)) or not (tried.passed or tried.image == image)
    ]


def table_of(tries: Iterable[Try]) -> str:
    """The tries as a table in Markdown, a line per fault.

    *Failed* counts all tries that were not right, *open* the seeds whose newest try was not.
    """
    by_fault: dict[str, list[Try]] = {}
    for each in tries:
        by_fault.setdefault(each.fault, []).append(each)
    lines = ["| fault | seeds | tries | failed | open | seconds: least, median, most |", f"|{'---|' * 6}"]
    for fault, tried in sorted(by_fault.items()):
        times = [each.seconds for each in tried if each.seconds is not None]
        said = f"{min(times):.1f}, {statistics.median(times):.1f}, {max(times):.1f}" if times else "–"
        newest = {each.seed: each.passed for each in tried}
        failed, still = sum(not each.passed for each in tried), sum(not passed for passed in newest.values())
        lines.append(f"| {fault} | {len(newest)} | {len(tried)} | {failed} | {still} | {said} |")
    return "\n".join(lines)
