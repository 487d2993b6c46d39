"""The command line of ``tamsk-hw games``; `tamsk_hw.commands.games_shown` does it, loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from tamsk_hw.commands.options import CONFIG, HelpfulGroup, speaking_to_people

_NUMBER = click.argument("number")
_YES = click.option("--yes", is_flag=True, help="Do not ask.")
_RED = click.option("--red", metavar="NAME", help="Who played red.")
_BLACK = click.option("--black", metavar="NAME", help="Who played black.")
_FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


def _of_the_journal(command: Callable[[], None]) -> Callable[..., None]:
    """A command that is done by the function of its name in `games_shown`, with the journal that options name."""

    @click.option("--folder", type=click.Path(path_type=Path), help="The journal's folder.")
    @CONFIG
    @click.option("--simulated", is_flag=True, help="The newest simulated games, which are kept by themselves.")
    @wraps(command)
    def with_archive(folder: Path | None, config: Path | None, simulated: bool, **rest: Any) -> None:
        shown = import_module("tamsk_hw.commands.games_shown")
        archive, language = shown.opened(folder, config, simulated=simulated)
        with speaking_to_people(language):
            getattr(shown, command.__name__)(archive, **rest)

    return with_archive


@click.group(cls=HelpfulGroup)
def games() -> None:
    """Look at the games in the journal, name their players, import and delete games.

    While tamsk-hw run holds the journal, it makes the changes: it is asked at the socket of its live stream.
    """


@games.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@_of_the_journal
def print_games() -> None:
    """List all games: number, date, players, level, turns, state, result."""


@games.command("show")
@_NUMBER
@click.option("--json", "as_json", is_flag=True, help="Print all that is known of the game as a JSON object.")
@_of_the_journal
def print_game() -> None:
    """Print the score sheet of game NUMBER."""


@games.command()
@_NUMBER
@click.option(
    "--format",
    "form",
    type=click.Choice(["stream", "sheet", "json"]),
    default="stream",
    show_default=True,
    help="The event stream, as tamsk-hw replay reads it, the score sheet, or both with the rulings as JSON.",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file, in place of what it holds.",
)
@_of_the_journal
def export() -> None:
    """Write game NUMBER to a file, or to standard output."""


@games.command("replay")
@_NUMBER
@_of_the_journal
def replay_game() -> None:
    """Show game NUMBER in a live picture; keys pause it and step through it."""


@games.command()
@_NUMBER
@_YES
@_of_the_journal
def delete() -> None:
    """Delete game NUMBER for good; not while it is played."""


@games.command("name")
@_NUMBER
@_RED
@_BLACK
@_of_the_journal
def name_players() -> None:
    """Say who played game NUMBER; an empty name takes one away."""


@games.command()
@_NUMBER
@click.argument("text")
@_of_the_journal
def annotate() -> None:
    """Add the remark TEXT to game NUMBER, as when its result is wrong; rulings are never rewritten."""


@games.command("erase-name")
@click.argument("name")
@_YES
@_of_the_journal
def erase_name() -> None:
    """Take the player's NAME from all games and remarks, and from the journal's files, for good.

    The games stay. Not while one is being played.
    """


@games.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@_RED
@_BLACK
@_of_the_journal
def import_file() -> None:
    """Take the recorded stream in FILE (- is standard input) into the journal, refereed again.

    It is what `games export` and `run --record` write and `replay` reads. A stream that is in the journal
    already is left there as it is. A last line that was cut off is left out, with a warning.
    """


@games.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@_of_the_journal
def print_players() -> None:
    """List each player's results, and those of each pair of players."""


@games.command("backup")
@_FILE
@_of_the_journal
def back_up_journal() -> None:
    """Copy the whole journal into FILE, in place of what it holds; also while games are played."""


@games.command("restore")
@_FILE
@_of_the_journal
def restore_journal() -> None:
    """Put the backup FILE in the place of the journal; not while a service holds it.

    The journal that was there is kept beside it, as a file of the same kind.
    """
