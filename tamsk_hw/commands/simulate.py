"""Commands that begin a table: run, simulate, learn and play; each loads what it does when it is used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

import click

from tamsk_hw.commands.options import CONFIG, UNREACHABLE, IntegerRange, end, speaking_to_people
from tamsk_hw.errors import ConfigError, HandsError, SocketError, printable
from tamsk_hw.system.service import Priority, prefixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamsk_hw.configuration import Configuration
    from tamsk_hw.lessons.lessons import Lesson, Progress
    from tamsk_hw.system.output import Output
    from tamsk_hw.table.run_settings import RunSettings


def run_configured(settings: RunSettings, config: Path | None, output: Output) -> int:
    """Referee at the configured board, or play on the simulated one; give the program's exit status.

    ``config``: the configuration file that was named; ``output``: the standard streams. Either loads what it needs
    by itself: a board needs no simulator, the simulator no pins. Raises `TamskError` for what cannot be done.
    """
    from tamsk_hw.configuration import Places, load_configuration

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


#: Who is played by the program.
PLAYERS = ("none", "red", "black", "both")

#: How well they play; the first plays as in the demo of `tamsk-hw run`.
STRENGTHS = ("lawful", "easy", "fair", "strong")


@click.command()
@click.option("--port", type=click.Path(path_type=Path), metavar="PATH", help="Make the board's port here.")
@click.option("--hands", type=click.Path(path_type=Path), metavar="SOCKET", help="Let hands ask at this socket.")
@click.option("--live", type=click.Path(path_type=Path), metavar="SOCKET", help="The service whose players play.")
@click.option("--seed", type=IntegerRange(min=0), help="The same seed is the same board and the same players.")
@click.option(
    "--setup",
    type=click.Choice(["corners", "free", "box"]),
    help="Glasses on the start tubes, off the board, or glasses and timer off the board.",
)
@click.option(
    "--players", type=click.Choice(PLAYERS), default="none", show_default=True, help="Played by the program."
)
@click.option(
    "--strength",
    type=click.Choice(STRENGTHS),
    default="lawful",
    show_default=True,
    help="How well they play: lawful keeps the rules and no more.",
)
@click.option("--wiring", type=click.Path(path_type=Path), metavar="MAP", help="The board of this wiring map.")
@click.option(
    "--fault", "faults", multiple=True, metavar="WORDS", help='Break a part, as "ring D4.2 1"; may be given again.'
)
@click.option("--until-closed", is_flag=True, hidden=True, help="End with standard input.")
def simulate(
    port: Path | None,
    hands: Path | None,
    setup: str | None,
    players: str,
    strength: str,
    faults: tuple[str, ...],
    until_closed: bool,
    **options: Any,
) -> None:
    """Run a simulated board at a serial port, in real time, until Ctrl-C.

    A configured service, doctor, selftest, calibrate and frames take it for a real one. Nothing happens on it but
    what `tamsk-hw hands` does, or players that the program plays (--players). It prints the configuration by which
    a service has its port, buttons and lights.
    """
    from tamsk_hw.configuration.reading import Places, state_folder
    from tamsk_hw.game.tubes import Player
    from tamsk_hw.hands.simulating import SimulateSettings
    from tamsk_hw.hands.simulating import simulate as run
    from tamsk_hw.partner import Strength
    from tamsk_hw.simulator.faults import fault_of
    from tamsk_hw.simulator.things import WorldStart
    from tamsk_hw.words.table import begun_words

    played = {"none": (), "both": tuple(Player)}
    settings = SimulateSettings(
        port=None if port is None else port.absolute(),
        hands=None if hands is None else hands.absolute(),
        setup=None if setup is None else WorldStart(setup),
        players=played[players] if players in played else (Player(players),),
        strength=None if strength == "lawful" else Strength(strength),
        faults=tuple(map(fault_of, faults)),
        until_closed=sys.stdin.fileno() if until_closed else None,
        **options,
    )

    def say(port: Path, hands: Path, seed: int) -> None:
        for line in begun_words(port, hands, seed):
            click.echo(line)

    with speaking_to_people():
        run(settings, state_folder(Places.of(os.environ)), say)


#: Exit status when the lesson is not solved.
FAILED: Final = 1


@click.command()
@click.argument("number", type=IntegerRange(1), default=1)
@click.option("--list", "as_list", is_flag=True, help="List the lessons, and end.")
@click.option("--socket", type=click.Path(path_type=Path), metavar="PATH", help="The service at this socket.")
@click.option(
    "--hands", type=click.Path(path_type=Path), metavar="PATH", help="The simulated board at this socket."
)
def learn(number: int, as_list: bool, socket: Path | None, hands: Path | None) -> None:
    """Begin lesson NUMBER at the running service's board, and say how it ends.

    The game that is played there is abandoned. At a simulated board (`tamsk-hw simulate`) the program's hands set
    the board up, and carry out what comes before the task; at a real one people do. Exits with 0 when the lesson
    is solved, with 1 when it is not, with 3 when no service answers.
    """
    from tamsk_hw.lessons.lessons import all_lessons
    from tamsk_hw.tutor.tutor import text_of

    lessons = all_lessons()
    with speaking_to_people():
        if as_list:
            for place, lesson in enumerate(lessons, start=1):
                click.echo(f"{place:2}  {text_of(lesson).title}")
            return
        if number > len(lessons):
            raise click.UsageError(f"There are {len(lessons)} lessons; tamsk-hw learn --list names them.")
        sys.exit(_teach(lessons, number, socket, hands))


def _teach(lessons: Sequence[Lesson], number: int, socket: Path | None, hands: Path | None) -> int:
    """Teach a lesson; give the exit status."""
    import asyncio

    from tamsk_hw.configuration.reading import Places, state_folder
    from tamsk_hw.lessons.lessons import Stage
    from tamsk_hw.live.client import SERVICE, read_for_ever
    from tamsk_hw.panel.simulated import BOARD
    from tamsk_hw.tutor.tutor import HeardGame, Tutor, progress_words, text_of
    from tamsk_hw.words.table import hint_words, lesson_title_words

    lesson = lessons[number - 1]
    folder = state_folder(Places.of(os.environ))
    services = (socket,) if socket else SERVICE.searched_places(os.environ, folder)
    boards = (hands,) if hands else BOARD.searched_places(os.environ, folder)

    async def teach() -> Progress:
        game = HeardGame()

        def tell(progress: Progress) -> None:
            if progress.ruling is not None:
                click.echo(game.words_of(progress.ruling))
            click.echo(progress_words(lesson, progress))

        reading = asyncio.create_task(read_for_ever(services, game))
        try:
            return await Tutor(game, services, boards, tell).teach(lesson)
        finally:
            reading.cancel()

    click.echo(lesson_title_words(number, len(lessons), text_of(lesson).title))
    try:
        ended = asyncio.run(teach())
    except SocketError as error:
        end(UNREACHABLE, error)
    if ended.stage is Stage.SOLVED:
        return 0
    click.echo(hint_words(text_of(lesson).hint))
    return FAILED


@click.command()
@click.option("--level", type=IntegerRange(1, 3), help="Level of the game; without it that of the configuration.")
@click.option("--seed", type=IntegerRange(min=0), help="The same seed is the same board and the same partner.")
@click.option(
    "--players", type=click.Choice(PLAYERS), default="black", show_default=True, help="Played by the program."
)
@click.option(
    "--strength", type=click.Choice(STRENGTHS), default="fair", show_default=True, help="How well it plays."
)
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
    from random import SystemRandom

    from tamsk_hw.board.wiring import load_wiring
    from tamsk_hw.commands.web import page_beside, show_seats
    from tamsk_hw.configuration import Places, load_configuration
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
        told |= {"players": "none" if learn else players, "strength": strength}
        told |= {"wiring": wiring} if wiring else {}
        with _board_beside([f"--{option}={value}" for option, value in told.items()]):
            address = f"{page}{'learn' if learn else 'table'}"
            click.echo(address)
            show_seats(seats)
            settings = RunSettings(
                level=level, live=folder / LIVE, page=address, beside=configuration.journal_folder
            )
            if not learn and players in ("red", "black") and strength != "lawful":
                settings = replace(
                    settings, partner=Player(players), strength=Strength(strength), plays_itself=True
                )
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
    from tempfile import TemporaryFile

    from tamsk_hw.commands.web import ending

    with TemporaryFile("w+", encoding="utf-8") as errors:
        board = subprocess.Popen(
            [sys.executable, "-u", "-m", "tamsk_hw.commands.main", "simulate", "--until-closed", *told],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,  # a pipe that nobody reads would fill up, and stop the board
            text=True,
            start_new_session=True,  # Ctrl-C is for the program, which then ends the board
        )
        left = Event()
        with ending(board):
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
