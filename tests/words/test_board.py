"""What the board says of itself is told to the players: once for each occurrence, with what to do."""

from __future__ import annotations

import pytest

from tamsk_hw.board.link.events import Connected, LinkEvent, Lost, SnapshotArrived
from tamsk_hw.board.link.problems import BoardSilent
from tamsk_hw.board.protocol import FaultFlag, Hello, ResetCause, Snapshot
from tamsk_hw.words.board import FLAG_WORDS, QUIET, BoardWords, reset_words

TOLD = [FaultFlag.RECEIVE_ERROR, FaultFlag.SCAN_OVERRUN]


def snapshot(time: float, faults: int = 0) -> SnapshotArrived:
    return SnapshotArrived(time, time, Snapshot(0, 0, 0, 0, bytes(38), bytes(3), (0, 0), faults))


def connected(time: float, cause: ResetCause, *, restarted: bool = True) -> Connected:
    return Connected(time, Hello(0, (1, 0), (1, 0, 0), 1, 1, cause, 0), restarted)


def heard(*events: LinkEvent) -> list[str]:
    words = BoardWords()
    return [said for event in events for said in words.hear(event)]


@pytest.mark.parametrize("flag", TOLD)
def test_a_flag_is_told_when_it_comes_and_not_again_while_it_goes_on(flag: FaultFlag) -> None:
    events = [snapshot(0.0), *(snapshot(1.0 + place * 0.9 * QUIET, flag) for place in range(20))]
    (words,) = heard(*events)
    what, remedy = FLAG_WORDS[flag]
    assert words.lower().startswith(f"{what}: {remedy}.".lower())


@pytest.mark.parametrize("flag", TOLD)
def test_after_a_minute_without_it_it_is_told_again(flag: FaultFlag) -> None:
    assert len(heard(snapshot(1.0, flag), snapshot(2.0), snapshot(2.0 + QUIET, flag))) == 2
    assert len(heard(snapshot(1.0, flag), snapshot(0.9 + QUIET, flag))) == 1


def test_two_at_once_are_both_told() -> None:
    assert len(heard(snapshot(1.0, TOLD[0] | TOLD[1]))) == 2


def test_what_sensing_names_and_what_is_no_fault_of_the_board_is_not_told_here() -> None:
    """SUPPLY_LOW and the silent load cells are faults that sensing tells; HOST_SILENT and SELF_TEST are none."""
    others = [flag for flag in FaultFlag if flag not in TOLD]
    assert len(others) == 5
    assert heard(*(snapshot(place, flag) for place, flag in enumerate(others))) == []


def test_a_flag_of_a_later_version_is_not_told() -> None:
    assert heard(snapshot(1.0, 0xFF80)) == []


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (ResetCause.POWER_ON, "The board has restarted: its power was switched on."),
        (ResetCause.EXTERNAL, "The board has restarted: its reset pin was pulled (as when a port is opened)."),
        (
            ResetCause.BROWN_OUT,
            "The board has restarted: its supply broke down (brown-out). "
            "Use a supply of 5 V, 4 A, and thicker wires.",
        ),
        (
            ResetCause.WATCHDOG,
            "The board has restarted: its watchdog found it hanging. "
            "Flash it anew (tamsk-hw flash), and report it.",
        ),
        (ResetCause(0), "The board has restarted: why is not known."),
    ],
)
def test_a_restart_is_told_each_time_with_its_cause(cause: ResetCause, words: str) -> None:
    assert heard(connected(5.0, cause), connected(6.0, cause)) == [words, words]


def test_several_causes_are_all_told() -> None:
    cause = ResetCause.POWER_ON | ResetCause.BROWN_OUT
    assert reset_words(cause) == "its power was switched on and its supply broke down (brown-out)"


def test_the_first_connection_and_one_after_a_pulled_cable_are_no_restart() -> None:
    first = connected(1.0, ResetCause.WATCHDOG, restarted=False)
    again = connected(9.0, ResetCause.WATCHDOG, restarted=False)
    assert heard(first, Lost(5.0, BoardSilent(0.5), 4.5), again) == []
