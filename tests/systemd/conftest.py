"""The program, installed once for all tests that look at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systemd.tools import tool
from tests.systemd.tree import make, make_wheel


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program's wheel."""
    tool("make", "make")
    folder = tmp_path_factory.mktemp("wheels")
    make_wheel(folder)
    return folder


@pytest.fixture(scope="session")
def tree(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that stands for the computer, with the program installed; not to be changed."""
    tree = tmp_path_factory.mktemp("tree")
    status, said = make("install", DESTDIR=tree, WHEELS=wheels)
    assert status == 0, said
    return tree
