"""The program of the partner's process: ``python -m tamsk_hw.table.partner_program``.

It answers the questions on its standard input, one after the other, and ends with its standard input: so it ends
with the service, however that ends. It is niced, so that whatever the board needs comes first.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.live.advice import advice_as_dict
from tamsk_hw.partner import Partner
from tamsk_hw.partner.advice import Advice
from tamsk_hw.partner.intention import Await
from tamsk_hw.partner.seat import PartnerSeat
from tamsk_hw.referee.view import View

#: How much the process is niced.
NICENESS: Final = 10

#: The bytes that say how long a question is.
LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class PartnerTask:
    """A question: what does the player in ``seat`` mean to do in ``view``? ``game`` counts the games, from 0."""

    seat: PartnerSeat
    ruleset: Ruleset
    seed: int
    game: int
    view: View


def packed(task: PartnerTask) -> bytes:
    """A question as it is sent: its length, then the question pickled."""
    content = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


def _next_task(incoming: BinaryIO) -> PartnerTask | None:
    """The next question; None at the end."""
    length = incoming.read(LENGTH_BYTES)
    content = incoming.read(int.from_bytes(length, "big"))
    if len(length) < LENGTH_BYTES or not content:
        return None
    task: PartnerTask = pickle.loads(content)  # the service's own, by a pipe that nobody else has
    return task


class _Player:
    """The partner in one game after the other."""

    def __init__(self) -> None:
        self._sitting: tuple[object, ...] = ()
        self._partner: Partner | None = None

    def answer(self, task: PartnerTask) -> dict[str, Any]:
        """What he means to do, as the JSON object of an answer."""
        sitting = (task.seat, task.ruleset, task.seed, task.game)
        if self._partner is None or sitting != self._sitting:
            seed = task.seed + task.game
            self._partner = Partner(task.seat.player, task.ruleset, task.seat.strength, seed)
            self._sitting = sitting
        intention = self._partner.intend(task.view)
        if isinstance(intention, Await):
            return {"advice": None, "seconds": intention.seconds}
        return {"advice": advice_as_dict(Advice(task.seat.player, intention))}


def main() -> None:
    """Answer until the questions end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # systemd's is for the service, which then closes the pipe
    with suppress(OSError):  # where that is forbidden, he is as important as the rest
        os.nice(NICENESS)
    player = _Player()
    while (task := _next_task(sys.stdin.buffer)) is not None:
        print(json.dumps(player.answer(task)), flush=True)


if __name__ == "__main__":
    main()
