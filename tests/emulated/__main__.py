"""``python -m tests.emulated run …`` or ``simulate …``: the program at the simulated board with the real firmware.

The options are those of ``tamsk-hw run --simulated`` and ``tamsk-hw simulate``. Each board gets an emulated
controller of its own, with the firmware built for its map.
"""

import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.commands import main as program
from tamsk_hw.hands import simulating
from tamsk_hw.simulator.sensors import Noise
from tamsk_hw.simulator.world import World
from tamsk_hw.table import simulation
from tests.emulated.board import EmulatedBoard
from tests.emulated.build import build
from tests.emulated.process import running

#: The wiring map of each board, by its hash; None for the reference board's.
_maps: dict[str, Path | None] = {}

#: The current board's emulator; at the next board another one takes its place.
_running = ExitStack()


def load(path: Path | None = None) -> Wiring:
    """As `load_wiring`; remembers the map's place."""
    wiring = load_wiring(path)
    _maps[wiring.hash] = path
    return wiring


class EmulatedGameBoard(EmulatedBoard):
    """A board for one game, with the arguments of a `SimulatedBoard`."""

    def __init__(
        self, world: World, *, wiring: Wiring, holders: bool | None = None, noise: Noise | None = None
    ) -> None:
        _running.close()
        folder = Path(_running.enter_context(TemporaryDirectory()))
        path = _maps[wiring.hash]
        print("Building the controller's firmware and its emulator ...", file=sys.stderr, flush=True)
        binaries = build(None if path is None else folder / "built", path)
        emulator = _running.enter_context(running(binaries.emulator, binaries.program, folder))
        super().__init__(world, emulator, wiring=wiring, noise=noise)


def main() -> None:
    """Run the program's command."""
    for module in (simulation, simulating):
        module.SimulatedBoard = EmulatedGameBoard  # type: ignore[attr-defined]
        module.load_wiring = load  # type: ignore[attr-defined]
    simulation.simulated_words = lambda seed: f"emulated board, seed {seed}"
    if sys.argv[1:2] == ["run"]:
        sys.argv.insert(2, "--simulated")
    leave = program._leave

    def closed_and_left(status: int) -> NoReturn:
        _running.close()
        leave(status)

    program._leave = closed_and_left
    with _running:
        program.entry()


if __name__ == "__main__":
    main()
