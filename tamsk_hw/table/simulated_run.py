"""The program without a board: one game of two simulated players, refereed, shown and recorded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import SystemRandom

import click

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.sensing import SensingSettings
from tamsk_hw.board.wiring import Wiring, load_wiring
from tamsk_hw.configuration import Configuration, ruleset_on
from tamsk_hw.configuration.values import PlayerNames
from tamsk_hw.errors import EmulatorError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.live.lines import Names
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.partner import Partner
from tamsk_hw.partner.seat import seat_of
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.emulated.build import build
from tamsk_hw.simulator.emulated.process import Emulator, running
from tamsk_hw.simulator.players import Demo
from tamsk_hw.simulator.world import World
from tamsk_hw.system.notify import ServiceManager
from tamsk_hw.system.output import Output
from tamsk_hw.system.stopping import Stopped
from tamsk_hw.system.temporary import temporary_folder
from tamsk_hw.system.waking import Waker
from tamsk_hw.table.capture import Capture, CaptureFile
from tamsk_hw.table.kept_games import KeptGames
from tamsk_hw.table.keys import GameKeys
from tamsk_hw.table.loop import run_loop
from tamsk_hw.table.published import PublishedScreen, published
from tamsk_hw.table.recorder import Recorder
from tamsk_hw.table.run_settings import RunSettings, names_with_partner
from tamsk_hw.table.simulated_table import SimulatedTable
from tamsk_hw.table.simulation import Seat, Simulation
from tamsk_hw.terminal.behind import screen_behind
from tamsk_hw.terminal.screen import Screen
from tamsk_hw.words.running import building_words, simulated_words, stopped_words
from tamsk_hw.words.score_sheet import score_sheet


def run_simulated(settings: RunSettings, configuration: Configuration, output: Output) -> int:
    """Play one game on the simulated or emulated board and show it; return the program's exit status.

    It is 0 when the game was played to its end, so that systemd does not start a finished demo again.

    Raises:
        ConfigError: the record cannot be written, or the rules need tubes that the board has not.
        WiringError: the wiring map is refused.
        LinkError: the simulated board's port cannot be made.
        EmulatorError: the emulator or the firmware cannot be built or started, or the emulator ended.
    """
    wiring = load_wiring(configuration.board.wiring)
    ruleset = ruleset_on(wiring, configuration)
    if settings.level is not None:
        ruleset = replace(ruleset, level=settings.level)
    speed = 1.0 if settings.speed is None else settings.speed
    seed = SystemRandom().randrange(1_000_000) if settings.seed is None else settings.seed
    kind = "emulated" if settings.emulator else "simulated"
    manager = ServiceManager(os.environ)
    map_file = configuration.board.wiring

    with (
        temporary_folder() as folder,
        Waker() as waker,
        published(
            settings.live,
            configuration.state_folder,
            waker,
            (
                shown := screen_behind(
                    output, speed=speed, board=simulated_words(settings.emulator, seed), page=settings.page
                )
            ).notice,
            simulated=True,
            speed=speed,
        ) as publisher,
        _kept_games(configuration.journal_folder, waker, publisher.asked_at) as kept,
    ):
        screen = PublishedScreen(shown, publisher)

        def capture(calibration: Calibration) -> Capture:
            if settings.capture is None:
                return Capture()
            return CaptureFile(settings.capture, wiring, calibration, SensingSettings(), screen.notice)

        def took(event: Event, rulings: Sequence[Ruling]) -> None:
            publisher.took(event, rulings, None if kept is None else kept.took(event, rulings))

        @contextmanager
        def game(ruleset: Ruleset, number: int, names: Names) -> Iterator[Simulation]:
            with _emulator(settings, map_file, folder) as emulator:
                recorder = Recorder(settings.record, screen.notice) if settings.record else None
                simulation = Simulation(
                    ruleset,
                    seed + number,
                    wiring=wiring,
                    port=folder / "board",
                    emulator=emulator,
                    seat=_seated(names, ruleset, seed + number),
                    record=recorder.record if recorder else lambda event: None,
                    took=took,
                    notice=screen.notice,
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
        table = SimulatedTable(game, ruleset, speed, publisher, screen.notice, stays=stays, kept=kept, names=names)
        manager.ready(f"a game on the {kind} board, seed {seed}")
        with table:
            try:
                return _show(table, _lights_only(configuration), wiring, screen, manager, waker, publisher, keys)
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


@contextmanager
def _emulator(settings: RunSettings, map_file: Path | None, folder: Path) -> Iterator[Emulator | None]:
    """The running emulator where one is asked for, with the firmware for the board of ``map_file``."""
    if not settings.emulator:
        yield None
        return
    click.echo(building_words(), err=True)
    binaries = build(wiring=map_file)
    with running(binaries.emulator, binaries.program, folder) as emulator:
        yield emulator


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
    ended: EmulatorError | None = None
    try:
        with screen:
            run_loop(table, configuration, wiring, screen, manager, waker, publisher, keys=keys)
    except Stopped as stopped:
        status = stopped.status
    except EmulatorError as error:
        ended = error
    click.echo()
    click.echo(score_sheet(table.simulation.refereeing.rulings))
    if not table.simulation.is_over:
        click.echo(stopped_words(), err=True)
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
