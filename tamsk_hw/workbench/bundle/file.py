"""The bundle as a file: a .tar.gz that is written whole or not at all, and never in another's place."""

from __future__ import annotations

import errno
import io
import os
import tarfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from tamsk_hw.errors import ConfigError
from tamsk_hw.system.files import written_beside


def packed(files: Mapping[str, bytes], folder: str, made: datetime) -> bytes:
    """The archive with these files in one folder, without owners."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=9) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), int(made.timestamp()), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def refuse_what_is_there(path: Path) -> None:
    """Check that the name is free and its folder exists. Raises `ConfigError` otherwise."""
    if os.path.lexists(path):
        raise ConfigError(f"{path}: is there already, and is not replaced; name another file with -o")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {path.absolute().parent}; make it, or name another with -o")


def write_new(path: Path, data: bytes) -> None:
    """Write a new file, for its owner alone.

    Raises:
        ConfigError: it is there already, or cannot be written; then nothing is left behind.
    """
    try:
        with written_beside(path, data, mode=0o600) as new:
            _give_name(new, path)
    except FileExistsError:
        refuse_what_is_there(path)
    except OSError as error:
        words = (error.strerror or str(error)).lower()
        raise ConfigError(f"{path}: cannot be written: {words}", "name another place with -o") from None


def _give_name(new: Path, path: Path) -> None:
    """Name a file, unless the name is taken."""
    try:
        os.link(new, path)  # unlike a rename it replaces nothing
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # A memory stick knows no second names; in between nobody else writes this one.
        refuse_what_is_there(path)
        os.rename(new, path)
