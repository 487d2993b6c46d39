"""The logbook of the faults and its table, without a machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine.faults import FAULTS
from tests.machine.soaking import seeds_of
from tests.machine.tries import PAGE, Try, keep, left, logbooks, page_of, table_of, tries_in


def test_a_line_per_fault_with_its_failures_and_times(tmp_path: Path) -> None:
    file = tmp_path / "new" / "amd64.jsonl"
    for tried in (
        Try("the plug is pulled", 1, True, 1.0, "a"),
        Try("the plug is pulled", 2, True, 9.0, "a"),
        Try("the plug is pulled", 3, False, 2.0, "a", "it was not found"),
        Try("the plug is pulled", 4, False, 2.5, "a", "it was not found"),
        Try("the plug is pulled", 4, True, 3.0, "b"),
        Try("the clock is set", 1, True, None, "a"),
    ):
        keep(file, tried)
    assert table_of(tries_in(file)).splitlines()[2:] == [
        "| the clock is set | 1 | 1 | 0 | 0 | – |",
        "| the plug is pulled | 4 | 5 | 2 | 1 | 1.0, 2.5, 9.0 |",
    ]


def test_only_what_has_not_been_tried_or_has_failed_with_another_program_is_left() -> None:
    tries = [
        Try("passed", 1, True, None, "old"),
        Try("failed before", 1, False, None, "old"),
        Try("failed now", 1, False, None, "new"),
        Try("mended", 1, False, None, "old"),
        Try("mended", 1, True, None, "new"),
        Try("of another seed", 2, True, None, "new"),
    ]
    faults = ["passed", "failed before", "failed now", "mended", "of another seed"]
    assert left(tries, faults, seed=1, image="new") == ["failed before", "of another seed"]


def test_no_logbook_is_an_empty_one(tmp_path: Path) -> None:
    assert tries_in(tmp_path / "amd64.jsonl") == []


@pytest.mark.parametrize(("text", "seeds"), [("3", [1, 2, 3]), ("11-13", [11, 12, 13])])
def test_seeds_are_a_number_or_from_to(text: str, seeds: list[int]) -> None:
    assert list(seeds_of(text)) == seeds


def test_the_page_shows_the_logbooks_as_they_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == page_of(logbooks())


def test_every_fault_has_words_and_a_docstring() -> None:
    assert len(FAULTS) >= 10
    for name, fault in FAULTS.items():
        assert fault.__doc__, name
