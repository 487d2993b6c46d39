"""A piece of hardware that may fail: reported once, tried again from time to time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tamsk_hw.panel.troubles import DriverTrouble, Failure, PanelFailed, PanelPart, PanelWorks

#: Seconds to the second attempt; each further one waits twice as long.
FIRST_PAUSE: Final = 5.0

#: Seconds that two attempts are apart at most.
LONGEST_PAUSE: Final = 300.0


class Attempts:
    """Decides when a piece of hardware is tried again, and reports its state. Times are seconds of any clock.

    A failure is reported once, and so is its end; then the next failure counts again. Hardware that fails soon
    after it worked is not taken for mended: its pause goes on growing.
    """

    def __init__(self, part: PanelPart, notice: Callable[[PanelFailed | PanelWorks], None]) -> None:
        self._part = part
        self._notice = notice
        self._failing = False
        self._pause = FIRST_PAUSE
        self._failed_at = float("-inf")

    def is_due(self, t: float) -> bool:
        """True when it should be tried now."""
        return not self._failing or t >= self._failed_at + self._pause

    def failed(self, t: float, failure: Failure, trouble: DriverTrouble) -> None:
        """It failed at ``t``; reported unless it was failing before."""
        if t - self._failed_at > 2 * LONGEST_PAUSE:
            self._pause = FIRST_PAUSE
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._failed_at = t
        if not self._failing:
            self._failing = True
            self._notice(PanelFailed(self._part, failure, trouble))

    def worked(self) -> None:
        """It works; reported when it failed before."""
        if self._failing:
            self._failing = False
            self._notice(PanelWorks(self._part))
