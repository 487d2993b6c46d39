"""Hardware that fails: said once, tried again from time to time."""

from itertools import pairwise

from tamsk_hw.panel import hardware

BROKEN = hardware.DriverTrouble(hardware.DriverTroubleKind.OTHER, "It is broken.")
FAILED = hardware.PanelFailed(hardware.LIGHTS, hardware.Failure.USE, BROKEN)


def tries(attempts: hardware.Attempts, since: float, until: float) -> list[float]:
    """The whole seconds at which something that always fails is tried."""
    tried = []
    for t in range(int(since), int(until)):
        if attempts.is_due(t):
            tried.append(float(t))
            attempts.failed(t, hardware.Failure.USE, BROKEN)
    return tried


def test_each_pause_is_twice_the_one_before_up_to_five_minutes() -> None:
    tried = tries(hardware.Attempts(hardware.LIGHTS, lambda notice: None), 0, 3000)
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert pauses[:7] == [5, 10, 20, 40, 80, 160, 300]
    assert set(pauses[6:]) == {hardware.LONGEST_PAUSE}


def test_what_works_again_is_said_and_so_is_the_next_failure() -> None:
    said: list[hardware.PanelFailed | hardware.PanelWorks] = []
    attempts = hardware.Attempts(hardware.LIGHTS, said.append)
    attempts.worked()
    attempts.failed(0.0, hardware.Failure.USE, BROKEN)
    attempts.worked()
    attempts.worked()
    attempts.failed(10_000.0, hardware.Failure.USE, BROKEN)
    assert said == [FAILED, hardware.PanelWorks(hardware.LIGHTS), FAILED]


def test_what_fails_soon_after_it_worked_waits_longer_and_longer() -> None:
    attempts = hardware.Attempts(hardware.LIGHTS, lambda notice: None)
    t = 0.0
    for pause in (5, 10, 20, 40):
        attempts.failed(t, hardware.Failure.USE, BROKEN)
        assert not attempts.is_due(t + pause - 1)
        t += pause
        assert attempts.is_due(t)
        attempts.worked()


def test_what_worked_for_long_begins_anew() -> None:
    attempts = hardware.Attempts(hardware.LIGHTS, lambda notice: None)
    tries(attempts, 0, 2000)
    attempts.worked()
    attempts.failed(10_000.0, hardware.Failure.USE, BROKEN)
    assert attempts.is_due(10_000.0 + hardware.FIRST_PAUSE)
