"""The quality of the line: shares of lost, damaged and doubled frames over the last seconds.

A line is bad when a share that people should know of is reached, and well again when all are far below: between
the two it stays as it was.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from tamsk_hw.board.link.events import LineQuality
from tamsk_hw.board.protocol.codec import DecoderCounters

#: Seconds from one judgement to the next, and how many such are looked back on.
JUDGE_EVERY: Final = 1.0
LOOK_BACK: Final = 5

#: Shares of lost and of doubled frames from which a line is bad, and below which it is well again.
LOST_BAD, LOST_WELL = 0.03, 0.005
DOUBLED_BAD, DOUBLED_WELL = 0.10, 0.02

#: Fewer frames than this, lost or doubled, are chance; and lost in fewer places, a pause of this computer.
LEAST_BAD: Final = 5
LEAST_GAPS: Final = 3


class _Totals(NamedTuple):
    good: int
    lost: int
    gaps: int
    doubled: int
    damaged: int


class LineWatch:
    """Judges the frames of the last seconds once a second, by the decoder's counters."""

    def __init__(self) -> None:
        self.due = float("-inf")
        """Host time of the next judgement (seconds)."""
        self._past: deque[_Totals] = deque(maxlen=LOOK_BACK + 1)
        self._bad = False

    def restart(self) -> None:
        """Forget what was counted, as the port is opened again; a bad line stays bad until it is found well."""
        self._past.clear()

    def judge(self, counters: DecoderCounters, now: float) -> LineQuality | None:
        """The line's quality when it has become bad or well, else None."""
        self.due = now + JUDGE_EVERY
        good = counters.frames - counters.doubled
        totals = _Totals(good, counters.missing, counters.gaps, counters.doubled, counters.damaged)
        self._past.append(totals)
        good, lost, gaps, doubled, unreadable = (new - old for new, old in zip(totals, self._past[0], strict=True))
        sent = good + lost
        if not sent:
            return None
        lost_share, doubled_share = lost / sent, doubled / (sent + doubled)
        if self._bad:
            whole = len(self._past) > LOOK_BACK
            bad = not whole or lost_share >= LOST_WELL or doubled_share >= DOUBLED_WELL
        else:
            bad = (lost >= LEAST_BAD and gaps >= LEAST_GAPS and lost_share >= LOST_BAD) or (
                doubled >= LEAST_BAD and doubled_share >= DOUBLED_BAD
            )
        if bad == self._bad:
            return None
        self._bad = bad
        return LineQuality(now, bad, lost_share, min(unreadable / sent, 1.0), doubled_share)
