"""``tamsk-hw learn``: lessons at a running service's board (docs/lessons.md)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tamsk_hw.commands.asking import UNREACHABLE, end
from tamsk_hw.commands.numbers import IntegerRange
from tamsk_hw.errors import SocketError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamsk_hw.lessons.judging import Progress
    from tamsk_hw.lessons.lesson import Lesson

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
    from tamsk_hw.commands.language import speaking_to_people
    from tamsk_hw.lessons.library import all_lessons
    from tamsk_hw.tutor.saying import text_of

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

    from tamsk_hw.configuration.finding import Places, state_folder
    from tamsk_hw.hands import client as hands_client
    from tamsk_hw.lessons.judging import Failed, Solved, Strayed
    from tamsk_hw.live.following import read_for_ever
    from tamsk_hw.live.places import searched_places
    from tamsk_hw.tutor.heard import HeardGame
    from tamsk_hw.tutor.saying import progress_words, text_of
    from tamsk_hw.tutor.tutor import Tutor
    from tamsk_hw.words.lessons import hint_words, lesson_title_words

    lesson = lessons[number - 1]
    folder = state_folder(Places.of(os.environ))
    services = (socket,) if socket else searched_places(os.environ, folder)
    boards = (hands,) if hands else hands_client.searched_places(os.environ, folder)

    async def teach() -> Progress:
        game = HeardGame()

        def tell(progress: Progress) -> None:
            if isinstance(progress, (Solved, Failed, Strayed)):
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
    if isinstance(ended, Solved):
        return 0
    click.echo(hint_words(text_of(lesson).hint))
    return FAILED
