"""The archive's pages.

What the archive's pages show: rows of lists, results of players, and a whole game. Without I/O.

A whole game is refereed again for its position and its charts, which takes up to a second: for a thread.

Answers that are made from the journal, and the pages for a game or a journal that cannot be had.

Some take seconds, in a thread. Those about one game are made one after the other, so that no game keeps the
threads from the others; a browser waits `MOST_SECONDS` at most.

The archive: lists of games and players, a game with all that is known of it, and its downloads.

The journal is read in threads, one whole game at a time; nothing here writes it.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import JournalError, TamskError
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.journal import Mismatch, NoGameError, StoredGame, UnreadableError, verify
from tamsk_hw.journal.archive import Results, player_results, results_against
from tamsk_hw.journal.changes import DeleteGame, EraseName
from tamsk_hw.journal.records import game_document, ruling_line
from tamsk_hw.referee.playback import Course, Playback, course_of
from tamsk_hw.referee.rulings import GameOver, Ruling
from tamsk_hw.referee.sheet import Tally, tallies
from tamsk_hw.svg import Layout, drawing_of, rings_chart, sand_chart
from tamsk_hw.web.archive_changes import ArchiveChanges
from tamsk_hw.web.gate import FORM_HEADERS, Gate
from tamsk_hw.web.live import Cited, cited
from tamsk_hw.web.pages import GameKey, Pages, Shelf, ShelvedGame
from tamsk_hw.words import archive as words
from tamsk_hw.words.notices import mismatch_words
from tamsk_hw.words.pages import clock_words, takes_long_words
from tamsk_hw.words.rulings import reason_words
from tamsk_hw.words.score_sheet import score_sheet
from tamsk_hw.words.translating import spoken

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
        rings="" if over is None else f"{over.rings_left[Player.RED]}:{over.rings_left[Player.BLACK]}",
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
        left = over.rings_left
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


#: Real seconds for which a browser waits for an answer.
MOST_SECONDS: Final = 10.0

#: Answers a request.
Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


def reading(pages: Pages, answer: Answer) -> Answer:
    """Answer from the journal; say plainly which game is not there, or why the journal cannot be read."""

    async def read(request: Request) -> Response:
        try:
            async with asyncio.timeout(MOST_SECONDS):
                return await answer(request)
        except TimeoutError:
            return PlainTextResponse(takes_long_words(), 503, {"Retry-After": "30"})
        except NoGameError:
            return pages.missing(request)
        except JournalError as error:
            damaged = isinstance(error, UnreadableError)
            return pages.render(request, "journal_unreadable.html", 503, damaged=damaged, why=str(error))

    return read


def about_game(pages: Pages, answer: Callable[[Request, GameKey], Awaitable[Response]]) -> Answer:
    """As `reading`, for the game that the address names: its parameter ``key``."""

    async def about(request: Request) -> Response:
        key = GameKey.parse(request.path_params["key"])
        if key is None:
            return pages.missing(request)
        turn = pages.turns.setdefault(key, asyncio.Lock())
        await turn.acquire()
        making = asyncio.ensure_future(answer(request, key))
        making.add_done_callback(lambda _: turn.release())  # a thread goes on when nobody waits for it any more
        return await asyncio.shield(making)

    return reading(pages, about)


#: Games of which the content is kept, of some 300 kB each.
MOST_CONTENTS: Final = 16

#: The most characters of a name in an address.
_MOST_NAME: Final = 100

_PAGE: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


class ArchivePages:
    """The pages of the games on a shelf. Who is signed in at the ``gate`` has forms to change them."""

    def __init__(self, pages: Pages, shelf: Shelf, gate: Gate) -> None:
        self._pages = pages
        self._shelf = shelf
        self._gate = gate
        self._contents: OrderedDict[tuple[Any, ...], GameContent] = OrderedDict()

    @property
    def routes(self) -> list[BaseRoute]:
        """The archive's addresses."""
        return [
            *ArchiveChanges(self._shelf, self._gate).routes,
            Route("/games", reading(self._pages, self.games), methods=["GET"]),
            Route("/players", reading(self._pages, self.players), methods=["GET"]),
            Route("/games/{key}", about_game(self._pages, self.game), methods=["GET"]),
            Route("/games/{key}/stream", about_game(self._pages, self.stream), methods=["GET"]),
            Route("/games/{key}/json", about_game(self._pages, self.json), methods=["GET"]),
        ]

    async def games(self, request: Request) -> Response:
        """``/games``: the list of games, ``?player=NAME`` those of one player, ``?page=2`` the older ones."""
        name, page = request.query_params.get("player", ""), _page(request)
        listed = await run_in_threadpool(self._shelf.games)
        chosen = of_player(listed, name) if name else listed
        shown = games_page(chosen, page)
        if shown is None or len(name) > _MOST_NAME:
            return self._pages.missing(request)
        simulated: list[ShelvedGame] = []
        if page == 1 and not name:
            simulated = await run_in_threadpool(self._shelf.games, simulated=True)
        return self._render(
            request,
            "games.html",
            list=shown,
            simulated=[game_row(game) for game in simulated],
            players=players_of(listed),
            player=name,
            unknown=words.unknown_player_words(name) if name and not chosen else None,
            address=lambda page: _address("/games", player=name, page=page),
        )

    async def players(self, request: Request) -> Response:
        """``/players``: everybody's results; ``?name=NAME``: one player's, head to head, and his games."""
        name = request.query_params.get("name", "")
        listed = await run_in_threadpool(self._shelf.games)
        if not name:
            return self._render(
                request, "players.html", results=results_of_all(listed), pairs=pairs_of_all(listed)
            )
        own = of_player(listed, name) if len(name) <= _MOST_NAME else []
        shown = games_page(own, _page(request))
        if not own or shown is None:
            return self._pages.missing(request)
        total, against = results_of(listed, name)
        sure = None
        if request.query_params.get("confirm") == "erase":
            sure = words.sure_words(EraseName(name), "")
        return self._render(
            request,
            "player.html",
            name=name,
            shown_name=words.shown_name(name),
            total=total,
            against=against,
            list=shown,
            sure=sure,
            address=lambda page: _address("/players", name=name, page=page),
        )

    async def game(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY``: a game with its result, position, score sheet, rulings and charts."""
        shelved, game = await run_in_threadpool(lambda: (self._shelf.summary(key), self._shelf.load(key)))
        content = await self._content(shelved, game)
        row = game_row(shelved)
        sure = None
        if request.query_params.get("confirm") == "delete":
            sure = words.sure_words(DeleteGame(key.number), row.title)
        return await run_in_threadpool(  # a long game has thousands of rulings
            self._render,
            request,
            "game.html",
            row=row,
            content=content,
            is_played=shelved.is_played,
            state=words.state_words(shelved.summary, is_played=shelved.is_played),
            remarks=[(words.date_words(each.wall), words.shown_name(each.text)) for each in game.annotations],
            sure=sure,
        )

    async def stream(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY/stream``: the recorded stream, byte for byte."""
        game = await run_in_threadpool(self._shelf.load, key)
        return _download(game.stream, "application/jsonl", key, "jsonl")

    async def json(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY/json``: all that the journal has of the game, as `tamsk-hw games export` writes it."""
        document = await run_in_threadpool(lambda: game_document(self._shelf.load(key)))
        return _download(f"{document}\n", "application/json", key, "json")

    async def _content(self, shelved: ShelvedGame, game: StoredGame) -> GameContent:
        """The slow part of a game's page; kept for games that have ended."""
        known = (shelved.key, game.key, len(game.entries), game.red, game.black, spoken())
        content = self._contents.get(known)
        if content is None:
            content = await run_in_threadpool(game_content, game)
            if not shelved.is_played:
                self._contents[known] = content
                while len(self._contents) > MOST_CONTENTS:
                    self._contents.popitem(last=False)
        else:
            self._contents.move_to_end(known)
        return content

    def _render(self, request: Request, template: str, status: int = 200, **more: Any) -> Response:
        """A page of the archive; for the arbiter with what his forms need, and the answer to his last one."""
        session = self._gate.session(request)
        answer = None if session is None else session.answered(request.query_params.get("answer"))
        shown = self._pages.render(
            request,
            template,
            status,
            csrf=None if session is None else session.csrf,
            fresh=secrets.token_urlsafe(12),
            answer=answer,
            **more,
        )
        if session is not None:
            shown.headers.update(FORM_HEADERS)
        return shown


def _page(request: Request) -> int:
    """The number of the page that is asked for; 0 for a text that is none."""
    asked = request.query_params.get("page", "1")
    return int(asked) if _PAGE.fullmatch(asked) else 0


def _address(path: str, **asked: str | int) -> str:
    """An address with what is asked for, without what is usual."""
    given = {name: str(value) for name, value in asked.items() if value not in ("", 1)}
    return f"{path}?{urlencode(given)}" if given else path


def _download(text: str, media_type: str, key: GameKey, ending: str) -> Response:
    """A file to be kept, under a name that is made of the key alone."""
    name = f"tamsk-{'simulated-' if key.simulated else ''}game-{key.number}.{ending}"
    return Response(
        text.encode(),
        media_type=f"{media_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )
