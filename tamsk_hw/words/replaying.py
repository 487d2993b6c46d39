"""The words of a replay in the terminal."""

from __future__ import annotations

#: The keys of a replay, in one line.
REPLAY_KEYS = "space pause · ← → ruling · + - speed · q end"


def replay_words(ends: float, *, is_paused: bool) -> str:
    """What stands beside the time: how long the recorded stream is, and whether it stands still."""
    minutes, seconds = divmod(int(ends), 60)
    return f"replay of {minutes:02}:{seconds:02}{', paused' if is_paused else ''}"
