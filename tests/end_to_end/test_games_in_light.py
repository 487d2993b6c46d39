"""Whole games in light, on a calibrated board whose ring sensors the firmware's own core judges."""

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.simulator.sensors import Noise
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.light import Light, mains, patch, pwm, steady
from tests.disturbances.sensors import own_thresholds
from tests.players.habits import Habits
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
from tests.soak import in_soak

#: A window, the sun that comes through it, and the board's own pixels; a lamp at the mains.
LIGHTS: dict[str, list[Light]] = {
    "window": [steady(1000), patch(4000, speed=0.2), pwm(10, 430.0, 0.3)],
    "mains": [mains(500)],
}

#: None as weak as those of which a ring that bounces is seen late, in the dark as well.
SOUND = Noise(weak_ring_sensors=0)


@pytest.mark.soak(but=["window-seven-1", "mains-seven-2", "window-seven-3", "mains-whole-1"])
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("board", [SEVEN, WHOLE], ids=["seven", "whole"])
@pytest.mark.parametrize("light", LIGHTS)
def test_the_rulings_are_what_the_world_did(light: str, board: PlayedBoard, level: int) -> None:
    for seed in range(1, in_soak(6, otherwise=2)):
        game = SimulatedGame(
            Ruleset(level=level, start=board.start),
            seed,
            wiring=board.wiring,
            habits=Habits(mischief=0.1, pace=0.2),
            noise=SOUND,
        )
        assert isinstance(game.board, DisturbedBoard)
        game.board.sensors.thresholds[:] = b"".join(own_thresholds(game.board.sensors))
        game.board.sensors.disturb(light=LIGHTS[light])
        game.play()
        judge(game)
