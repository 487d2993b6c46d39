"""The table of the faults and the files of their tries, without a machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine.soaking import Try, fault_of, keep, table_of, tries_in

pytest_plugins = ["pytester"]

CHECKS = """
import pytest

@pytest.fixture
def seed():
    return 0

def test_the_power_is_cut(seed, record_property):
    record_property("seconds", 2.0 * seed)
    assert seed != 2

def test_without_a_seed():
    raise AssertionError
"""


def test_a_line_per_fault_with_its_failures_and_times(tmp_path: Path) -> None:
    for tried in (
        Try("the plug is pulled", 1, True, 1.0),
        Try("the plug is pulled", 2, True, 9.0),
        Try("the plug is pulled", 3, False, 2.0, "it was not found"),
        Try("the clock is set", 1, True, None),
    ):
        keep(tmp_path, tried)
    assert table_of(tries_in(tmp_path)).splitlines()[2:] == [
        "| the clock is set | 1 | 0 | – |",
        "| the plug is pulled | 3 | 1 | 1.0, 2.0, 9.0 |",
    ]


def test_a_fault_is_named_after_its_check() -> None:
    assert fault_of("test_the_power_is_cut[3]") == "the power is cut"


def test_tries_are_kept_and_not_made_again(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_checks=CHECKS)
    asked = ("-p", "tests.machine.soaking", "--results", "kept")
    pytester.runpytest_inprocess(*asked, "--tries", "2").assert_outcomes(passed=1, failed=1)
    kept = {tried.seed: tried for tried in tries_in(pytester.path / "kept")}
    assert {seed: (tried.passed, tried.seconds) for seed, tried in kept.items()} == {
        1: (True, 2.0),
        2: (False, 4.0),
    }
    assert "assert" in kept[2].why
    again = pytester.runpytest_inprocess(*asked, "--tries", "3")
    again.assert_outcomes(passed=1)
    again.stdout.fnmatch_lines(["*the power is cut | 3 | 1 | 2.0, 4.0, 6.0 |*"])
