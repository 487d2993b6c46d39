"""Followed rests, kept on the disk while a board is served, so that a restart does not lose them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tamsk_hw.board.rests_file import RestsOf, rests_text
from tamsk_hw.facts.notices import RestsNotKept
from tamsk_hw.system.latest_file import LatestFile

#: Seconds between two looks at the rests, and after which rests that did not change are written again: they count
#: from when they were last seen.
LOOK_EVERY, AGAIN_AFTER = 60.0, 3600.0

_NEVER: Final = float("-inf")


class RestKeeper:
    """Writes the rests of ``board`` to ``path``, seldom and in a thread.

    ``wall`` gives the time of day (seconds since 1970). A disk that does not take them is reported once, to
    ``notice``, in that thread.
    """

    def __init__(
        self, path: Path, board: RestsOf, wall: Callable[[], float], notice: Callable[[RestsNotKept], None]
    ) -> None:
        self._board = board
        self._wall = wall
        self._file = LatestFile(path, lambda error: notice(RestsNotKept(path, error.strerror or str(error))))
        self._written: tuple[float, ...] | None = None
        self._written_at = _NEVER
        self._seen_at = _NEVER

    def see(self, now: float, rests: Callable[[], tuple[float, ...] | None]) -> None:
        """Look at the rests when it is time; ``now`` in seconds that never decrease.

        ``rests`` gives None while nobody knows them, as the board is out of reach.
        """
        if now < self._seen_at + LOOK_EVERY:
            return
        seen = rests()
        if seen is not None:
            self._seen_at = now
            if seen != self._written or now >= self._written_at + AGAIN_AFTER:
                self._write(now, seen)

    def close(self, rests: tuple[float, ...] | None) -> None:
        """Write the last rests, if they are known, and wait for the disk, for a while."""
        if rests is not None:
            self._write(self._seen_at, rests)
        self._file.close()

    def _write(self, now: float, rests: tuple[float, ...]) -> None:
        self._written, self._written_at = rests, now
        self._file.write(rests_text(self._board, rests, self._wall()).encode())
