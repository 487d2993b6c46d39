"""The harness's texts, read back and held against the wiring map, the Pi's header and each other."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.wiring.harness import checks, facts
from tests.wiring.harness.making import board, each_board, made_texts, needs_dot, wiring
from tests.wiring.harness.reading import read_source
from wiring.make.harness import drawings, files, texts
from wiring.make.harness.drawing import HarnessError


@each_board
def test_harness_agrees_with_itself(key: str) -> None:
    assert checks.source_problems(read_source(made_texts(key)["harness.yml"])) == []


@each_board
def test_tube_cables_agree_with_themselves(key: str) -> None:
    assert checks.source_problems(read_source(made_texts(key)["tube-cables.yml"])) == []


@each_board
def test_harness_is_that_of_the_map(key: str) -> None:
    assert facts.map_problems(read_source(made_texts(key)["harness.yml"]), wiring(key)) == []


@each_board
def test_tube_cables_are_those_of_the_map(key: str) -> None:
    assert facts.tube_problems(read_source(made_texts(key)["tube-cables.yml"]), wiring(key)) == []


@each_board
def test_tables_agree_with_wireviz_input(key: str) -> None:
    made = made_texts(key)
    harness, tubes = read_source(made["harness.yml"]), read_source(made["tube-cables.yml"])
    assert checks.table_problems(made["harness.md"], harness, tubes) == []


@each_board
def test_bill_agrees_with_wireviz_input(key: str) -> None:
    made = made_texts(key)
    harness, tubes = read_source(made["harness.yml"]), read_source(made["tube-cables.yml"])
    assert checks.bill_problems(made["harness-bom.tsv"], harness, tubes) == []


def test_every_pi_has_the_same_header() -> None:
    assert facts.header(facts.REVISIONS[0]) == facts.header(facts.REVISIONS[1])


@each_board
def test_no_two_parts_of_the_harness_have_one_name(key: str) -> None:
    made = made_texts(key)
    harness, tubes = read_source(made["harness.yml"]), read_source(made["tube-cables.yml"])
    names = [*harness.connectors, *harness.cables, *tubes.connectors, *tubes.cables]
    assert len(names) == len(set(names))


@each_board
def test_texts_are_the_same_every_time(key: str) -> None:
    assert texts(board(key)) == made_texts(key)


@needs_dot
@each_board
def test_nothing_of_this_machine_is_in_the_files(key: str) -> None:
    for name, text in files(board(key)).items():
        for place in (str(Path.cwd()), str(Path.home()), sys.prefix, "/tmp", "/usr"):
            assert place not in text, f"{name} has {place}"


@each_board
def test_without_graphviz_texts_are_made_and_drawings_say_what_is_missing(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setenv("PATH", "")
    assert texts(board(key)) == made_texts(key)
    with pytest.raises(HarnessError, match=r"^graphviz \(dot\) is missing: install it with "):
        drawings(board(key))
