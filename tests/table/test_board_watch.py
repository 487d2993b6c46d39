"""Reports of the board on itself reach the players once for each occurrence."""

from __future__ import annotations

import pytest

from tamsk_hw.board.link_events import (
    Answered,
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
from tamsk_hw.board.protocol import FaultFlag, Hello, ResetCause, Settings, Snapshot
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
    return Connected(time, Hello(0, (1, 0), (1, 2, 3), 1, 1, cause, 0), restarted)


def heard(*events: LinkEvent) -> list[BoardNotice]:
    watch = BoardWatch()
    return [notice for event in events for notice in watch.on_event(event)]


def test_which_flags_are_reported() -> None:
    assert set(REPORTED) == {FaultFlag.RECEIVE_ERROR, FaultFlag.SCAN_OVERRUN}


@pytest.mark.parametrize("flag", REPORTED)
def test_a_flag_is_reported_when_it_comes_and_not_again_while_it_goes_on(flag: FaultFlag) -> None:
    events = [snapshot(0.0), *(snapshot(1.0 + place * 0.9 * QUIET, flag) for place in range(20))]
    assert heard(*events) == [BoardComplains(flag)]


@pytest.mark.parametrize("flag", REPORTED)
def test_after_a_minute_without_it_it_is_reported_again(flag: FaultFlag) -> None:
    assert len(heard(snapshot(1.0, flag), snapshot(2.0), snapshot(2.0 + QUIET, flag))) == 2
    assert len(heard(snapshot(1.0, flag), snapshot(0.9 + QUIET, flag))) == 1


def test_a_receive_error_just_after_the_connection_is_no_damage_by_the_cable() -> None:
    """Opening the line cuts bytes, and until it is raw the system echoes some to the board."""
    error = FaultFlag.RECEIVE_ERROR
    hello = connected(10.0, ResetCause.POWER_ON, restarted=False)
    opened = heard(hello)
    assert heard(hello, snapshot(10.05, error), snapshot(10.0 + OPENING - 0.01, error)) == opened
    assert heard(hello, snapshot(10.0 + OPENING, error)) == [*opened, BoardComplains(error)]
    # Hidden once, it is reported when it comes later, and a slow scan is never the line's doing.
    assert heard(hello, snapshot(10.05, error), snapshot(12.0, error)) == [*opened, BoardComplains(error)]
    overrun = FaultFlag.SCAN_OVERRUN
    assert heard(hello, snapshot(10.05, overrun)) == [*opened, BoardComplains(overrun)]
    # A cable that is pulled and plugged in again is another opening.
    again = connected(20.0, ResetCause.POWER_ON, restarted=False)
    assert heard(hello, again, snapshot(20.1, error)) == [*opened, *opened]


def test_scans_that_are_lit_longer_may_overrun() -> None:
    """PROTOCOL.md section 5.2: with a long light time scans take the time that they need."""
    overrun = snapshot(2.0, FaultFlag.SCAN_OVERRUN)
    assert heard(Answered(1.0, Settings(light_time=250), True), overrun) == []
    assert heard(Answered(1.0, Settings(), True), overrun) == [BoardComplains(FaultFlag.SCAN_OVERRUN)]


def test_two_at_once_are_both_reported() -> None:
    assert len(heard(snapshot(1.0, REPORTED[0] | REPORTED[1]))) == 2


def test_what_sensing_reports_and_what_is_no_fault_of_the_board_is_left_out() -> None:
    """SUPPLY_LOW and the silent load cells are faults that sensing reports; HOST_SILENT and SELF_TEST are none."""
    others = [flag for flag in FaultFlag if flag not in REPORTED]
    assert len(others) == 5
    assert heard(*(snapshot(place, flag) for place, flag in enumerate(others))) == []


def test_a_flag_of_a_later_version_is_not_reported() -> None:
    assert heard(snapshot(1.0, 0xFF80)) == []


@pytest.mark.parametrize("cause", [ResetCause.POWER_ON, ResetCause.WATCHDOG, ResetCause(0)])
def test_a_restart_is_reported_each_time_with_its_cause(cause: ResetCause) -> None:
    once = [BoardRestarted(cause), BoardConnected((1, 2, 3))]
    assert heard(connected(5.0, cause), connected(6.0, cause)) == [*once, *once]


def test_the_first_connection_and_one_after_a_pulled_cable_are_no_restart() -> None:
    first = connected(1.0, ResetCause.WATCHDOG, restarted=False)
    again = connected(9.0, ResetCause.WATCHDOG, restarted=False)
    there = BoardConnected((1, 2, 3))
    assert heard(first, Lost(5.0, BoardSilent(0.5), 4.5), again) == [there, BoardLost(BoardSilent(0.5)), there]


def test_a_board_or_a_port_that_cannot_be_used() -> None:
    other = OtherBoard(1, 2)
    port = PortNotOpened("/dev/ttyUSB0", PortTrouble.MISSING, "no such file or directory")
    assert heard(Refused(1.0, other), Unreachable(2.0, port)) == [BoardUnusable(other), BoardUnusable(port)]
