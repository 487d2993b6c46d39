"""``tamsk-hw simulate``, a simulated board for others to use, and ``learn``, lessons at a running one."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from tamsk_hw.commands.options import (
    UNREACHABLE,
    IntegerRange,
    end,
    path_option,
    players_option,
    socket_places,
    speaking_to_people,
    strength_option,
)
from tamsk_hw.configuration.reading import Places, state_folder
from tamsk_hw.errors import SocketError
from tamsk_hw.game.tubes import Player
from tamsk_hw.hands import simulating
from tamsk_hw.lessons.lessons import Lesson, Progress, Stage, all_lessons
from tamsk_hw.live.client import SERVICE, read_for_ever
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.partner import Strength
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.tutor.tutor import HeardGame, Tutor, progress_words, text_of
from tamsk_hw.words.table import begun_words, hint_words, lesson_title_words


@click.command()
@path_option("--port", metavar="PATH", help="Make the board's port here.")
@path_option("--hands", metavar="SOCKET", help="Let hands ask at this socket.")
@path_option("--live", metavar="SOCKET", help="The service whose players play.")
@click.option("--seed", type=IntegerRange(min=0), help="The same seed is the same board and the same players.")
@click.option(
    "--setup",
    type=click.Choice(["corners", "free", "box"]),
    help="Glasses on the start tubes, off the board, or glasses and timer off the board.",
)
@players_option("none", "named")
@strength_option("lawful", "How well they play: lawful keeps the rules and no more.")
@path_option("--wiring", metavar="MAP", help="The board of this wiring map.")
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
    until_closed: bool,
    **options: Any,
) -> None:
    """Run a simulated board at a serial port, in real time, until Ctrl-C.

    A configured service, doctor, selftest, calibrate and frames take it for a real one. Nothing happens on it but
    what `tamsk-hw hands` does, or players that the program plays (--players). It prints the configuration by which
    a service has its port, buttons and lights.
    """
    played = {"none": (), "named": (), "both": tuple(Player)}

    def say(port: Path, hands: Path, seed: int) -> None:
        for line in begun_words(port, hands, seed):
            click.echo(line)

    with speaking_to_people():
        simulating.simulate(
            state_folder(Places.of(os.environ)),
            say,
            port=None if port is None else port.absolute(),
            hands=None if hands is None else hands.absolute(),
            setup=None if setup is None else WorldStart(setup),
            players=played[players] if players in played else (Player(players),),
            follows_names=players == "named",
            strength=None if strength == "lawful" else Strength(strength),
            until_closed=sys.stdin.fileno() if until_closed else None,
            **options,
        )


#: Exit status when the lesson is not solved.
FAILED: Final = 1


@click.command()
@click.argument("number", type=IntegerRange(1), default=1)
@click.option("--list", "as_list", is_flag=True, help="List the lessons, and end.")
@path_option("--socket", metavar="PATH", help="The service at this socket.")
@path_option("--hands", metavar="PATH", help="The simulated board at this socket.")
def learn(number: int, as_list: bool, socket: Path | None, hands: Path | None) -> None:
    """Begin lesson NUMBER at the running service's board, and say how it ends.

    The game that is played there is abandoned. At a simulated board (`tamsk-hw simulate`) the program's hands set
    the board up, and carry out what comes before the task; at a real one people do. Exits with 0 when the lesson
    is solved, with 1 when it is not, with 3 when no service answers.
    """
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
    lesson = lessons[number - 1]
    services, boards = socket_places(SERVICE, socket), socket_places(BOARD, hands)

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
