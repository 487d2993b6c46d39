"""The lines of the score sheet in the language that is spoken; `tamsk_hw.game.notation` says what they mean."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.notation import Ply, PlyKind, moved
from tamsk_hw.words.translating import letter_words, tr_in


def turn_words(ply: Ply) -> str:
    """A turn with its number: ``  2.  (B)G1→F1x``."""
    text = _outcome(ply)
    if ply.late and ply.late_after is None:
        text += f" {tr_in('score sheet', 'late')}"
    elif ply.late:
        late = tr_in("score sheet", "late, after {number}", number=ply.late_after)
        text += f" {late}"
    for tube in ply.lost:
        text += f" †{tube.name}"
    return f"{ply.number:>3}.  ({letter_words(ply.player)}){text}"


def _outcome(ply: Ply) -> str:
    match ply.kind:
        case PlyKind.MOVE:
            return moved(ply)
        case PlyKind.PASS:
            return tr_in("score sheet", "pass")
        case PlyKind.FORFEIT:
            return tr_in("score sheet", "forfeit")
        case PlyKind.TIMEOUT:
            return tr_in("score sheet", "late")
        case PlyKind.SKIP:
            return tr_in("score sheet", "skip")
        case PlyKind.OPEN:
            return "…"
        case _:
            assert_never(ply.kind)
