"""The journal as the page reads it: keys in addresses, and a reader who may change nothing."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.archive import GameChoice
from tamsk_hw.journal.journal import Journal
from tamsk_hw.web.pages import GameRepository
from tests.journal.played import SITTING, played, write

#: A user and a group that own nothing.
USER, GROUP = 4343, 4242


class OtherUser:
    """A process of the page's user. It is forked before a journal is open, while no thread may hold a lock."""

    def __init__(self, folder: Path, *, member: bool = True) -> None:
        self._folder = folder
        asked, self._ask = os.pipe()
        self._answers, answered = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                os.close(self._ask)
                os.setgroups([GROUP] if member else [])
                os.setgid(USER)
                os.setuid(USER)
                while os.read(asked, 1):
                    os.write(answered, json.dumps(self._read()).encode())
            finally:
                os._exit(0)
        os.close(asked)
        os.close(answered)

    def _read(self) -> Any:
        try:
            shelf = GameRepository(self._folder)
            games, _ = shelf.games(GameChoice(), 1)
            return [len(games), len(shelf.load(games[0].key).entries), games[0].is_played]
        except JournalError as error:
            return str(error)

    def reads(self) -> Any:
        """The list that the page's user is given, as numbers, and events of the newest; or a refusal's words."""
        os.write(self._ask, b"?")
        return json.loads(os.read(self._answers, 10_000))

    def close(self) -> None:
        os.close(self._ask)
        os.close(self._answers)
        os.waitpid(self._child, 0)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder as the service has it, which a group may read; pytest's own ones let nobody else in."""
    if os.geteuid():
        pytest.skip("only root can become another user")
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "state"
        folder.mkdir()
        os.chown(folder, -1, GROUP)
        folder.chmod(0o2750)
        yield folder


@pytest.fixture
def page_user(shared: Path) -> Iterator[OtherUser]:
    user = OtherUser(shared)
    yield user
    user.close()


def test_the_pages_user_reads_beside_a_writer_and_after_it(shared: Path, page_user: OtherUser) -> None:
    """The writer's changes stand in files beside the database, which a reader must not need to write."""
    game = played()
    with Journal(shared) as journal:
        journal.begin_game(game.header, SITTING)
        for count, entry in enumerate(game.entries, start=1):
            journal.append(entry)
            if count in (60, 120):
                journal.queue.wait_until_written(None)
                assert page_user.reads() == [1, count, True]
    assert not (shared / "journal.db-wal").exists()
    assert page_user.reads() == [1, len(game.entries), False]


def test_the_pages_user_reads_what_a_killed_writer_left(shared: Path, page_user: OtherUser) -> None:
    child = os.fork()
    if child == 0:
        journal = Journal(shared)
        journal.begin_game(played().header, SITTING)
        for entry in played().entries[:60]:
            journal.append(entry)
        journal.queue.wait_until_written(None)
        os._exit(0)
    os.waitpid(child, 0)
    assert (shared / "journal.db-wal").stat().st_size > 0
    assert page_user.reads() == [1, 60, False]


def test_a_user_who_may_not_read_is_told_so(shared: Path) -> None:
    stranger = OtherUser(shared, member=False)
    write(shared, played())
    assert "permission denied" in stranger.reads()
    stranger.close()
