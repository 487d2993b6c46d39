"""A program is killed (``kill -9``) in the middle of a game, and the people wait until it is there again.

What they did is known by the simulated world. In the referee's time, which stands still while nobody watches, what
happened in between happened when it was seen (R9.5); so taken, all rulings must agree with it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.records import StoredGame, verify
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import Caution, Ruling, Started, TimerStarted, Warned
from tamsk_hw.table.simulation import LOOK, calibration_of
from tests.players.habits import MISCHIEF, Mischief
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
from tests.soak import in_soak
from tests.table.killed_programs import Program, Seen, Setting, Step
from tests.table.test_board_table_kill import game_of

GAMES = in_soak(range(60), otherwise=[2])

#: Seconds that people who are in the middle of something are kept waiting at most, and others.
SHORT, LONG = 2.0, 90.0


class WaitingGame:
    """Two simulated players at a board whose programs are killed; without one they stand still."""

    def __init__(self, folder: Path, seed: int) -> None:
        ruleset, habits, holders = game_of(seed)
        # These players do not reckon how much longer a ring of theirs still counts after a wait (R9.5).
        habits = replace(habits, mischief_kinds=MISCHIEF - {Mischief.RING_TOO_LATE})
        self.simulation = SimulatedGame(ruleset, seed, holders=holders, habits=habits)
        self.board, self.match = self.simulation.board, self.simulation.match
        calibration = calibration_of(self.board.sensors.calibration_values())
        self.setting = Setting(self.simulation.header, calibration, 0.0)
        self.folder = folder
        self.now = 0.0
        self.away = 0.0
        self.resumed: list[float] = []
        self.shown: list[Ruling] = []
        self.start()

    def start(self) -> Seen:
        """A program is started."""
        self.program = Program(self.folder, replace(self.setting, now=self.now))
        first = self.program.hear()
        self.board.receive(first.outgoing)
        return first

    def step(self, *told: Event) -> Seen:
        """The next look at board and lights; ``told``: what is pressed."""
        due, look = self.match.next_wakeup, self.now + LOOK
        self.now = look if due is None or due <= self.now else min(look, due)
        frames = tuple(self.board.advance(self.now))
        seen = self.program.take(Step(self.now, frames, told))
        self.board.receive(seen.outgoing)
        # Whoever reads a deadline off the lights reads it in his own time.
        self.match.on_rulings(
            [
                replace(each, deadline=each.deadline + self.away) if isinstance(each, TimerStarted) else each
                for each in seen.shown
            ]
        )
        self.shown += seen.shown
        if not seen.is_offered:
            self.match.advance(self.now)
        return seen

    def play(self, until: float) -> None:
        """Play for a while, or to the end of the game."""
        while self.now < until and self.match.over is None:
            self.step(*self.match.drain_events())

    def is_quiet(self) -> bool:
        """Nobody has anything in his hand, or waits for a word."""
        table = self.match.table
        busy = table.aims or table.reaching or table.claiming or table.deeds or table.deadline
        world = self.simulation.world
        idle = all(not world.held(player) and len(world.free_hands(player)) == 2 for player in PLAYERS)
        return idle and not busy and table.next_doubt() is None

    def interrupt(self, chance: Random) -> None:
        """The program is killed; after a while there is another, which is told to go on."""
        away = chance.uniform(0.1, LONG if self.is_quiet() and chance.random() < 0.5 else SHORT)
        self.program.kill()
        killed = self.now
        self.now += away
        self.board.advance(self.now)
        first = self.start()
        assert list(first.past[: len(self.shown)]) == self.shown
        missed = first.past[len(self.shown) :]
        assert not missed  # each step was saved
        while not self.step().connected:
            pass
        assert not self.step(Button(self.now, ButtonName.START, Press.SHORT)).is_offered
        self.resumed.append(self.now)
        self.away += self.now - killed
        table = self.match.table
        if table.deadline is not None:  # the lights show the seconds that are left
            player, deadline = table.deadline
            table.deadline = player, deadline + self.now - killed

    def end(self) -> StoredGame:
        """The game as it was written down."""
        ends = self.now + 1.0
        while self.now < ends:  # hands finish what they were about
            self.step()
        self.program.end()
        return Archive(self.folder).load(1)


@dataclass
class WatchedTime:
    """The stream's time at an instant of the world's: it stands still from ``begins`` to ``ends`` of each gap."""

    begins: Sequence[float]
    ends: Sequence[float]

    def __call__(self, t: float) -> float:
        place = bisect_right(self.begins, t)
        gone = sum(end - begin for begin, end in zip(self.begins[:place], self.ends[:place], strict=True))
        return t - gone + (max(0.0, self.ends[place - 1] - t) if place else 0.0)


def as_watched(game: WaitingGame, stored: StoredGame) -> SimulatedGame:
    """Account for the judge of a game, with all times as the referee counts them."""
    zeros = [sitting.monotonic_zero for sitting in stored.sittings]
    # Each sitting began its time where the last one's was watched to.
    begins = [at - now + then for at, then, now in zip(game.resumed, zeros[:-1], zeros[1:], strict=True)]
    clock = WatchedTime(begins, game.resumed)
    world = game.simulation.world

    def timed(entries: Sequence[Any]) -> list[Any]:
        return [replace(entry, t=clock(entry.t)) for entry in entries]

    def runs_out_at(glass: Any) -> float | None:
        at = glass.runs_out_at(world.now)
        return None if at is None else clock(at)

    return cast(
        SimulatedGame,
        SimpleNamespace(
            refereeing=SimpleNamespace(rulings=stored.rulings()),
            match=SimpleNamespace(story=timed(game.match.story)),
            world=SimpleNamespace(
                truth=timed(world.truth), glasses=world.glasses, rings=world.rings, runs_out_at=runs_out_at
            ),
            header=game.simulation.header,
        ),
    )


@pytest.mark.parametrize("seed", GAMES)
def test_a_game_whose_players_wait_is_ruled_as_it_was_played(seed: int, tmp_path: Path) -> None:
    chance = Random(f"{seed}/kills")
    game = WaitingGame(tmp_path, seed)
    while not any(isinstance(ruling, Started) for ruling in game.shown):
        game.play(game.now + LOOK)
    while game.match.over is None:
        game.play(game.now + chance.uniform(5.0, 60.0))
        if game.match.over is None:
            game.interrupt(chance)
    stored = game.end()
    assert verify(stored) is None
    aways = [r for r in stored.rulings() if isinstance(r, Warned) and r.code is Caution.TIME_AWAY]
    assert len(aways) == len(game.resumed)
    judge(as_watched(game, stored))
