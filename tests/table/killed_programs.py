"""Programs that referee at a board until they are killed (``kill -9``), and games recorded.

A program is a process with a `BoardTable` and a journal, which it writes in a thread as the service does. It is
given what it has of its surroundings, a `Setting` and then `Step`s, and answers with a `Seen`. Time is what the
steps say. Whatever it answers has been seen by the people at the board.
"""

import multiprocessing
import signal
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.table.simulation import LOOK, calibration_of
from tamsk_hw.table.table import BoardTable
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame
from tests.said import Said

#: The machine that is not switched off, and the time of day at which its monotonic clock was 0.
BOOT, WALL = "one", 1_763_000_000.0

#: Simulated seconds for which people and link are watched after the game is over.
AFTERWARDS = 1.0

#: Each program is forked off a process that has everything imported.
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["__main__", __name__])


@dataclass(frozen=True)
class Setting:
    """Setting in which a program starts, at ``now`` (monotonic seconds)."""

    header: Header
    calibration: Calibration
    now: float


@dataclass(frozen=True)
class Step:
    """Time has passed to ``now``: the frames that came (with the times of their last bytes), what was pressed."""

    now: float
    frames: tuple[tuple[float, bytes], ...] = ()
    told: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Seen:
    """Sight that people have of a program: the rulings that it showed, what it said, whether it offers a game.

    ``past``: at its start, the rulings of the game that it offers. ``outgoing``: the bytes for the board.
    ``saved``: the rulings that its journal has called durable since the last answer.
    """

    shown: tuple[Ruling, ...]
    said: tuple[str, ...]
    is_offered: bool
    connected: bool = False
    past: tuple[Ruling, ...] = ()
    outgoing: bytes = b""
    saved: tuple[Ruling, ...] = ()


class FedLine:
    """The link to a board whose frames are handed in."""

    def __init__(self, wiring: Wiring, now: float) -> None:
        self.session = LinkSession(wiring.hash)
        self.session.opened(now)
        self.frames: list[tuple[float, bytes]] = []

    def poll(self, now: float) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        for sent, frame in self.frames:
            events += self.session.receive(frame, sent)
        self.frames.clear()
        return events + self.session.advance(now)


class FedTable(BoardTable):
    """A table that is given steps."""

    def __init__(self, wiring: Wiring, setting: Setting, journal: Journal, said: Said) -> None:
        self.now = setting.now
        self.line = FedLine(wiring, setting.now)
        super().__init__(
            setting.header,
            wiring,
            lambda: Sensing(wiring, setting.calibration, SensingSettings(), setting.header.holders),
            self.line,
            journal,
            setting.now,
            wall=lambda: WALL + self.now,
            boot=BOOT,
            notice=said,
        )

    def take(self, step: Step) -> list[Ruling]:
        self.now = step.now
        self.line.frames += step.frames
        return self.advance(step.now, step.told)


class WatchedJournal(Journal):
    """A journal that says which rulings are saved: those of the durable tickets, each once."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._unsaved: deque[tuple[int, Sequence[Ruling]]] = deque()

    def append(self, entry: Entry) -> int:
        ticket = super().append(entry)
        self._unsaved.append((ticket, entry.rulings))
        return ticket

    def take_saved(self) -> tuple[Ruling, ...]:
        saved: list[Ruling] = []
        while self._unsaved and self._unsaved[0][0] <= self.queue.newest_durable:
            saved += self._unsaved.popleft()[1]
        return tuple(saved)


def referee_until_killed(folder: Path, setting: Setting, parent: Connection) -> None:
    """The program: it ends when the parent hangs up."""
    said = Said()
    with WatchedJournal(folder) as journal:
        table = FedTable(load_wiring(), setting, journal, said)
        session = table.line.session
        past = tuple(table.refereeing.rulings)
        parent.send(Seen((), tuple(said), table.is_offered, past=past, outgoing=session.take_outgoing()))
        while True:
            try:
                steps, saved = parent.recv()
            except EOFError:
                return
            said.clear()
            shown = tuple(ruling for step in steps for ruling in table.take(step))
            if saved:
                journal.queue.wait_until_written(None)
            connected, outgoing = table.refereeing.connected, session.take_outgoing()
            parent.send(Seen(shown, tuple(said), table.is_offered, connected, (), outgoing, journal.take_saved()))


class Program:
    """A running program, as the test has it."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        self._end, theirs = _SERVER.Pipe()
        self._process = _SERVER.Process(target=referee_until_killed, args=(folder, setting, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def hear(self) -> Seen:
        """Its answer."""
        seen = self._end.recv()
        assert isinstance(seen, Seen)
        return seen

    def tell(self, *steps: Step, saved: bool = True) -> None:
        """Hand it steps; the answer is not waited for. ``saved``: it answers once all is on the disk."""
        self._end.send((steps, saved))

    def take(self, *steps: Step, saved: bool = True) -> Seen:
        """Hand it steps and hear its answer."""
        self.tell(*steps, saved=saved)
        return self.hear()

    def kill(self) -> None:
        """``kill -9``."""
        self._process.kill()
        self._process.join()
        self._end.close()
        assert self._process.exitcode == -signal.SIGKILL

    def end(self) -> None:
        """End it as a service is ended."""
        self._end.close()
        self._process.join()
        assert self._process.exitcode == 0


@dataclass(frozen=True)
class Recorded:
    """A game that was played to its end at a program that nobody killed, and what was ruled."""

    setting: Setting
    steps: tuple[Step, ...]
    rulings: tuple[Ruling, ...]
    hello: bytes
    """Answer of the board when it is asked who it is."""


def record(ruleset: Ruleset, seed: int, habits: Habits, *, holders: bool, folder: Path) -> Recorded:
    """Have two simulated players play a game, and write down all that comes to the program."""
    simulation = SimulatedGame(ruleset, seed, holders=holders, habits=habits)
    board, match = simulation.board, simulation.match
    setting = Setting(simulation.header, calibration_of(board.sensors.calibration_values()), 0.0)
    steps: list[Step] = []
    rulings: list[Ruling] = []
    hello = b""
    now, ends = 0.0, float("inf")
    with Journal(folder, threaded=False) as journal:
        table = FedTable(simulation.wiring, setting, journal, Said())
        while now < ends:
            due, look = match.next_wakeup, now + LOOK
            now = look if due is None or due <= now else min(look, due)
            frames = tuple(board.advance(now))
            hello = hello or next((frame for _, frame in frames), b"")
            step = Step(now, frames, tuple(match.drain_events()))
            shown = table.take(step)
            journal.writer.attempt()
            outgoing = table.line.session.take_outgoing()
            if outgoing:
                board.receive(outgoing)
            match.on_rulings(shown)
            match.advance(now)
            steps.append(step)
            rulings += shown
            if match.over is not None and ends == float("inf"):
                ends = now + AFTERWARDS
    return Recorded(setting, tuple(steps), tuple(rulings), hello)
