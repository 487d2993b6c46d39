"""A simulated board to play at, as a service is configured for it: its places, and as if it was calibrated."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random

from tamsk_hw.board.calibration import SandCalibration
from tamsk_hw.board.calibration_file import FIELD_NAMES, GLASS_NAMES, KnownCalibration, save_calibration
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.values import GpioSettings
from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.panel.pins import PinFactory
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.table.simulation import MEASURED, calibration_of, timed_glasses

#: The names of the board's port, of the sockets of its hands and of its service, and of its calibration.
PORT, HANDS, LIVE, CALIBRATION = "board", "hands.sock", "live.sock", "calibration.toml"


def practice_configuration(configuration: Configuration, wiring: Wiring, seed: int, folder: Path) -> Configuration:
    """The configuration of a service at the simulated board of this seed, whose places are all in ``folder``.

    Everything that a board has of its own is there, too: its calibration, which this writes, and what is learnt of
    its sensors. Raises `ConfigError` where it cannot be written.
    """
    board = SimulatedBoard(World(seed), wiring=wiring)
    values = board.calibration_values()
    timed = timed_glasses(values, Start.CORNERS, Random(f"{seed}/stop-watch"))
    assert isinstance(timed.timer, tuple)
    sand = SandCalibration(
        glasses=tuple((TUBE_OF_NAME[name], timed.of(name)) for name in GLASS_NAMES),
        timer=timed.timer,
        tolerance=MEASURED,
    )
    known = KnownCalibration(
        calibration=replace(calibration_of(values), sand=sand),
        measured=frozenset(FIELD_NAMES),
        glasses=frozenset(GLASS_NAMES),
        timer_timed=True,
        holders_measured=bool(wiring.holders),
    )
    save_calibration(folder / CALIBRATION, known, datetime.now())
    return replace(
        configuration,
        board=replace(
            configuration.board, port=str(folder / PORT), calibration=folder / CALIBRATION, board_id=None
        ),
        gpio=GpioSettings(factory=PinFactory.SIMULATE, hands=folder / HANDS),
        buttons=replace(configuration.buttons, enabled=True),
        journal=replace(configuration.journal, folder=folder),
    )
