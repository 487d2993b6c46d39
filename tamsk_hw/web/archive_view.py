"""What the archive's pages show: rows of lists, results of players, and a whole game. Without I/O.

A whole game is refereed again for its position and its charts, which takes up to a second: for a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.journal import Mismatch, StoredGame, verify
from tamsk_hw.journal.entries import ruling_line
from tamsk_hw.journal.player_results import Results, player_results, results_against
from tamsk_hw.referee.course import Course, course_of
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.rulings import GameOver, Ruling
from tamsk_hw.referee.sheet import Tally, tallies
from tamsk_hw.svg import Layout, drawing_of, rings_chart, sand_chart
from tamsk_hw.web.cited import Cited, cited
from tamsk_hw.web.shelf import GameKey, ShelvedGame
from tamsk_hw.words import archive_page as words
from tamsk_hw.words.charts import clock_words
from tamsk_hw.words.journal import mismatch_words
from tamsk_hw.words.rulings import reason_words
from tamsk_hw.words.score_sheet import score_sheet

#: Games on one page of the list.
GAMES_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list. ``winner``: who has won; ``shown``: the players' names, their colours without."""

    key: GameKey
    title: str
    names: Mapping[Player, str | None]
    shown: Mapping[Player, str]
    winner: Player | None
    result: str
    rings: str
    level: str
    variants: Sequence[str]
    turns: str
    when: str
    marks: Sequence[str]
    is_open: bool
    """It has no result yet, or never will have one."""


def game_row(game: ShelvedGame) -> GameRow:
    """The row of a game."""
    summary, over = game.summary, game.summary.over
    shown = words.both_names(summary.red, summary.black)
    return GameRow(
        key=game.key,
        title=words.game_title(game.key.number, simulated=game.key.simulated),
        names={Player.RED: summary.red, Player.BLACK: summary.black},
        shown=shown,
        winner=None if over is None else over.winner,
        result=words.result_words(over, shown, is_played=game.is_played),
        rings="" if over is None else f"{over.red_left}:{over.black_left}",
        level=words.level_words(summary.ruleset),
        variants=words.variant_words(summary.ruleset),
        turns=words.turns_words(summary.turns),
        when=words.when_words(summary),
        marks=words.mark_words(summary),
        is_open=over is None,
    )


@dataclass(frozen=True, slots=True)
class GamesPage:
    """One page of a list; pages count from 1."""

    rows: Sequence[GameRow]
    page: int
    pages: int

    @property
    def place(self) -> str:
        """The page's place, in words."""
        return words.page_of_words(self.page, self.pages)


