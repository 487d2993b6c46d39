"""Times from a player's act to the pixel bytes for the driver, through the service's own loop, at real speed.

A board's frames are made beforehand, with the instant at which each leaves the board, and written to a
pseudo-terminal at these instants; so the simulated board takes nothing from the machine while it is measured.
Counted is from the end of the first scan that shows the state: the snapshot's making and its way over the line are
in it, and the dwell, which is also told apart.
"""

from __future__ import annotations

import json
import os
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import tty
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tamsk_hw.board.calibration_file import FIELD_NAMES, KnownCalibration, save_calibration
from tamsk_hw.board.protocol import Decoder, Snapshot
from tamsk_hw.board.sensing import SensingSettings
from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.presses import SETTLE_SECONDS
from tamsk_hw.simulator.board import COMPOSE, SimulatedBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.table.simulation import calibration_of
from tests.bench.figures import Figure
from tests.bench.machine import slowness
from tests.bench.waited_program import DISKS

#: Games on each disk.
GAMES = 6

#: The board, and by how much the games' hands differ in time (seconds).
SEED, PHASE = 5, 0.0007

#: Steps from its rest at which a field counts as that of an empty tube: 5 % of a seated glass's,
#: less the noise.
GONE = 2

#: From a scan's end to its snapshot's last byte, which an event's time does not see (seconds).
ON_THE_LINE = COMPOSE + 75 * 10 / 500_000

#: What is measured: the ruling that shows it, the dwell, the most with its dwell (seconds).
DWELLS = SensingSettings()
KINDS = {
    "lift": ("move_started", DWELLS.glass_dwell, 0.050),
    "seat": ("move", DWELLS.glass_dwell, 0.050),
    "ring": ("ring", DWELLS.ring_dwell, 0.090),
    "button": ("started", SETTLE_SECONDS, None),
}

#: The most without the dwell (seconds).
REST_MOST = 0.012

MOVES = (
    (Player.RED, Tube.D1, Tube.D2),
    (Player.BLACK, Tube.D7, Tube.D6),
    (Player.RED, Tube.G4, Tube.F4),
    (Player.BLACK, Tube.G1, Tube.F1),
)


@dataclass(frozen=True)
class Script:
    """A short game: frames and when each leaves the board, presses (button, seconds held, when), the instants from
    which on lifted glasses were out of reach, and the game's length; all in seconds.
    """

    frames: list[tuple[float, bytes]]
    presses: list[tuple[str, float, float]]
    lifts: list[float]
    length: float


def gone(frames: list[tuple[float, bytes]], tube: Tube) -> float:
    """The end of the first scan from which on a tube's field is what it is in the last: a hand lifts slowly."""
    decoder = Decoder()
    fields = [
        (sent - ON_THE_LINE, message.fields[tube])
        for sent, frame in frames
        for message in decoder.feed(frame)
        if isinstance(message, Snapshot)
    ]
    rest = fields[-1][1]
    last = max(place for place, (_, field) in enumerate(fields) if abs(field - rest) > GONE)
    return fields[last + 1][0]


def one_game(number: int) -> Script:
    """Four moves with their rings, a resignation, and the set-up of the next game, on a board just reset."""
    board = SimulatedBoard(World(SEED), holders=False)
    for _ in range(number):
        board.reset()
    world, frames = board.world, board.advance(1.0)
    presses = [("start", 0.1, board.now)]

    def until(t: float) -> None:
        frames.extend(board.advance(t))

    until(board.now + 0.4 + number * PHASE)
    lifts = []
    for player, origin, target in MOVES:
        before = len(frames)
        until(world.lift(player, origin))
        lifts.append(gone(frames[before:], origin))
        until(world.seat(player, target, turned=True) + 0.2)
        until(world.drop_ring(player, target) + 0.3)
    presses.append(("red", 1.7, board.now))
    presses.append(("start", 0.1, board.now + 2.2))
    until(board.now + 2.8)
    return Script(frames, presses, lifts, board.now)


