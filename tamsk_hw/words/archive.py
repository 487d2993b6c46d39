"""Words of the archive's pages."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from tamsk_hw.errors import printable
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import PLAYERS, TUBES, Player
from tamsk_hw.journal import GameState, GameSummary
from tamsk_hw.journal.changes import MOST_IMPORT, Annotate, Changed, DeleteGame, EraseName, NamePlayers
from tamsk_hw.panel.diagnosis import whole_seconds
from tamsk_hw.referee.playback import Course, GlassCourse
from tamsk_hw.referee.rulings import GameOver, Reason
from tamsk_hw.words.pages import clock_words
from tamsk_hw.words.translating import capital, ntr, player_words, tr, tr_in

#: Classes of characters that steer the direction of a text, or a terminal.
_STEERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def labels() -> Mapping[str, str]:
    """Headings, buttons and the like, in the language that is spoken."""
    return {
        "games": tr("Games"),
        "players": tr("Players"),
        "arbiter": tr_in("a link", "Arbiter"),
        "simulated_games": tr("Simulated games"),
        "simulated_lead": tr("The newest games of the simulated board. They count for nobody's results."),
        "no_games": tr("No games yet."),
        "no_games_hint": tr("Every game that is played on the board appears here by itself."),
        "no_results": tr("No finished game has names of players yet."),
        "unreadable": tr("The journal cannot be read"),
        "unreadable_hint": tr("The page's user must be in the group of the journal's folder, which it may read."),
        "damaged": tr("This game cannot be read"),
        "player": tr("Player"),
        "all_players": tr("All players"),
        "show": tr_in("a button", "Show"),
        "older": tr("Older games"),
        "newer": tr("Newer games"),
        "pages": tr("Pages"),
        "number": tr_in("a column", "Game"),
        "played": tr_in("a column", "Games"),
        "won": tr_in("a column", "Won"),
        "as_red": tr_in("a column", "As red"),
        "as_black": tr_in("a column", "As black"),
        "lost": tr_in("a column", "Lost"),
        "tied": tr_in("a column", "Tied"),
        "against": tr("Against each other"),
        "opponent": tr_in("a column", "Against"),
        "results": tr("Results"),
        "final_position": tr("Final position"),
        "present_position": tr("The position at the end of the record"),
        "rings_left": tr("rings left"),
        "time": tr("time"),
        "penalties": tr("penalties"),
        "violations": tr("violations"),
        "score_sheet": tr("Score sheet"),
        "rulings": tr("Rulings"),
        "course": tr("The course of the game"),
        "as_table": tr("The same as a table"),
        "glass": tr_in("a column", "Glass"),
        "started": tr_in("a column", "Started"),
        "ran_out": tr_in("a column", "Ran out"),
        "sand_left": tr_in("a column", "Seconds left at the end"),
        "replay": tr("Replay"),
        "to_scoreboard": tr("This game is being played: to the scoreboard"),
        "download_stream": tr("Download the stream"),
        "download_json": tr("Download as JSON"),
        "remarks": tr("Remarks"),
        "change": tr("For the arbiter"),
        "names": tr("Names of the players"),
        "red_name": tr("{Player}'s name", player=Player.RED),
        "black_name": tr("{Player}'s name", player=Player.BLACK),
        "save_names": tr("Change the names"),
        "remark": tr("Remark"),
        "remark_hint": tr("As on a result that was wrong: rulings are never rewritten."),
        "add_remark": tr("Add the remark"),
        "delete": tr("Delete this game"),
        "erase": tr("Erase this name"),
        "erase_hint": tr("The name goes from all games and remarks; the games stay."),
        "import": tr("Import a game"),
        "import_hint": tr("A recorded stream, of at most {count} MiB.", count=MOST_IMPORT >> 20),
        "file": tr("File"),
        "import_button": tr("Import"),
        "yes": tr_in("a button", "Yes"),
        "cancel": tr("No, go back"),
    }


def shown_name(name: str) -> str:
    """A name as a page shows it: characters that steer something stand as their numbers."""
    return "".join(
        printable(character)
        if unicodedata.category(character) in ("Cc", "Cs") or unicodedata.bidirectional(character) in _STEERING
        else character
        for character in name
    )


def player_name(player: Player, name: str | None) -> str:
    """A player's name; his colour without one."""
    return capital(player_words(player)) if name is None else shown_name(name)


def another_words() -> str:
    """The way from a finished game to the next one."""
    return tr("Another game")


def date_words(wall: float | None) -> str:
    """A date, the board's time of day and its zone, since a reader may be elsewhere.

    ``wall`` is in seconds since 1970. Empty for None and for a year past 9999.
    """
    try:
        return "" if wall is None else f"{datetime.fromtimestamp(wall).astimezone():%Y-%m-%d %H:%M %Z}"
    except (OverflowError, ValueError, OSError):
        return ""


def game_title(number: int, *, simulated: bool) -> str:
    """A game by its number."""
    return tr("Simulated game {number}", number=number) if simulated else tr("Game {number}", number=number)


def result_words(over: GameOver | None, names: Mapping[Player, str], *, is_played: bool) -> str:
    """The result in a few words."""
    if over is None:
        return tr("being played") if is_played else tr("unfinished")
    if over.winner is not None:
        return tr("{name} wins", name=names[over.winner])
    return tr("no result") if over.reason is Reason.ABANDONED else tr("tie")


