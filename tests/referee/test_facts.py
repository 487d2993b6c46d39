"""Facts of rulings that their JSON objects do not have, and clauses that scenarios leave open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamsk_hw.game import Player
from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import (
    ArbiterNeeded,
    GameOver,
    Ground,
    Moved,
    MoveStarted,
    Ruling,
    TimerExpired,
    Violation,
    Warned,
)
from tamsk_hw.referee.stream import read_stream

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def played(name: str) -> tuple[Referee, list[Ruling]]:
    """The referee after a scenario, and its rulings."""
    lines = (SCENARIOS / f"{name}.events.jsonl").read_text(encoding="utf-8").splitlines()
    header, events = read_stream(lines, name)
    referee = Referee(header)
    return referee, [ruling for event in events for ruling in referee.handle(event)]


@pytest.mark.parametrize(
    ("name", "by_sand"),
    [
        ("R5.2-fewest-rings", False),
        ("R5.3-glasses-left-to-run-red", True),
        ("R5.3-all-together", True),
        ("R5.4-order-can-be-told", True),
        ("R5.3-last-ones-together-then-one-more", True),
    ],
)
def test_the_end_tells_whether_the_sand_decided(name: str, by_sand: bool) -> None:
    referee, rulings = played(name)
    over = rulings[-1]
    assert isinstance(over, GameOver)
    assert over.by_sand is by_sand
    assert referee.view().over == over


@pytest.mark.parametrize(
    ("name", "ground"),
    [
        ("R9.3-full-tube-in-doubt", Ground.FULL_TUBE),
        ("R8-free-start-already-moved", Ground.MUST_PLACE),
        ("R8-free-start-placed-wrongly", Ground.NO_PLACE),
        ("R9.3-placed-in-a-full-tube-in-doubt", Ground.NO_PLACE),
        ("R2.6-restored-by-its-clause", None),
    ],
)
def test_a_violation_tells_its_ground(name: str, ground: Ground | None) -> None:
    violations = [ruling for ruling in played(name)[1] if isinstance(ruling, Violation)]
    assert ground in {violation.ground for violation in violations}


def test_r9_5_time_away_is_told_in_its_warning() -> None:
    (warning,) = [ruling for ruling in played("R9.5-time-away-then-the-rest")[1] if isinstance(ruling, Warned)]
    assert warning.detail == "up to 60 minutes"


def test_moves_rest_on_their_clauses() -> None:
    rulings = played("R7.5-late-move-completed")[1]
    clauses = {ruling.late: ruling.rule for ruling in rulings if isinstance(ruling, Moved)}
    assert clauses == {True: "R7.5", False: "R2.1"}
    assert {ruling.rule for ruling in rulings if isinstance(ruling, MoveStarted)} == {"R2.1"}


@pytest.mark.parametrize(("name", "clause"), [("R7.4-forfeit", "R7.4"), ("R7.5-put-back", "R7.5")])
def test_the_end_of_the_15_seconds_rests_on_whether_the_move_was_started(name: str, clause: str) -> None:
    (expired,) = [ruling for ruling in played(name)[1] if isinstance(ruling, TimerExpired)]
    assert (expired.rule, expired.started) == (clause, clause == "R7.5")


@pytest.mark.parametrize(
    "name", ["R5.4-order-cannot-be-told", "R9.3-full-tube-in-doubt", "R9.3-placed-in-a-full-tube-in-doubt"]
)
def test_what_an_arbiter_is_asked_stands_until_he_answers(name: str) -> None:
    lines = (SCENARIOS / f"{name}.events.jsonl").read_text(encoding="utf-8").splitlines()
    header, events = read_stream(lines, name)
    referee = Referee(header)
    asked = next(
        ruling for event in events for ruling in referee.handle(event) if isinstance(ruling, ArbiterNeeded)
    )
    assert referee.view().question == asked.question
    referee.handle({"t": referee.now, "event": "arbiter", "action": "award", "winner": "red"})
    view = referee.view()
    assert view.question is None
    assert view.over is not None
    assert (view.over.winner, view.over.rule) == (Player.RED, "R9.6")
