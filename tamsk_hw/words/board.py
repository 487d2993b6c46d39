"""The board's reports of itself in words: the causes of a restart, its fault flags."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.protocol.messages import FaultFlag, ResetCause
from tamsk_hw.facts.notices import LineBad
from tamsk_hw.words.sentences import capital

#: What each cause of a reset means (PROTOCOL.md section 3.1).
_RESETS: Final = {
    ResetCause.POWER_ON: "its power was switched on",
    ResetCause.EXTERNAL: "its reset pin was pulled (as when a port is opened)",
    ResetCause.BROWN_OUT: "its supply broke down (brown-out)",
    ResetCause.WATCHDOG: "its watchdog found it hanging",
}

#: What to do about those that should not be; the first that is set counts.
_REMEDIES: Final = {
    ResetCause.BROWN_OUT: "use a supply of 5 V, 4 A, and thicker wires",
    ResetCause.WATCHDOG: "flash it again (tamsk-hw flash), and report it",
}

#: What is wrong, and what to do about it, for each flag that tells of a fault (PROTOCOL.md section 4).
FLAG_WORDS: Final = {
    FaultFlag.SUPPLY_LOW: ("the 5 V supply is below about 4.5 V", "use a supply of 5 V, 4 A, and thicker wires"),
    FaultFlag.HOLDER_RED_SILENT: ("red's ring holder does not answer", "check its HX711 and its wires"),
    FaultFlag.HOLDER_BLACK_SILENT: ("black's ring holder does not answer", "check its HX711 and its wires"),
    FaultFlag.SCAN_OVERRUN: (
        "a scan of the sensors took longer than 2.5 ms",
        "shorten its light time to 200 µs or less; else flash the board again (tamsk-hw flash)",
    ),
    FaultFlag.RECEIVE_ERROR: ("what is sent to the board arrives damaged", "use a shorter or better cable"),
}


def reset_words(cause: ResetCause) -> str:
    """The causes of the controller's last reset; several may be set."""
    return " and ".join(words for bit, words in _RESETS.items() if cause & bit) or "not known"


def reset_remedy(cause: ResetCause) -> str | None:
    """Advice on a reset that should not have been; None for an ordinary one."""
    return next((words for bit, words in _REMEDIES.items() if cause & bit), None)


def restart_words(cause: ResetCause) -> str:
    """The sentence for a board that was reset during a game, with the cause."""
    why = reset_words(cause) if cause else "why is not known"
    remedy = reset_remedy(cause)
    return f"The board has restarted: {why}." + ("" if remedy is None else f" {capital(remedy)}.")


def complaint_words(flag: FaultFlag) -> str:
    """A fault that the board reports during a game, and what to do about it."""
    what, remedy = FLAG_WORDS[flag]
    return f"{capital(what)}: {remedy}. The game goes on."


def line_words(line: LineBad) -> str:
    """Frames that are lost or come more than once, and what to do about it."""
    if line.lost < line.doubled:
        return (
            f"{line.doubled:.0%} of the board's messages come more than once: plug the board into the computer "
            "itself, without a hub. The game goes on."
        )
    if line.damaged > line.lost / 2:
        return (
            f"{line.lost:.0%} of the board's messages are lost, most of them damaged on the way: use a shorter, "
            "shielded cable, away from the supply. The game goes on, but moves and rings may be noticed late."
        )
    return (
        f"{line.lost:.0%} of the board's messages are lost: end other programs on this computer, and plug the "
        "board into it without a hub. The game goes on, but moves and rings may be noticed late."
    )
