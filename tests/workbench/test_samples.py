"""Agreeing samples: a run of readings that hold still counts, a single one never."""

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.workbench.measurements import Agreement, Sample

RULE = Agreement(readings=10, seconds=0.4, margin=4.0, drift=1.0)

EVERY = 0.05


def fed(readings: list[float], rule: Agreement = RULE, every: float = EVERY) -> Agreement:
    agreement = replace(rule)
    for place, reading in enumerate(readings):
        agreement.feed(reading, place * every)
    return agreement


def test_what_creeps_within_the_margin_does_not_count() -> None:
    creeping = [100.0 + 0.4 * step for step in range(10)]
    assert max(creeping) - min(creeping) < RULE.margin
    assert fed(creeping).sample is None
    settled = fed([*creeping, *[103.6] * 10]).sample
    assert settled is not None
    assert settled.mean == pytest.approx(103.6, abs=RULE.drift)


def test_the_head_of_a_run_is_left_out() -> None:
    rule = replace(RULE, head=0.4)
    assert fed([97.0] * 4 + [100.0] * 6, rule).sample == Sample(100.0, 100.0, 100.0, 6)


@given(st.lists(st.integers(0, 255), max_size=200))
def test_a_sample_is_always_a_run_that_agrees(readings: list[int]) -> None:
    agreement, place = replace(RULE), count()
    for reading in readings:
        at = next(place)
        if agreement.feed(reading, at * EVERY):
            sample = agreement.sample
            assert sample is not None
            run = readings[at + 1 - sample.readings : at + 1]
            assert sample.readings >= RULE.readings
            assert max(run) - min(run) <= RULE.margin
            assert sample.mean == pytest.approx(sum(run) / len(run))
            return
    for start in range(len(readings) - 9):
        # Else there is no run of ten equal readings, which would have agreed whatever came before.
        assert len(set(readings[start : start + 10])) > 1
