"""The sand that a live game's header carries, and games refereed with it."""

from random import Random

import pytest

from tamsk_hw.board.calibration import GLASS_NAMES, Calibration, KnownCalibration, SandCalibration
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Press
from tamsk_hw.referee.rulings import GlassDoubtful, GlassLost, Moved, Ruling, Violation
from tamsk_hw.referee.stream import SandSettings
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.truth import GlassRanOut
from tamsk_hw.simulator.world import World
from tamsk_hw.table.refereeing import RefereedGame
from tamsk_hw.table.run import UNTIMED, sand_notices, sand_settings, untimed
from tamsk_hw.table.simulation import calibration_of
from tamsk_hw.words.notices import notice_words
from tamsk_hw.workbench.figures import merged
from tests import simulation
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
from tests.simulation import DirectWire
from tests.soak import in_soak
from tests.workbench.glasses_bench import timed

PAIRS = {name: (176.0 + n, 183.0 - n) for n, name in enumerate(GLASS_NAMES)}


def known(*names: str, timer: bool = True, tolerance: float = 0.005) -> KnownCalibration:
    """A board whose glasses of these names were timed."""
    sand = SandCalibration(
        glasses=tuple((TUBE_OF_NAME[name], PAIRS[name]) for name in names),
        timer=(14.8, 15.3) if timer else (15.0, 15.0),
        tolerance=tolerance,
    )
    return KnownCalibration(
        calibration=Calibration(sand=sand), glasses=frozenset(names), timer_timed=timer, modified=0.0
    )


ALL = known(*GLASS_NAMES)
LEVEL_3, LEVEL_2, LEVEL_1 = Ruleset(level=3), Ruleset(level=2), Ruleset(level=1)
FREE = Ruleset(level=3, start=Start.FREE)


def said_of(known: KnownCalibration, ruleset: Ruleset) -> str:
    return " ".join(map(notice_words, sand_notices(known, ruleset)))


@pytest.mark.parametrize("exact_hands", [False, True])
def test_timed_glasses_are_known_by_their_start_tubes(exact_hands: bool) -> None:
    assert sand_settings(ALL, LEVEL_3, exact_hands) == SandSettings(
        glasses=PAIRS, timer=(14.8, 15.3), tolerance=0.005, exact_hands=exact_hands
    )
    assert sand_notices(ALL, LEVEL_3) == ()


def test_without_any_timing_all_are_taken_as_they_should_be() -> None:
    settings = sand_settings(KnownCalibration(), LEVEL_3, False)
    assert settings == SandSettings(tolerance=UNTIMED, exact_hands=False)
    assert "The glasses are not timed" in said_of(KnownCalibration(), LEVEL_3)
    assert "calibrate glasses" in said_of(KnownCalibration(), LEVEL_3)


def test_one_untimed_glass_makes_the_tolerance_wide_for_all() -> None:
    part = known(*GLASS_NAMES[:-1])
    settings = sand_settings(part, LEVEL_3, False)
    assert settings.tolerance == UNTIMED
    assert settings.of("D1") == PAIRS["D1"]
    assert settings.of(GLASS_NAMES[-1]) == (180.0, 180.0)
    assert said_of(part, LEVEL_3).startswith("A1 is not timed")


def test_the_timer_counts_at_level_3_only() -> None:
    part = known(*GLASS_NAMES, timer=False)
    assert untimed(part, LEVEL_3) == ("timer",)
    assert said_of(part, LEVEL_3).startswith("The timer is not timed")
    assert sand_settings(part, LEVEL_2, False).tolerance == 0.005
    assert sand_notices(part, LEVEL_2) == ()


@pytest.mark.parametrize(
    "board", [ALL, known("D1", "G4"), KnownCalibration(), known(*GLASS_NAMES, tolerance=0.02)]
)
def test_with_a_free_start_one_pair_covers_each_of_the_six(board: KnownCalibration) -> None:
    settings = sand_settings(board, FREE, False)
    own = sand_settings(board, LEVEL_3, False)
    assert not settings.glasses
    for name in GLASS_NAMES:
        for common, seconds in zip(settings.glass, own.of(name), strict=True):
            assert common / (1 + settings.tolerance) <= seconds / (1 + own.tolerance) + 1e-9
            assert common / (1 - settings.tolerance) >= seconds / (1 - own.tolerance) - 1e-9


