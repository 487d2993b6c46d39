"""The journal's folder: whose it is, who writes it, and one that cannot be made."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.journal import database as journal_folder
from tamsk_hw.journal.archive import back_up, restore
from tamsk_hw.journal.database import LOCK
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.trouble import TroubleKind
from tamsk_hw.journal.writer import NOTE
from tamsk_hw.system.files import write_whole
from tamsk_hw.words.notices import trouble_words
from tests.journal.played import begun, played, write


@pytest.fixture(params=[0o000, 0o022, 0o027, 0o077, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.glob("journal.db*")}


@pytest.mark.parametrize(("folder_mode", "mode"), [(0o700, 0o600), (0o755, 0o600), (0o750, 0o640), (0o770, 0o640)])
def test_games_are_read_by_nobody_else(tmp_path: Path, folder_mode: int, mode: int, umask: None) -> None:
    """In a folder as systemd makes it for the service (0750) its group may read them."""
    tmp_path.chmod(folder_mode)
    everything = dict.fromkeys(("journal.db", "journal.db-wal", "journal.db-shm"), mode)
    with begun(tmp_path, 5) as journal:
        assert journal.writer.attempt()
        assert modes(tmp_path) == everything
        assert (tmp_path / LOCK).stat().st_mode & 0o777 == 0o644, "others see whether it is held"


def test_whoever_looks_whether_a_game_is_played_keeps_no_service_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, played(), 30)
    looking = os.open(tmp_path / LOCK, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr(journal_folder.time, "sleep", lambda seconds: fcntl.flock(looking, fcntl.LOCK_UN))
    with Journal(tmp_path, threaded=False) as journal:
        assert journal.queue.trouble is None
    os.close(looking)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_root_makes_in_the_services_folder_is_the_services(tmp_path: Path) -> None:
    """Else the service could not say that it holds the journal, nor write what root has written once."""
    owner = 4242
    (tmp_path / "state").mkdir()
    os.chown(tmp_path / "state", owner, owner)
    state = tmp_path / "state" / "games"
    with begun(state, 30) as journal:
        assert journal.writer.attempt()
        journal.watch(played().entries[29].event.t)
        assert journal.writer.attempt()
        assert {"journal.db-wal", "journal.db-shm", LOCK, NOTE} <= {each.name for each in state.iterdir()}
        assert owners(state) == {owner}
    back_up(state, tmp_path / "state" / "games.backup")
    restore(state, tmp_path / "state" / "games.backup")
    assert len(list(state.glob("journal-replaced-*.db"))) == 1
    write_whole(tmp_path / "state" / "ring-rests.toml", b"")
    assert owners(tmp_path / "state") == {owner}


def owners(folder: Path) -> set[int]:
    """The users and groups to whom something in the folder belongs."""
    found = [each.lstat() for each in (folder, *folder.rglob("*"))]
    return {each.st_uid for each in found} | {each.st_gid for each in found}


def test_a_folder_that_cannot_be_made_is_a_cause_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file" / "games", Path("/proc/nowhere/games")):
        with Journal(folder, threaded=False) as journal:
            trouble = journal.queue.trouble
        assert trouble is not None
        assert trouble.kind is TroubleKind.NO_FOLDER
        assert "The journal's folder cannot be made" in trouble_words(trouble)
        assert "correct journal.folder" in trouble_words(trouble)
