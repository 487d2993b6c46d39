"""A live stream as a service would send it, from the events of a recorded game."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tamsk_hw.live.stream import NO_NAMES, GameBegun, Line, Names, TableState, line_as_dict, state_as_dict
from tamsk_hw.referee import Referee
from tamsk_hw.referee.view import View
from tests.scenarios.book import BOOK


def greeting(life: str = "5f0c", seq: int = 0, *, speed: float = 1.0, simulated: bool = True) -> dict[str, Any]:
    return {
        "live": 1,
        "life": life,
        "program": "0.2.0",
        "board": None,
        "simulated": simulated,
        "speed": speed,
        "seq": seq,
    }


def state_line(view: View, **more: Any) -> dict[str, Any]:
    """The line of a state; ``more``: other fields of `TableState`."""
    state = state_as_dict(TableState(view, **{"offered": False, **more}))
    record: dict[str, Any] = json.loads(json.dumps({"state": state}))
    return record


@dataclass
class Told:
    """The numbered lines of a life, made one after the other."""

    lines: list[dict[str, Any]] = field(default_factory=list)

    def line(self, line: Line) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(json.dumps(line_as_dict(line, len(self.lines) + 1)))
        self.lines.append(record)
        return record

    def game(
        self, scenario: str, key: str = "a", names: Names = NO_NAMES, *, resumed: bool = False
    ) -> Iterator[dict[str, Any]]:
        """The lines of a scenario's game, and a state after each event."""
        header, events = BOOK[scenario].read()
        referee = Referee(header)
        yield self.line(GameBegun(header, key, None, names, resumed))
        for event in events:
            rulings = referee.handle(event)
            yield self.line(event)
            for ruling in rulings:
                yield self.line(ruling)
            yield state_line(referee.view(event.t))

    @property
    def rulings(self) -> list[dict[str, Any]]:
        return [line["ruling"] for line in self.lines if "ruling" in line]
