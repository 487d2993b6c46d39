"""The board's id in the simulated controller's memory."""

from __future__ import annotations

#: Seconds that the controller takes to write a board id: six bytes, one in every second scan.
WRITING = 0.032


class StoredBoardId:
    """The stored id; writing another one takes time."""

    def __init__(self, board_id: int) -> None:
        self.board_id = board_id
        self.written_at: float | None = None
        """The time at which the id that is being written will be stored; None without one."""
        self.answers = 0
        """Requests to answer once the id is written."""
        self._new = board_id

    def write(self, board_id: int, now: float) -> None:
        """Start writing an id; one that is still being written is abandoned."""
        self._new = board_id
        self.written_at = now + WRITING
        self.answers += 1

    def finish(self) -> int:
        """Complete the writing and return the number of requests to answer."""
        self.board_id, self.written_at = self._new, None
        answers, self.answers = self.answers, 0
        return answers

    def interrupt(self) -> None:
        """Handle a reset: a half-written record holds neither the old id nor the new one, so it reads 0."""
        if self.written_at is not None:
            self.board_id, self.written_at, self.answers = 0, None, 0
