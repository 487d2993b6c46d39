"""The harness's files: names, what they must not hold, and what becomes of them without graphviz.

What they say is held against the map and each other in `tests/wiring/test_agreement.py`.
"""

from __future__ import annotations

import shutil

import pytest

from tests.wiring.built import BOARDS, each_board, made
from tests.wiring.harness.reading import read_source
from wiring.make import harness
from wiring.make.harness import HarnessError


@each_board
def test_no_two_parts_of_the_harness_have_one_name(key: str) -> None:
    files = made(key, harness.files)
    between, tubes = read_source(files["harness.yml"]), read_source(files["tube-cables.yml"])
    names = [*between.connectors, *between.cables, *tubes.connectors, *tubes.cables]
    assert len(names) == len(set(names))


def test_without_graphviz_texts_are_made_and_drawings_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = made("seven", harness.files)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setenv("PATH", "")
    texts = harness.texts(BOARDS["seven"])
    assert texts.items() < expected.items()
    assert all(name.endswith(".svg") for name in expected.keys() - texts.keys())
    with pytest.raises(HarnessError, match=r"^graphviz \(dot\) is missing: install it with "):
        harness.drawings(BOARDS["seven"])
