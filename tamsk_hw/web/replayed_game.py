"""A recorded game as the page shows it: a scene for every instant at which something happened."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from tamsk_hw.journal.entries import StoredGame
from tamsk_hw.live.lines import Names
from tamsk_hw.live.state import TableState
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.prompts import Ways
from tamsk_hw.referee.events import Arbiter
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.web.scene import TableScene


@dataclass(frozen=True, slots=True)
class Happening:
    """A ruling, or a decision of the arbiter, at ``instant`` of the recording."""

    instant: int
    what: Ruling | Arbiter


class ReplayedGame:
    """One game of the journal, refereed again when it is made; safe to ask from several threads.

    Raises:
        UnreadableError: this version of the program refuses the game's stream.
    """

    def __init__(self, game: StoredGame) -> None:
        header, events = game.header_and_events()
        self._playback = Playback(header, events)
        self._lock = Lock()
        self._names = Names(red=game.red, black=game.black)
        self.instants = self._playback.instants or (0.0,)
        """Times in seconds of the stream, in order; never empty."""
        decided = [event for event in events if isinstance(event, Arbiter)]
        told: list[Ruling | Arbiter] = [*decided, *self._playback.rulings]
        told.sort(key=lambda each: each.t)  # stable: a decision stands before what follows from it
        self.happenings = tuple(Happening(self.instant_at(each.t), each) for each in told)
        """Every ruling and every decision of the arbiter, in order."""

    def instant_at(self, t: float) -> int:
        """The place in `instants` of the last one that is not later than ``t``; 0 before the first."""
        return self._playback.instant_at(t)

    def scene(self, instant: int) -> TableScene:
        """The table at an instant: a place in `instants`."""
        with self._lock:
            view = self._playback.at(self.instants[instant])
        diagnosis = diagnose(view, ways=Ways(demo=True))
        return TableScene(TableState(view, offered=False), diagnosis, self._names, str(instant))

    def rulings_to(self, instant: int) -> tuple[Ruling, ...]:
        """All that was ruled up to an instant, which is included."""
        return self._playback.rulings_to(self.instants[instant])
