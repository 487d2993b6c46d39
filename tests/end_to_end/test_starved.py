"""The service is kept from running, as a process: it rules what the world did, or says before what it missed."""

from pathlib import Path

import pytest

from tests.end_to_end.starved import BEGINNING, link_lost_at, play, script_of, stops_at, wrong_in
from tests.soak import in_soak

#: Seconds of each game.
LENGTH = in_soak(45.0, otherwise=16.0)


@pytest.mark.soak(but=["3-1-0.4-0.05"])
@pytest.mark.parametrize("before", [0.05, -0.02])
@pytest.mark.parametrize("seconds", [0.1, 0.4, 1.0, 2.0, 5.0])
@pytest.mark.parametrize(("seed", "level"), [(3, 1), (1, 3), (4, 3), (5, 3)])
def test_a_service_that_is_stopped_rules_what_the_world_did(
    seed: int, level: int, seconds: float, before: float, tmp_path: Path
) -> None:
    """Just before and just after each moment that matters; the last is a while back when it is stopped again."""
    script = script_of(level, seed, LENGTH)
    stops = stops_at(script.moments(), seconds, before)
    ruled, lost = play(script, stops, tmp_path)
    wrong = wrong_in(script, ruled)
    assert stops
    if not lost:
        assert wrong == []
    for first in wrong[:1]:
        assert link_lost_at(script, ruled) <= first.at


@pytest.mark.soak
@pytest.mark.parametrize(("seed", "level"), [(3, 1), (5, 3)])
def test_a_service_with_half_a_core_rules_what_the_world_did(seed: int, level: int, tmp_path: Path) -> None:
    """Stopped for 10 ms of each 20 ms."""
    script = script_of(level, seed, LENGTH)
    begin = script.started + BEGINNING
    stops = [(begin + 0.02 * number, 0.01) for number in range(int((LENGTH - begin) / 0.02))]
    ruled, lost = play(script, stops, tmp_path)
    assert (lost, wrong_in(script, ruled)) == (0, [])
