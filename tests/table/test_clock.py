"""The service's clock."""

from __future__ import annotations

from tamsk_hw.table.simulation import ScaledClock


def test_it_runs_as_many_times_as_fast() -> None:
    real = [100.0]
    clock = ScaledClock(10.0, monotonic=lambda: real[0])
    real[0] += 0.01
    assert round(clock.now(), 9) == 0.1
    real[0] += 0.02
    assert round(clock.now(), 9) == 0.3


def test_it_waits_for_a_program_that_is_behind() -> None:
    real = [0.0]
    clock = ScaledClock(10.0, longest_step=0.5, monotonic=lambda: real[0])
    real[0] += 60.0  # the machine slept
    assert clock.now() == 0.5
