"""Reports of link and board, as notices for the people at it.

`BoardWatch` leaves out

- what sensing reports as a sensor's fault: a low supply, a silent load cell;
- RECEIVE_ERROR just after the connection: opening the line cuts bytes, and until it is set to pass them on as they
  are the system echoes some to the board. That is no damage by the cable;
- SCAN_OVERRUN while the board lights longer than by default, as it was asked to: scans then take their time;
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
    SettingsArrived,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol.messages import FaultFlag, Settings
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

#: Seconds after the connection in which a receive error comes of opening the line.
OPENING: Final = 0.5


class BoardWatch:
    """Takes the link's events in order, gives notices, each once for each occurrence."""

    __slots__ = ("_connected_at", "_last", "_long_light")

    def __init__(self) -> None:
        # for each flag the time of the last snapshot that had it
        self._last: dict[FaultFlag, float] = {}
        self._connected_at = float("-inf")
        self._long_light = False

    def hear(self, event: LinkEvent) -> Sequence[BoardNotice]:
        """Take an event; give what is to be reported now, for nearly every event nothing."""
        match event:
            case SnapshotArrived():
                faults = event.snapshot.faults
                return self._flags(faults, event.time) if faults & _ANY_REPORTED else ()
            case Connected(time, hello, restarted):
                self._connected_at = time
                connected = BoardConnected(hello.firmware)
                return (BoardRestarted(hello.reset_cause), connected) if restarted else (connected,)
            case SettingsArrived():
                self._long_light = event.settings.light_time > Settings().light_time
                return ()
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
            if flag is FaultFlag.RECEIVE_ERROR and time - self._connected_at < OPENING:
                continue
            if flag is FaultFlag.SCAN_OVERRUN and self._long_light:
                continue  # as it was asked for (PROTOCOL.md section 5.2)
            if faults & flag:
                last = self._last.get(flag)
                if last is None or time - last >= QUIET:
                    reported.append(BoardComplains(flag))
                self._last[flag] = time
        return reported
