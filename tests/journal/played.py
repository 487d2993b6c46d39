"""Games to write down: the rule book's streams, with the rulings that the referee gives on them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from tamsk_hw.journal.changes import ImportGame, recording_of
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry, Sitting, StoredGame, event_line, ruling_line
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.stream import json_line
from tests.scenarios.book import BOOK

NAMES = tuple(BOOK)

#: A game of 199 events that is played to its end, a tie; and one that is not.
WHOLE = "R1.2-sixty-four-rings"
UNENDED = "R1.1-D4-has-six-neighbours"

SITTING = Sitting(wall=1_763_000_000.0, monotonic_zero=5_000.0, boot="b3c1")
NOON = datetime(2025, 11, 21, 12, 0, 0)


@dataclass(frozen=True)
class Played:
    """A game as the service would hand it to the journal."""

    header: Header
    entries: tuple[Entry, ...]

    def first(self, ruling: str) -> int:
        """The place of the first entry with a ruling of that name."""
        names = [{each.name for each in entry.rulings} for entry in self.entries]
        return next(place for place, given in enumerate(names) if ruling in given)

    def lines(self, upto: int | None = None) -> list[tuple[str, tuple[str, ...]]]:
        """Lines to be found in the journal: each event's line, and the lines of its rulings."""
        return [(event_line(each.event), tuple(map(ruling_line, each.rulings))) for each in self.entries[:upto]]


def entries_of(header: Header, events: Sequence[Event]) -> Iterator[Entry]:
    """The referee at work: events, and between them the times at which something falls due."""
    referee = Referee(header)
    for event in events:
        while (due := referee.next_deadline) is not None and due < event.t:
            yield Entry(Tick(due), referee.advance(due))
        yield Entry(event, referee.handle(event), wall=1_763_000_000.0 + event.t)


@cache
def played(name: str = WHOLE) -> Played:
    header, events = BOOK[name].read()
    return Played(header, tuple(entries_of(header, events)))


@cache
def recording(upto: int | None = None) -> ImportGame:
    """The recording of a game that is played to its end, or up to an event."""
    return recording_of([json_line(played().header.as_dict()), *(line for line, _ in played().lines(upto))])


def stored_lines(game: StoredGame) -> list[tuple[str, tuple[str, ...]]]:
    return [(entry.line, entry.rulings) for entry in game.entries]


def append(journal: Journal, first: int = 0, last: int | None = None, *, of: Played | None = None) -> int:
    """Hand in entries of a game; the ticket of the last."""
    ticket = 0
    for entry in (of or played()).entries[first:last]:
        ticket = journal.append(entry)
    return ticket


def write(folder: Path, game: Played, upto: int | None = None, *, red: str | None = None) -> None:
    """A program that writes (the beginning of) a game, and ends without a word about it."""
    with Journal(folder) as journal:
        journal.begin_game(game.header, SITTING, red=red)
        append(journal, last=upto, of=game)


def begun(folder: Path, upto: int = 0, *, red: str | None = None, **options: Any) -> Journal:
    """A journal without a thread, in which a game begins that has this many entries so far."""
    journal = Journal(folder, threaded=False, **options)
    journal.begin_game(played().header, SITTING, red=red)
    append(journal, last=upto)
    return journal


def is_durable(journal: Journal, ticket: int) -> bool:
    """All that was handed in up to this ticket is on the disk."""
    return ticket <= journal.queue.newest_durable


@dataclass
class Clock:
    """Seconds that pass when the test says so."""

    now: float = 0.0
    date: datetime = field(default=NOON)

    def monotonic(self) -> float:
        return self.now

    def today(self) -> datetime:
        return self.date
