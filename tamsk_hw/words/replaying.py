"""The words of a replay in the terminal."""

from __future__ import annotations

from tamsk_hw.words.translating import tr


def replay_keys() -> str:
    """The keys of a replay, in one line."""
    return tr("space pause · ← → ruling · + - speed · q end")


def replay_words(ends: float, *, is_paused: bool) -> str:
    """What stands beside the time: how long the recorded stream is, and whether it stands still."""
    minutes, seconds = divmod(int(ends), 60)
    length = f"{minutes:02}:{seconds:02}"
    if is_paused:
        return tr("replay of {length}, paused", length=length)
    return tr("replay of {length}", length=length)
