"""``tamsk-hw games``: the journal's games listed, shown, exported, named and deleted."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from tamsk_hw.configuration import Places, load_configuration
from tamsk_hw.errors import JournalError, printable
from tamsk_hw.game.players import Player
from tamsk_hw.journal import Archive, GameState, GameSummary, StoredGame, verify
from tamsk_hw.journal.player_results import Results, player_results
from tamsk_hw.referee.header import shortened
from tamsk_hw.referee.rulings import GameOver, Reason
from tamsk_hw.system.files import write_whole
from tamsk_hw.system.language import Language
from tamsk_hw.terminal.tables import print_table
from tamsk_hw.words.journal import mismatch_words
from tamsk_hw.words.score_sheet import score_sheet, sheet_heading


def opened(folder: Path | None, config: Path | None) -> tuple[Archive, Language | None]:
    """The journal in a folder, or in the one that the configuration names, and the language that is configured.

    Raises:
        ConfigError: the configuration is refused.
    """
    if folder is not None:
        return Archive(folder), None
    configuration = load_configuration(config, Places.of(os.environ))
    return Archive(configuration.journal_folder), configuration.words.language


def print_games(archive: Archive, *, as_json: bool) -> None:
    """Print the list of games."""
    games = archive.games()
    played = archive.is_played()
    if as_json:
        _print_json([_summary(game, is_played=played) for game in games])
    elif not games:
        click.echo(
            "No games yet: the journal keeps those at a board (of a simulated one, run --record FILE does)."
        )
    else:
        columns = ("Game", "Begun", "Red", "Black", "Level", "Turns", "State", "Result")
        rows = [
            (
                str(game.number),
                _date(game.wall),
                game.red or "-",
                game.black or "-",
                "?" if game.level is None else str(game.level),
                str(game.turns),
                "unfinished" if game.state is GameState.RUNNING and not played else game.state.value,
                "-" if game.over is None else _result(game.over, game.red, game.black),
            )
            for game in games
        ]
        print_table(columns, rows, right=("Game", "Level", "Turns"))


def print_game(archive: Archive, number: str, *, as_json: bool) -> None:
    """Print a game: who played it and when, its score sheet, and how it stands."""
    game = archive.load(_number(number))
    if as_json:
        click.echo(_document(game))
    else:
        click.echo(_sheet(game))
    _tell_mismatch(game)


def export(archive: Archive, number: str, *, form: str, file: Path | None) -> None:
    """Write a game to a file, or to standard output.

    Raises:
        JournalError: there is no such game, or its record is damaged; nothing is written.
        OSError: the file cannot be written.
    """
    game = archive.load(_number(number))
    forms: dict[str, Callable[[StoredGame], str]] = {"stream": _stream, "sheet": _sheet, "json": _document}
    content = f"{forms[form](game)}\n".encode()
    if file is None:
        output = sys.stdout.buffer
        output.write(content)
        output.flush()
    else:
        _write(file, content)
    _tell_mismatch(game)


def delete(archive: Archive, number: str, *, yes: bool) -> None:
    """Delete a game, after a question; never one that is not over."""
    wanted = _number(number)
    game = archive.load_summary(wanted)
    if game.state is not GameState.RUNNING and not yes:
        players = printable(f"{game.red or 'red'} - {game.black or 'black'}")
        question = f"Delete game {wanted} ({_date(game.wall)}, {players}, {game.turns} turns) for good?"
        try:
            sure = click.confirm(question)
        except click.Abort:
            click.echo("\nNobody answers; --yes deletes it without asking.", err=True)
            sure = False
        if not sure:
            click.echo(f"Game {wanted} is kept.")
            return
    archive.delete(wanted)
    click.echo(f"Game {wanted} is deleted.")


def name_players(archive: Archive, number: str, *, red: str | None, black: str | None) -> None:
    """Say afterwards who played a game; an empty name takes one away."""
    wanted = _number(number)
    if red is None and black is None:
        raise JournalError("no name is given; allowed: --red NAME, --black NAME or both")
    archive.rename(wanted, red=red, black=black)
    game = archive.load_summary(wanted)
    red, black = game.red or "not named", game.black or "not named"
    click.echo(printable(f"Game {wanted}: red is {red}, black is {black}."))


def print_players(archive: Archive, *, as_json: bool) -> None:
    """Print each player's results, and those of each pair."""
    results = player_results(archive.games())
    if as_json:
        players = [{"name": name, **_counts(each)} for name, each in results.players.items()]
        pairs = [{"name": one, "against": two, **_counts(each)} for (one, two), each in results.pairs.items()]
        _print_json({"players": players, "pairs": pairs})
        return
    if not results.players:
        click.echo("No finished games with names yet; name players with: tamsk-hw games name NUMBER --red NAME")
        return
    numbers = ("Games", "Won", "As red", "As black", "Lost", "Tied")
    print_table(
        ("Player", *numbers), [(name, *_cells(each)) for name, each in results.players.items()], right=numbers
    )
    if results.pairs:
        click.echo()
        rows = [(one, two, *_cells(each)) for (one, two), each in results.pairs.items()]
        print_table(("Player", "Against", *numbers), rows, right=numbers)


