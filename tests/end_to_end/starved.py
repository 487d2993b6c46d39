"""A game played to the service as a process of its own, at real speed, which is stopped and continued meanwhile.

The board's frames are made beforehand, with the instant at which each leaves the board, and written to a
pseudo-terminal at these instants. It keeps as much for a program that does not read as the terminal of a serial
adapter does.
"""

import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tamsk_hw.board.calibration import FIELD_NAMES, KnownCalibration, save_calibration
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.archive import Archive
from tamsk_hw.referee.events import Button, Event, Lift, Press, Rings, Seat
from tamsk_hw.referee.rulings import Caution, Ruling, Started, TimerStarted, Warned
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.table.simulation import calibration_of
from tests.curves.judging import Entry, Window, Wrong, compare, counts, essence
from tests.curves.played import HABITS
from tests.curves.undisturbed import TrueGame, world_of
from tests.disturbances.stalls import KEPT_BYTES
from tests.players.match import Match

#: Seconds for which a button is held, and by which a ruling may be dated off.
HELD, NEAR = 0.1, 0.8

#: Seconds after the start in which the service is not stopped, and at the end in which nothing is judged.
BEGINNING, ENDING = 2.0, 2.0

#: A pause of the service: when it begins (seconds of the game), and how long it is.
Stop = tuple[float, float]


@dataclass(frozen=True)
class Script:
    """A game of so many seconds: frames and when each leaves the board, its true events and rulings."""

    level: int
    length: float
    frames: Sequence[tuple[float, bytes]]
    events: Sequence[Event]
    rulings: Sequence[Ruling]
    board: SimulatedBoard

    @property
    def started(self) -> float:
        """The time of its start."""
        return next(ruling.t for ruling in self.rulings if isinstance(ruling, Started))

    def moments(self) -> list[float]:
        """The instants that matter: glasses lifted and seated, rings, presses, the end of the 15 seconds."""
        times = [event.t for event in self.events if isinstance(event, Lift | Seat | Rings | Button)]
        times += [ruling.deadline for ruling in self.rulings if isinstance(ruling, TimerStarted)]
        return sorted(t for t in times if self.started + BEGINNING < t < self.length - ENDING)


def script_of(level: int, seed: int, length: float) -> Script:
    """The first seconds of a game between simulated players."""
    ruleset = Ruleset(level=level)
    board = SimulatedBoard(world_of(ruleset, seed), holders=False)
    people = Match(board.world, ruleset, seed, habits=HABITS, patience=1e9)
    game = TrueGame(ruleset, seed, board.world, board.sensors.calibration_values(), holders=False, people=people)
    frames: list[tuple[float, bytes]] = []
    while board.now < length:
        due = game.next_step()
        look = board.now + 0.05
        frames += board.advance(look if due is None or due <= board.now else min(look, due))
        game.advance(board.now)
    return Script(level, length, frames, game.events, game.rulings, board)


def stops_at(moments: Iterable[float], seconds: float, before: float) -> list[Stop]:
    """A stop from ``before`` seconds before each moment on that is a while after the last."""
    stops: list[Stop] = []
    for t in moments:
        if not stops or t - before >= stops[-1][0] + seconds + 1.0:
            stops.append((t - before, seconds))
    return stops


class Line:
    """A board's line to the program: what it does not read in time is lost."""

    def __init__(self, port: Path) -> None:
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        port.symlink_to(os.ttyname(self._near))
        self.lost = 0
        """Bytes that were lost."""

    def wait_for_reader(self) -> None:
        """Wait until the program has opened the port and asks who is there."""
        assert select.select([self._far], [], [], 60.0)[0], "the service did not open its port"
        os.read(self._far, 4096)

    def write(self, frame: bytes) -> None:
        """Send a frame, or as much of it as there is room for."""
        waiting = array("i", [0])
        fcntl.ioctl(self._near, termios.FIONREAD, waiting)
        room = max(0, KEPT_BYTES - waiting[0])
        os.write(self._far, frame[:room])
        self.lost += len(frame[room:])
        while select.select([self._far], [], [], 0)[0]:
            os.read(self._far, 4096)

    def close(self) -> None:
        """Pull the cable."""
        os.close(self._near)
        os.close(self._far)


def play(script: Script, stops: Iterable[Stop], folder: Path) -> tuple[list[Ruling], int]:
    """Play it to the service and stop it meanwhile; give what it ruled, and the number of bytes that were lost."""
    values = calibration_of(script.board.sensors.calibration_values())
    known = KnownCalibration(calibration=values, measured=frozenset(FIELD_NAMES))
    save_calibration(folder / "calibration.toml", known, datetime.now())
    (folder / "config.toml").write_text(
        f'[board]\nport = "{folder}/board"\ncalibration = "{folder}/calibration.toml"\n'
        f'[ruleset]\nlevel = {script.level}\n[gpio]\nfactory = "mock"\n[journal]\nfolder = "{folder}/journal"\n'
        '[lights]\nroute = "none"\n',
        encoding="utf-8",
    )
    line = Line(folder / "board")
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.starved_program", str(folder)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            text=True,
        )
        try:
            line.wait_for_reader()
            _perform(script, stops, line, process)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60.0) in (0, 143), (folder / "output").read_text()
        finally:
            process.kill()
            process.wait()
            line.close()
    return list(Archive(folder / "journal").load(1).rulings()), line.lost


def _perform(script: Script, stops: Iterable[Stop], line: Line, process: subprocess.Popen[str]) -> None:
    began = time.monotonic() + 0.3
    assert process.stdin is not None
    for event in script.events:
        if isinstance(event, Button):
            assert event.press is Press.SHORT
            name, released = event.button.value, began + event.t
            process.stdin.write(f"{name} 1 {released - HELD}\n{name} 0 {released}\n")
    process.stdin.flush()
    deeds: list[tuple[float, bytes | signal.Signals]] = list(script.frames)
    for begin, seconds in stops:
        deeds += [(begin, signal.SIGSTOP), (begin + seconds, signal.SIGCONT)]
    for at, deed in sorted(deeds, key=lambda each: each[0]):
        time.sleep(max(0.0, began + at - time.monotonic()))
        if isinstance(deed, bytes):
            line.write(deed)
        else:
            process.send_signal(deed)
    process.send_signal(signal.SIGCONT)
    time.sleep(1.0)


def wrong_in(script: Script, ruled: Sequence[Ruling]) -> list[Wrong]:
    """The rulings that differ from the truth, in the order in which that came out."""
    ahead = next(ruling.t for ruling in ruled if isinstance(ruling, Started)) - script.started
    due = [Entry(ruling.t, ruling.t, essence(ruling)) for ruling in script.rulings if counts(ruling)]
    told = [Entry(ruling.t - ahead, ruling.t - ahead, essence(ruling)) for ruling in ruled if counts(ruling)]
    return compare(due, told, Window(NEAR, NEAR, NEAR), script.started - NEAR, script.length - ENDING)


def link_lost_at(script: Script, ruled: Sequence[Ruling]) -> float:
    """The time of the first warning of a lost link (seconds of the script); infinity: never."""
    ahead = next(ruling.t for ruling in ruled if isinstance(ruling, Started)) - script.started
    times = [
        ruling.t - ahead for ruling in ruled if isinstance(ruling, Warned) and ruling.code is Caution.LINK_LOST
    ]
    return min((t for t in times if t >= script.started), default=float("inf"))
