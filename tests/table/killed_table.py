"""Programs that referee at a board until they are killed, for the tests of kills.

Run as a module with the path of a socket. Each line on standard input, the name of a folder, starts one of them,
forked so that nothing has to be imported again: a `BoardTable` with the journal in that folder, which it writes in
a thread as the service does. On the socket it is given what a program has of its surroundings, `Setting` and then
`Steps`, and answers each with a `Seen`. Time is what the steps say. On standard output follows
``gone STATUS`` when a program is no more.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.journal import Entry, Journal
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.table.table import BoardTable, Clocks
from tests.said import Said
from tests.table.table_messages import BOOT, WALL, FedLine, Seen, Setting, Steps, receive, send, sensing_of


class WatchedJournal(Journal):
    """A journal that says which rulings are saved: those of the durable tickets, each once."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._unsaved: deque[tuple[int, Sequence[Ruling]]] = deque()

    def append(self, entry: Entry) -> int:
        ticket = super().append(entry)
        self._unsaved.append((ticket, entry.rulings))
        return ticket

    def take_saved(self) -> tuple[Ruling, ...]:
        saved: list[Ruling] = []
        while self._unsaved and self._unsaved[0][0] <= self.queue.newest_durable:
            saved += self._unsaved.popleft()[1]
        return tuple(saved)


def referee_until_killed(folder: Path, parent: socket.socket) -> None:
    setting = receive(parent)
    assert isinstance(setting, Setting)
    wiring = load_wiring()
    line = FedLine(wiring, setting.now)
    said = Said()
    now = setting.now
    with WatchedJournal.open(folder) as journal:
        table = BoardTable(
            setting.header,
            wiring,
            lambda: sensing_of(wiring, setting),
            line,
            journal,
            Clocks(wall=lambda: WALL + now, boot=BOOT),
            now,
            notice=said,
        )
        past = tuple(table.refereeing.rulings)
        send(parent, Seen((), tuple(said), table.phase, past=past, outgoing=line.session.take_outgoing()))
        while (steps := receive(parent)) is not None:
            assert isinstance(steps, Steps)
            said.clear()
            shown: list[Ruling] = []
            for step in steps.steps:
                now = step.now
                line.feed(step.frames)
                shown += table.advance(now, step.told)
            if steps.saved:
                journal.queue.wait_until_written(None)
            connected, outgoing = table.refereeing.connected, line.session.take_outgoing()
            saved = journal.take_saved()
            send(parent, Seen(tuple(shown), tuple(said), table.phase, connected, (), outgoing, saved))


def main() -> None:
    load_wiring()
    for folder in sys.stdin:
        child = os.fork()
        if child == 0:
            with socket.socket(socket.AF_UNIX) as parent:
                try:
                    parent.connect(sys.argv[1])
                    referee_until_killed(Path(folder.strip()), parent)
                    status = 0
                except BaseException:
                    sys.excepthook(*sys.exc_info())
                    status = 1
            sys.stderr.flush()
            os._exit(status)
        print(f"pid {child}", flush=True)
        print(f"gone {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}", flush=True)


if __name__ == "__main__":
    main()
