"""The rule book as streams: a text a clause, `R4.6.txt`, that holds the scenarios of the clause.

A scenario begins with `# NAME`. Its stream stands at the margin, one event a line. The rulings that it must give
are indented, below the event that gives them, or above it if they fell due earlier. An empty line ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.referee.events import Event
from tamsk_hw.referee.header import Header
from tamsk_hw.referee.stream import read_stream

HERE = Path(__file__).parent
INDENT = "    "


@dataclass(frozen=True)
class Scenario:
    """A stream and the lines it must give, both with their line ends."""

    name: str
    stream: str
    given: str

    def read(self) -> tuple[Header, list[Event]]:
        """The header and the events of the stream."""
        header, events = read_stream(self.stream.splitlines(), self.name)
        return header, list(events)


def scenarios_of(path: Path) -> Iterator[Scenario]:
    """The scenarios of a text, in its order."""
    for section in path.read_text(encoding="utf-8").split("\n\n"):
        heading, *lines = section.splitlines()
        stream = [f"{line}\n" for line in lines if not line.startswith(INDENT)]
        given = [f"{line.removeprefix(INDENT)}\n" for line in lines if line.startswith(INDENT)]
        yield Scenario(heading.removeprefix("# "), "".join(stream), "".join(given))


#: All scenarios, by name, those of a clause together.
BOOK = {each.name: each for path in sorted(HERE.glob("R*.txt")) for each in scenarios_of(path)}
SCENARIOS = tuple(BOOK.values())
