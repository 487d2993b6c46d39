"""A service whose loop goes round in a thread, with journal and live stream, at a board that says nothing."""

import json
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import End
from tamsk_hw.journal.journal import Journal
from tamsk_hw.live.client import connect
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.server import LiveServer
from tamsk_hw.live.stream import Greeting, LiveStream, TableState
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Press, Seat
from tamsk_hw.referee.glasses_in_hand import STARTERS
from tamsk_hw.referee.stream import parse_event
from tamsk_hw.table.requests import RequestHandler
from tamsk_hw.table.table import BoardTable

#: Seconds since 1970 at the table.
WALL = 1_764_000_000.0


class NoBoard:
    """A line on which nothing comes."""

    def poll(self, now: float) -> list[Any]:
        return []


def quiet_table(journal: Journal, publisher: Publisher, now: float) -> BoardTable:
    """A table at a board that says nothing."""
    wiring = load_wiring()
    return BoardTable(
        Header(ruleset=Ruleset(level=1), pause_when_lost=True),
        wiring,
        lambda: Sensing(wiring, Calibration(), SensingSettings()),
        NoBoard(),
        journal,
        now,
        wall=lambda: WALL,
        boot=None,
        publisher=publisher,
    )


def state_of(table: BoardTable) -> TableState:
    return TableState(table.view(), table.is_offered)


class Running:
    """A service: its loop goes round in a thread, a second of its own clock each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "journal"
        self.socket = folder / "live.sock"
        self._woken = Event()
        self._ends = False
        self._happen: list[Any] = []
        lines = LiveStream(Greeting(life="5f0c", program="0.2.0", board=None, simulated=False, speed=1.0))
        self._server = LiveServer(self.socket, lines, self._woken.set)
        self.publisher = Publisher(lines, self._server)
        self.journal = Journal(self.folder, wake=self._woken.set, asked_at=self.publisher.asked_at)
        self._now = 100.0
        self.table = quiet_table(self.journal, self.publisher, self._now)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        door = RequestHandler(self.publisher)
        while not self._ends:
            self._woken.wait(0.02)
            self._woken.clear()
            self._now += 1.0
            if self._happen:
                self.table.refereeing.take(self._happen.pop(0)(self._now - 100.0))
            self.table.advance(self._now, door.take(self.table, self._now))
            self.publisher.tell(state_of(self.table))

    def start_a_game(self) -> None:
        """Set the board up, press start, and wait until that is on the disk."""
        timer = {"event": "timer", "state": "seated", "end": "A"}
        self._happen += [
            lambda t: [parse_event({"t": t, **timer}), *(Seat(t, tube, End.A) for tube in STARTERS)],
            lambda t: [Button(t, ButtonName.START, Press.SHORT)],
        ]
        with connect((self.socket,)) as reader:
            reader.send({"since": 0})
            turn = None
            for line in reader.lines():
                record = json.loads(line)
                if record.get("ruling", {}).get("ruling") == "turn":
                    turn = record["seq"]
                if turn is not None and record.get("saved", 0) >= turn:
                    return

    def close(self) -> None:
        self._ends = True
        self._thread.join(60)
        self.journal.close()
        self.publisher.close()
