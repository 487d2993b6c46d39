"""What ``tamsk-hw run`` does: it referees at the configured board, or plays on the simulated one."""

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from tamsk_hw.commands.options import speaking_to_people
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.errors import ConfigError, printable
from tamsk_hw.system.output import Output
from tamsk_hw.system.service import Priority, prefixed
from tamsk_hw.table.run_settings import RunSettings


def run_configured(settings: RunSettings, config: Path | None, output: Output) -> int:
    """Referee at the configured board, or play on the simulated one; give the program's exit status.

    ``config``: the configuration file that was named; ``output``: the standard streams. Either loads what it needs
    by itself: a board needs no simulator, the simulator no pins. Raises `TamskError` for what cannot be done.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    with speaking_to_people(configuration.words.language):
        if not settings.web:
            return _run(settings, configuration, output)
        from tamsk_hw.commands.web import page_beside

        with ExitStack() as stack:
            page = None
            try:
                page, _ = stack.enter_context(page_beside(configuration, settings.live, config))
            except (ConfigError, OSError) as error:  # the game is played without it
                click.echo(prefixed(f"tamsk-hw: {printable(str(error))}", Priority.WARNING, sys.stderr), err=True)
            return _run(replace(settings, web=page is not None, page=page), configuration, output)


def _run(settings: RunSettings, configuration: Configuration, output: Output) -> int:
    port = configuration.board.port
    if port is None or settings.simulated:
        from tamsk_hw.table.simulation import run_simulated

        return run_simulated(settings, configuration, output)
    if settings.of_the_simulation:
        raise ConfigError(
            f"{', '.join(settings.of_the_simulation)}: for the simulated board only, but {configuration.origin} "
            f"names the board at {port}; add --simulated"
        )
    from tamsk_hw.table.run import run_board

    return run_board(configuration, Path(port), settings, output)
