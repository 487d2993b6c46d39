"""A power cut or a kill at any moment loses nothing that was called saved."""

import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.records import verify
from tests.journal.killed_programs import programs
from tests.journal.played import played, stored_lines
from tests.soak import in_soak

KILLS, CUTS = in_soak((400, 400), otherwise=(24, 24))
SOURCE = Path(__file__).with_name("synced.c")


def some_lines(chance: Random) -> int:
    """Before the journal is open, soon after, or in the middle of a game or of the next."""
    return chance.choice((0, 0, 1, 2, chance.randrange(20), chance.randrange(250)))


def all_that_was_saved_is_there(folder: Path, saved: dict[int, int]) -> None:
    """And in order, nothing torn, and the referee rules the same on it again."""
    archive = Archive(folder)
    for number, event in saved.items():
        stored = archive.load(number)
        assert len(stored.entries) >= event
        assert stored_lines(stored) == played().lines(len(stored.entries))
        assert verify(stored) is None


def kept(saved: dict[int, int]) -> dict[int, int]:
    """Without a game that nobody has begun: the next program forgets it and gives its number free."""
    return {number: event for number, event in saved.items() if event > played().first("turn")}


def test_kills_at_random_moments(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(6)]
    saved: dict[Path, dict[int, int]] = {folder: {} for folder in folders}
    with programs() as killed:
        for seed in count():
            if seed >= KILLS and sum(map(len, saved.values())) > len(folders):  # some games went to their end
                break
            chance = Random(seed)
            folder = chance.choice(folders)
            just_saved = killed.kill_one("write", folder, seed, some_lines(chance))
            all_that_was_saved_is_there(folder, just_saved)
            saved[folder] |= kept(just_saved)
    for folder, games in saved.items():
        all_that_was_saved_is_there(folder, games)


@pytest.fixture(scope="session")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that tells what is on the disk."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler here")
    library = tmp_path_factory.mktemp("synced") / "synced.so"
    command = [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", str(library)]
    subprocess.run([*command, str(SOURCE), "-ldl"], check=True)
    return library


class Disk:
    """A folder and what of it would be left after a power cut."""

    def __init__(self, folder: Path, copies: Path) -> None:
        self.folder = folder
        self.copies = copies
        folder.mkdir()
        copies.mkdir()

    def cut(self, chance: Random) -> None:
        """The power fails: what was not waited for is on the disk, or is not, block by block."""
        names = self.copies / "names"
        left: dict[str, bytes] = {}
        for line in names.read_text().splitlines() if names.exists() else ():
            inode, name = line.split(" ", 1)
            if name.endswith("-shm"):
                continue  # never waited for: its content is made again
            copy = self.copies / inode
            old = copy.read_bytes() if copy.exists() else b""
            now = self.folder / name
            new = now.read_bytes() if now.exists() and now.stat().st_ino == int(inode) else old
            left[name] = mixed(old, new, chance)
        shutil.rmtree(self.folder)
        shutil.rmtree(self.copies)
        self.folder.mkdir()
        self.copies.mkdir()
        lines = []
        for name, content in left.items():
            (self.folder / name).write_bytes(content)
            inode = (self.folder / name).stat().st_ino
            (self.copies / str(inode)).write_bytes(content)
            lines.append(f"{inode} {name}\n")
        (self.copies / "names").write_text("".join(lines))


def mixed(old: bytes, new: bytes, chance: Random, block: int = 512) -> bytes:
    """All waited for, and any of the blocks written since; those beyond its end may be missing or zero."""
    share = chance.choice((0.0, 0.5, 1.0))
    size = len(new) if chance.random() < share else len(old)
    result = bytearray(old[:size].ljust(size, b"\0"))
    for at in range(0, size, block):
        if chance.random() < share:
            result[at : at + block] = new[at : at + block].ljust(min(block, size - at), b"\0")
    return bytes(result)


def test_power_cuts_at_random_moments(tmp_path: Path, synced: Path) -> None:
    disk = Disk(tmp_path / "journal", tmp_path / "copies")
    saved: dict[int, int] = {}
    environment = {"LD_PRELOAD": str(synced), "SYNCED_OF": str(disk.folder), "SYNCED_TO": str(disk.copies)}
    with programs(**environment) as killed:
        for seed in count():
            if seed >= CUTS and len(saved) > 2:
                break
            chance = Random(1000 + seed)
            just_saved = killed.kill_one("write", disk.folder, seed, some_lines(chance))
            disk.cut(chance)
            all_that_was_saved_is_there(disk.folder, just_saved)
            saved |= kept(just_saved)
    all_that_was_saved_is_there(disk.folder, saved)