def state_words(game: GameSummary, *, is_played: bool) -> str | None:
    """The state of a game that has no result; None for one that has."""
    if game.over is not None:
        return None
    match game.state:
        case GameState.RUNNING:
            return tr("It is being played.") if is_played else tr("It is unfinished.")
        case GameState.ABANDONED:
            return tr("It was abandoned.")
        case GameState.SET_ASIDE:
            if game.note is None:
                return tr("It was set aside.")
            return tr("It was set aside: {note}.", note=shown_name(game.note))
        case GameState.FINISHED:
            return None
        case _:
            assert_never(game.state)


def level_words(ruleset: Ruleset | None) -> str:
    """The level; a question mark for a game that this version does not know how to play."""
    return tr("Level {level}", level="?" if ruleset is None else ruleset.level)


def variant_words(ruleset: Ruleset | None) -> list[str]:
    """The variants (R8) by which a game was played, and a smaller board; none for the usual ones."""
    if ruleset is None:
        return []
    found = []
    if ruleset.start is Start.FREE:
        found.append(tr("free start"))
    if ruleset.level == 3 and ruleset.late_penalty is LatePenalty.LOSE_TURN:
        found.append(tr("lateness costs a turn"))
    if ruleset.level == 3 and not ruleset.forfeit_penalised:
        found.append(tr("a turn lost by the timer costs no more"))
    if len(ruleset.tubes) != len(TUBES):
        found.append(ntr("{count} tube", "{count} tubes", len(ruleset.tubes)))
    return found


def mark_words(game: GameSummary) -> list[str]:
    """Marks of a game in a list: imported, with remarks."""
    marks = [] if game.imported is None else [tr("imported")]
    if game.annotations:
        marks.append(ntr("{count} remark", "{count} remarks", game.annotations))
    return marks


def turns_words(turns: int) -> str:
    """The number of turns."""
    return ntr("{count} turn", "{count} turns", turns)


def when_words(game: GameSummary) -> str:
    """The time at which a game was begun or imported."""
    return date_words(game.wall if game.imported is None else game.imported)


def page_of_words(page: int, pages: int) -> str:
    """The place of a page in a long list."""
    return tr("Page {page} of {pages}", page=page, pages=pages)


def unknown_player_words(name: str) -> str:
    """Nobody of that name has a game."""
    return tr("No game of {name} is in the journal.", name=shown_name(name[:100]))


def glass_name(glass: GlassCourse) -> str:
    """A glass of the charts: ``Red 1``."""
    return f"{capital(player_words(glass.owner))} {glass.name.rpartition('-')[2]}"


def ran_out_words(course: Course, glass: GlassCourse) -> str:
    """The time at which a glass ran out; a dash for one that still runs."""
    lost = next((each.t for each in glass.samples if each.is_lost), None)
    return "–" if lost is None else clock_words(lost - course.begins)


def seconds_left_words(glass: GlassCourse) -> str:
    """The sand of a glass at the end."""
    last = glass.samples[-1]
    least, most = whole_seconds(last.least), whole_seconds(last.most)
    return str(most) if least == most else f"{least}–{most}"


# What the arbiter changes.

#: A change that is asked for; None: a recorded stream is imported.
JournalDeed = NamePlayers | DeleteGame | Annotate | EraseName | None


def sure_words(deed: DeleteGame | EraseName, title: str) -> str:
    """The question before something is taken away for good."""
    match deed:
        case DeleteGame():
            return tr("Delete it for good? {Game}", game=title)
        case EraseName(name):
            return tr("Take the name {name} from all games, for good?", name=shown_name(name))
        case _:
            assert_never(deed)


def changed_words(deed: JournalDeed, outcome: Changed) -> str:
    """A change that was made."""
    match deed:
        case NamePlayers():
            return tr("The names are changed.")
        case DeleteGame(game):
            return tr("Game {number} is deleted.", number=game)
        case Annotate():
            return tr("The remark is added.")
        case EraseName():
            return ntr(
                "The name is taken from {count} game.", "The name is taken from {count} games.", outcome.games or 0
            )
        case None:
            if outcome.already:
                return tr("This game is in the journal already; nothing was changed.")
            return tr("The game is imported.")
        case _:
            assert_never(deed)


def refused_words(reason: str) -> str:
    """A change that was refused."""
    return tr("Refused; nothing was changed. {reason}", reason=capital(printable(reason)))


def nobody_words(command: str) -> str:
    """No program has the journal, so nobody can be asked to change it."""
    return tr("No service runs that has the journal; nothing was changed. In a shell: {command}", command=command)


def held_words(command: str) -> str:
    """A program has the journal that takes no changes."""
    return tr(
        "Another program has the journal just now and takes no changes; nothing was changed. "
        "Try again when it has ended, or in a shell: {command}",
        command=command,
    )


def silent_words() -> str:
    """The service did not answer in time."""
    return tr("The service has not answered; look at the list of games before you try again.")


def no_stream_words() -> str:
    """No file was chosen."""
    return tr("No file was chosen, or it is empty.")


def too_large_words() -> str:
    """The posted file is larger than a stream may be."""
    return tr(
        "That is too large: at most {count} MiB. In a shell: tamsk-hw games import FILE", count=MOST_IMPORT >> 20
    )


def both_names(red: str | None, black: str | None) -> dict[Player, str]:
    """The players' names, their colours without."""
    return {player: player_name(player, name) for player, name in zip(PLAYERS, (red, black), strict=True)}
