"""A folder of the program's own for as long as it runs, under the system's temporary one.

A program that is killed cannot remove its folder, so the next one does. A folder in use is known by a mark in it
that its program keeps locked; without that mark nothing is ever removed, whatever its name.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

#: How the folders' names begin.
PREFIX: Final = "tamsk-hw-"

#: The mark in each.
MARK: Final = ".tamsk-hw-in-use"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder, removed at the end with all that is in it; those that killed programs left go as well."""
    remove_abandoned()
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        lock = _mark(Path(name))
        try:
            yield Path(name)
        finally:
            os.close(lock)


def remove_abandoned() -> None:
    """Remove this user's folders that no program has any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _remove_if_abandoned(folder)


def _mark(folder: Path) -> int:
    """Put the mark into a folder; the descriptor that keeps it locked, until it is closed or the program ends."""
    new = folder / f"{MARK}.new"
    lock = os.open(new, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # It appears under its name when it is locked, or another program might take the folder for abandoned.
    new.rename(folder / MARK)
    return lock


def _remove_if_abandoned(folder: Path) -> None:
    """Raises `OSError` for a folder without the mark, or with one that a program keeps locked."""
    if folder.lstat().st_uid != os.getuid():
        return
    lock = os.open(folder / MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
