"""Files that are written whole or not at all: a power cut leaves the old file or the new one.

What root makes belongs to the owner of the folder in which it lies: a service's files stay its own.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in place of the one that is there, whose permissions it keeps.

    Raises:
        OSError: it cannot be written; the one before is still there.
    """
    with written_beside(path, content) as new:
        with suppress(FileNotFoundError):
            new.chmod(path.stat().st_mode & 0o777)
        os.replace(new, path)
    sync(path.parent)


@contextmanager
def written_beside(path: Path, content: bytes, mode: int = 0o666) -> Iterator[Path]:
    """A new file with this content, on the disk, in the folder of ``path``; the caller gives it its name.

    It gets the permissions ``mode`` as far as the user's umask allows, and is removed at the end if it is still
    there.
    """
    new = path.absolute().with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with open(descriptor, "wb") as file:
            give_to_owner(descriptor, new.parent)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        yield new
    finally:
        with suppress(OSError):
            new.unlink()


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, for good.

    Raises:
        OSError: one cannot be made.
    """
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        made = os.open(each, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            give_to_owner(made, each.parent)
        finally:
            os.close(made)
        sync(each.parent)


def make_private(path: Path) -> None:
    """Make an empty file that no other user may read. Raises `OSError` where there is one."""
    made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        give_to_owner(made, path.parent)
    finally:
        os.close(made)


def give_to_owner(descriptor: int, folder: Path) -> None:
    """Have an open file that root has made in a folder belong to the folder's owner; nothing for other users."""
    if os.geteuid() == 0:
        owner = folder.stat()
        with suppress(OSError):  # a file system without owners, or one of another computer
            os.fchown(descriptor, owner.st_uid, owner.st_gid)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
