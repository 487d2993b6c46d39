"""A piece of hardware that may fail: said once, tried again from time to time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

#: Seconds to the second attempt; each further one waits twice as long.
FIRST_PAUSE: Final = 5.0

#: Seconds that two attempts are apart at most.
LONGEST_PAUSE: Final = 300.0


class Attempts:
    """What is told of a piece of hardware, and when it is tried again. Times are seconds of any clock.

    A failure is said once; when the hardware works later on, ``works_again`` is said, and the next failure is told
    anew. Hardware that fails soon after it worked is not taken for mended: its pause goes on growing.
    """

    def __init__(self, works_again: str, say: Callable[[str], None]) -> None:
        self._works_again = works_again
        self._say = say
        self._failing = False
        self._pause = FIRST_PAUSE
        self._failed_at = float("-inf")

    def is_due(self, t: float) -> bool:
        """Whether to try now."""
        return not self._failing or t >= self._failed_at + self._pause

    def failed(self, t: float, words: str) -> None:
        """It failed at ``t``: the words are said unless it was failing before."""
        if t - self._failed_at > 2 * LONGEST_PAUSE:
            self._pause = FIRST_PAUSE
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._failed_at = t
        if not self._failing:
            self._failing = True
            self._say(words)

    def worked(self) -> None:
        """It works; that is said when it failed before."""
        if self._failing:
            self._failing = False
            self._say(self._works_again)
