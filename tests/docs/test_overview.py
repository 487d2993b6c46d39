"""``docs/overview.md`` and its picture, held against the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house import ROOT, code_lines, picture
from tests.test_architecture import ROOMS

OVERVIEW = (ROOT / "docs" / "overview.md").read_text(encoding="utf-8")

SOURCE = '''"""A docstring
of two lines."""

# a comment
import os  # code


class A:
    """Another."""

    field = 1
    """Value of the field."""

    def b(self) -> str:
        return """a string
        that is a value"""
'''


def test_the_picture_is_that_of_the_code() -> None:
    """If not: run ``make overview``."""
    assert (ROOT / "docs" / "rooms.svg").read_text(encoding="utf-8") == picture()


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_its_paragraph(room: str) -> None:
    assert f"\n**`{room}`** " in OVERVIEW


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:tamsk_hw|firmware|tests|wiring|docs)/[\w./]+)`", OVERVIEW)))
)
def test_every_file_that_is_named_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_lines_of_code_are_those_without_blanks_comments_and_docstrings() -> None:
    # import, class, field and the string below it, def, and the two lines of the return
    assert code_lines(SOURCE) == 7


def test_every_file_that_is_named_without_its_folder_exists() -> None:
    names = {path.name for folder in ("tamsk_hw", "wiring", "tests") for path in Path(ROOT / folder).rglob("*")}
    assert set(re.findall(r"`(\w+\.py)`", OVERVIEW)) <= names
