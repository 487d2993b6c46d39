"""A game of a board as its lines come: twice, late, in any order or not at all.

`GameLines` has them in order, without a gap, and knows the first that is missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.mqtt.messages import (
    EventMessage,
    ExcerptMessage,
    GameLine,
    HeaderMessage,
    JsonObject,
    RuledEvent,
    RulingMessage,
)

#: Messages with lines of a game.
LineMessage = GameLine | ExcerptMessage

#: Events that are kept though one before them is missing: more are asked for again.
_MOST_AHEAD: Final = 1000


@dataclass(slots=True)
class GameLines:
    """A game of a board as far as it has come: ``count`` events, none before them missing; -1 without its header.

    ``told`` is the number of events that the board has.
    """

    key: str
    count: int = -1
    told: int = 0
    header: JsonObject | None = None
    names: Names = NO_NAMES
    over: JsonObject | None = None
    """The ruling by which it ended."""
    due: float = 0.0
    """The time at which what is missing is asked for."""
    asked: int = 0
    """The number of times that it was, since something came."""
    _events: dict[int, EventMessage] = field(default_factory=dict)
    _rulings: dict[int, dict[int, JsonObject]] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Nothing that the board has is missing, and the header is there."""
        return self.count >= max(0, self.told)

    def feed(self, message: LineMessage) -> list[RuledEvent]:
        """Take a message; give the events that are whole by it, in order, with their rulings.

        What was given once stays as it was. A part with a gap before it is asked for again.
        """
        whole: list[RuledEvent] = []
        match message:
            case HeaderMessage():
                self._begin(message.header, message.names)
            case EventMessage() if self._is_ahead(message.number):
                self._events.setdefault(message.number, message)
            case RulingMessage() if self._is_ahead(message.number):
                self._rulings.setdefault(message.number, {}).setdefault(message.place, message.ruling)
            case ExcerptMessage():
                self._begin(message.header, message.names)
                self.names = message.names
                if message.number <= self.count + 1:
                    whole += message.entries[self.count + 1 - message.number :]
                    for entry in whole:
                        self._take(entry)
        return whole if self.header is None else [*whole, *self._whole()]

    def _begin(self, header: JsonObject, names: Names) -> None:
        if self.header is None:
            self.header, self.names, self.count = header, names, max(0, self.count)

    def _is_ahead(self, number: int) -> bool:
        return self.count < number <= max(0, self.count) + _MOST_AHEAD

    def _whole(self) -> Iterator[RuledEvent]:
        """Take the entries out that follow those that are there."""
        while (event := self._events.get(self.count + 1)) is not None:
            found = self._rulings.get(event.number, {})
            if any(place not in found for place in range(event.rulings)):
                return
            entry = RuledEvent(event=event.event, rulings=tuple(found[place] for place in range(event.rulings)))
            self._take(entry)
            yield entry

    def _take(self, entry: RuledEvent) -> None:
        """Count an entry as the next one that is whole."""
        self.count += 1
        self._events.pop(self.count, None)
        self._rulings.pop(self.count, None)
        self.told = max(self.told, self.count)
        self.over = self.over or over_of(entry)


def over_of(entry: RuledEvent) -> JsonObject | None:
    """The ruling of an event by which the game ended."""
    return next((ruling for ruling in entry.rulings if ruling.get("ruling") == "game_over"), None)
