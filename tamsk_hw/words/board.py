"""What the board says of itself, in words for the people at it: why it restarted, what its fault flags mean.

`BoardWords` tells of a game's link events what people should know, once for each occurrence. It does not tell

- what sensing names as a fault of its own: a low supply, a silent load cell;
- HOST_SILENT: it is no fault of the board. It stands after each reset until the first heartbeat arrives, and
  whenever this program was kept from running; the board does nothing else for it, and the game needs nothing that
  is sent to the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tamsk_hw.board.link.events import Connected, LinkEvent, SnapshotArrived
from tamsk_hw.board.protocol.messages import FaultFlag, ResetCause

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
    ResetCause.WATCHDOG: "flash it anew (tamsk-hw flash), and report it",
}

#: What is wrong, and what to do about it, for each flag that tells of a fault (PROTOCOL.md section 4).
FLAG_WORDS: Final = {
    FaultFlag.SUPPLY_LOW: ("the 5 V supply is below about 4.5 V", "use a supply of 5 V, 4 A, and thicker wires"),
    FaultFlag.HOLDER_RED_SILENT: ("red's ring holder does not answer", "check its HX711 and its wires"),
    FaultFlag.HOLDER_BLACK_SILENT: ("black's ring holder does not answer", "check its HX711 and its wires"),
    FaultFlag.SCAN_OVERRUN: (
        "a scan of the sensors took longer than 2.5 ms",
        "shorten its light time to 200 µs or less; else flash the board anew (tamsk-hw flash)",
    ),
    FaultFlag.RECEIVE_ERROR: ("what is sent to the board arrives damaged", "use a shorter or better cable"),
}

#: The flags that are told during a game: each is set in one snapshot after its event.
TOLD: Final = (FaultFlag.RECEIVE_ERROR, FaultFlag.SCAN_OVERRUN)

_ANY_TOLD: Final = sum(int(flag) for flag in TOLD)

#: Seconds without a flag after which it is told again when it comes: noise that goes on is one occurrence.
QUIET: Final = 60.0


def reset_words(cause: ResetCause) -> str:
    """Why the controller last reset; several causes may be set."""
    return " and ".join(words for bit, words in _RESETS.items() if cause & bit) or "not known"


def reset_remedy(cause: ResetCause) -> str | None:
    """What to do about a reset that should not have been; None for an ordinary one."""
    return next((words for bit, words in _REMEDIES.items() if cause & bit), None)


class BoardWords:
    """Takes the link's events in order, gives sentences for the people at the board."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        # for each flag the time of the last snapshot that had it
        self._last: dict[FaultFlag, float] = {}

    def hear(self, event: LinkEvent) -> Sequence[str]:
        """What is to be told now: nothing, for nearly every event."""
        if isinstance(event, SnapshotArrived):
            faults = event.snapshot.faults
            return self._flags(faults, event.time) if faults & _ANY_TOLD else ()
        if isinstance(event, Connected) and event.restarted:
            return (_restarted(event.hello.reset_cause),)
        return ()

    def _flags(self, faults: int, time: float) -> list[str]:
        told = []
        for flag in TOLD:
            if faults & flag:
                last = self._last.get(flag)
                if last is None or time - last >= QUIET:
                    words, remedy = FLAG_WORDS[flag]
                    told.append(f"{words[0].upper()}{words[1:]}: {remedy}. The game goes on.")
                self._last[flag] = time
        return told


def _restarted(cause: ResetCause) -> str:
    why = reset_words(cause) if cause else "why is not known"
    remedy = reset_remedy(cause)
    return f"The board has restarted: {why}." + (f" {remedy[0].upper()}{remedy[1:]}." if remedy else "")
