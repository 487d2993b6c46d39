"""The lines of the live stream as facts, and their JSON objects (docs/live.md, Lines)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, assert_never

from tamsk_hw.facts.notices import Notice
from tamsk_hw.facts.notices import as_dict as notice_as_dict
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.header import Header
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import event_as_dict
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The players' names; None for a player without one."""

    red: str | None = None
    black: str | None = None

    @property
    def swapped(self) -> Names:
        """The same players with the other colours."""
        return Names(red=self.black, black=self.red)

    def renamed(self, red: str | None, black: str | None) -> Names:
        """The names with others in their places: None keeps one, an empty one takes it away."""
        return Names(
            red=self.red if red is None else red or None, black=self.black if black is None else black or None
        )

    def without(self, name: str) -> Names:
        """The names but this one."""
        return Names(red=None if self.red == name else self.red, black=None if self.black == name else self.black)

    def as_dict(self) -> dict[str, str | None]:
        """The names as their JSON object."""
        return {"red": self.red, "black": self.black}


#: Players without names.
NO_NAMES: Final = Names()


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game begins, or goes on: then its past follows. ``key`` names it for ever, ``game`` is its number in the
    journal once it has one.
    """

    header: Header
    key: str
    game: int | None
    names: Names
    resumed: bool


@dataclass(frozen=True, slots=True)
class EventTaken:
    """The referee took an event; the rulings that it gave rise to follow."""

    event: Event


@dataclass(frozen=True, slots=True)
class RulingMade:
    """The referee ruled."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class NoticeGiven:
    """People should know something besides."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class NamesChanged:
    """The players of the game have other names from now on."""

    names: Names


@dataclass(frozen=True, slots=True)
class SavedTo:
    """Everything up to line ``seq`` is on the disk; ``game`` is the game's number in the journal."""

    seq: int
    game: int | None


#: A numbered line of the stream.
Line = GameBegun | EventTaken | RulingMade | NoticeGiven | NamesChanged | SavedTo


def line_as_dict(line: Line, seq: int) -> dict[str, Any]:
    """The line with number ``seq`` as its JSON object."""
    match line:
        case GameBegun(header, key, game, names, resumed):
            return {
                "seq": seq,
                "header": header.as_dict(),
                "key": key,
                "game": game,
                "names": names.as_dict(),
                "resumed": resumed,
            }
        case EventTaken(event):
            return {"seq": seq, "event": event_as_dict(event)}
        case RulingMade(ruling):
            return {"seq": seq, "ruling": ruling.as_dict(), "words": say(ruling)}
        case NoticeGiven(notice):
            return {"seq": seq, "notice": notice_as_dict(notice), "words": notice_words(notice)}
        case NamesChanged(names):
            return {"seq": seq, "names": names.as_dict()}
        case SavedTo(to, game):
            return {"seq": seq, "saved": to, "game": game}
        case _:
            assert_never(line)
