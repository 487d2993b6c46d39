"""Programs that write games until they are killed, for the tests of kills and power cuts.

Run as a module. Each line on standard input, ``FOLDER SEED``, starts one of them, forked so that nothing has to be
imported again. It goes on with the unfinished game it finds, or begins one, and says on standard output, each in
one piece: ``pid N``, ``open`` when it has opened the journal, and ``ack GAME EVENT`` when an event is durable,
which is when a program may call it saved. When it is gone, ``gone STATUS`` follows.
"""

import os
import sys
from collections import deque
from pathlib import Path
from random import Random

from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import GameRecord
from tests.journal.played import SITTING, is_durable, played, stored_lines

#: So many events at most are handed in before the disk has them: more than a board ever has waiting.
MOST_AHEAD = 300


def say(words: str) -> None:
    os.write(1, f"{words}\n".encode())


def write_until_killed(folder: Path, seed: int) -> None:
    sys.setswitchinterval(1e-4)  # this loop never waits, and the writing thread is to have its turn
    chance = Random(seed)
    game = played()
    journal = Journal(folder)
    assert journal.queue.trouble is None
    assert journal.take_notices() == []
    say("open")
    unfinished = journal.unfinished
    if unfinished is None:
        record, place = journal.begin_game(game.header, SITTING), 0
    else:
        place = len(unfinished.entries)
        assert stored_lines(unfinished) == game.lines(place)
        record = journal.resume(unfinished, SITTING)
    unsaved: deque[tuple[int, GameRecord, int]] = deque()
    while True:
        room = MOST_AHEAD - len(unsaved)
        for _ in range(min(room, chance.choice((1, 1, 1, 2, 5, 20)))):
            if place == len(game.entries):
                record, place = journal.begin_game(game.header, SITTING), 0
            ticket = journal.append(game.entries[place])
            place += 1
            unsaved.append((ticket, record, place))
        for _ in range(chance.choice((0, 10, 1000))):
            while unsaved and is_durable(journal, unsaved[0][0]):
                _, written, number = unsaved.popleft()
                say(f"ack {written.number} {number}")


def main() -> None:
    played()
    for line in sys.stdin:
        folder, seed = line.split()
        child = os.fork()
        if child == 0:
            try:
                say(f"pid {os.getpid()}")
                write_until_killed(Path(folder), int(seed))
            finally:
                sys.stderr.flush()
                os._exit(1)
        say(f"gone {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}")


if __name__ == "__main__":
    main()
