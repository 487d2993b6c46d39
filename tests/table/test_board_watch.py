"""Reports of the board on itself reach the players once for each occurrence."""

from collections.abc import Sequence

import pytest

from tamsk_hw.board.link_events import (
    BoardSilent,
    Connected,
    LinkEvent,
    Lost,
    OtherBoard,
    PortNotOpened,
    PortTrouble,
    Refused,
    SnapshotArrived,
    Unreachable,
)
from tamsk_hw.board.protocol import FaultFlag, Hello, ResetCause, Snapshot
from tamsk_hw.facts.notices import (
    BoardComplains,
    BoardConnected,
    BoardLost,
    BoardNotice,
    BoardRestarted,
    BoardUnusable,
)
from tamsk_hw.table.refereeing import OPENING, QUIET, REPORTED, BoardWatch


def snapshot(time: float, faults: int = 0) -> SnapshotArrived:
    return SnapshotArrived(time, time, Snapshot(0, 0, 0, 0, bytes(38), bytes(3), (0, 0), faults))


def connected(time: float, cause: ResetCause, *, restarted: bool = True) -> Connected:
    return Connected(time, Hello(0, (2, 0), (1, 2, 3), 1, 1, cause, 0), restarted)


def heard(*events: LinkEvent) -> list[BoardNotice]:
    watch = BoardWatch()
    return [notice for event in events for notice in watch.on_event(event)]


ERROR, OVERRUN = REPORTED
HELLO, AGAIN = (connected(t, ResetCause.POWER_ON, restarted=False) for t in (10.0, 20.0))
THERE = BoardConnected((1, 2, 3))
OTHER = OtherBoard(1, 2)
PORT = PortNotOpened("/dev/ttyUSB0", PortTrouble.MISSING, "no such file or directory")
WATCHDOG = ResetCause.WATCHDOG


@pytest.mark.parametrize("flag", REPORTED)
def test_a_flag_is_reported_when_it_comes_and_not_again_while_it_goes_on(flag: FaultFlag) -> None:
    events = [snapshot(0.0), *(snapshot(1.0 + place * 0.9 * QUIET, flag) for place in range(20))]
    assert heard(*events) == [BoardComplains(flag)]


@pytest.mark.parametrize(
    ("events", "notices"),
    [
        ((snapshot(1.0, ERROR), snapshot(2.0), snapshot(2.0 + QUIET, ERROR)), [BoardComplains(ERROR)] * 2),
        ((snapshot(1.0, ERROR), snapshot(0.9 + QUIET, ERROR)), [BoardComplains(ERROR)]),
        ((snapshot(1.0, ERROR | OVERRUN),), [BoardComplains(ERROR), BoardComplains(OVERRUN)]),
        # Opening the line cuts bytes, and until it is raw the system echoes some to the board.
        ((HELLO, snapshot(10.05, ERROR), snapshot(10.0 + OPENING - 0.01, ERROR)), [THERE]),
        ((HELLO, snapshot(10.0 + OPENING, ERROR)), [THERE, BoardComplains(ERROR)]),
        # Hidden once, it is reported when it comes later, and a slow scan is never the line's doing.
        ((HELLO, snapshot(10.05, ERROR), snapshot(12.0, ERROR)), [THERE, BoardComplains(ERROR)]),
        ((HELLO, snapshot(10.05, OVERRUN)), [THERE, BoardComplains(OVERRUN)]),
        # A cable that is pulled and plugged in again is another opening.
        ((HELLO, AGAIN, snapshot(20.1, ERROR)), [THERE, THERE]),
        # Others are reported by sensing, or are no fault of the board, or of a later version.
        ([snapshot(t, flag) for t, flag in enumerate(FaultFlag) if flag not in REPORTED], []),
        ((snapshot(1.0, 0xFF80),), []),
        ((connected(5.0, WATCHDOG), connected(6.0, WATCHDOG)), [BoardRestarted(WATCHDOG), THERE] * 2),
        ((connected(5.0, ResetCause(0)),), [BoardRestarted(ResetCause(0)), THERE]),
        # The first connection and one after a pulled cable are no restart.
        ((HELLO, Lost(15.0, BoardSilent(0.5), 14.5), AGAIN), [THERE, BoardLost(BoardSilent(0.5)), THERE]),
        ((Refused(1.0, OTHER), Unreachable(2.0, PORT)), [BoardUnusable(OTHER), BoardUnusable(PORT)]),
    ],
)
def test_what_is_reported(events: Sequence[LinkEvent], notices: list[BoardNotice]) -> None:
    assert heard(*events) == notices
