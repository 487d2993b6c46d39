"""``tamsk-hw games``: list, show, export, name and delete the journal's games."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import click

from tamsk_hw.commands.options import CONFIG, HelpfulGroup, path_option, speaking_to_people, written_option
from tamsk_hw.commands.replay import read_recording, show_game
from tamsk_hw.configuration import Places, load_configuration
from tamsk_hw.errors import JournalError, printable, shortened
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal import records
from tamsk_hw.journal.archive import Archive, Results, back_up, pairs, restore, simulated_folder
from tamsk_hw.journal.changes import Annotate, Changed, DeleteGame, EraseName, NamePlayers
from tamsk_hw.journal.database import files_with
from tamsk_hw.live.client import change_journal
from tamsk_hw.live.requests import ImportStream
from tamsk_hw.referee.rulings import GameOver, Reason
from tamsk_hw.system.files import write_whole
from tamsk_hw.terminal.picture import print_table
from tamsk_hw.words.notices import mismatch_words
from tamsk_hw.words.score_sheet import score_sheet, sheet_heading

_NUMBER = click.argument("number")
_YES = click.option("--yes", is_flag=True, help="Do not ask.")
_RED = click.option("--red", metavar="NAME", help="Who played red.")
_BLACK = click.option("--black", metavar="NAME", help="Who played black.")
_FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


def _of_the_journal(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the journal that options name as its first argument."""

    @path_option("--folder", metavar="PATH", help="The journal's folder.")
    @CONFIG
    @click.option("--simulated", is_flag=True, help="The newest simulated games, which are kept by themselves.")
    @wraps(command)
    def with_archive(folder: Path | None, config: Path | None, simulated: bool, **rest: Any) -> None:
        language = None
        if folder is None:
            configuration = load_configuration(config, Places.of(os.environ))
            folder, language = configuration.journal_folder, configuration.words.language
        with speaking_to_people(language):
            command(Archive(simulated_folder(folder) if simulated else folder), **rest)

    return with_archive


@click.group(cls=HelpfulGroup)
def games() -> None:
    """Look at the games in the journal, name their players, import and delete games.

    While tamsk-hw run holds the journal, it makes the changes: it is asked at the socket of its live stream.
    """


@games.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@_of_the_journal
def print_games(archive: Archive, *, as_json: bool) -> None:
    """List all games: number, date, players, level, turns, state, result."""
    games = archive.games()
    played = archive.is_played()
    if as_json:
        # Plain ASCII, here and below: a name steers no terminal.
        click.echo(json.dumps([_summary(game, is_played=played) for game in games], indent=2))
        return
    if not games:
        click.echo("No games yet.")
    else:
        columns = ("Game", "Begun", "Red", "Black", "Level", "Turns", "State", "Result")
        rows = [
            (
                str(game.number),
                "imported" if game.imported is not None else records.local_time(game.wall),
                game.red or "-",
                game.black or "-",
                "?" if game.level is None else str(game.level),
                str(game.turns),
                "unfinished" if game.state is records.GameState.RUNNING and not played else game.state.value,
                "-" if game.over is None else _result(game.over, game.red, game.black),
            )
            for game in games
        ]
        print_table(columns, rows, right=("Game", "Level", "Turns"))
    with suppress(JournalError):
        if simulated := len(Archive(simulated_folder(archive.folder)).games()):
            click.echo(f"Besides {simulated} simulated: tamsk-hw games list --simulated")


@games.command("show")
@_NUMBER
@click.option("--json", "as_json", is_flag=True, help="Print all that is known of the game as a JSON object.")
@_of_the_journal
def print_game(archive: Archive, number: str, *, as_json: bool) -> None:
    """Print the score sheet of game NUMBER."""
    game = archive.load(game_number(number))
    click.echo(records.game_document(game) if as_json else _sheet(game))
    _tell_mismatch(game)


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
@written_option("-o", "--output", "file", help="Write to this file")
@_of_the_journal
def export(archive: Archive, number: str, *, form: str, file: Path | None) -> None:
    """Write game NUMBER to a file, or to standard output."""
    game = archive.load(game_number(number))
    if form == "stream":
        content = game.stream.encode()
    else:
        content = f"{_sheet(game) if form == 'sheet' else records.game_document(game)}\n".encode()
    if file is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        _write(file, content)
    _tell_mismatch(game)


