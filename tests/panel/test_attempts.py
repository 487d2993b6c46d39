"""Hardware that fails: tried again from time to time."""

from itertools import pairwise

import pytest

from tamsk_hw.panel import hardware

BROKEN = hardware.DriverTrouble(hardware.DriverTroubleKind.OTHER, "It is broken.")


@pytest.fixture
def attempts() -> hardware.Attempts:
    return hardware.Attempts(hardware.LIGHTS, lambda notice: None)


def tries(attempts: hardware.Attempts, until: int) -> list[int]:
    """The whole seconds at which something that always fails is tried."""
    tried = []
    for t in range(until):
        if attempts.is_due(t):
            tried.append(t)
            attempts.failed(t, hardware.Failure.USE, BROKEN)
    return tried


def test_each_pause_is_twice_the_one_before_up_to_five_minutes(attempts: hardware.Attempts) -> None:
    pauses = [later - earlier for earlier, later in pairwise(tries(attempts, 3000))]
    assert pauses[:7] == [5, 10, 20, 40, 80, 160, 300]
    assert set(pauses[6:]) == {hardware.LONGEST_PAUSE}


def test_what_fails_soon_after_it_worked_waits_longer_and_what_worked_for_long_begins_anew(
    attempts: hardware.Attempts,
) -> None:
    t = 0.0
    for pause in (5, 10, 20, 40):
        attempts.failed(t, hardware.Failure.USE, BROKEN)
        assert not attempts.is_due(t + pause - 1)
        t += pause
        assert attempts.is_due(t)
        attempts.worked()
    attempts.failed(10_000.0, hardware.Failure.USE, BROKEN)
    assert attempts.is_due(10_000.0 + hardware.FIRST_PAUSE)
