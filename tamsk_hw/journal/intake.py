"""Streams that are imported while games are played: refereed in a thread that makes way for others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Final

from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.journal.changes import Answer, Change, ImportGame
from tamsk_hw.journal.importing import Recording, recording_of

#: Real seconds of rest after every event, in which the loop that referees has its turn.
PAUSE: Final = 0.0002


class Intake:
    """One stream at a time; ``change`` hands the finished recording to the journal."""

    def __init__(self, change: Callable[[Change, float, Answer], None]) -> None:
        self.threaded = True
        """Without, a stream is refereed here and now; for tests."""
        self._change = change
        self._is_busy = False

    def take(
        self, lines: Sequence[bytes], red: str | None, black: str | None, wall: float, answer: Answer
    ) -> None:
        """Take a stream's lines; ``answer`` hears when the game is on the disk, or is refused."""

        def work() -> None:
            made: Recording | JournalError
            try:
                made = recording_of(lines, "import", lambda: time.sleep(PAUSE))
            except TamskError as error:
                made = JournalError(str(error))
            self._is_busy = False
            if isinstance(made, JournalError):
                answer(made)
            else:
                self._change(ImportGame(made, red, black), wall, answer)

        if self._is_busy:
            answer(JournalError("another game is being imported", "ask again when it is done"))
            return
        self._is_busy = True
        if self.threaded:
            Thread(target=work, name="import", daemon=True).start()
        else:
            work()
