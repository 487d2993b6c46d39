"""Reports of the board on itself, in words: what happened, and what to do."""

from __future__ import annotations

import pytest

from tamsk_hw.board.protocol import FaultFlag, ResetCause
from tamsk_hw.words.hardware import complaint_words, flag_words, reset_words, restart_words


@pytest.mark.parametrize("flag", [FaultFlag.RECEIVE_ERROR, FaultFlag.SCAN_OVERRUN])
def test_a_complaint_says_what_to_do(flag: FaultFlag) -> None:
    what, remedy = flag_words()[flag]
    words = complaint_words(flag)
    assert words.lower().startswith(f"{what}: {remedy}.".lower())
    assert words[0].isupper()


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
            "Flash it again (tamsk-hw flash), and report it.",
        ),
        (ResetCause(0), "The board has restarted: why is not known."),
    ],
)
def test_a_restart_is_reported_with_its_cause(cause: ResetCause, words: str) -> None:
    assert restart_words(cause) == words


def test_several_causes_are_all_reported() -> None:
    cause = ResetCause.POWER_ON | ResetCause.BROWN_OUT
    assert reset_words(cause) == "its power was switched on and its supply broke down (brown-out)"


def test_every_flag_of_a_fault_has_words() -> None:
    """A silent host and a running self-test are no faults of the board."""
    assert set(FaultFlag) - set(flag_words()) == {FaultFlag.HOST_SILENT, FaultFlag.SELF_TEST}
