"""The board's reports of itself in words: the causes of a restart, its fault flags."""

from __future__ import annotations

from functools import reduce

from tamsk_hw.board.protocol.messages import FaultFlag, ResetCause
from tamsk_hw.facts.notices import LineBad
from tamsk_hw.words.sentences import capital
from tamsk_hw.words.translating import tr


def _resets() -> dict[ResetCause, str]:
    """What each cause of a reset means (PROTOCOL.md section 3.1)."""
    return {
        ResetCause.POWER_ON: tr("its power was switched on"),
        ResetCause.EXTERNAL: tr("its reset pin was pulled (as when a port is opened)"),
        ResetCause.BROWN_OUT: tr("its supply broke down (brown-out)"),
        ResetCause.WATCHDOG: tr("its watchdog found it hanging"),
    }


def flag_words() -> dict[FaultFlag, tuple[str, str]]:
    """What is wrong, and what to do about it, for each flag that reports a fault (PROTOCOL.md section 4)."""
    return {
        FaultFlag.SUPPLY_LOW: (tr("the 5 V supply is below about 4.5 V"), _better_supply()),
        FaultFlag.HOLDER_RED_SILENT: (
            tr("red's ring holder does not answer"),
            tr("check its HX711 and its wires"),
        ),
        FaultFlag.HOLDER_BLACK_SILENT: (tr("black's ring holder does not answer"), _look_at_holder()),
        FaultFlag.SCAN_OVERRUN: (
            tr("a scan of the sensors took longer than 2.5 ms"),
            tr("shorten its light time to 180 µs or less; else flash the board again (tamsk-hw flash)"),
        ),
        FaultFlag.RECEIVE_ERROR: (
            tr("what is sent to the board arrives damaged"),
            tr("use a shorter or better cable"),
        ),
    }


def _better_supply() -> str:
    return tr("use a supply of 5 V, 4 A, and thicker wires")


def _look_at_holder() -> str:
    return tr("check its HX711 and its wires")


def reset_words(cause: ResetCause) -> str:
    """The causes of the controller's last reset; several may be set."""
    causes = [words for bit, words in _resets().items() if cause & bit]
    return (
        reduce(lambda one, other: tr("{one} and {other}", one=one, other=other), causes)
        if causes
        else tr("not known")
    )


def reset_remedy(cause: ResetCause) -> str | None:
    """Advice on a reset that should not have been, the first of several; None for an ordinary one."""
    if cause & ResetCause.BROWN_OUT:
        return _better_supply()
    if cause & ResetCause.WATCHDOG:
        return tr("flash it again (tamsk-hw flash), and report it")
    return None


def restart_words(cause: ResetCause) -> str:
    """The sentence for a board that was reset during a game, with the cause."""
    if not cause:
        return tr("The board has restarted: why is not known.")
    said = tr("The board has restarted: {cause}.", cause=reset_words(cause))
    remedy = reset_remedy(cause)
    return said if remedy is None else f"{said} {capital(remedy)}."


def complaint_words(flag: FaultFlag) -> str:
    """A fault that the board reports during a game, and what to do about it."""
    what, remedy = flag_words()[flag]
    return tr("{What}: {remedy}. The game goes on.", what=what, remedy=remedy)


def line_words(line: LineBad) -> str:
    """Frames that are lost or come more than once, and what to do about it."""
    if line.lost < line.doubled:
        return tr(
            "{share} of the board's messages come more than once: plug the board into the computer "
            "itself, without a hub. The game goes on.",
            share=_percent(line.doubled),
        )
    lost = _percent(line.lost)
    if line.damaged > line.lost / 2:
        return tr(
            "{share} of the board's messages are lost, most of them damaged on the way: use a shorter, "
            "shielded cable, away from the supply. The game goes on, but moves and rings may be noticed late.",
            share=lost,
        )
    return tr(
        "{share} of the board's messages are lost: end other programs on this computer, and plug the "
        "board into it without a hub. The game goes on, but moves and rings may be noticed late.",
        share=lost,
    )


def _percent(share: float) -> str:
    return tr("{percent:.0f}%", percent=100 * share)