@games.command("replay")
@_NUMBER
@_of_the_journal
def replay_game(archive: Archive, number: str) -> None:
    """Show game NUMBER in a live picture; keys pause it and step through it."""
    show_game(*archive.load(game_number(number)).header_and_events())


@games.command()
@_NUMBER
@_YES
@_of_the_journal
def delete(archive: Archive, number: str, *, yes: bool) -> None:
    """Delete game NUMBER for good; not while it is played."""
    wanted = game_number(number)
    game = archive.load_summary(wanted)
    if game.state is not records.GameState.RUNNING and not yes:
        players = printable(f"{game.red or 'red'} - {game.black or 'black'}")
        begun = records.local_time(game.wall)
        if not _is_sure(f"Delete game {wanted} ({begun}, {players}, {game.turns} turns) for good?"):
            click.echo(f"Game {wanted} is kept.")
            return
    _change(archive, DeleteGame(wanted))
    click.echo(f"Game {wanted} is deleted.")


@games.command("name")
@_NUMBER
@_RED
@_BLACK
@_of_the_journal
def name_players(archive: Archive, number: str, *, red: str | None, black: str | None) -> None:
    """Say who played game NUMBER; an empty name takes one away."""
    wanted = game_number(number)
    if red is None and black is None:
        raise JournalError("no name is given; allowed: --red NAME, --black NAME or both")
    _change(archive, NamePlayers(wanted, red, black))
    game = archive.load_summary(wanted)
    red, black = game.red or "not named", game.black or "not named"
    click.echo(printable(f"Game {wanted}: red is {red}, black is {black}."))


@games.command()
@_NUMBER
@click.argument("text")
@_of_the_journal
def annotate(archive: Archive, number: str, text: str) -> None:
    """Add the remark TEXT to game NUMBER, as when its result is wrong; rulings are never rewritten."""
    wanted = game_number(number)
    _change(archive, Annotate(wanted, text))
    click.echo(f"Game {wanted} has the remark.")


@games.command("erase-name")
@click.argument("name")
@_YES
@_of_the_journal
def erase_name(archive: Archive, name: str, *, yes: bool) -> None:
    """Take the player's NAME from all games and remarks, and from the journal's files, for good.

    The games stay. Not while one is being played.
    """
    name = records.checked_name(name) or ""
    if not yes and not _is_sure(f"Take the name {printable(name)} from all games, for good?"):
        click.echo("The name is kept.")
        return
    outcome = _change(archive, EraseName(name))
    click.echo(f"The name is taken from {_games(outcome.games or 0)}.")
    for file in files_with(archive.folder, name):
        click.echo(f"{file} has it still, and is left as it is.")


@games.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@_RED
@_BLACK
@_of_the_journal
def import_file(archive: Archive, file: str, *, red: str | None, black: str | None) -> None:
    """Take the recorded stream in FILE (- is standard input) into the journal, refereed again.

    It is what `games export` and `run --record` write and `replay` reads. A stream that is in the journal
    already is left there as it is. A last line that was cut off is left out, with a warning.
    """
    warnings: list[str] = []
    stream, name = read_recording(file, warnings.append)
    wanted = ImportStream(stream, records.checked_name(red), records.checked_name(black))
    outcome = change_journal(archive.folder, wanted, time.time(), name)
    for warning in warnings:
        click.echo(f"tamsk-hw: {printable(warning)}", err=True)
    words = "is this game already; nothing was changed" if outcome.already else "is imported"
    click.echo(f"Game {outcome.game} {words}.")


@games.command("backup")
@_FILE
@_of_the_journal
def back_up_journal(archive: Archive, file: Path) -> None:
    """Copy the whole journal into FILE, in place of what it holds; also while games are played."""
    count = back_up(archive.folder, file)
    click.echo(f"{file}: {_games(count)}, verified.")


