"""Reports of link and board, as notices for the people at it.

`BoardWatch` leaves out

- what sensing reports as a sensor's fault: a low supply, a silent load cell;
- HOST_SILENT: it is no fault of the board. It stands after each reset until the first heartbeat arrives, and
  whenever this program was kept from running; the board does nothing else for it, and the game needs nothing that
  is sent to the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tamsk_hw.board.link.events import (
    Connected,
    LineQuality,
    LinkEvent,
    Lost,
    Refused,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol.messages import FaultFlag
from tamsk_hw.facts.notices import (
    BoardComplains,
    BoardConnected,
    BoardLost,
    BoardNotice,
    BoardRestarted,
    BoardUnusable,
    LineBad,
    LineWell,
)

#: The flags that are reported during a game: each is set in one snapshot after its event.
REPORTED: Final = (FaultFlag.RECEIVE_ERROR, FaultFlag.SCAN_OVERRUN)

_ANY_REPORTED: Final = sum(int(flag) for flag in REPORTED)

#: Seconds without a flag after which it is reported again when it comes: noise that goes on is one occurrence.
QUIET: Final = 60.0


class BoardWatch:
    """Takes the link's events in order, gives notices, each once for each occurrence."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        # for each flag the time of the last snapshot that had it
        self._last: dict[FaultFlag, float] = {}

    def hear(self, event: LinkEvent) -> Sequence[BoardNotice]:
        """Take an event; give what is to be reported now, for nearly every event nothing."""
        match event:
            case SnapshotArrived():
                faults = event.snapshot.faults
                return self._flags(faults, event.time) if faults & _ANY_REPORTED else ()
            case Connected(_, hello, restarted):
                connected = BoardConnected(hello.firmware)
                return (BoardRestarted(hello.reset_cause), connected) if restarted else (connected,)
            case Lost(_, reason):
                return (BoardLost(reason),)
            case Refused(_, problem):
                return (BoardUnusable(problem),)
            case Unreachable(_, problem):
                return (BoardUnusable(problem),)
            case LineQuality(_, bad, lost, damaged, doubled):
                return (LineBad(lost, damaged, doubled) if bad else LineWell(),)
            case _:
                return ()

    def _flags(self, faults: int, time: float) -> list[BoardNotice]:
        reported: list[BoardNotice] = []
        for flag in REPORTED:
            if faults & flag:
                last = self._last.get(flag)
                if last is None or time - last >= QUIET:
                    reported.append(BoardComplains(flag))
                self._last[flag] = time
        return reported
