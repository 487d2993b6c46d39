"""Several self-tests of the board, its sweeps of the light time, and the worst of their reports."""

from __future__ import annotations

from tamsk_hw.board.protocol import SELF_TEST_DARK, SELF_TEST_UNSEEN

#: Number of self-tests; the worst report of each sensor counts.
TESTS = 3

#: Seconds after which a self-test that was not answered is asked for again; one takes 0.1 s at most.
ASK_AGAIN = 1.0


class SelfTests:
    """Asks for `TESTS` self-tests, one after the other, and keeps their reports."""

    def __init__(self) -> None:
        self._reports: list[bytes] = []
        self._asked_at: float | None = None

    @property
    def done(self) -> bool:
        """All reports are there."""
        return len(self._reports) >= TESTS

    def due(self, t: float) -> bool:
        """True when a self-test is to be started now; it then counts as started at ``t``."""
        if self.done or (self._asked_at is not None and t < self._asked_at + ASK_AGAIN):
            return False
        self._asked_at = t
        return True

    def take(self, report: bytes) -> None:
        """Take a report: a byte for each chain bit."""
        if self._asked_at is not None and not self.done:
            self._reports.append(report)
            self._asked_at = None

    def lost(self) -> None:
        """Forget all reports: the board was out of reach, and things may have changed meanwhile."""
        self._reports.clear()
        self._asked_at = None

    def seen_by(self, bit: int) -> int:
        """The longest of the times that each test needed to see a ring; unseen or dark if any test says so."""
        times = [report[bit] for report in self._reports]
        for special in (SELF_TEST_DARK, SELF_TEST_UNSEEN):
            if special in times:
                return special
        return max(times)

    def phantom_of(self, bit: int) -> int:
        """The shortest time that saw anything in any test; for sensors without a ring."""
        times = [report[bit] for report in self._reports]
        if SELF_TEST_DARK in times:
            return SELF_TEST_DARK
        return min((time for time in times if time != SELF_TEST_UNSEEN), default=SELF_TEST_UNSEEN)
