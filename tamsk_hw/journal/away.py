"""The time for which a resumed game stood still, as far as clocks can tell."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.journal.entries import Sitting, StoredGame
from tamsk_hw.referee.stream import parse_event

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Away:
    """Seconds that nobody watched.

    They are certain when the machine ran all the while. Else they are counted from the last stored event by the
    times of day, which a clock without battery does not know; None where these go backward or were not noted.
    """

    seconds: float | None
    certain: bool


def boot_id() -> str | None:
    """The name of this start of the machine, for `Sitting.boot`; None where there is none."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def last_time(game: StoredGame) -> float:
    """The stream's time of the last stored event (seconds); 0 where there is none."""
    return parse_event(json.loads(game.entries[-1].line)).t if game.entries else 0.0


def time_away(game: StoredGame, *, since: float, monotonic: float, wall: float, boot: str | None) -> Away:
    """The time for which nobody has watched the game.

    Args:
        game: the game as it is stored; its stream's time must have gone as fast as real time.
        since: the stream's time up to which it was watched (seconds), not before its last event.
        monotonic: the machine's monotonic clock now (seconds).
        wall: the time of day now (seconds since 1970).
        boot: this start of the machine.
    """
    sitting: Sitting | None = game.sittings[-1] if game.sittings else None
    if sitting is not None and boot is not None and sitting.boot == boot:
        return Away(max(0.0, monotonic - sitting.monotonic_zero - since), True)
    last = game.entries[-1].wall if game.entries else None
    if last is None or wall < last:
        return Away(None, False)
    return Away(wall - last, False)