def test_with_a_free_start_no_more_is_claimed_than_is_needed() -> None:
    """With end A down the six take 176 to 181 s, known to 0.5 %: 1.4 % and 0.5 % about the middle cover them."""
    assert sand_settings(ALL, FREE, False).tolerance == pytest.approx(2.5 / 178.5 + 0.005, abs=0.001)
    assert "free start" in said_of(ALL, FREE)


def measured(seed: int, ruleset: Ruleset) -> SandSettings:
    """The header's sand after a person has timed the glasses of that world."""
    _, timing = timed(seed, reaction=(0.3, 0.1))
    return sand_settings(merged(KnownCalibration(modified=0.0), timing.figures), ruleset, False)


@pytest.mark.soak(but=["11-3-corners", "14-2-corners", "16-3-free"])
@pytest.mark.parametrize(
    ("seed", "level", "start"),
    [(11, 3, Start.CORNERS), (12, 3, Start.CORNERS), (14, 2, Start.CORNERS), (16, 3, Start.FREE)],
    ids=lambda value: value.value if isinstance(value, Start) else None,
)
def test_games_with_glasses_as_a_person_timed_them_are_ruled_rightly(
    seed: int, level: int, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same world's glasses, timed first, then played with: none is called lost before its sand is down, none
    runs down unnoticed.
    """
    ruleset = Ruleset(level=level, start=start)
    settings = measured(seed, ruleset)
    assert settings.tolerance < UNTIMED
    monkeypatch.setattr(simulation, "timed_glasses", lambda values, start, chance: settings)
    game = SimulatedGame(ruleset, seed)
    assert game.header.sand == settings
    game.play()
    judge(game)


def ends_of_glasses(seed: int, settings: SandSettings) -> list[tuple[float, float, float]]:
    """Some lawful moves, then the glasses are left to run down: when each is ruled doubtful, when its sand was
    really down, when it is ruled lost (seconds).
    """
    wiring = load_wiring()
    world = World(seed)
    board = SimulatedBoard(world, wiring=wiring, holders=False)
    wire = DirectWire(board, wiring)
    sensing = Sensing(wiring, calibration_of(board.sensors.calibration_values()), SensingSettings(), False)
    refereeing = RefereedGame(Header(ruleset=LEVEL_2, sand=settings), sensing)
    rulings: list[Ruling] = []

    def until(t: float) -> None:
        while world.now < t:
            for event in wire.poll(world.now + 0.05):
                refereeing.take_link(event)
            rulings.extend(refereeing.advance(world.now))

    chance = Random(f"{seed}/moves")
    until(2.0)
    refereeing.take([Button(world.now, ButtonName.START, Press.SHORT)])
    position = Position.start(LEVEL_2)
    for _ in range(14):
        until(world.now + chance.uniform(1.0, 12.0))
        if any(isinstance(ruling, GlassDoubtful) for ruling in rulings):
            break
        move = chance.choice(position.legal_moves())
        assert move.from_tube is not None
        until(world.lift(position.turn, move.from_tube))
        until(world.seat(position.turn, move.to_tube, turned=True))
        position = position.play(move, ring=False)
    until(world.now + 400.0)
    assert sum(isinstance(ruling, Moved) for ruling in rulings) >= 8
    assert not any(isinstance(ruling, Violation) for ruling in rulings)
    ends = []
    for ruling in rulings:
        if isinstance(ruling, GlassLost):
            glass = world.glass_at[ruling.tube]
            doubtful = [r.t for r in rulings if isinstance(r, GlassDoubtful) and r.tube is ruling.tube]
            (*_, down) = [e.t for e in world.truth if isinstance(e, GlassRanOut) and e.glass == glass]
            ends.append((doubtful[-1], down, ruling.t))
    return ends


@pytest.mark.parametrize("seed", range(20, 20 + in_soak(6, otherwise=3)))
def test_each_glass_is_doubtful_before_its_sand_is_down_and_lost_after(seed: int) -> None:
    ends = ends_of_glasses(seed, measured(seed, LEVEL_2))
    assert len(ends) >= 4
    for doubtful, down, lost in ends:
        assert doubtful <= down <= lost
        assert lost - doubtful < 15.0  # the doubt of hands is most of it
