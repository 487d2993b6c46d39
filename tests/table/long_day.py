"""A table in one process at which game after game is played, in simulated time, each at a board just reset."""

import gc
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.session import LinkSession
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.journal import Journal
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.table.simulation import calibration_of
from tamsk_hw.table.table import BoardTable
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame

#: Seconds from one look at the board to the next.
LOOK = 0.05


class LongDay:
    """Games one after the other at one table; a journal in ``folder``."""

    def __init__(self, folder: Path, *, level: int) -> None:
        self.now = 0.0
        self.games = 0
        self._level = level
        self._sit_down()
        simulation = self.simulation
        self._session = LinkSession(simulation.wiring.hash)
        self._session.opened(0.0)
        self.journal = Journal(folder, threaded=False)
        self.table = BoardTable(
            simulation.header,
            simulation.wiring,
            self._sensing,
            self,
            self.journal,
            0.0,
            wall=lambda: 1_700_000_000.0 + self.now,
            boot="one",
        )

    def _sit_down(self) -> None:
        """Two players at a board that was just reset; its time and that of its game begin now."""
        self.games += 1
        self._began = self.now
        self.simulation = SimulatedGame(Ruleset(level=self._level), self.games, habits=Habits(pace=0.5))

    def _sensing(self) -> Sensing:
        board = self.simulation.board
        assert isinstance(board, SimulatedBoard)
        calibration = calibration_of(board.sensors.calibration_values())
        return Sensing(self.simulation.wiring, calibration, SensingSettings(), False)

    def poll(self, now: float) -> list[LinkEvent]:
        """The table's line."""
        board = self.simulation.board
        events: list[LinkEvent] = []
        for sent, frame in board.advance(now - self._began):
            events += self._session.receive(frame, self._began + sent)
        events += self._session.advance(now)
        board.receive(self._session.take_outgoing())
        return events

    def _step(self, decided: list[Event]) -> None:
        self.now += LOOK
        self.journal.writer.attempt()
        ruled = self.table.advance(self.now, decided)
        self.simulation.match.on_rulings(ruled)
        self.simulation.match.advance(self.now - self._began)

    def _pressed(self) -> list[Event]:
        """The players' buttons and decisions by the machine's clock."""
        return [replace(event, t=event.t + self._began) for event in self.simulation.match.drain_events()]

    def play(self, seconds: float) -> None:
        """A game to its end, or until one resigns after so many seconds; then the next is set up."""
        while not self.table.refereeing.is_over:
            tired = self.now > self._began + seconds
            resigns = [Button(self.now, ButtonName.RED, Press.LONG)] if tired else []
            self._step([*self._pressed(), *resigns])
        self.now += LOOK
        self._sit_down()
        self.table.advance(self.now, [Button(self.now, ButtonName.START, Press.SHORT)])
        self._began = self.now

    def living(self) -> Counter[str]:
        """Objects of the program's types, by type, with the disk having taken all: not the simulator's."""
        self.journal.writer.attempt()
        gc.collect()
        kinds = (type(each) for each in gc.get_objects())
        own = (kind for kind in kinds if str(kind.__module__).startswith("tamsk_hw."))
        own = (
            kind for kind in own if kind.__module__ != "tamsk_hw.forms"
        )  # one for each type, from its first use on
        return Counter(
            f"{kind.__module__}.{kind.__qualname__}" for kind in own if ".simulator" not in kind.__module__
        )
