"""A game whose program is killed (``kill -9``) resumes to the same rulings as without the kill.

The board and the hands at it are the same in both games, to the byte: what a game without a kill met is recorded
and given again to programs that are killed, in the middle of what they do, and started anew at once. What a
program called saved is never lost. What it only showed may be: the board shows what was moved or dropped, and the
presses of the last moments are made once more, as people would.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.records import GameState, StoredGame, verify
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import Caution, GameOver, GlassDoubtful, GlassLost, Ruling, Setup, Started, Warned
from tests.players.habits import Habits
from tests.soak import in_soak
from tests.table.killed_programs import Program, Recorded, Seen, Step, record

#: Games, and how often each of them is killed.
GAMES, KILLS = in_soak((range(100), (1, 3, 10)), otherwise=([4], (3,)))

#: Seconds in which what the board reports has no order: a new program takes what it finds as of one moment.
UNSEEN = 0.15


def game_of(seed: int) -> tuple[Ruleset, Habits, bool]:
    """All levels, both starts, both penalties, counted rings or not, lawful players and others."""
    ruleset = Ruleset(
        level=1 + seed % 3,
        start=(Start.CORNERS, Start.FREE)[seed // 3 % 2],
        late_penalty=(LatePenalty.TWO_RINGS, LatePenalty.LOSE_TURN)[seed // 6 % 2],
    )
    habits = Habits(mischief=(0.0, 0.1, 0.3)[seed // 2 % 3], pace=(0.5, 1.0)[seed % 2], resigns=0.002)
    return ruleset, habits, seed % 4 == 3


@dataclass
class KilledGame:
    """A recorded game given to one program after the other."""

    folder: Path
    recorded: Recorded
    chance: Random
    shown: list[Ruling] = field(default_factory=list)
    saved: list[Ruling] = field(default_factory=list)
    place: int = 0
    repeated: list[Event] = field(default_factory=list)
    """Presses that a program that died had not saved for certain."""

    def __post_init__(self) -> None:
        self.program = self._start(0.0)

    @property
    def now(self) -> float:
        return self.recorded.steps[self.place - 1].now if self.place else 0.0

    def _start(self, now: float) -> Program:
        return Program(self.folder, replace(self.recorded.setting, now=now))

    def play(self, upto: int) -> None:
        """Give the program what it meets before step ``upto``; it gets the time to save it."""
        if upto > self.place:
            self._see(self.program.take(*self.recorded.steps[self.place : upto]))
            self.place = upto

    def _see(self, seen: Seen) -> None:
        self.shown += seen.shown
        self.saved += seen.saved

    def kill(self, at: int) -> None:
        """Kill it at step ``at``: when it has answered, or in the middle of it, with some before it not saved."""
        self.play(max(self.place, at - self.chance.randrange(3)))
        self.repeated = []
        while self.place <= at:
            step = self.recorded.steps[self.place]
            self.repeated += step.told
            self.place += 1
            if self.place > at and self.chance.random() < 0.7:
                self.program.tell(step, saved=False)
                self._linger(0.002)
            else:
                self._see(self.program.take(step, saved=False))
        self.program.kill()

    def _linger(self, most: float) -> None:
        """A moment of real time, of any length up to ``most`` seconds: how far the program comes is chance."""
        ends = time.perf_counter() + self.chance.uniform(0.0, most)
        while time.perf_counter() < ends:
            pass

    def resume(self) -> bool:
        """A new program is started, and the game gone on with; give whether there was one to go on with."""
        while self.chance.random() < 0.2:  # it dies as well, while it starts
            program = self._start(self.now)
            self._linger(0.05)
            program.kill()
        self.program = self._start(self.now)
        first = self.program.hear()
        if first.is_offered:
            both = min(len(first.past), len(self.shown))
            assert list(first.past[:both]) == self.shown[:both]
            assert list(first.past[: len(self.saved)]) == self.saved
            self.shown, self.saved = list(first.past), list(first.past)
        elif self._is_over():
            return False  # it ended as the program died
        else:
            assert not any(isinstance(each, Started) for each in self.saved)
            self.shown, self.saved = [], []  # a game that had not begun is set up anew
        seen = self.program.take(Step(self.now, ((self.now, self.recorded.hello),)))
        assert seen.connected
        self._see(seen)
        if first.is_offered:
            start = Step(self.now, (), (Button(self.now, ButtonName.START, Press.SHORT),))
            if self.chance.random() < 0.2:  # and again, as it is told to go on
                self.program.tell(start)
                self._linger(0.003)
                self.program.kill()
                return self.resume()
            seen = self.program.take(start)
            assert not seen.is_offered
            self._see(seen)
        again = tuple(replace(event, t=self.now) for event in self.repeated)
        self._see(self.program.take(Step(self.now, (), again)))
        return True

    def _is_over(self) -> bool:
        games = Archive(self.folder).games()
        return bool(games) and games[0].state is GameState.FINISHED

    def play_killed(self, times: int) -> StoredGame:
        """Play the game to its end, with so many kills on the way; give it as it was written down."""
        self.program.hear()
        for at in sorted(self.chance.sample(range(len(self.recorded.steps) - 1), times)):
            if at >= self.place:
                self.kill(at)
                if not self.resume():
                    break
        else:
            self.play(len(self.recorded.steps))
        return self.stored()

    def stored(self) -> StoredGame:
        """The game as it was written down."""
        self.program.end()
        return Archive(self.folder).load(1)


def is_away(ruling: Ruling) -> bool:
    return isinstance(ruling, Warned) and ruling.code is Caution.TIME_AWAY


def plain(ruling: Ruling) -> dict[str, Any]:
    """The ruling without its times, which are compared for themselves."""
    words = ruling.as_dict()
    return {name: words[name] for name in words if name not in ("t", "deadline")}


def kinds(rulings: Iterable[tuple[float, Ruling]]) -> dict[str, list[tuple[float, dict[str, Any]]]]:
    """The rulings of each kind in their order, with their times."""
    sorted_out: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    for t, ruling in rulings:
        sorted_out.setdefault(ruling.name, []).append((t, plain(ruling)))
    return sorted_out


def by_the_clock(game: StoredGame) -> tuple[list[tuple[float, Ruling]], float, float]:
    """The rulings with the monotonic times at which they were made, those on the time away left out; how long that
    was in all; and when the game was set up, for the last time when a program was killed before the start.
    """
    rulings = game.rulings()
    zeros = [sitting.monotonic_zero for sitting in game.sittings]
    assert len(zeros) == 1 + sum(map(is_away, rulings))
    place = 0
    timed = []
    for ruling in rulings:
        if is_away(ruling):
            place += 1
        else:
            timed.append((zeros[place] + ruling.t, ruling))
    return timed, zeros[-1] - zeros[0], zeros[0]


def the_same_was_ruled(recorded: Recorded, stored: StoredGame) -> None:
    """Fail unless all the same was ruled.

    Rulings of different kinds may change places when they are less than `UNSEEN` apart. One may come so much
    earlier or later; where it is by a deadline, later also by the time that nobody watched (R9.5). That time
    widens what is known of a glass that was lifted in it: it may have stood, and may have run back in the hand
    (R6.4).
    """
    timed, away, set_up = by_the_clock(stored)
    was = kinds((ruling.t, ruling) for ruling in recorded.rulings)
    now = kinds(timed)
    assert {name: [words for _, words in each] for name, each in now.items()} == {
        name: [words for _, words in each] for name, each in was.items()
    }
    for name, each in was.items():
        by_sand = 2 * away if name in (GlassDoubtful.name, GlassLost.name) else 0.0
        anew = set_up if name == Setup.name else 0.0
        late = [then - before for (before, _), (then, _) in zip(each, now[name], strict=True)]
        assert min(late) >= -by_sand - UNSEEN, name
        assert max(late) <= max(away, by_sand, anew) + UNSEEN, name


@pytest.mark.parametrize("seed", GAMES)
@pytest.mark.parametrize("kills", KILLS)
def test_a_game_that_is_killed_goes_on_to_the_same_rulings(seed: int, kills: int, tmp_path: Path) -> None:
    ruleset, habits, holders = game_of(seed)
    recorded = record(ruleset, seed, habits, holders=holders, folder=tmp_path / "whole")
    assert isinstance(recorded.rulings[-1], GameOver)
    game = KilledGame(tmp_path / "killed", recorded, Random(f"{seed}/{kills}"))
    stored = game.play_killed(kills)
    the_same_was_ruled(recorded, stored)
    assert verify(stored) is None
