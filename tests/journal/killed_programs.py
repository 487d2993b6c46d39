"""Programs that work on a journal until they are killed, for the tests of kills and power cuts.

Run as a module. Each line on standard input, ``DEED FOLDER SEED``, starts one of them, forked so that nothing has
to be imported again. It says on standard output, each in one piece, ``pid N``, and then a line for each step, as
``ack GAME EVENT`` when an event is durable, which is when a program may call it saved. When it is gone,
``gone STATUS`` follows.
"""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from tamsk_hw.journal.archive import restore
from tamsk_hw.journal.changes import Annotate, DeleteGame, EraseName, change_here
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import GameRecord
from tests.journal.played import SITTING, is_durable, played, recording, stored_lines

#: So many events at most are handed in before the disk has them: more than a board ever has waiting.
MOST_AHEAD = 300


#: A player who is to be erased.
NAME = "Zebulon Quix"


def say(words: str) -> None:
    os.write(1, f"{words}\n".encode())


def write_until_killed(folder: Path, seed: int) -> None:
    """Go on with the unfinished game that is found, or begin one."""
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


def change_until_killed(folder: Path, seed: int) -> None:
    """Import a game, remark on it, erase its player's name and delete it, again and again."""
    while True:
        game = change_here(folder, replace(recording(150), red=NAME), 0.0).game or 0
        say("imported")
        change_here(folder, Annotate(game, NAME), 0.0)
        say("annotated")
        change_here(folder, EraseName(NAME), 0.0)
        say("erased")
        change_here(folder, DeleteGame(game), 0.0)
        say("deleted")


def restore_until_killed(folder: Path, seed: int) -> None:
    """Restore one backup, then the other."""
    while True:
        for name in ("one", "two"):
            say(name)
            restore(folder / "journal", folder / name)


DEEDS = {"write": write_until_killed, "change": change_until_killed, "restore": restore_until_killed}


def main() -> None:
    recording(150)
    for line in sys.stdin:
        deed, folder, seed = line.split()
        child = os.fork()
        if child == 0:
            try:
                say(f"pid {os.getpid()}")
                DEEDS[deed](Path(folder), int(seed))
            finally:
                sys.stderr.flush()
                os._exit(1)
        say(f"gone {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}")


class Programs:
    """Starts programs that write a journal, one after the other, and kills each of them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def kill_one(self, deed: str, folder: Path, seed: int, lines: int) -> dict[int, int]:
        """Kill a program after it has printed ``lines`` lines; return the newest event that it showed, by game."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{deed} {folder} {seed}\n")
        self._process.stdin.flush()
        word, pid = self._process.stdout.readline().split()
        assert word == "pid"
        saved: dict[int, int] = {}
        while True:
            if lines == 0:
                os.kill(int(pid), signal.SIGKILL)
            lines -= 1
            word, *numbers = self._process.stdout.readline().split()
            if word == "gone":
                assert numbers == [str(-signal.SIGKILL)]
                return saved
            if word == "ack":
                saved[int(numbers[0])] = int(numbers[1])


@contextmanager
def programs(**environment: str) -> Iterator[Programs]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.journal.killed_programs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
    ) as process:
        yield Programs(process)
        assert process.stdin is not None
        process.stdin.close()


if __name__ == "__main__":
    main()
