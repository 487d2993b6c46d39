"""Hardware that fails: said once, tried again from time to time."""

from __future__ import annotations

from itertools import pairwise

from tamsk_hw.panel.attempts import FIRST_PAUSE, LONGEST_PAUSE, Attempts


def tries(attempts: Attempts, since: float, until: float) -> list[float]:
    """The whole seconds at which something that always fails is tried."""
    tried = []
    for t in range(int(since), int(until)):
        if attempts.is_due(t):
            tried.append(float(t))
            attempts.failed(t, "It is broken.")
    return tried


def test_a_failure_is_said_once() -> None:
    said: list[str] = []
    tries(Attempts("It works now.", said.append), 0, 5000)
    assert said == ["It is broken."]


def test_each_pause_is_twice_the_one_before_up_to_five_minutes() -> None:
    tried = tries(Attempts("It works now.", lambda words: None), 0, 3000)
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert pauses[:7] == [5, 10, 20, 40, 80, 160, 300]
    assert set(pauses[6:]) == {LONGEST_PAUSE}


def test_what_works_again_is_said_and_so_is_the_next_failure() -> None:
    said: list[str] = []
    attempts = Attempts("It works now.", said.append)
    attempts.worked()
    attempts.failed(0.0, "It is broken.")
    attempts.worked()
    attempts.worked()
    attempts.failed(10_000.0, "It is broken.")
    assert said == ["It is broken.", "It works now.", "It is broken."]


def test_what_works_is_always_due() -> None:
    attempts = Attempts("It works now.", lambda words: None)
    assert attempts.is_due(0.0)
    attempts.failed(0.0, "It is broken.")
    assert not attempts.is_due(1.0)
    attempts.worked()
    assert attempts.is_due(1.0)


def test_what_fails_soon_after_it_worked_waits_longer_and_longer() -> None:
    attempts = Attempts("It works now.", lambda words: None)
    t = 0.0
    for pause in (5, 10, 20, 40):
        attempts.failed(t, "It is broken.")
        assert not attempts.is_due(t + pause - 1)
        t += pause
        assert attempts.is_due(t)
        attempts.worked()


def test_what_worked_for_long_begins_anew() -> None:
    attempts = Attempts("It works now.", lambda words: None)
    tries(attempts, 0, 2000)
    attempts.worked()
    attempts.failed(10_000.0, "It is broken.")
    assert attempts.is_due(10_000.0 + FIRST_PAUSE)
