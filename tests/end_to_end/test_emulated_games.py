"""Whole games through the real firmware: world, sensors' volts and light, the controller's program on an emulated
ATmega328P, its bytes, link, sensing, referee; judged by the world's own truth. Emulated time alone moves.

``make test`` plays the short ones of these games, ``make soak`` all of them and more seeds.
"""

from pathlib import Path
from random import Random

import pytest

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.board.session import LinkSession
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.simulator.sensors import Noise
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.disturbances.sensors import own_thresholds
from tests.emulated.board import EmulatedBoard
from tests.emulated.process import Emulator
from tests.end_to_end.conftest import Switch
from tests.players.habits import Habits
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
from tests.said import Said
from tests.simulation import DirectWire
from tests.soak import in_soak

#: For each level: both starts, both late penalties, load cells counted and not, players who break rules and not.
GAMES = [
    (Ruleset(level=1), False, 0.0),
    (Ruleset(level=1, start=Start.FREE), True, 0.3),
    (Ruleset(level=1), True, 0.1),
    (Ruleset(level=2), True, 0.0),
    (Ruleset(level=2, start=Start.FREE), False, 0.1),
    (Ruleset(level=2), False, 0.3),
    (Ruleset(level=3), False, 0.3),
    (Ruleset(level=3, late_penalty=LatePenalty.LOSE_TURN), True, 0.1),
    (Ruleset(level=3, start=Start.FREE), True, 0.0),
]

#: The same for the board of seven tubes, which has no corners and no load cells.
SEVEN_GAMES = [
    (Ruleset(level=1, start=Start.FREE), 0.1),
    (Ruleset(level=2, start=Start.FREE), 0.3),
    (Ruleset(level=3, start=Start.FREE), 0.0),
    (Ruleset(level=3, start=Start.FREE, late_penalty=LatePenalty.LOSE_TURN), 0.1),
]

#: How brisk the players are: emulated time costs real time.
PACE = 0.2

SEEDS = range(in_soak(10, otherwise=1))


def calibrate(game: SimulatedGame) -> None:
    """Give each ring sensor the threshold of its own that a calibration finds."""
    assert isinstance(game.wire, DirectWire)
    game.wire.session = LinkSession(game.wiring.hash, thresholds=own_thresholds(game.board.sensors))
    game.wire.session.opened(game.board.now)


