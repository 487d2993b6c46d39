"""Durations, spread, odd runs and the tolerance of R6.4."""

from dataclasses import replace
from random import Random

import pytest

from tamsk_hw.board.calibration import (
    GLASS_NAMES,
    Calibration,
    FieldCalibration,
    KnownCalibration,
    SandCalibration,
)
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.workbench.figures import (
    COVERED,
    ENDS,
    LEAST_TOLERANCE,
    MOST_TOLERANCE,
    TIMER,
    Figures,
    TimedRun,
    Turning,
    merged,
    student_factor,
)


def run_of(glass: str, end: End, seconds: float, number: int = 1, held: float = 0.8) -> TimedRun:
    return TimedRun(number, glass, Turning(end, 100.0, 100.0 + held), 100.15 + held / 2 + seconds)


def session(**durations: tuple[list[float], list[float]]) -> Figures:
    """Runs by glass: those with end A down, those with end B down."""
    runs = [
        run_of(name, end, seconds)
        for name, pair in durations.items()
        for end, each in zip(ENDS, pair, strict=True)
        for seconds in each
    ]
    return Figures(tuple(replace(run, number=number) for number, run in enumerate(runs, 1)))


def test_odd_runs() -> None:
    assert session(D1=([180.0, 181.7], [])).odd == ()
    assert [run.seconds for run in session(D1=([180.0, 182.0], [])).odd] == pytest.approx([180.0, 182.0])
    assert [run.number for run in session(D1=([180.0, 184.0, 180.3], [])).odd] == [2]
    assert [run.number for run in session(timer=([15.0, 15.1, 15.9], [])).odd] == [3]
    assert session(D1=([180.0, 184.0, 180.3], [])).drop(2).odd == ()


# ---- the tolerance


def test_the_tolerance_grows_with_the_spread_shrinks_with_the_runs_and_stays_within_bounds() -> None:
    tolerances = [
        session(D1=durations).tolerance()
        for durations in (
            ([178.0] * 2, [181.0] * 2),
            ([178.0, 179.0] * 5, [181.0, 182.0] * 5),
            ([178.0, 179.0], [181.0, 182.0]),
            ([178.0, 179.6], [181.0, 182.6]),
            ([100.0, 300.0], [100.0, 300.0]),
        )
    ]
    assert tolerances == sorted(set(tolerances), key=float)
    assert (tolerances[0], tolerances[-1]) == (LEAST_TOLERANCE, MOST_TOLERANCE)


@pytest.mark.parametrize("freedom", [1, 5, 24])
def test_students_factor_covers_what_it_claims(freedom: int) -> None:
    """The ratio of a normal draw to the spread of `freedom` + 1 others, drawn many times."""
    chance = Random(freedom)
    factor = student_factor(freedom)
    draws = 4000
    inside = 0
    for _ in range(draws):
        spread = (sum(chance.gauss(0, 1) ** 2 for _ in range(freedom)) / freedom) ** 0.5
        inside += abs(chance.gauss(0, 1)) <= factor * spread
    assert inside / draws == pytest.approx(COVERED, abs=0.008)


@pytest.mark.soak(but=["2-0.05-0.0", "2-0.3-0.01", "4-0.05-0.01", "4-0.3-0.0"])
@pytest.mark.parametrize("variation", [0.0, 0.002, 0.005, 0.01])
@pytest.mark.parametrize("reaction", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("runs", [2, 4])
def test_runs_to_come_lie_within_the_tolerance_in_the_share_that_is_claimed(
    variation: float, reaction: float, runs: int
) -> None:
    """Sand that runs otherwise each time (share of its duration), a hand that turns early or late, an eye that is
    quick or slow: the six glasses are timed, then each runs once more, as in a game.
    """
    chance = Random(f"{variation}/{reaction}/{runs}")
    inside = total = 0
    for _ in range(150):
        true = {name: [chance.gauss(180, 3) for _ in ENDS] for name in GLASS_NAMES}
        measured = {
            name: tuple(
                [
                    seconds * (1 + chance.gauss(0, variation))
                    + chance.gauss(reaction, 0.1)
                    - 0.15
                    + chance.uniform(-0.25, 0.25)
                    for _ in range(runs)
                ]
                for seconds in pair
            )
            for name, pair in true.items()
        }
        figures = session(**measured)  # type: ignore[arg-type]
        tolerance = figures.tolerance()
        assert tolerance is not None
        for name, pair in true.items():
            for found, seconds in zip(figures.pair(name), pair, strict=True):
                runs_next = seconds * (1 + chance.gauss(0, variation))
                inside += found / (1 + tolerance) <= runs_next <= found / (1 - tolerance)
                total += 1
    assert inside / total >= COVERED - 0.003


def test_what_of_the_timer_the_time_in_the_hand_covers_needs_no_tolerance() -> None:
    """The referee takes a turning of 0.8 s for 0.4 s of doubt either way (R6.4)."""
    steady = [15.0, 15.02] * 4
    figures = session(timer=(steady, steady))
    assert (figures.timer_doubt() or 0.0) < 0.4
    assert figures.timer_tolerance() == LEAST_TOLERANCE
    wild = [14.0, 16.0] * 4
    assert (session(timer=(wild, wild)).timer_tolerance() or 0.0) > 0.05


# ---- what is kept


def test_what_is_complete_is_merged_into_what_is_known() -> None:
    before = KnownCalibration(
        calibration=Calibration(
            fields=(FieldCalibration(rest=120.0),) * 38,
            sand=SandCalibration(
                glasses=((Tube.A1, (170.0, 171.0)), (Tube.D1, (1.0, 2.0))), timer=(14.0, 14.5), tolerance=0.03
            ),
        ),
        measured=frozenset({"D4"}),
        glasses=frozenset({"A1", "D1"}),
        timer_timed=True,
        ring_counts={"A1": (60.0,)},
    )
    known = merged(before, session(D1=([178.0, 178.0], [181.0, 181.0]), G4=([180.0, 180.0], [181.0])))
    assert dict(known.calibration.sand.glasses) == {Tube.D1: (178.0, 181.0), Tube.A1: (170.0, 171.0)}
    assert known.calibration.sand.timer == (14.0, 14.5)
    assert known.glasses == {"A1", "D1"}
    assert known.calibration.sand.tolerance == 0.03
    kept = replace(known, calibration=before.calibration)
    assert kept == before
    assert known.calibration.fields == before.calibration.fields


def test_the_tolerance_of_an_earlier_session_goes_when_all_its_glasses_are_timed_anew() -> None:
    before = KnownCalibration(
        calibration=Calibration(sand=SandCalibration(glasses=((Tube.D1, (170.0, 171.0)),), tolerance=0.03)),
        glasses=frozenset({"D1"}),
    )
    steady = ([178.0, 178.0], [181.0, 181.0])
    assert merged(before, session(D1=steady)).calibration.sand.tolerance == LEAST_TOLERANCE
    assert merged(before, session(G4=steady)).calibration.sand.tolerance == 0.03
    assert merged(KnownCalibration(), session(G4=steady)).calibration.sand.tolerance == LEAST_TOLERANCE


def test_the_timer_is_kept_as_the_timer() -> None:
    steady = [15.0, 15.1] * 4
    known = merged(KnownCalibration(), session(timer=(steady, steady)))
    assert known.timer_timed
    assert known.glasses == frozenset()
    assert known.calibration.sand.timer == (15.05, 15.05)
    assert TIMER not in known.glasses
