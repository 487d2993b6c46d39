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
    @click.option("--simulated", is_flag=True, help="The newest simulated games, which are kept by themselves.")
    @wraps(command)
    def with_archive(folder: Path | None, config: Path | None, simulated: bool, **rest: Any) -> None:
        from tamsk_hw.commands.games_shown import opened
        from tamsk_hw.commands.language import speaking_to_people

        archive, language = opened(folder, config, simulated=simulated)
        with speaking_to_people(language):
            command(archive, **rest)

    return with_archive


@click.group(cls=HelpfulGroup)
def games() -> None:
    """Look at the games in the journal, name their players, import and delete games.

    While tamsk-hw run holds the journal, it makes the changes: it is asked at the socket of its live stream.
    """


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


@games.command("replay")
@click.argument("number")
@_of_the_journal
def games_replay(archive: Archive, number: str) -> None:
    """Show game NUMBER in a live picture; keys pause it and step through it."""
    from tamsk_hw.commands.games_shown import game_number
    from tamsk_hw.commands.replay_picture import show_game

    show_game(archive, game_number(number))


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


@games.command("annotate")
@click.argument("number")
@click.argument("text")
@_of_the_journal
def games_annotate(archive: Archive, number: str, text: str) -> None:
    """Add the remark TEXT to game NUMBER, as when its result is wrong; rulings are never rewritten."""
    from tamsk_hw.commands.games_shown import annotate

    annotate(archive, number, text)


@games.command("erase-name")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_of_the_journal
def games_erase_name(archive: Archive, name: str, yes: bool) -> None:
    """Take the player's NAME from all games and remarks, and from the journal's files, for good.

    The games stay. Not while one is being played.
    """
    from tamsk_hw.commands.games_shown import erase_name

    erase_name(archive, name, yes=yes)


@games.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--red", metavar="NAME", help="Who played red.")
@click.option("--black", metavar="NAME", help="Who played black.")
@_of_the_journal
def games_import(archive: Archive, file: str, red: str | None, black: str | None) -> None:
    """Take the recorded stream in FILE (- is standard input) into the journal, refereed again.

    It is what `games export` and `run --record` write and `replay` reads. A stream that is in the journal
    already is left there as it is. A last line that was cut off is left out, with a warning.
    """
    from tamsk_hw.commands.games_shown import import_file

    import_file(archive, file, red=red, black=black)


@games.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@_of_the_journal
def games_players(archive: Archive, as_json: bool) -> None:
    """List each player's results, and those of each pair of players."""
    from tamsk_hw.commands.games_shown import print_players

    print_players(archive, as_json=as_json)


@games.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_of_the_journal
def games_backup(archive: Archive, file: Path) -> None:
    """Copy the whole journal into FILE, in place of what it holds; also while games are played."""
    from tamsk_hw.commands.games_shown import back_up_journal

    back_up_journal(archive, file)


@games.command("restore")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_of_the_journal
def games_restore(archive: Archive, file: Path) -> None:
    """Put the backup FILE in the place of the journal; not while a service holds it.

    The journal that was there is kept beside it, as a file of the same kind.
    """
    from tamsk_hw.commands.games_shown import restore_journal

    restore_journal(archive, file)
