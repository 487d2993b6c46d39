"""The harness's files, read back. tests/wiring/test_agreement.py holds them against the map."""

import html
import shutil

import pytest

from tests.wiring.bench import BOARDS, each_board, made
from tests.wiring.harness.reading import read_source
from wiring.make import harness
from wiring.make.harness import HarnessError


@each_board
def test_no_two_parts_of_the_harness_have_one_name(key: str) -> None:
    files = made(key, harness.files)
    between, tubes = read_source(files["harness.yml"]), read_source(files["tube-cables.yml"])
    names = [*between.connectors, *between.cables, *tubes.connectors, *tubes.cables]
    assert len(names) == len(set(names))


@each_board
def test_every_cable_between_the_units_and_a_tubes_of_each_size_are_drawn(key: str) -> None:
    files = made(key, harness.files)
    between, tubes = read_source(files["harness.yml"]), read_source(files["tube-cables.yml"])
    assert all(f">{ref}<" in files["harness.svg"] for ref in between.cables)
    words = html.unescape(files["tube-cables.svg"])
    drawn = [cable["wirecount"] for ref, cable in tubes.cables.items() if f">{ref}<" in words]
    assert sorted(drawn) == sorted({cable["wirecount"] for cable in tubes.cables.values()})


def test_without_graphviz_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(HarnessError, match=r"^graphviz \(dot\) is missing: install it with "):
        harness.files(BOARDS["seven"])