def _number(text: str) -> int:
    """The number of a game, as people typed it."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise JournalError(f"game {shortened(text)}: allowed: a number, see tamsk-hw games list")
    return int(text)


def _date(wall: float | None) -> str:
    """A time of day in this place's time; "?" for one that no calendar has."""
    try:
        return "?" if wall is None else f"{datetime.fromtimestamp(wall):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return "?"


def _iso(wall: float | None) -> str | None:
    try:
        return None if wall is None else datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return None


def _result(over: GameOver, red: str | None, black: str | None) -> str:
    """A result for a line of a table: who won, by what, the rings left to red and black."""
    rings = f"rings left {over.red_left}:{over.black_left}"
    if over.winner is None:
        return "no result" if over.reason is Reason.ABANDONED else f"tie, {rings}"
    name = (red if over.winner is Player.RED else black) or str(over.winner)
    return f"{name} wins, {over.reason.value.replace('_', ' ')}, {rings}"


def _stream(game: StoredGame) -> str:
    """The recorded stream, byte for byte."""
    return game.stream.removesuffix("\n")


def _sheet(game: StoredGame) -> str:
    """The score sheet with its heading."""
    wall = game.sittings[0].wall if game.sittings else None
    return "\n".join([*map(printable, sheet_heading(game, _date(wall))), score_sheet(game.rulings())])


def _tell_mismatch(game: StoredGame) -> None:
    mismatch = verify(game)
    if mismatch is not None:
        sys.stdout.flush()
        click.echo(f"tamsk-hw: {printable(mismatch_words(mismatch))}", err=True)


def _summary(game: GameSummary, *, is_played: bool) -> dict[str, Any]:
    return {
        "number": game.number,
        "begun": _iso(game.wall),
        "red": game.red,
        "black": game.black,
        "board": game.board,
        "level": game.level,
        "state": game.state.value,
        "played": is_played and game.state is GameState.RUNNING,
        "note": game.note,
        "turns": game.turns,
        "events": game.events,
        "result": None if game.over is None else game.over.as_dict(),
    }


def _document(game: StoredGame) -> str:
    """All that the journal has of a game, as one JSON object in plain ASCII."""
    record = {
        "number": game.number,
        "state": game.state.value,
        "note": game.note,
        "red": game.red,
        "black": game.black,
        "board": game.board,
        "program": game.program,
        "sittings": [
            {"begun": _iso(each.wall), "monotonic_zero": each.monotonic_zero, "boot": each.boot}
            for each in game.sittings
        ],
        "header": json.loads(game.header_line),
        "entries": [
            {
                "number": entry.number,
                "written": _iso(entry.wall),
                "event": json.loads(entry.line),
                "rulings": [json.loads(line) for line in entry.rulings],
            }
            for entry in game.entries
        ],
    }
    return json.dumps(record, indent=2)


def _counts(results: Results) -> dict[str, int]:
    return {
        "games": results.games,
        "won": results.won,
        "won_as_red": results.won_as_red,
        "won_as_black": results.won_as_black,
        "lost": results.lost,
        "tied": results.tied,
    }


def _cells(results: Results) -> tuple[str, ...]:
    return tuple(map(str, _counts(results).values()))


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))  # plain ASCII: a name steers no terminal


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all; a pipe or device is written directly."""
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(content)
        else:
            write_whole(file, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None