@pytest.mark.soak(but=["7-0"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", range(len(GAMES)))
def test_the_rulings_are_what_the_world_did(switch_on: Switch, game: int, seed: int) -> None:
    ruleset, holders, mischief = GAMES[game]
    emulator = switch_on()
    habits = Habits(mischief=mischief, pace=PACE, resigns=0.002, enters_full_tube=0.02)
    played = SimulatedGame(ruleset, 1000 * seed + game, emulator=emulator, holders=holders, habits=habits)
    assert_refereed(played, emulator)


@pytest.mark.soak(but=["daylight-0"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "light",
    [["ambient all 1000"], ["lamp 0 sine 500 100000", "lamp 1 pwm 10 430000 300"]],
    ids=["daylight", "lamps"],
)
def test_the_rulings_are_what_the_world_did_in_light(switch_on: Switch, light: list[str], seed: int) -> None:
    """On the seven tubes, whose games are short, with thresholds of a calibration."""
    emulator = switch_on(SEVEN)
    game = SimulatedGame(
        Ruleset(level=2, start=Start.FREE),
        1000 * seed + 4,
        wiring=SEVEN.wiring,
        emulator=emulator,
        habits=Habits(mischief=0.1, pace=PACE),
        noise=Noise(weak_ring_sensors=0),
    )
    calibrate(game)
    game.advance(0.2)
    emulator.ask_all(light)
    assert_refereed(game, emulator)


@pytest.mark.soak  # as the resets and the game through a pty
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", range(len(SEVEN_GAMES)))
def test_the_rulings_are_what_the_world_did_on_seven_tubes(switch_on: Switch, game: int, seed: int) -> None:
    ruleset, mischief = SEVEN_GAMES[game]
    emulator = switch_on(SEVEN)
    habits = Habits(mischief=mischief, pace=PACE, resigns=0.002, enters_full_tube=0.02)
    played = SimulatedGame(ruleset, 1000 * seed + game, wiring=SEVEN.wiring, emulator=emulator, habits=habits)
    assert_refereed(played, emulator)


def assert_refereed(played: SimulatedGame, emulator: Emulator) -> None:
    """The game, played to its end, is ruled as the world went, and the firmware has done nothing wrong."""
    played.play()
    judge(played)
    assert emulator.checks() == []
    assert isinstance(played.wire, DirectWire)
    statistics = played.wire.session.statistics
    assert (statistics.crc_errors, statistics.malformed, statistics.gaps, statistics.board_resets) == (0, 0, 0, 0)


class Tap(DirectWire):
    """A wire that keeps every frame, with the time at which its last byte left the board."""

    frames: list[tuple[float, bytes]]

    def hear(self, sent: float, frame: bytes) -> list[LinkEvent]:
        """Hand one frame to the link."""
        self.frames.append((sent, frame))
        return super().hear(sent, frame)


#: Seconds of a beginning.
BEGINNING = in_soak(40.0, otherwise=6.0)


def frames_of_a_beginning(emulator: Emulator, seed: int) -> list[tuple[float, bytes]]:
    """Every frame of the first seconds of a game, with the cycle-exact time of each."""
    game = SimulatedGame(Ruleset(level=3), seed, emulator=emulator, holders=True, habits=Habits(pace=PACE))
    tap = Tap(game.board, game.wiring)
    tap.frames = []
    game.wire = tap
    game.advance(BEGINNING)
    return tap.frames


def test_the_same_seed_gives_the_same_bytes_at_the_same_cycles(switch_on: Switch) -> None:
    first = frames_of_a_beginning(switch_on(), 5)
    assert len(first) > 12.5 * BEGINNING
    assert first == frames_of_a_beginning(switch_on(), 5)
    assert first != frames_of_a_beginning(switch_on(), 6)


@pytest.mark.soak(but=["seven"])
@pytest.mark.parametrize(
    ("board", "seed", "least", "most"), [(WHOLE, 12, 10.0, 30.0), (SEVEN, 4, 4.0, 12.0)], ids=["whole", "seven"]
)
def test_resets_of_the_controller_in_mid_game_change_nothing(
    switch_on: Switch, board: PlayedBoard, seed: int, least: float, most: float
) -> None:
    """A pulled reset line, a hang that its watchdog ends, a dip of the supply; seconds between two of them."""
    said = Said()
    game = SimulatedGame(
        Ruleset(level=3, start=board.start),
        seed,
        wiring=board.wiring,
        emulator=switch_on(board),
        habits=Habits(pace=PACE),
        notice=said,
    )
    calibrate(game)
    chance = Random(3)
    t, resets = 0.0, 0
    causes = list(ResetCause)
    while not game.is_over:
        t += chance.uniform(least, most)
        game.advance(t)
        if not game.is_over:
            game.board.reset(causes[resets % len(causes)])
            resets += 1
    game.advance(t + 1.0)
    judge(game)
    assert resets > 4
    assert isinstance(game.wire, DirectWire)
    assert game.wire.session.statistics.board_resets == resets
    why = {
        ResetCause.POWER_ON: "its power was switched on",
        ResetCause.EXTERNAL: "its reset pin was pulled",
        ResetCause.BROWN_OUT: "its supply broke down",
        ResetCause.WATCHDOG: "its watchdog found it hanging",
    }
    restarts = [words.removeprefix("The board has restarted: ") for words in said if "has restarted" in words]
    assert len(restarts) == resets
    for place, words in enumerate(restarts):
        assert words.startswith(why[causes[place % len(causes)]])


@pytest.mark.soak  # as the noise in test_emulated_faults
def test_noise_on_the_line_to_the_controller_changes_nothing(switch_on: Switch) -> None:
    """Noise from the host's side: never a wrong command, and the players hear that there is some."""
    said = Said()
    game = SimulatedGame(
        Ruleset(level=2, start=Start.FREE),
        56,
        wiring=SEVEN.wiring,
        emulator=switch_on(SEVEN),
        habits=Habits(pace=PACE),
        notice=said,
    )
    assert isinstance(game.board, EmulatedBoard)
    chance = Random(4)
    t = 0.0
    while not game.is_over:
        t += chance.uniform(0.2, 2.0)
        game.advance(t)
        game.board.receive(chance.randbytes(chance.randrange(1, 60)))
    game.advance(t + 1.0)
    judge(game)
    assert isinstance(game.wire, DirectWire)
    assert game.wire.session.statistics.board_resets == 0
    # Never a minute without noise: once.
    (words,) = [words for words in said if "damaged" in words]
    assert words.startswith("What is sent to the board arrives damaged: ")


@pytest.mark.soak  # as the pty in tests/firmware/emulator/test_running.py, and the games above
@pytest.mark.parametrize("board", [WHOLE, SEVEN], ids=str)
def test_through_a_real_pty_and_pyserial(switch_on: Switch, board: PlayedBoard, tmp_path: Path) -> None:
    game = SimulatedGame(
        Ruleset(level=1, start=board.start),
        9,
        wiring=board.wiring,
        port=tmp_path / "board",
        emulator=switch_on(board),
        habits=Habits(mischief=0.1, pace=PACE),
    )
    try:
        game.play()
        judge(game)
    finally:
        game.close()
