"""The rule book as streams: a text a clause, `R4.6.txt`, that holds the scenarios of the clause.

A scenario begins with `# NAME`. Its stream stands at the margin, one event a line. The rulings that it must give
are indented, below the event that gives them, or above it if they fell due earlier. An empty line ends it.
`... T` stands for the glasses that are set up in their corners at time T, a line each.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.referee.events import Event
from tamsk_hw.referee.stream import Header, read_stream

HERE = Path(__file__).parent
INDENT = "    "

#: The tubes in the order in which the glasses of a usual game are set up.
CORNERS = ("D1", "G4", "A4", "G1", "D7", "A1")


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


def set_up(t: str) -> str:
    """The lines of the glasses that are set up at that time."""
    return "".join(f'{{"t": {t}, "event": "seat", "tube": "{tube}", "end": "A"}}\n' for tube in CORNERS)


def scenarios_of(path: Path) -> Iterator[Scenario]:
    """The scenarios of a text, in its order."""
    text = re.sub(r"^\.\.\. (\S+)\n", lambda found: set_up(found[1]), path.read_text(encoding="utf-8"), flags=re.M)
    for section in text.split("\n\n"):
        heading, *lines = section.splitlines()
        stream = [f"{line}\n" for line in lines if not line.startswith(INDENT)]
        given = [f"{line.removeprefix(INDENT)}\n" for line in lines if line.startswith(INDENT)]
        yield Scenario(heading.removeprefix("# "), "".join(stream), "".join(given))


#: All scenarios, by name, those of a clause together.
BOOK = {each.name: each for path in sorted(HERE.glob("R*.txt")) for each in scenarios_of(path)}
SCENARIOS = tuple(BOOK.values())
