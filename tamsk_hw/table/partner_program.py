"""The program of the partner's process: ``python -m tamsk_hw.table.partner_program``.

It answers the questions on its standard input, one after the other, and ends with its standard input: so it ends
with the service, however that ends. It is niced, so that whatever the board needs comes first.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, Final

from tamsk_hw.live.requests import advice_as_dict
from tamsk_hw.partner import Partner
from tamsk_hw.partner.intention import Advice, Await
from tamsk_hw.table.partner import PartnerSitting, PartnerTask, next_task

#: How much the process is niced.
NICENESS: Final = 10


class _Sittings:
    """The partner in one game after the other."""

    def __init__(self) -> None:
        self._sitting: PartnerSitting | None = None
        self._partner: Partner | None = None

    def answer(self, task: PartnerTask) -> dict[str, Any]:
        """What he means to do, as the JSON object of an answer."""
        sitting = task.sitting
        if self._partner is None or sitting != self._sitting:
            player, strength = sitting.seat.player, sitting.seat.strength
            self._partner = Partner(player, sitting.ruleset, strength, sitting.seed + sitting.game)
            self._sitting = sitting
        intention = self._partner.intend(task.view)
        if isinstance(intention, Await):
            return {"advice": None, "seconds": intention.seconds}
        return {"advice": advice_as_dict(Advice(sitting.seat.player, intention))}


def main() -> None:
    """Answer until the questions end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # systemd's is for the service, which then closes the pipe
    with suppress(OSError):  # where that is forbidden, he is as important as the rest
        os.nice(NICENESS)
    sittings = _Sittings()
    while (task := next_task(sys.stdin.buffer)) is not None:
        print(json.dumps(sittings.answer(task)), flush=True)


if __name__ == "__main__":
    main()
