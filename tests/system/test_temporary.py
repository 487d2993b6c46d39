"""The program's own folder: gone at its end, or at the next start when it was killed; no other is ever touched."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_hw.system.files import MARK, PREFIX, remove_abandoned, temporary_folder

ROOT = Path(__file__).resolve().parents[2]

GAME = [sys.executable, "-m", "tamsk_hw.commands.main", "run", "--simulated", "--seed", "5", "--speed", "20"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's folder for what is temporary."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def test_one_that_is_in_use_is_let_be_by_others(place: Path) -> None:
    with temporary_folder() as first, temporary_folder() as second:
        remove_abandoned()
        assert {first, second} == set(place.iterdir())
    assert list(place.iterdir()) == []


def test_what_a_killed_program_left_is_removed_by_the_next(place: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(GAME, stdout=subprocess.PIPE, env=environment) as game:
        assert game.stdout is not None
        game.stdout.readline()
        (left,) = place.iterdir()
        remove_abandoned()
        assert left.is_dir(), "while it runs it is its own"
        game.send_signal(signal.SIGKILL)
    assert left.is_dir()
    with temporary_folder() as folder:
        assert list(place.iterdir()) == [folder]


def test_a_folder_without_the_mark_is_nobodys_but_its_owners(place: Path) -> None:
    checkout = place / f"{PREFIX}checkout"
    checkout.mkdir()
    (checkout / "work").write_text("of years")
    (place / f"{PREFIX}file").write_text("no folder at all")
    remove_abandoned()
    assert (checkout / "work").read_text() == "of years"
    assert len(list(place.iterdir())) == 2


def test_a_link_is_not_followed(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / MARK).touch()
    (elsewhere / "work").touch()
    (place / f"{PREFIX}link").symlink_to(elsewhere)
    other = place / f"{PREFIX}other"
    other.mkdir()
    (other / MARK).symlink_to(elsewhere / MARK)
    remove_abandoned()
    assert (elsewhere / "work").exists()
    assert other.is_dir()