def games_page(games: Sequence[ShelvedGame], page: int) -> GamesPage | None:
    """A page of a list of games; None where there is no such page."""
    pages = max(1, -(-len(games) // GAMES_A_PAGE))
    if not 1 <= page <= pages:
        return None
    first = (page - 1) * GAMES_A_PAGE
    return GamesPage([game_row(game) for game in games[first : first + GAMES_A_PAGE]], page, pages)


def of_player(games: Sequence[ShelvedGame], name: str) -> list[ShelvedGame]:
    """The games in which somebody plays."""
    return [game for game in games if name in (game.summary.red, game.summary.black)]


def players_of(games: Sequence[ShelvedGame]) -> list[str]:
    """The names of all players, in order."""
    names = {name for game in games for name in (game.summary.red, game.summary.black) if name is not None}
    return sorted(names, key=lambda name: (name.casefold(), name))


@dataclass(frozen=True, slots=True)
class ResultRow:
    """Results in a table; ``shown`` is the name as it is shown."""

    name: str
    shown: str
    results: Results


def _rows(results: Mapping[str, Results]) -> list[ResultRow]:
    return [ResultRow(name, words.shown_name(name), each) for name, each in results.items()]


def results_of_all(games: Sequence[ShelvedGame]) -> list[ResultRow]:
    """The results of every player."""
    return _rows(player_results(game.summary for game in games).players)


def pairs_of_all(games: Sequence[ShelvedGame]) -> list[tuple[ResultRow, str, str]]:
    """The results of every pair: those of the first, and the second's name, also as it is shown."""
    pairs = player_results(game.summary for game in games).pairs
    return [
        (ResultRow(one, words.shown_name(one), each), two, words.shown_name(two))
        for (one, two), each in pairs.items()
    ]


def results_of(games: Sequence[ShelvedGame], name: str) -> tuple[Results, list[ResultRow]]:
    """The results of one player, in all and against each other."""
    summaries = [game.summary for game in games]
    own = player_results(summaries).players.get(name, Results())
    return own, _rows(results_against(summaries, name))


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """What a player's card shows."""

    player: Player
    left: int | None
    time: str
    penalties: int
    violations: int


@dataclass(frozen=True, slots=True)
class CourseTables:
    """The charts as SVG, and the same in numbers: rings by time, and of each glass when it ran."""

    rings: Markup
    sand: Markup | None
    rings_by_time: Sequence[tuple[str, int, int]]
    glasses: Sequence[tuple[str, str, str, str]]


@dataclass(frozen=True, slots=True)
class GameContent:
    """All that takes long about a game. ``warning``: this version rules otherwise, or cannot read it."""

    board: Markup | None
    rulings: Sequence[Cited]
    figures: Sequence[PlayerFigures]
    sheet: str
    reason: str
    course: CourseTables | None
    warning: str | None


def game_content(game: StoredGame) -> GameContent:
    """Referee a game again, and draw what is shown of it.

    Raises:
        UnreadableError: this version does not know one of the stored rulings.
    """
    rulings = game.rulings()
    playback, refused = _playback(game)
    warning, course = None, None
    if playback is None:
        warning = mismatch_words(Mismatch(game.number, 0, None, None, refused))
    else:
        course = course_of(playback)
        stored = [line for entry in game.entries for line in entry.rulings]
        if [ruling_line(ruling) for ruling in playback.rulings] != stored:
            mismatch = verify(game)
            warning = None if mismatch is None else mismatch_words(mismatch)
    over = next((ruling for ruling in reversed(rulings) if isinstance(ruling, GameOver)), None)
    names = words.both_names(game.red, game.black)
    view = None if playback is None else playback.at(playback.ends)
    return GameContent(
        board=None if view is None else Markup(drawing_of(view, layout=Layout.BOARD, names=names).svg()),
        rulings=[cited(ruling) for ruling in rulings],
        figures=_figures(rulings, over, None if course is None else course.rings[-1].left),
        sheet=score_sheet(rulings),
        reason="" if over is None else reason_words(over),
        course=None if course is None else _course(course),
        warning=warning,
    )


def _playback(game: StoredGame) -> tuple[Playback | None, str]:
    """The game to be looked at; None with the reason where this version refuses it."""
    try:
        return Playback(*game.header_and_events()), ""
    except (JournalError, TamskError) as error:
        return None, str(error)


def _figures(
    rulings: Sequence[Ruling], over: GameOver | None, left: Mapping[Player, int] | None
) -> list[PlayerFigures]:
    figures: Mapping[Player | None, Tally] = tallies(rulings)
    if over is not None:
        left = {Player.RED: over.red_left, Player.BLACK: over.black_left}
    return [
        PlayerFigures(
            player,
            None if left is None else left[player],
            clock_words(figures[player].seconds),
            figures[player].penalties,
            figures[player].violations,
        )
        for player in PLAYERS
    ]


def _course(course: Course) -> CourseTables:
    return CourseTables(
        rings=Markup(rings_chart(course, prefix="rings-").svg()),
        sand=Markup(sand_chart(course, prefix="sand-").svg()) if course.glasses else None,
        rings_by_time=[
            (clock_words(each.t - course.begins), each.left[Player.RED], each.left[Player.BLACK])
            for each in course.rings
        ],
        glasses=[
            (
                words.glass_name(glass),
                clock_words(glass.samples[0].t - course.begins),
                words.ran_out_words(course, glass),
                words.seconds_left_words(glass),
            )
            for glass in course.glasses
        ],
    )
