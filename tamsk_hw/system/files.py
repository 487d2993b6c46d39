"""Files that are written whole or not at all: a power cut leaves the old file or the new one."""

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
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        yield new
    finally:
        with suppress(OSError):
            new.unlink()


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
