"""The program of the partner's process: ``python -m tamsk_hw.table.partner_program``.

It answers the questions on its standard input, one after the other, and ends with its standard input: so it ends
with the service, however that ends. It is niced, so that whatever the board needs comes first.
"""

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Final

from tamsk_hw.forms import to_json
from tamsk_hw.partner import Partner
from tamsk_hw.partner.intention import Advice, Await
from tamsk_hw.table.partner import PartnerAnswer, PartnerGame, next_question

#: How much the process is niced.
NICENESS: Final = 10


def main() -> None:
    """Answer until the questions end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # systemd's is for the service, which then closes the pipe
    with suppress(OSError):  # where that is forbidden, it is as important as the rest
        os.nice(NICENESS)
    current: tuple[PartnerGame, Partner] | None = None
    while (question := next_question(sys.stdin.buffer)) is not None:
        game, view = question
        player, strength = game.seat.player, game.seat.strength
        if current is None or current[0] != game:
            current = game, Partner(player, game.ruleset, strength, game.seed + game.number)
        intention = current[1].intend(view)
        if isinstance(intention, Await):
            answer = PartnerAnswer(None, intention.seconds)
        else:
            answer = PartnerAnswer(Advice(player, intention))
        print(json.dumps(to_json(answer)), flush=True)


if __name__ == "__main__":
    main()
