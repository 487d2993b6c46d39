"""The command line of ``tamsk-hw games``; what it does is loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamsk_hw.commands.help import HelpfulGroup

if TYPE_CHECKING:
    from tamsk_hw.journal import Archive


def _of_the_journal(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose options say where the journal is."""

    @click.option("--folder", type=click.Path(path_type=Path), help="The journal's folder.")
    @click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
    @wraps(command)
    def with_archive(folder: Path | None, config: Path | None, **rest: Any) -> None:
        from tamsk_hw.commands.games_shown import opened
        from tamsk_hw.commands.language import speaking_to_people

        archive, language = opened(folder, config)
        with speaking_to_people(language):
            command(archive, **rest)

    return with_archive


@click.group(cls=HelpfulGroup)
def games() -> None:
    """Look at the games in the journal, name their players, delete them."""


@games.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@_of_the_journal
def games_list(archive: Archive, as_json: bool) -> None:
    """List all games: number, date, players, level, turns, state, result."""
    from tamsk_hw.commands.games_shown import print_games

    print_games(archive, as_json=as_json)


@games.command("show")
@click.argument("number")
@click.option("--json", "as_json", is_flag=True, help="Print all that is known of the game as a JSON object.")
@_of_the_journal
def games_show(archive: Archive, number: str, as_json: bool) -> None:
    """Print the score sheet of game NUMBER."""
    from tamsk_hw.commands.games_shown import print_game

    print_game(archive, number, as_json=as_json)


@games.command("export")
@click.argument("number")
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
def games_export(archive: Archive, number: str, form: str, file: Path | None) -> None:
    """Write game NUMBER to a file, or to standard output."""
    from tamsk_hw.commands.games_shown import export

    export(archive, number, form=form, file=file)


@games.command("delete")
@click.argument("number")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_of_the_journal
def games_delete(archive: Archive, number: str, yes: bool) -> None:
    """Delete game NUMBER for good; not while it is played."""
    from tamsk_hw.commands.games_shown import delete

    delete(archive, number, yes=yes)


@games.command("name")
@click.argument("number")
@click.option("--red", metavar="NAME", help="Who played red.")
@click.option("--black", metavar="NAME", help="Who played black.")
@_of_the_journal
def games_name(archive: Archive, number: str, red: str | None, black: str | None) -> None:
    """Say who played game NUMBER; an empty name takes one away."""
    from tamsk_hw.commands.games_shown import name_players

    name_players(archive, number, red=red, black=black)


@games.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@_of_the_journal
def games_players(archive: Archive, as_json: bool) -> None:
    """List each player's results, and those of each pair of players."""
    from tamsk_hw.commands.games_shown import print_players

    print_players(archive, as_json=as_json)
