"""Times from a player's act to the pixel bytes for the driver, through the service's own loop, at real speed.

A board's frames are made beforehand, with the instant at which each leaves the board, and written to a
pseudo-terminal at these instants; so the simulated board takes nothing from the machine while it is measured.
Counted is from the end of the first scan that shows the state: the snapshot's making and its way over the line are
in it, and the dwell, which is also told apart.
"""

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
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tamsk_hw.board.calibration import FIELD_NAMES, FieldCalibration, KnownCalibration, save_calibration
from tamsk_hw.board.protocol import Decoder, Snapshot
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import TUBES, Player, Tube
from tamsk_hw.panel.buttons import SETTLE_SECONDS
from tamsk_hw.simulator.board import COMPOSE, SimulatedBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.table.simulation import calibration_of
from tests.bench.figures import Figure
from tests.bench.machine import slowness
from tests.bench.waited_program import DISKS
from tests.disturbances.sensors import own_thresholds

#: Games on each disk.
GAMES = 2

#: The board, and by how much the games' hands differ in time (seconds).
SEED, PHASE = 5, 0.0007

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

#: No ring comes to C3, D4 or G3: this board's sensors there are weak, and their rings wait for `ring_dwell_weak`.
MOVES = (
    (Player.RED, Tube.D1, Tube.D2),
    (Player.BLACK, Tube.D7, Tube.D6),
    (Player.RED, Tube.G4, Tube.F4),
    (Player.BLACK, Tube.G1, Tube.F2),
    (Player.RED, Tube.A4, Tube.B4),
    (Player.BLACK, Tube.A1, Tube.B2),
    (Player.RED, Tube.D2, Tube.D3),
    (Player.BLACK, Tube.D6, Tube.D5),
    (Player.RED, Tube.F4, Tube.E4),
    (Player.BLACK, Tube.F2, Tube.E3),
    (Player.RED, Tube.B4, Tube.C4),
    (Player.BLACK, Tube.B2, Tube.C2),
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


def gone(frames: list[tuple[float, bytes]], tube: Tube, calibration: FieldCalibration) -> float:
    """The end of the first scan from which on a tube counts as empty (docs/design.md, Sensing).

    A hand lifts slowly, and a glass above its tube has not left it: the field of a lifted glass is below 5 % of a
    seated one's, or within the noise, for good.
    """
    decoder = Decoder()
    fields = [
        (sent - ON_THE_LINE, message.fields[tube])
        for sent, frame in frames
        for message in decoder.feed(frame)
        if isinstance(message, Snapshot)
    ]
    strays = [field - calibration.rest for _, field in fields]
    last = max(
        place
        for place, stray in enumerate(strays)
        if abs(stray) > calibration.noise
        and abs(stray) >= DWELLS.gone * (calibration.end_a if stray > 0 else calibration.end_b)
    )
    return fields[last + 1][0]


def one_game(number: int) -> Script:
    """Twelve moves with their rings, a resignation, and the set-up of the next game, on a board just reset.

    Each player lifts his glass while the other's hand is under way with a ring, as players do (R2.8).
    """
    board = SimulatedBoard(World(SEED), holders=False)
    for _ in range(number):
        board.reset()
    board.sensors.thresholds[:] = b"".join(own_thresholds(board.sensors))
    fields = calibration_of(board.sensors.calibration_values()).fields
    world, frames = board.world, board.advance(1.0)
    presses = [("start", 0.1, board.now)]

    def until(t: float) -> None:
        frames.extend(board.advance(t))

    until(board.now + 0.4 + number * PHASE)
    lifts = []
    dropped = board.now
    for player, origin, target in MOVES:
        before = len(frames)
        until(world.lift(player, origin))
        lifts.append(gone(frames[before:], origin, fields[origin]))
        until(max(dropped + 0.1, board.now))
        until(world.seat(player, target, turned=True) + 0.1)
        dropped = world.drop(player, target)
    until(dropped + 0.3)
    presses.append(("red", 1.7, board.now))
    presses.append(("start", 0.1, board.now + 2.2))
    until(board.now + 2.8)
    return Script(frames, presses, lifts, board.now)


def played(
    disk: str,
    folder: Path,
    number: int = GAMES,
    environment: dict[str, str] | None = None,
    at_end: Callable[[subprocess.Popen[str]], None] = lambda process: None,
) -> tuple[list[tuple[str, float, float]], list[float]]:
    """Play ``games`` games at a service, and note when each ruling and its light came.

    Gives each ruling with its instant and that of its light, and the delays with which the frames were written:
    those are the machine's share, not the program's. ``at_end`` is
    called with the service's process before that ends.
    """
    sensors = SimulatedBoard(World(SEED), holders=False).sensors
    values, own = calibration_of(sensors.calibration_values()), b"".join(own_thresholds(sensors))
    rings = {tube.name: tuple(2.0 * own[bit] for bit in load_wiring().ring_bits[tube]) for tube in TUBES}
    known = KnownCalibration(calibration=values, measured=frozenset(FIELD_NAMES), ring_counts=rings)
    save_calibration(folder / "calibration.toml", known, datetime.now())
    games = [one_game(each) for each in range(number)]
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
            env=environment,
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
            at_end(process)
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
    """The value that 99 of a hundred do not exceed; of fewer than a hundred values, the greatest."""
    return max(values) if len(values) < 100 else statistics.quantiles(values, n=100, method="inclusive")[98]


def spread(values: list[float]) -> str:
    """Median and 99th percentile as a row has them; of fewer than a hundred values, the greatest by its name."""
    name = "most" if len(values) < 100 else "p99"
    worst = f"{name} {milliseconds(percentile_99(values))} ms"
    return f"median {milliseconds(statistics.median(values))}, {worst}; {len(values)}"


def rest_row(disk: str, rests: list[float], factor: float) -> Figure:
    """The row of the waits without their dwells."""
    return Figure(
        f"all but the dwell, disk: {disk}",
        f"p99 {milliseconds(REST_MOST * factor)} ms",
        spread(rests),
        percentile_99(rests) <= REST_MOST * factor,
    )


def rests_of(waits: dict[str, list[float]]) -> list[float]:
    """The waits of all kinds, each without its dwell."""
    return [wait - KINDS[what][1] for what, each in waits.items() for wait in each]


def waits_of(disk: str, notes: list[tuple[str, float, float]]) -> dict[str, list[float]]:
    """The waits of each kind (seconds).

    Raises:
        RuntimeError: there were none of a kind.
    """
    found = {}
    for what, (name, _, _) in KINDS.items():
        unseen = ON_THE_LINE if what in ("seat", "ring") else 0.0
        found[what] = [at - t + unseen for ruling, t, at in notes if ruling == name]
        if not found[what]:
            raise RuntimeError(f"nothing was ruled as {name} with the journal on a disk that is {disk}")
    return found


def rows(disk: str, waits: dict[str, list[float]], late: list[float], factor: float) -> list[Figure]:
    """The rows for one disk; budgets but for dwells are scaled by the machine's slowness."""
    figures = []
    for what, (_, dwell, most) in KINDS.items():
        allowed = None if most is None else dwell + (most - dwell) * factor
        figures.append(
            Figure(
                f"{what} → lights, disk: {disk}",
                "" if allowed is None else f"p99 {milliseconds(allowed)} ms",
                f"{spread(waits[what])}, dwell {milliseconds(dwell)}",
                None if allowed is None else percentile_99(waits[what]) <= allowed,
            )
        )
    figures.append(rest_row(disk, rests_of(waits), factor))
    figures.append(Figure("of it the machine's: frames written late", "", spread(late), None))
    return figures


def waits_figures() -> list[Figure]:
    """Play on each disk."""
    figures, rests, factor = [], list[float](), slowness()
    for disk in DISKS:
        with tempfile.TemporaryDirectory() as folder:
            notes, late = played(disk, Path(folder))
        waits = waits_of(disk, notes)
        rests += rests_of(waits)
        figures += rows(disk, waits, late, factor)
    return [*figures, rest_row("all three", rests, factor)]
