"""The archive: lists of games and players, a game with everything that is known of it, and its downloads.

The journal is read in threads, one whole game at a time; nothing here writes it. A game is refereed again for its
position and its charts, which can take seconds. Answers about one game are made one after the other, so that no
game keeps the threads from the others; a browser waits `MOST_SECONDS` at most.

To change something the page asks the program that has the journal, at its socket; without one it says which
command does the same in a shell.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final, TypeAlias, assert_never

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import JournalError, LiveError, TamskError, printable
from tamsk_hw.forms import from_json
from tamsk_hw.journal import records
from tamsk_hw.journal.archive import GameChoice, Results, pairs, simulated_folder
from tamsk_hw.journal.changes import Annotate, Changed, DeleteGame, EraseName, NamePlayers, checked_remark
from tamsk_hw.journal.database import holder_of
from tamsk_hw.journal.trouble import JournalHolder
from tamsk_hw.live.client import AskedChange, ask_owner
from tamsk_hw.live.requests import GameChange, ImportStream
from tamsk_hw.referee import sheet
from tamsk_hw.referee.playback import Playback, course_of
from tamsk_hw.referee.rulings import GameOver
from tamsk_hw.svg import drawing_of, rings_chart, sand_chart
from tamsk_hw.system.output import marked
from tamsk_hw.web.gate import DeskAnswer, PostGuard, malformed, posted_name, read_fields, read_upload
from tamsk_hw.web.live import cited
from tamsk_hw.web.pages import GameKey, GameRepository, ListedGame, Pages, with_query
from tamsk_hw.words.notices import mismatch_words
from tamsk_hw.words.pages import state_words
from tamsk_hw.words.rulings import reason_words
from tamsk_hw.words.translating import capital, ntr, spoken, tr, worded


def game_content(game: records.StoredGame) -> dict[str, Any]:
    """Everything that takes long about a game, for its template.

    Its ``warning`` says that this version rules otherwise, or cannot read the game.

    Raises:
        UnreadableError: this version does not know one of the stored rulings.
    """
    rulings = game.rulings()
    over = next((ruling for ruling in reversed(rulings) if isinstance(ruling, GameOver)), None)
    mismatch: records.Mismatch | None = None
    board = course = None
    told: list[Any] = rulings
    try:
        playback = Playback(*game.header_and_events())
    except (JournalError, TamskError) as error:
        mismatch = records.Mismatch(game.number, 0, None, None, str(error))
    else:
        course = course_of(playback)
        board = Markup(drawing_of(playback.at(playback.ends)).svg())
        stored = [line for entry in game.entries for line in entry.rulings]
        if [records.ruling_line(ruling) for ruling in playback.rulings] != stored:
            mismatch = records.verify(game)
        told = told if mismatch else playback.happenings
    left = over.rings_left if over is not None else None if course is None else course.rings[-1][1]
    return {
        "rulings": [(each.t, cited(each)) for each in told],
        "tallies": sheet.tallies(rulings),
        "moves": sheet.pairs(sheet.plies(rulings)),
        "reason": "" if over is None else reason_words(over),
        "board": board,
        "left": left,
        "course": course,
        "rings_chart": None if course is None else Markup(rings_chart(course, prefix="rings-").svg()),
        "sand_chart": Markup(sand_chart(course, prefix="sand-").svg()) if course and course.glasses else None,
        "warning": None if mismatch is None else mismatch_words(mismatch),
    }


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
            why = tr("Working this out takes more than 10 seconds; try again in half a minute.")
            return PlainTextResponse(why, 503, {"Retry-After": "30"})
        except records.NoGameError:
            return pages.missing(request)
        except JournalError as error:
            damaged = isinstance(error, records.UnreadableError)
            return pages.render(request, "journal_unreadable.html", 503, damaged=damaged, why=str(error))

    return read


def about_game(pages: Pages, answer: Callable[[Request, GameKey], Response]) -> Answer:
    """As `reading`, in a thread, for the game that the address names: its parameter ``key``."""

    async def about(request: Request) -> Response:
        key = GameKey.parse(request.path_params["key"])
        if key is None:
            return pages.missing(request)
        turn = pages.turns.setdefault(key, asyncio.Lock())
        await turn.acquire()
        making = asyncio.ensure_future(run_in_threadpool(answer, request, key))
        making.add_done_callback(lambda _: turn.release())  # a thread goes on when nobody waits for it any more
        return await asyncio.shield(making)

    return reading(pages, about)


#: Games of which the content is kept, of some 300 kB each.
MOST_CONTENTS: Final = 16

_NAME, _DAY = "(?s:.{0,100})", "([0-9]{4}-[0-9]{2}-[0-9]{2})?"

#: What a query for a list of games may hold.
_ASKED: Final = {"name": _NAME, "player": _NAME, "level": "[123]?", "since": _DAY, "until": _DAY} | {
    "kind": "(board|simulated)?",
    "page": "([1-9][0-9]{0,5})?",
}


class ArchivePages:
    """The pages of a repository's games. Who is signed in by ``guard`` has forms to change them."""

    def __init__(self, pages: Pages, games: GameRepository, guard: PostGuard) -> None:
        self._pages = pages
        self._games = games
        self._guard = guard
        self._contents: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()

    @property
    def routes(self) -> list[BaseRoute]:
        """The archive's addresses."""
        return [
            self._guard.route("/games/change", self.change),
            self._guard.route("/games/import", self.add),
            Route("/games", reading(self._pages, self.games), methods=["GET"]),
            Route("/players", reading(self._pages, self.players), methods=["GET"]),
            Route("/games/{key}", about_game(self._pages, self.game), methods=["GET"]),
            Route("/games/{key}/stream", about_game(self._pages, self.stream), methods=["GET"]),
            Route("/games/{key}/json", about_game(self._pages, self.json), methods=["GET"]),
        ]

    async def games(self, request: Request) -> Response:
        """``/games``: the list of games, the newest first; docs/web.md names what it may be asked for.

        Where nobody has played at the board yet, the simulated games stand in its place.
        """
        asked = _asked(request, "player", "level", "since", "until", "kind", "page")
        if asked is None:
            return self._pages.missing(request)
        page, simulated = int(asked.pop("page") or 1), asked["kind"] == "simulated"
        choice = GameChoice(part=asked["player"], level=asked["level"], since=asked["since"], until=asked["until"])
        rows, pages = await run_in_threadpool(self._games.games, choice, page, simulated=simulated)
        if not pages and not any(asked.values()):
            simulated = True
            rows, pages = await run_in_threadpool(self._games.games, choice, page, simulated=True)
        if not rows and page > 1:
            return self._pages.missing(request)
        return self._guard.form_page(
            request,
            "games.html",
            rows=rows,
            page=page,
            pages=pages,
            simulated=simulated,
            asked=asked,
            address=lambda page: with_query("/games", **asked, page=page),
        )

    async def players(self, request: Request) -> Response:
        """``/players``: everybody's results; ``?name=NAME``: one player's, head to head, and his games."""
        asked = _asked(request, "name", "page")
        if asked is None:
            return self._pages.missing(request)
        name, page = asked["name"], int(asked["page"] or 1)
        results = await run_in_threadpool(self._games.results)
        if not name:
            return self._guard.form_page(request, "players.html", results=results, pairs=pairs(results))
        rows, pages = await run_in_threadpool(self._games.games, GameChoice(player=name), page)
        if not rows:
            return self._pages.missing(request)
        return self._guard.form_page(
            request,
            "player.html",
            name=name,
            total=results.get(name, Results()),
            rows=rows,
            page=page,
            pages=pages,
            sure=request.query_params.get("confirm") == "erase",
            address=lambda page: with_query("/players", name=name, page=page),
        )

    def game(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY``: a game with its result, position, score sheet, rulings and charts."""
        listed, game = self._games.summary(key), self._games.load(key)
        return self._guard.form_page(
            request,
            "game.html",
            game=listed,
            content=self._content(listed, game),
            state=state_words(listed.summary, is_played=listed.is_played),
            remarks=game.annotations,
            sure=request.query_params.get("confirm") == "delete",
        )

    def stream(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY/stream``: the recorded stream, byte for byte."""
        return _download(self._games.load(key).stream, "application/jsonl", key, "jsonl")

    def json(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY/json``: the whole record of the game, as `tamsk-hw games export` writes it."""
        return _download(f"{records.game_document(self._games.load(key))}\n", "application/json", key, "json")

    def _content(self, listed: ListedGame, game: records.StoredGame) -> dict[str, Any]:
        """The slow part of a game's page; kept for games that have ended."""
        known = (listed.key, game.key, len(game.entries), game.red, game.black, spoken())
        content = self._contents.pop(known, None) or game_content(game)
        if not listed.is_played:
            self._contents[known] = content
            if len(self._contents) > MOST_CONTENTS:
                self._contents.popitem(last=False)
        return content

    # The arbiter's changes

    async def change(self, request: Request) -> Response:
        """Rename players, add a remark, delete a game or erase a name."""
        fields = await read_fields(request)

        def begin() -> Coroutine[Any, Any, DeskAnswer] | str:
            change, key = _read(fields)
            if isinstance(change, DeleteGame | EraseName) and fields.get("confirmed") != "yes":
                _, page, _, _ = _described(change, key)
                return with_query(page, confirm="erase" if isinstance(change, EraseName) else "delete")
            return self._ask(change, key)

        return await self._guard.do_once(request, fields, begin)

    async def add(self, request: Request) -> Response:
        """Import a recorded stream from a file."""
        self._guard.signed_in(request)
        fields, stream = await read_upload(request)

        def begin() -> Coroutine[Any, Any, DeskAnswer]:
            if not stream.strip():
                raise HTTPException(400, tr("No file was chosen, or it is empty."))
            return self._ask(ImportStream(stream, posted_name(fields, "red"), posted_name(fields, "black")), None)

        return await self._guard.do_once(request, fields, begin)

    async def _ask(self, change: AskedChange, key: GameKey | None) -> DeskAnswer:
        """Ask the program that has the journal."""
        simulated = key is not None and key.simulated
        command, page, after, done_words = _described(change, key)
        holder = await asyncio.to_thread(self._holder, simulated=simulated)
        why = marked("Refused; nothing was changed. {reason}")
        reason = ""
        if holder is None:
            why = marked("No service runs that has the journal; nothing was changed. In a shell: {command}")
        elif holder.asked_at is None:
            why = marked(
                "Another program has the journal just now and takes no changes; nothing was changed. "
                "Try again when it has ended, or in a shell: {command}"
            )
        else:
            try:
                answer = await asyncio.to_thread(ask_owner, holder.asked_at, change, simulated=simulated)
                outcome, done = from_json(Changed, answer, "the service's answer"), int(answer["done"])
                return DeskAnswer(lambda: done_words(outcome), after or f"/games/{outcome.game}", done)
            except JournalError as error:
                reason = capital(printable(str(error)))
            except (LiveError, LookupError, ValueError, TypeError):
                why = marked("The service has not answered; look at the list of games before you try again.")
        return DeskAnswer(lambda: worded(why, command=command, reason=reason), page)

    def _holder(self, *, simulated: bool) -> JournalHolder | None:
        """The program that changes the journal: the one that has it, else one with simulated games beside it."""
        beside = simulated_folder(self._games.folder)
        return holder_of(beside) if simulated else holder_of(self._games.folder) or holder_of(beside)


def _asked(request: Request, *names: str) -> dict[str, str] | None:
    """What a query asks for by these names, "" for what it leaves out; None for what cannot be read."""
    asked = {name: request.query_params.get(name, "") for name in names}
    return asked if all(re.fullmatch(_ASKED[name], value) for name, value in asked.items()) else None


def _download(text: str, media_type: str, key: GameKey, ending: str) -> Response:
    """A file to be kept, under a name that is made of the key alone."""
    name = f"tamsk-{'simulated-' if key.simulated else ''}game-{key.number}.{ending}"
    return Response(
        text.encode(),
        media_type=f"{media_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


def _read(fields: Mapping[str, str]) -> tuple[GameChange, GameKey | None]:
    """The change that a form asks for, and the game that it is about.

    Raises:
        HTTPException: no form of the archive asks for that.
    """
    what, key = fields.get("change"), GameKey.parse(fields.get("game", ""))
    try:
        if what == "erase":
            name = records.checked_name(fields.get("name"))
            if name is not None:
                return EraseName(name), None
        elif key is not None and what == "names":
            red, black = posted_name(fields, "red"), posted_name(fields, "black")
            return NamePlayers(key.number, red or "", black or ""), key
        elif key is not None and what == "annotate":
            return Annotate(key.number, checked_remark(fields.get("text", ""))), key
        elif key is not None and what == "delete":
            return DeleteGame(key.number), key
    except JournalError:
        raise malformed("name" if what == "erase" else "text") from None
    raise malformed()


def _described(change: AskedChange, key: GameKey | None) -> tuple[str, str, str | None, Callable[[Changed], str]]:
    """The command for the same change, the pages before and after it, and its words when it is made.

    The page after an import is that of the new game: None.
    """
    which = "--simulated " if key is not None and key.simulated else ""
    page = "/games" if key is None else f"/games/{key}"
    match change:
        case NamePlayers(game):
            command = f"tamsk-hw games name {which}{game} --red … --black …"
            return command, page, page, lambda _: tr("The names are changed.")
        case DeleteGame(game):
            command = f"tamsk-hw games delete {which}{game}"
            return command, page, "/games", lambda _: tr("Game {number} is deleted.", number=game)
        case Annotate(game):
            command = f"tamsk-hw games annotate {which}{game} …"
            return command, page, page, lambda _: tr("The remark is added.")
        case EraseName(name):
            command = f"tamsk-hw games erase-name {which}…"
            return command, with_query("/players", name=name), "/players", _erased
        case ImportStream():
            return f"tamsk-hw games import {which}FILE", page, None, _imported
        case _:
            assert_never(change)


def _erased(outcome: Changed) -> str:
    count = outcome.games or 0
    return ntr("The name is taken from {count} game.", "The name is taken from {count} games.", count)


def _imported(outcome: Changed) -> str:
    if outcome.already:
        return tr("This game is in the journal already; nothing was changed.")
    return tr("The game is imported.")
