"""``python -m tests.machine.soaking``: every fault with many seeds, several in one game, until there is a table.

What has been tried is not tried again, so it can be stopped at any time. Several can run beside each other with
other seeds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.machine.architecture import chosen
from tests.machine.faults import FAULTS, after, begin_game, to_the_end
from tests.machine.image import image_key
from tests.machine.running import MachineError
from tests.machine.table import OverMeanwhileError, Table, booted
from tests.machine.tries import END, Try, keep, left, logbook, table_of, tries_in

#: What a try can end with that is not right: a wrong outcome, a machine that is gone, a text that cannot be read.
TROUBLE: Final = (AssertionError, MachineError, OSError, ValueError, KeyError)

#: Faults in one game; with two turns for each, a game on seven tubes has some turns left after the last.
IN_ONE_GAME: Final = 5


def end_of_trouble() -> str:
    """The end of the traceback of the exception that is being handled, for `Try.why`."""
    return traceback.format_exc(limit=-3)[-1500:]


@dataclass
class Soak:
    """What one run of the command tries, and where it writes what came of it."""

    table: Table
    file: Path
    image: str
    began: float = field(default_factory=time.monotonic)

    def faults_left(self, seed: int) -> list[str]:
        """The faults still to be tried with a seed, in the order that the seed gives to all of them."""
        order = random.Random(seed).sample(list(FAULTS), len(FAULTS))
        return left(tries_in(self.file), order, seed, self.image)

    def play_seed(self, seed: int) -> None:
        """Play games until all faults have been tried with a seed."""
        game = 0
        while faults := self.faults_left(seed):
            if not self.play_game(faults[:IN_ONE_GAME], seed, f"{seed}.{game}"):
                return
            game += 1

    def play_game(self, faults: Sequence[str], seed: int, name: str) -> bool:
        """Play one game with faults in it, to its end or to the first fault that breaks it.

        False: something else than a fault has kept it from being played on.
        """
        moments = random.Random(name)
        try:
            self.table.begin()
            begin_game(self.table, seed=moments.randrange(1, 1_000_000))
            for fault in faults:
                state = self.table.play(turns=moments.randint(1, 2))
                time.sleep(moments.uniform(0.0, 3.0))
                if state["phase"] == "over" or self.table.state()["phase"] == "over":
                    break
                if not self.passes(fault, seed):
                    return True
        except OverMeanwhileError:
            print("the game was over at the moment of a fault, which is tried again in another one", flush=True)
            return True
        except TROUBLE:
            self.note(Try(END, seed, False, None, self.image, end_of_trouble()))
            return False
        else:
            self.ends(seed)
            return True
        finally:
            self.table.end()

    def passes(self, fault: str, seed: int) -> bool:
        """Try a fault and note what came of it."""
        seconds: float | None = None

        def took(what: str, began: float) -> None:
            nonlocal seconds
            seconds = time.monotonic() - began

        why = ""
        try:
            FAULTS[fault](self.table, took)
            after(self.table)
        except TROUBLE:
            why = end_of_trouble()
        self.note(Try(fault, seed, not why, seconds, self.image, why))
        return not why

    def ends(self, seed: int) -> None:
        """Play the game to its end, which is a try, too."""
        why = ""
        try:
            to_the_end(self.table)
        except TROUBLE:
            why = end_of_trouble()
        self.note(Try(END, seed, not why, None, self.image, why))

    def note(self, tried: Try) -> None:
        """Keep a try, and say it."""
        keep(self.file, tried)
        took = "" if tried.seconds is None else f", {tried.seconds:.1f} s"
        came = "right" if tried.passed else "FAILED"
        print(f"{(time.monotonic() - self.began) / 60:6.1f} min  seed {tried.seed}  {tried.fault}: {came}{took}")
        if tried.why:
            print(tried.why)
        sys.stdout.flush()


def seeds_of(text: str) -> range:
    """Seeds as they are given: ``20`` is 1 to 20, ``11-20`` is 11 to 20.

    Raises:
        ValueError: it is neither.
    """
    first, _, last = text.rpartition("-")
    return range(int(first or 1), int(last) + 1)


def main() -> None:
    """Try what is left, and print the table of all tries."""
    parser = argparse.ArgumentParser(prog="python -m tests.machine.soaking", description=__doc__)
    parser.add_argument("seeds", type=seeds_of, nargs="?", default=range(1, 21), help="20, or 11-20; default 20")
    seeds: range = parser.parse_args().seeds
    with tempfile.TemporaryDirectory(prefix="tvm-") as folder, booted(Path(folder)) as table:
        soak = Soak(table, logbook(chosen().name), image_key(chosen()))
        for seed in seeds:
            soak.play_seed(seed)
    print(table_of(tries_in(logbook(chosen().name))))


if __name__ == "__main__":
    try:
        main()
    except MachineError as error:
        sys.exit(f"make vm-soak: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
