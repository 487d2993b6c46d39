"""Programs for the tests are built once, however many ask for it at the same moment."""

from __future__ import annotations

import fcntl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from tests.firmware.built import BuildOnce

ASKING = 4


def test_who_asks_while_it_is_built_gets_what_was_built(tmp_path: Path) -> None:
    built: list[Path] = []
    together = Barrier(ASKING)

    def make(folder: Path) -> None:
        built.append(folder)
        (lock,) = tmp_path.glob("*.lock")
        with lock.open("w") as again, pytest.raises(BlockingIOError):
            fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (folder / "program").write_text("whole", encoding="utf-8")

    def ask(_: int) -> str:
        together.wait()
        # As in processes of their own, nothing is shared but the folder.
        return (BuildOnce(tmp_path)("thing", make) / "program").read_text(encoding="utf-8")

    with ThreadPoolExecutor(ASKING) as pool:
        assert list(pool.map(ask, range(ASKING))) == ["whole"] * ASKING
    assert len(built) == 1


def test_two_things_are_two_folders(tmp_path: Path) -> None:
    build = BuildOnce(tmp_path)
    assert build("one", lambda folder: None) != build("other", lambda folder: None)


def test_what_cannot_be_built_fails_each_test_that_needs_it_and_is_tried_once(tmp_path: Path) -> None:
    tried: list[Path] = []

    def make(folder: Path) -> None:
        tried.append(folder)
        raise subprocess.CalledProcessError(2, ["cc"], "", "no such header")

    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="no such header"):
            BuildOnce(tmp_path)("thing", make)
    assert len(tried) == 1
