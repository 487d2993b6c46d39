"""Words of the pages: the table's level, players and result, a game's course in charts, the archive."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Final, assert_never

from tamsk_hw.errors import printable
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import PLAYERS, RINGS_EACH, TUBES, Player
from tamsk_hw.journal.records import GameState, GameSummary, local_time
from tamsk_hw.panel.diagnosis import Diagnosis, PlayerStatus
from tamsk_hw.referee.playback import Course, GlassCourse
from tamsk_hw.referee.rulings import Reason
from tamsk_hw.system.output import marked
from tamsk_hw.words.translating import capital, ntr, player_words, tr, tr_in, worded


def clock_words(seconds: float) -> str:
    """A time of the game as minutes and seconds: ``4:30``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def line_label(player: Player, number: int) -> str:
    """A line's name, with the number of rings left or of a player's glass: ``red 1``."""
    return tr("{player} {number}", player=player, number=number)


def glass_labels(course: Course) -> list[str]:
    """The names of the glasses, in the course's order."""
    numbers: Counter[Player] = Counter()
    labels = []
    for glass in course.glasses:
        numbers[glass.owner] += 1
        labels.append(line_label(glass.owner, numbers[glass.owner]))
    return labels


def rings_description(course: Course) -> str:
    """The rings that both players have left at the end, for people who cannot see the chart."""
    _, left = course.rings[-1]
    return tr(
        "{Red} {red_left} and {black} {black_left} of {each} rings left after {time}.",
        red=Player.RED,
        red_left=left[Player.RED],
        black=Player.BLACK,
        black_left=left[Player.BLACK],
        each=RINGS_EACH,
        time=clock_words(course.ends - course.begins),
    )


def sand_description(course: Course) -> str:
    """The times at which glasses ran out, for people who cannot see the chart."""
    said = []
    for glass, name in zip(course.glasses, glass_labels(course), strict=True):
        if any(each.is_lost for each in glass.samples):
            said.append(tr("{glass} ran out at {time}", glass=name, time=ran_out_words(course, glass)))
        else:
            said.append(tr("{glass} has not run out", glass=name))
    if not said:
        return tr("No glass was started.")
    return f"{capital(tr_in('between orders', '; ').join(said))}."


TITLE: Final = "TAMSK"


#: The names of the program (`PARTNER_NAMES`), which are kept in English.
_PROGRAM: Final = marked("tamsk-hw (easy)"), marked("tamsk-hw (fair)"), marked("tamsk-hw (strong)")

#: Classes of characters that steer the direction of a text, or a terminal.
_STEERING: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def shown_name(name: str) -> str:
    """A name as a page shows it: characters that steer something stand as their numbers."""
    if name in _PROGRAM:
        return worded(name)
    return "".join(
        printable(character)
        if unicodedata.category(character) in ("Cc", "Cs") or unicodedata.bidirectional(character) in _STEERING
        else character
        for character in name
    )


def both_names(red: str | None, black: str | None) -> dict[Player, str]:
    """The players' names as a page shows them, their colours without."""
    names = zip(PLAYERS, (red, black), strict=True)
    return {player: shown_name(name) if name else capital(player_words(player)) for player, name in names}


def result_words(diagnosis: Diagnosis, names: Mapping[Player, str]) -> str | None:
    """The result in large letters; None before the end."""
    over = diagnosis.headline.over
    if over is None:
        return None
    winner = next((player for player in PLAYERS if diagnosis.players[player].stance is PlayerStatus.WON), None)
    if winner is not None:
        return tr("{name} wins", name=names[winner])
    return tr("A tie") if over.reason is Reason.TIE else tr("No result")


def date_words(wall: float | None) -> str:
    """A date, the board's time of day and its zone, since a reader may be elsewhere.

    ``wall`` is in seconds since 1970. Empty for None and for a year past 9999.
    """
    return local_time(wall, "%Y-%m-%d %H:%M %Z", "")


def game_title(number: int, *, simulated: bool) -> str:
    """A game by its number."""
    return tr("Simulated game {number}", number=number) if simulated else tr("Game {number}", number=number)


def outcome_words(game: GameSummary, *, is_played: bool) -> str:
    """The result in a few words."""
    over = game.over
    if over is None:
        return tr("being played") if is_played else tr("unfinished")
    if over.winner is not None:
        return tr("{name} wins", name=both_names(game.red, game.black)[over.winner])
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


def ran_out_words(course: Course, glass: GlassCourse) -> str:
    """The time at which a glass ran out; a dash for one that still runs."""
    lost = next((each.t for each in glass.samples if each.is_lost), None)
    return "–" if lost is None else clock_words(lost - course.begins)
