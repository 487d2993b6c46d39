"""The program, installed once for all tests that look at it."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.firmware.built import BuildOnce
from tests.systemd.tools import tool
from tests.systemd.tree import PROGRAM, make, make_wheel


@pytest.fixture(scope="session")
def wheels(build_once: BuildOnce) -> Path:
    """A folder with the program's wheel."""
    tool("make")
    return build_once("wheels", make_wheel)


@pytest.fixture(scope="session")
def tree(wheels: Path, build_once: BuildOnce) -> Path:
    """A folder that stands for the computer, with the program installed; not to be changed."""

    def install(folder: Path) -> None:
        status, said = make("install", DESTDIR=folder, WHEELS=wheels)
        if status:
            pytest.fail(said)

    return build_once("tree", install)


@pytest.fixture(scope="session")
def quick_python(tree: Path, build_once: BuildOnce) -> Path:
    """A Python that makes a virtual environment by copying that of ``tree`` and all that is compiled there: making
    one takes seconds.
    """

    def prepare(folder: Path) -> None:
        empty = folder / "venv"
        shutil.copytree(tree / PROGRAM, empty, symlinks=True)
        for each in (*empty.glob("lib/python*/site-packages/tamsk_hw*"), empty / "bin/tamsk-hw"):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        program = folder / "python"
        program.write_text(
            f'#!/bin/sh\ncase "$1 $2" in "-m venv") exec cp -Rp "{empty}" "$3" ;; esac\n'
            f'exec "{sys.executable}" "$@"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)

    return build_once("quick_python", prepare) / "python"
