"""Keeping the bytes of a line in a file, as they came."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from tamsk_hw.errors import ConfigError


class Kept:
    """A file for raw bytes; its old content stays until `begin`. Raises `ConfigError` if it cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begun = False
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise self._cannot(error) from error

    def is_same_as(self, descriptor: int) -> bool:
        """True when this is the file that is open there."""
        ours, other = os.fstat(self._descriptor), os.fstat(descriptor)
        return stat.S_ISREG(ours.st_mode) and os.path.samestat(ours, other)

    def begin(self) -> None:
        """Empty the file; a second call does nothing."""
        if not self._begun and stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.ftruncate(self._descriptor, 0)
        self._begun = True

    def write(self, data: bytes) -> None:
        """Write all of it."""
        self.begin()
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            raise self._cannot(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def _cannot(self, error: OSError) -> ConfigError:
        return ConfigError(f"{self._path}: cannot be written: {(error.strerror or str(error)).lower()}")
