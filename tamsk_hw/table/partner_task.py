"""Questions to the partner's process, and how they are sent."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import BinaryIO, Final

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.partner.seat import PartnerSeat
from tamsk_hw.referee.view import View

#: The bytes that say how long a question is.
_LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class PartnerSitting:
    """One game of the partner; ``game`` counts them, from 0."""

    seat: PartnerSeat
    ruleset: Ruleset
    seed: int
    game: int


@dataclass(frozen=True, slots=True)
class PartnerTask:
    """A question: what does he mean to do in ``view``?"""

    sitting: PartnerSitting
    view: View


@lru_cache(maxsize=1)
def _packed_sitting(sitting: PartnerSitting) -> bytes:
    return pickle.dumps(sitting, pickle.HIGHEST_PROTOCOL)


def packed(task: PartnerTask) -> bytes:
    """A question as it is sent: its length, then the question pickled.

    The board's tubes, which would take most of the time, go with the ruleset once a game.
    """
    parts = (_packed_sitting(task.sitting), replace(task.view, tubes=()))
    content = pickle.dumps(parts, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_LENGTH_BYTES, "big") + content


def next_task(incoming: BinaryIO) -> PartnerTask | None:
    """The next question; None at the end. They are the service's own, by a pipe that nobody else has."""
    length = incoming.read(_LENGTH_BYTES)
    content = incoming.read(int.from_bytes(length, "big"))
    if len(length) < _LENGTH_BYTES or not content:
        return None
    packed_sitting, view = pickle.loads(content)
    sitting: PartnerSitting = pickle.loads(packed_sitting)
    return PartnerTask(sitting, replace(view, tubes=sitting.ruleset.tubes))
