"""``tamsk-hw play``: a game in the browser, with everything that it needs beside it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryFile
from threading import Event, Thread

import click

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.options import (
    CONFIG,
    LEVEL,
    IntegerRange,
    players_option,
    speaking_to_people,
    strength_option,
)
from tamsk_hw.commands.web import page_beside, program_beside, show_seats
from tamsk_hw.configuration import Places, load_configuration
from tamsk_hw.errors import HandsError
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.database import holder_of
from tamsk_hw.journal.trouble import HeldError
from tamsk_hw.partner.intention import Strength
from tamsk_hw.system.files import temporary_folder
from tamsk_hw.system.output import output_in_background
from tamsk_hw.system.sockets import LONGEST_PATH
from tamsk_hw.table.run import run_board
from tamsk_hw.table.run_settings import RunSettings
from tamsk_hw.table.simulation import HANDS, LIVE, PORT, practice_configuration
from tamsk_hw.words.table import left_out_words


@click.command()
@LEVEL
@click.option("--seed", type=IntegerRange(min=0), help="The same seed is the same board and the same partner.")
@players_option("black")
@strength_option("fair", "How well it plays.")
@click.option("--learn", is_flag=True, help="Take lessons: nobody is played by the program.")
@click.option("--port", type=click.IntRange(1, 65535), help="The page's port, in place of the configured one.")
@CONFIG
def play(
    level: int | None,
    seed: int | None,
    players: str,
    strength: str,
    learn: bool,
    port: int | None,
    config: Path | None,
) -> None:
    """Play in the browser, against the program or against each other, until Ctrl-C.

    Prints the address of the table first. The board is a simulated one; its referee is that of real boards.
    Games are kept as simulated ones, outside the players' results.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    games = simulated_folder(configuration.journal_folder)
    if (holder := holder_of(games)) is not None:  # another one is played at, whose address is shown already
        raise HeldError(games, holder)
    if port is not None:
        configuration = replace(configuration, web=replace(configuration.web, port=port))
    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    wiring = configuration.board.wiring
    with (
        temporary_folder() as folder,
        speaking_to_people(configuration.words.language),
        page_beside(configuration, folder / LIVE, config, folder / HANDS) as (page, seats),
    ):
        if len(os.fsencode(folder / HANDS)) > LONGEST_PATH:
            raise HandsError(
                f"{folder}: too long a path for sockets", "set TMPDIR to a shorter one, as TMPDIR=/tmp"
            )
        practice = practice_configuration(configuration, load_wiring(wiring), seed, folder)
        told = {"port": folder / PORT, "hands": folder / HANDS, "live": folder / LIVE, "seed": seed}
        # At the table another strength may be chosen, and who plays which colour: by the names.
        by_itself = not learn and (strength == "lawful" or players == "both")
        told |= {"players": players, "strength": strength} if by_itself else {"players": "named"}
        told |= {"wiring": wiring} if wiring else {}
        with _board_beside([f"--{option}={value}" for option, value in told.items()]):
            address = f"{page}{'learn' if learn else 'table'}"
            click.echo(address)
            show_seats(seats)
            settings = RunSettings(
                level=level,
                live=folder / LIVE,
                page=address,
                beside=configuration.journal_folder,
                plays_itself=True,
            )
            if not learn and not by_itself and players != "none":
                settings = replace(settings, partner=Player(players), strength=Strength(strength))
            with output_in_background(left_out_words) as output:
                status = run_board(practice, folder / PORT, settings, output)
    sys.exit(status)


@contextmanager
def _board_beside(told: list[str]) -> Iterator[None]:
    """The simulated board as a process of its own, which ends with the program, however that ends.

    When the board ends first, the program does, too: nothing can be played any more.

    Raises:
        HandsError: it cannot be started.
    """
    with TemporaryFile("w+", encoding="utf-8") as errors:
        left = Event()
        arguments = ["simulate", "--until-closed", *told]
        # Its errors go to a file: a pipe that nobody reads would fill up, and stop the board.
        with program_beside(arguments, stdout=subprocess.PIPE, stderr=errors, text=True) as board:
            assert board.stdout is not None
            if not board.stdout.readline():
                board.wait()
                errors.seek(0)
                raise HandsError(errors.readline().strip() or "the simulated board has not started")
            Thread(target=_stop_without, args=(board, left), name="board", daemon=True).start()
            try:
                yield
            finally:
                left.set()


def _stop_without(board: subprocess.Popen[str], left: Event) -> None:
    """Read on what the board prints; when it ends before the program has ``left`` it, end the program."""
    assert board.stdout is not None
    for _ in board.stdout:
        pass
    if not left.is_set():
        click.echo("The simulated board has ended, and the game with it. Start again.", err=True)
        os.kill(os.getpid(), signal.SIGTERM)
