"""The firmware's budgets (docs/design.md, Budgets), and from a touch to the light: the same numbers in each run.

The firmware's part is exact, in cycles of the emulated controller, over 1000 phases of the scan grid. What follows
in "touch to light" is charged: the host with its whole budget at the 99th percentile (measured it is in a row of
its own), the lights by their data sheet. A pixel takes 24 bits of 1.25 µs, and current WS2812B show what they were
sent after the line was low for more than 280 µs: 300 here, as rpi_ws281x leaves between two pictures.
"""

import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tamsk_hw.board.protocol import FaultFlag
from tests.bench.figures import Figure
from tests.bench.reactions import WIRING, Board, Reaction, fields, rings, round_of
from tests.emulated.build import build
from tests.emulated.process import CYCLES_PER_SECOND, EmulatorError, running

#: Phases of the scan grid at which each kind of change is made, to and fro.
PHASES = 1000

#: The budgets in cycles and bytes.
SCAN_MOST = CYCLES_PER_SECOND * 25 // 10_000
FIRST_BYTE_MOST = CYCLES_PER_SECOND * 45 // 10_000
RING_FIRST_BYTE_MOST = CYCLES_PER_SECOND * 15 // 1000
#: The longest interval, and what PROTOCOL.md section 4 allows it for the ends of scans.
STILL_MOST = CYCLES_PER_SECOND * (50_000 + 250) // 1_000_000
FLASH_MOST, RAM_MOST = 12 * 1024, 1228

#: The budget from touch to light, in milliseconds, and what is charged of it.
TOUCH_TO_LIGHT_MOST = 8.5
HOST_CHARGE = 1.0
PIXEL_CHARGE = 24 * 1.25e-3
LATCH_CHARGE = 0.3


@dataclass(frozen=True)
class Measured:
    """Account of the emulated board."""

    #: cycles of each scan
    scans: list[int]
    #: cycles between two snapshots of a board at rest
    still: list[int]
    #: series of changes, each over all phases: of fields and of rings
    fields: list[list[Reaction]]
    rings: list[list[Reaction]]


def measure(emulator: Path, program: Path, phases: int = PHASES) -> Measured:
    """Run the program through all changes, to and fro at so many phases of the scan grid.

    Each on a board at rest and on one in motion (`Board.react`): of the fields that a scan converts in its first
    round, for which a change that was just missed waits longest; of all the others in turn; of all rings in turn.
    Raises `RuntimeError` when the emulator's checks found
    something wrong.
    """
    *other_fields, disturber = fields()
    first = [field for field in other_fields if round_of(field.number) == 0]
    groups = [first, [field for field in other_fields if field not in first]]
    with tempfile.TemporaryDirectory() as folder, running(emulator, program, Path(folder)) as emulated:
        board = Board(emulated)
        board.snapshots.clear()
        board.run(2 * CYCLES_PER_SECOND)
        still = [later - earlier for earlier, later in pairwise(board.snapshots)]
        found = Measured(board.scans, still, [], [])
        for moving in (None, disturber):
            found.fields.extend(board.reactions(sensors, phases, moving=moving) for sensors in groups)
            found.rings.append(board.reactions(rings(), phases, moving=moving))
        if board.faults & FaultFlag.SCAN_OVERRUN:
            raise RuntimeError("a scan did not begin in time")
        if checks := board.checks():
            raise RuntimeError(f"the emulator's checks: {checks[0]}, and {len(checks) - 1} more")
    return found


def percentile_99(values: Iterable[int]) -> int:
    """The least of the values that 99 of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[-(-len(ordered) * 99 // 100) - 1]


def worst(series: list[list[Reaction]]) -> Reaction:
    """The one whose first byte comes last."""
    return max((reaction for reactions in series for reaction in reactions), key=lambda reaction: reaction.first)


def touch_to_light(touches: list[list[Reaction]]) -> tuple[float, str]:
    """Milliseconds at the 99th percentile, and of what they are the sum."""
    last_byte = _milliseconds(max(percentile_99(each.last for each in reactions) for reactions in touches))
    pixels = WIRING.pixel_count * PIXEL_CHARGE
    whole = last_byte + HOST_CHARGE + pixels + LATCH_CHARGE
    return whole, (
        f"touch to light: {last_byte:.3f} ms from the change to the snapshot's last byte (99th percentile of the "
        f"slowest sensor) + {HOST_CHARGE:.3f} the host's budget + {pixels:.3f} for {WIRING.pixel_count} pixels "
        f"+ {LATCH_CHARGE:.3f} until they show it = {whole:.3f} ms"
    )


def _milliseconds(cycles: float) -> float:
    return cycles * 1e3 / CYCLES_PER_SECOND


def _row(what: str, most: int, cycles: int) -> Figure:
    """A row for a time in cycles."""
    return Figure(
        what, f"{_milliseconds(most):.4g} ms", f"{_milliseconds(cycles):.3f} ms, {cycles} cycles", cycles <= most
    )


def _size(program: Path) -> Figure:
    """Flash and static RAM, counted as firmware/Makefile does."""
    said = subprocess.run(["avr-size", str(program)], check=True, capture_output=True, text=True).stdout
    text, data, zeroed = (int(word) for word in said.splitlines()[1].split()[:3])
    flash, ram = text + data, data + zeroed
    budget, measured = f"{FLASH_MOST}, {RAM_MOST} bytes", f"{flash}, {ram} bytes"
    return Figure("firmware: flash, static RAM", budget, measured, flash <= FLASH_MOST and ram <= RAM_MOST)


def firmware_figures() -> tuple[list[Figure], list[str]]:
    """Build and measure: the rows, and what there is to say about them.

    Where the toolchain is missing there are no rows, and one line says so.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            binaries = build(Path(folder))
        except EmulatorError as error:
            return [], [f"The firmware is not measured: {error}"]
        found = measure(binaries.emulator, binaries.program)
        size = _size(binaries.program)
    field, ring = worst(found.fields), worst(found.rings)
    whole, sum_of_it = touch_to_light(found.fields)
    return [
        _row(f"firmware: a full scan, worst of {len(found.scans)}", SCAN_MOST, max(found.scans)),
        _row(f"change of a field → first byte, {PHASES} phases", FIRST_BYTE_MOST, field.first),
        _row("of a ring, the same", RING_FIRST_BYTE_MOST, ring.first),
        _row("board at rest: between two snapshots, longest", STILL_MOST, max(found.still)),
        size,
        Figure(
            "touch to light, 99th percentile",
            f"{TOUCH_TO_LIGHT_MOST} ms",
            f"{whole:.3f} ms",
            whole <= TOUCH_TO_LIGHT_MOST,
        ),
    ], [f"{sum_of_it[0].upper()}{sum_of_it[1:]}."]