@games.command("restore")
@_FILE
@_of_the_journal
def restore_journal(archive: Archive, file: Path) -> None:
    """Put the backup FILE in the place of the journal; not while a service holds it.

    The journal that was there is kept beside it, as a file of the same kind.
    """
    count, aside = restore(archive.folder, file)
    click.echo(f"The journal has {_games(count)} now.")
    if aside is not None:
        click.echo(f"Those that it had before are kept in {aside}.")


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _change(archive: Archive, change: NamePlayers | DeleteGame | Annotate | EraseName) -> Changed:
    return change_journal(archive.folder, change, time.time(), "")


def _is_sure(question: str) -> bool:
    try:
        return click.confirm(question)
    except click.Abort:
        click.echo("\nNobody answers; --yes does it without asking.", err=True)
        return False


@games.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@_of_the_journal
def print_players(archive: Archive, *, as_json: bool) -> None:
    """List each player's results, and those of each pair of players."""
    results = archive.results()
    players = {name: each for name, each in results.items() if each.games}
    between = pairs(results)
    if as_json:
        listed = [{"name": name, **_counts(each)} for name, each in players.items()]
        against = [{"name": one, "against": two, **_counts(each)} for (one, two), each in between.items()]
        click.echo(json.dumps({"players": listed, "pairs": against}, indent=2))
        return
    if not players:
        click.echo("No finished games with names yet; name players with: tamsk-hw games name NUMBER --red NAME")
        return
    numbers = ("Games", "Won", "As red", "As black", "Lost", "Tied")
    print_table(("Player", *numbers), [(name, *_cells(each)) for name, each in players.items()], right=numbers)
    if between:
        click.echo()
        rows = [(one, two, *_cells(each)) for (one, two), each in between.items()]
        print_table(("Player", "Against", *numbers), rows, right=numbers)


def game_number(text: str) -> int:
    """The number of a game, as people typed it."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise JournalError(f"game {shortened(text)}: allowed: a number, see tamsk-hw games list")
    return int(text)


def _result(over: GameOver, red: str | None, black: str | None) -> str:
    """A result for a line of a table: who won, by what, the rings left to red and black."""
    rings = f"rings left {over.rings_left[Player.RED]}:{over.rings_left[Player.BLACK]}"
    if over.winner is None:
        return "no result" if over.reason is Reason.ABANDONED else f"tie, {rings}"
    name = (red if over.winner is Player.RED else black) or str(over.winner)
    return f"{name} wins, {over.reason.value.replace('_', ' ')}, {rings}"


def _sheet(game: records.StoredGame) -> str:
    """The score sheet with its heading."""
    wall = game.sittings[0].wall if game.sittings else None
    imported = None if game.imported is None else records.local_time(game.imported)
    remarks = [(records.local_time(each.wall), each.text) for each in game.annotations]
    heading = sheet_heading(game, records.local_time(wall), imported, remarks)
    return "\n".join([*map(printable, heading), score_sheet(game.rulings())])


def _tell_mismatch(game: records.StoredGame) -> None:
    mismatch = records.verify(game)
    if mismatch is not None:
        sys.stdout.flush()
        click.echo(f"tamsk-hw: {printable(mismatch_words(mismatch))}", err=True)


def _summary(game: records.GameSummary, *, is_played: bool) -> dict[str, Any]:
    return {
        "number": game.number,
        "begun": records.iso_time(game.wall),
        **{key: getattr(game, key) for key in ("red", "black", "board", "level")},
        "state": game.state.value,
        "played": is_played and game.state is records.GameState.RUNNING,
        "note": game.note,
        "imported": records.iso_time(game.imported),
        "annotations": game.annotations,
        "turns": game.turns,
        "events": game.events,
        "result": None if game.over is None else game.over.as_dict(),
    }


def _counts(results: Results) -> dict[str, int]:
    return {key: getattr(results, key) for key in ("games", "won", "won_as_red", "won_as_black", "lost", "tied")}


def _cells(results: Results) -> tuple[str, ...]:
    return tuple(map(str, _counts(results).values()))


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all; a pipe or device is written directly."""
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(content)
        else:
            write_whole(file, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None
