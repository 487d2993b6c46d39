"""Files: read with a limit, written whole, and folders for a while.

A file is written whole or not at all: a power cut leaves the old one or the new one. Files and folders that root
makes get the owner of the folder around them, so a service keeps its own.

Reading what a person gives is bounded. A device, a pipe and a folder are no files: `read_file` refuses them before
it opens them, since opening a serial line resets its board and opening a pipe waits.

`temporary_folder` is the program's own for as long as it runs. A program that is killed cannot remove its folder,
so the next one does. A folder in use is known by a mark in it that its program keeps locked; without that mark
nothing is ever removed, whatever its name.
"""

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from tamsk_hw.errors import InputError


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


class TomlError(ValueError):
    """A text that is no TOML; the message ends with its place, as `tomllib`'s do."""


def parse_toml(text: str) -> dict[str, Any]:
    """The values in ``text``; a byte order mark before it, as some editors write, is left out.

    Raises:
        TomlError: it is no TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise TomlError(" ".join(str(error).split())) from None


_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode), "a device"),
)


def read_file(path: Path, most: int) -> bytes:
    """The content of a file of at most ``most`` bytes. ``/dev/null`` counts as an empty one.

    Raises:
        InputError: it is no file, or larger.
        OSError: it cannot be read.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise InputError(f"larger than {_size(most)}")
    return data


def open_file(path: Path, *, pipe: bool = False) -> BinaryIO:
    """A file opened for reading; ``pipe``: it may be one.

    Raises:
        InputError: it is no file.
        OSError: it cannot be opened.
    """
    try:
        _check(os.stat(path), pipe=pipe)
        # Should a pipe or a terminal have taken its place meanwhile, opening it neither waits nor takes it over.
        waits = 0 if pipe else os.O_NONBLOCK
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | waits), "rb")
    except ValueError as error:  # a path with a NUL
        raise InputError(f"no path: {error}") from None
    try:
        _check(os.fstat(file.fileno()), pipe=pipe)
    except InputError:
        file.close()
        raise
    return file


def read_lines(file: BinaryIO, *, longest: int, most: int) -> Iterator[bytes]:
    """The lines of ``file`` with their ends, each of at most ``longest`` bytes, all together of at most ``most``.

    Raises:
        InputError: a line is longer, or the whole; the message names the line.
        OSError: it cannot be read.
    """
    size = number = 0
    while line := file.readline(longest + 1):
        number += 1
        size += len(line)
        if len(line) > longest:
            raise InputError(f"line {number}: longer than {_size(longest)}")
        if size > most:
            raise InputError(f"line {number}: larger than {_size(most)} in all")
        yield line


def _check(status: os.stat_result, *, pipe: bool) -> None:
    """Refuse what is no file."""
    mode = status.st_mode
    if stat.S_ISREG(mode) or (pipe and stat.S_ISFIFO(mode)):
        return
    if stat.S_ISCHR(mode) and status.st_rdev == os.stat(os.devnull).st_rdev:
        return
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
    raise InputError(f"{kind}, not a file")


def _size(count: int) -> str:
    """A bound in the largest unit that divides it."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count % size == 0:
            return f"{count // size} {unit}"
    return f"{count} bytes"
