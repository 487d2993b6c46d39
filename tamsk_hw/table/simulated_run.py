"""A simulated run at a table.

Games of simulated people at a simulated or emulated board, one after the other, for the loop.

The program without a board: one game of two simulated players, refereed, shown and recorded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from types import TracebackType
from typing import Self

import click

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, ruleset_on
from tamsk_hw.configuration.settings import PlayerNames
from tamsk_hw.errors import TamskError
from tamsk_hw.facts.notices import SpeedNotice
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.changes import Answer, EraseName, NamePlayers
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ChangeGames, ImportStream, SetUp
from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.partner import Partner
from tamsk_hw.partner.intention import seat_of
from tamsk_hw.referee.events import Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.world import World
from tamsk_hw.system.files import temporary_folder
from tamsk_hw.system.output import Output
from tamsk_hw.system.service import ServiceManager, Stopped, Waker
from tamsk_hw.table.capture import Capture, CaptureFile
from tamsk_hw.table.kept_games import KeptGames, Recorder, notices_to, published
from tamsk_hw.table.loop import run_loop
from tamsk_hw.table.requests import GameKeys, begins_game, ruleset_with
from tamsk_hw.table.run_settings import RunSettings, names_with_partner
from tamsk_hw.table.simulation import ScaledClock, Seat, Simulation, SpeedWatch
from tamsk_hw.terminal.screen import Screen, screen_for
from tamsk_hw.words.score_sheet import score_sheet
from tamsk_hw.words.table import simulated_words
from tamsk_hw.words.translating import tr

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

    def change(self, deed: ChangeGames | ImportStream, answer: Answer) -> Rejection | None:
        """Change the simulated games, or the players' journal if nobody else writes that one."""
        if self._kept is None:
            return Rejection.NO_JOURNAL
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

    def set_up(self, asked: SetUp, now: float) -> int | Rejection:
        """Play by other rules or under other names; give the number of the live stream's line.

        Raises:
            TamskError: the rules are not understood, or this board cannot be played by them.
        """
        begins = begins_game(asked, self.view().phase, offered=self.is_offered, goes_on=self._stays)
        if isinstance(begins, Rejection):
            return begins
        if not begins:
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


def run_simulated(settings: RunSettings, configuration: Configuration, output: Output) -> int:
    """Play one game on the simulated board and show it; return the program's exit status.

    It is 0 when the game was played to its end, so that systemd does not start a finished demo again.

    Raises:
        ConfigError: the record cannot be written, or the rules need tubes that the board has not.
        WiringError: the wiring map is refused.
        LinkError: the simulated board's port cannot be made.
    """
    wiring = load_wiring(configuration.board.wiring)
    ruleset = ruleset_on(wiring, configuration)
    if settings.level is not None:
        ruleset = replace(ruleset, level=settings.level)
    speed = 1.0 if settings.speed is None else settings.speed
    seed = SystemRandom().randrange(1_000_000) if settings.seed is None else settings.seed
    manager = ServiceManager(os.environ)

    with (
        temporary_folder() as folder,
        Waker() as waker,
        published(
            settings.live,
            configuration.state_folder,
            waker,
            (shown := screen_for(output, speed=speed, board=simulated_words(seed), page=settings.page)).notice,
            simulated=True,
            speed=speed,
        ) as publisher,
        _kept_games(configuration.journal_folder, waker, publisher.asked_at) as kept,
    ):
        notice = notices_to(shown, publisher)

        def capture(calibration: Calibration) -> Capture:
            if settings.capture is None:
                return Capture()
            return CaptureFile(settings.capture, wiring, calibration, SensingSettings(), notice)

        def took(event: Event, rulings: Sequence[Ruling]) -> None:
            publisher.took(event, rulings, None if kept is None else kept.took(event, rulings))

        @contextmanager
        def game(ruleset: Ruleset, number: int, names: Names) -> Iterator[Simulation]:
            recorder = Recorder(settings.record, notice) if settings.record else None
            simulation = Simulation(
                ruleset,
                seed + number,
                wiring=wiring,
                port=folder / "board",
                make_board=SimulatedBoard,
                seat=_seated(names, ruleset, seed + number),
                record=recorder.record if recorder else lambda event: None,
                took=took,
                notice=notice,
                capture=capture,
            )
            if recorder:
                recorder.begin(simulation.header)
            try:
                yield simulation
            finally:
                simulation.close()
                if recorder:
                    recorder.end(simulation.refereeing.now)

        keys = GameKeys(demo=True)
        # What is recorded is one game; without anybody who could ask for another one, so is the rest.
        is_kept = settings.record is None and settings.capture is None
        stays = is_kept and (settings.web or keys.are_read)
        names = names_with_partner(settings, replace(configuration, players=PlayerNames()))
        table = SimulatedTable(game, ruleset, speed, publisher, notice, stays=stays, kept=kept, names=names)
        manager.ready(f"a game on the simulated board, seed {seed}")
        with table:
            try:
                return _show(table, _lights_only(configuration), wiring, shown, manager, waker, publisher, keys)
            finally:
                manager.stopping()


def _seated(names: Names, ruleset: Ruleset, seed: int) -> Seat:
    """The two players of the demonstration, of whom one may be played by the partner."""
    place = seat_of(red=names.red, black=names.black)

    def seat(world: World, view: Callable[[], View]) -> Demo:
        if place is None:
            return Demo(world, view, seed)
        return Demo(world, view, seed, {place.player: Partner(place.player, ruleset, place.strength, seed)})

    return seat


@contextmanager
def _kept_games(folder: Path, waker: Waker, asked_at: Path | None) -> Iterator[KeptGames | None]:
    """What keeps the newest games; None while another program does. ``asked_at``: where changes are asked for."""
    kept = KeptGames.open(folder, waker.wake, asked_at=asked_at)
    try:
        yield kept
    finally:
        if kept is not None:
            kept.close()


def _show(
    table: SimulatedTable,
    configuration: Configuration,
    wiring: Wiring,
    screen: Screen,
    manager: ServiceManager,
    waker: Waker,
    publisher: Publisher,
    keys: GameKeys,
) -> int:
    """Run the games to their end on the screen, then print the score sheet."""
    status = 0
    ended: TamskError | None = None
    try:
        with screen:
            run_loop(table, configuration, wiring, screen, manager, waker, publisher, keys=keys)
    except Stopped as stopped:
        status = stopped.status
    except TamskError as error:
        ended = error
    click.echo()
    click.echo(score_sheet(table.simulation.refereeing.rulings))
    if not table.simulation.is_over:
        click.echo(tr("Stopped before the end of the game."), err=True)
    if ended is not None:
        raise ended
    return status


def _lights_only(configuration: Configuration) -> Configuration:
    """The configuration of a panel without buttons and buzzer: a simulated board has neither."""
    return replace(
        configuration,
        buttons=replace(configuration.buttons, enabled=False),
        buzzer=replace(configuration.buzzer, enabled=False),
    )
