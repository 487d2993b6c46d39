"""The sand that a live game's header carries, and games refereed with it."""

import pytest

from tamsk_hw.board.calibration import GLASS_NAMES, Calibration, KnownCalibration, SandCalibration
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import TUBE_OF_NAME
from tamsk_hw.referee.stream import SandSettings
from tamsk_hw.table.run import UNTIMED, sand_notices, sand_settings, untimed
from tamsk_hw.words.notices import notice_words
from tamsk_hw.workbench.figures import merged
from tests import simulation
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
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


def test_timed_glasses_are_known_by_their_start_tubes() -> None:
    assert sand_settings(ALL, LEVEL_3, True) == SandSettings(
        glasses=PAIRS, timer=(14.8, 15.3), tolerance=0.005, exact_hands=True
    )
    assert sand_notices(ALL, LEVEL_3) == ()


def test_without_any_timing_all_are_taken_as_they_should_be() -> None:
    settings = sand_settings(KnownCalibration(), LEVEL_3, False)
    assert settings == SandSettings(tolerance=UNTIMED, exact_hands=False)
    assert "The glasses are not timed" in said_of(KnownCalibration(), LEVEL_3)


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


@pytest.mark.soak(but=["11-3-corners", "16-3-free"])
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
    _, timing = timed(seed, reaction=(0.3, 0.1))
    settings = sand_settings(merged(KnownCalibration(modified=0.0), timing.figures), ruleset, False)
    # A glass that has run from full is in doubt for less than the 15-second timer runs.
    longest = max(seconds for pair in (settings.glass, *settings.glasses.values()) for seconds in pair)
    assert 2 * settings.tolerance * longest < 15.0
    monkeypatch.setattr(simulation, "timed_glasses", lambda values, start, chance: settings)
    game = SimulatedGame(ruleset, seed)
    assert game.header.sand == settings
    game.play()
    judge(game)