def played(disk: str, folder: Path) -> tuple[list[tuple[str, float, float]], list[float]]:
    """Play at the service with that disk; give (ruling, its instant, instant of its light).

    And by how much each frame was written late: that is the machine's share, not the program's.
    """
    values = calibration_of(SimulatedBoard(World(SEED), holders=False).calibration_values())
    known = KnownCalibration(calibration=values, measured=frozenset(FIELD_NAMES))
    save_calibration(folder / "calibration.toml", known, datetime.now())
    games = [one_game(number) for number in range(GAMES)]
    lifts: list[float] = []
    late: list[float] = []
    master, slave = os.openpty()
    tty.setraw(slave)
    os.symlink(os.ttyname(slave), folder / "board")
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.waited_program", str(folder), disk],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            text=True,
            bufsize=1,
        )
        try:
            assert process.stdin is not None
            os.read(master, 4096)  # the service has opened the port, and asks who is there
            os.close(slave)
            began = time.monotonic() + 0.5
            for game in games:
                lifts += [began + at for at in game.lifts]
                for button, held, at in game.presses:
                    process.stdin.write(f"{button} {held} {began + at}\n")
                for sent, frame in game.frames:
                    time.sleep(max(0.0, began + sent - time.monotonic()))
                    os.write(master, frame)
                    late.append(time.monotonic() - began - sent)
                    while select.select([master], [], [], 0)[0]:
                        os.read(master, 4096)
                began += game.length + 0.3
            process.send_signal(signal.SIGTERM)
            process.wait(30.0)
        finally:
            process.kill()
            process.wait()
            os.close(master)
    notes = json.loads((folder / "notes.json").read_text())
    lifted = iter(lifts)
    timed = [(name, next(lifted) if name == "move_started" else t, at) for name, t, at in notes]
    return [(name, t, at) for name, t, at in timed if at is not None], late


def milliseconds(seconds: float) -> str:
    """As a row has it."""
    return f"{seconds * 1e3:.1f}"


def percentile_99(values: list[float]) -> float:
    """The value that 99 of a hundred do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[98]


def rows(disk: str, notes: list[tuple[str, float, float]], late: list[float], factor: float) -> list[Figure]:
    """The rows for one disk; budgets but for dwells are scaled by the machine's slowness."""
    figures = []
    rests: list[float] = []
    for what, (name, dwell, most) in KINDS.items():
        unseen = ON_THE_LINE if what in ("seat", "ring") else 0.0
        waits = [at - t + unseen for ruling, t, at in notes if ruling == name]
        if not waits:
            raise RuntimeError(f"nothing was ruled as {name} with the journal on a disk that is {disk}")
        rests += [wait - dwell for wait in waits]
        p99 = percentile_99(waits)
        allowed = None if most is None else dwell + (most - dwell) * factor
        figures.append(
            Figure(
                f"{what} → lights, disk: {disk}",
                "" if allowed is None else f"p99 {milliseconds(allowed)} ms",
                f"median {milliseconds(statistics.median(waits))}, p99 {milliseconds(p99)} ms, "
                f"of it dwell {milliseconds(dwell)}; {len(waits)}",
                None if allowed is None else p99 <= allowed,
            )
        )
    p99 = percentile_99(rests)
    figures.append(
        Figure(
            f"all but the dwell, disk: {disk}",
            f"p99 {milliseconds(REST_MOST * factor)} ms",
            f"median {milliseconds(statistics.median(rests))}, p99 {milliseconds(p99)} ms; {len(rests)}",
            p99 <= REST_MOST * factor,
        )
    )
    lateness = f"median {milliseconds(statistics.median(late))}, p99 {milliseconds(percentile_99(late))} ms"
    figures.append(Figure("of it the machine's: frames written late", "", lateness, None))
    return figures


def waits_figures() -> list[Figure]:
    """Play on each disk."""
    figures = []
    for disk in DISKS:
        with tempfile.TemporaryDirectory() as folder:
            figures += rows(disk, *played(disk, Path(folder)), slowness())
    return figures


if __name__ == "__main__":
    for figure in waits_figures():
        print(figure.what, "|", figure.budget, "|", figure.measured, "|", figure.met)
