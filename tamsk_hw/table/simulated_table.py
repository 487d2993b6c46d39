"""Games of simulated people at a simulated or emulated board, one after the other, for the loop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from tamsk_hw.facts.notices import SpeedNotice
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.changes import Answer, EraseName, NamePlayers
from tamsk_hw.live.journal_requests import ChangeGames, ImportStream
from tamsk_hw.live.lines import NO_NAMES, Names
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import SetUp
from tamsk_hw.panel.possible import Hindrance
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.table.clock import ScaledClock
from tamsk_hw.table.kept_games import KeptGames
from tamsk_hw.table.live_door import SetUpEffect, ruleset_with, set_up_effect
from tamsk_hw.table.simulation import Simulation
from tamsk_hw.table.speed import SpeedWatch

#: Real seconds between two rounds of the loop.
ROUND_SECONDS = 0.005


class SimulatedTable:
    """The games; the first is set up at once. ``games`` makes one by its ruleset, its number from 0, and the
    players' names. The first one's are ``names``.

    ``speed`` is relative to real time. ``kept`` writes the games down. ``stays``: after a game the start button
    sets up the next; without, the end of the first game is the end of all.
    """

    round_seconds = ROUND_SECONDS
    is_offered = False
    can_resume = False

    def __init__(
        self,
        games: Callable[[Ruleset, int, Names], AbstractContextManager[Simulation]],
        ruleset: Ruleset,
        speed: float,
        publisher: Publisher,
        notice: Callable[[SpeedNotice], None],
        *,
        stays: bool = False,
        kept: KeptGames | None = None,
        names: Names = NO_NAMES,
    ) -> None:
        self._games = games
        self._ruleset = ruleset
        self._speed = speed
        self._publisher = publisher
        self._notice = notice
        self._stays = stays
        self._kept = kept
        self._names = names
        self._count = 0
        self._game = ExitStack()
        self._begin()

    def _begin(self) -> None:
        self._game.close()
        self.simulation = self._game.enter_context(self._games(self._ruleset, self._count, self._names))
        self._count += 1
        self._clock = ScaledClock(self._speed)
        self._watch = SpeedWatch(self._speed)
        header = self.simulation.header
        key = os.urandom(16).hex() if self._kept is None else self._kept.begin(header, self._names)
        self._publisher.game(header, key, self._names)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the game."""
        self._game.__exit__(kind, error, trace)

    @property
    def is_over(self) -> bool:
        """The last game is over."""
        return self.simulation.is_over and not self._stays

    def view(self) -> View:
        """The game as it stands."""
        return self.simulation.refereeing.view()

    def listen(self) -> None:
        """Nothing to read: the game's own time says what has come."""

    def advance(self, now: float, pressed: Sequence[Event]) -> list[Ruling]:
        """Run the game to its own time; what was pressed happens at the beginning of that."""
        if self.simulation.is_over and self._asks_for_next(pressed):
            self._begin()
            return []
        simulation = self.simulation
        simulation.refereeing.take([replace(event, t=simulation.now) for event in pressed])
        own = self._clock.now()
        if (slow := self._watch.hear(now, own)) is not None:
            self._notice(slow)
        ruled = simulation.advance(own)
        if simulation.board_id is not None:
            board = f"{simulation.board_id:08x}"
            self._publisher.board_is(board)
            if self._kept is not None:
                self._kept.place_at(board)
        if self._kept is not None:
            self._publisher.saved(self._kept.newest_durable, self._kept.number)
        return ruled

    @staticmethod
    def _asks_for_next(pressed: Iterable[Event]) -> bool:
        return any(
            isinstance(event, Button) and event.button is ButtonName.START and event.press is Press.SHORT
            for event in pressed
        )

    @property
    def names(self) -> Names:
        """The players' names."""
        return self._names

    def change(self, deed: ChangeGames | ImportStream, answer: Answer) -> Hindrance | None:
        """Change the simulated games, or the players' journal if nobody else writes that one."""
        if self._kept is None:
            return Hindrance.NO_JOURNAL
        wall = time.time()
        if isinstance(deed, ChangeGames) and deed.simulated:
            change = deed.change
            names = self._names
            if isinstance(change, NamePlayers) and change.game == self._kept.number:
                names = names.renamed(change.red, change.black)
            elif isinstance(change, EraseName):
                names = names.without(change.name)
            if names != self._names:
                self._name(names)
            self._kept.change(change, wall, answer)
        else:
            self._kept.change_players_games(deed, wall, answer)
        return None

    def _name(self, names: Names) -> int:
        """The current game's players have these names; give the number of the live stream's line."""
        self._names = names
        if self._kept is not None:
            self._kept.name_players(names)
        return self._publisher.names(names)

    def set_up(self, asked: SetUp, now: float) -> int | Hindrance:
        """Play by other rules or under other names; give the number of the live stream's line.

        Raises:
            TamskError: the rules are not understood, or this board cannot be played by them.
        """
        effect = set_up_effect(asked, self.view().phase, offered=self.is_offered, goes_on=self._stays)
        if isinstance(effect, Hindrance):
            return effect
        if effect is SetUpEffect.NAMES:
            assert asked.names is not None
            return self._name(asked.names)
        if asked.ruleset is not None:
            self._ruleset = ruleset_with(self._ruleset, asked.ruleset)
        self._names = asked.names or self._names
        self._begin()
        return self._publisher.stream.game_seq

    def next_wakeup(self, now: float) -> float:
        """Never: it is looked after every round."""
        return float("inf")

    def fileno(self) -> None:
        """Nothing to wait for."""
