"""What ``tamsk-hw run`` runs; without a configured board, the simulated one and two players (CONTRACT: run)."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import SystemRandom

import click
from rich.console import Console

from tamsk_hw.errors import ConfigError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.panel.pixels import Lights, LightWriter, NeoPixelLights
from tamsk_hw.referee.sheet import score_sheet
from tamsk_hw.service.clock import ScaledClock
from tamsk_hw.service.configuration import Places, load_configuration
from tamsk_hw.service.recorder import Recorder
from tamsk_hw.service.screen import Screen, screen_for
from tamsk_hw.service.simulation import Simulation
from tamsk_hw.service.stopping import Stopped
from tamsk_hw.simulator.emulated.build import build
from tamsk_hw.simulator.emulated.process import Emulator, running
from tamsk_hw.simulator.players.habits import Habits

#: Real seconds between two pictures, on lights and terminal.
PICTURE_SECONDS = 1 / 15

#: Real seconds between two looks at the board when nothing is due.
IDLE_SECONDS = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What ``tamsk-hw run`` was asked for."""

    level: int | None = None
    seed: int | None = None
    speed: float | None = None
    mischief: float | None = None
    record: Path | None = None
    emulator: bool = False
    simulated: bool = False

    @property
    def of_the_simulation(self) -> list[str]:
        """The options given that mean something on the simulated board only."""
        values = (("--seed", self.seed), ("--speed", self.speed), ("--mischief", self.mischief))
        given = [option for option, value in values if value is not None]
        return [*given, "--record"] if self.record is not None else given


def run_configured(settings: RunSettings, config: Path | None) -> int:
    """Referee at the configured board, or play on the simulated one; give the program's exit status.

    ``config``: the configuration file that was named. Raises `TamskError` for what cannot be done.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    port = configuration.board.port
    if port is None or settings.simulated or settings.emulator:
        return run_simulated(settings, configuration.ruleset)
    if settings.of_the_simulation:
        raise ConfigError(
            f"{', '.join(settings.of_the_simulation)}: for the simulated board only, but {configuration.origin} "
            f"names the board at {port}; add --simulated"
        )
    from tamsk_hw.service.board_run import run_board  # what drives pins is loaded only where it is used

    return run_board(configuration, Path(port), settings.level)


def run_simulated(settings: RunSettings, ruleset: Ruleset | None = None) -> int:
    """Play one game on the simulated or emulated board and show it; give the program's exit status.

    Raises:
        ConfigError: the record cannot be written.
        LinkError: the simulated board's port cannot be made.
        EmulatorError: the emulator or the firmware cannot be built or started.
    """
    ruleset = ruleset or Ruleset()
    if settings.level is not None:
        ruleset = replace(ruleset, level=settings.level)
    speed = 1.0 if settings.speed is None else settings.speed
    habits = Habits(mischief=settings.mischief or 0.0)
    seed = SystemRandom().randrange(1_000_000) if settings.seed is None else settings.seed
    kind = "emulated" if settings.emulator else "simulated"
    with tempfile.TemporaryDirectory(prefix="tamsk-hw-") as folder, _emulator(settings, Path(folder)) as emulator:
        screen = screen_for(Console(), speed=speed, board=f"{kind} board, seed {seed}")
        recorder = Recorder(settings.record, screen.notice) if settings.record else None
        simulation = Simulation(
            ruleset,
            seed,
            port=Path(folder) / "board",
            emulator=emulator,
            habits=habits,
            record=recorder.record if recorder else lambda event: None,
            notice=screen.notice,
        )
        if recorder:
            recorder.begin(simulation.header)
        try:
            return _show(simulation, screen, speed)
        finally:
            simulation.close()
            if recorder:
                recorder.end(simulation.refereeing.now)


@contextmanager
def _emulator(settings: RunSettings, folder: Path) -> Iterator[Emulator | None]:
    """The running emulator where one is asked for."""
    if not settings.emulator:
        yield None
        return
    click.echo("Building the controller's firmware and its emulator ...", err=True)
    binaries = build()
    with running(binaries.emulator, binaries.program, folder) as emulator:
        yield emulator


def _show(simulation: Simulation, screen: Screen, speed: float) -> int:
    """Run the game to its end on the screen, then print the score sheet."""
    wiring = simulation.wiring
    troubles: list[str] = []

    def open_lights() -> Lights:
        return NeoPixelLights(wiring.pixel_count, wiring.lights_pin)

    lights = LightWriter(open_lights, troubles.append)
    status = 0
    try:
        with screen:
            _play(simulation, screen, ScaledClock(speed), lights, troubles)
    except Stopped as stopped:
        status = stopped.status
    finally:
        lights.close()
    click.echo()
    click.echo(score_sheet(simulation.refereeing.rulings))
    if status:
        click.echo("Stopped before the end of the game.", err=True)
    return status


def _play(
    simulation: Simulation,
    screen: Screen,
    clock: ScaledClock,
    lights: LightWriter,
    troubles: list[str],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """The loop: board, referee, lights, picture, until the game is over."""
    wiring = simulation.wiring
    drawn_at = float("-inf")
    while True:
        ruled = simulation.advance(clock.now())
        if ruled:
            screen.rule(ruled)
        while troubles:
            screen.notice(troubles.pop(0))
        real = time.monotonic()
        if ruled or simulation.is_over or real - drawn_at >= PICTURE_SECONDS:
            view = simulation.refereeing.view()
            diagnosis = diagnose(view)
            lights.show(pixels(diagnosis, real, wiring))  # real time: a flash is no faster in a fast game
            if simulation.is_over or real - drawn_at >= PICTURE_SECONDS:
                screen.show(view, diagnosis)
                drawn_at = real
        if simulation.is_over:
            return
        sleep(IDLE_SECONDS)
