"""The pages: the answer of each address, the games that they show, and the events that each browser gets.

Each browser reads at its own pace from the lines that are kept; nothing is queued for it. One that takes nothing
for `PATIENCE` is given up. States are not kept: a browser that comes late gets the newest.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from importlib.resources import files
from inspect import isfunction
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from weakref import WeakValueDictionary

from jinja2 import DictLoader, Environment, StrictUndefined, select_autoescape
from markdown_it import MarkdownIt
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.journal.archive import Archive, GameChoice, Results, simulated_folder
from tamsk_hw.journal.changes import MOST_IMPORT
from tamsk_hw.journal.records import GameSummary, StoredGame
from tamsk_hw.panel.diagnosis import TIMER_SECONDS, whole_seconds
from tamsk_hw.referee.rulings import BaseRuling, Ruling
from tamsk_hw.referee.sheet import pairs, plies
from tamsk_hw.svg import Theme, elements, signs, stylesheet, things
from tamsk_hw.system.output import Language
from tamsk_hw.web import requests, shown
from tamsk_hw.web.live import LineKind, LiveTable, NewsFeed, StreamPlace, server_sent
from tamsk_hw.web.scene import Fingerprints, Parts, TableScene, as_text
from tamsk_hw.web.seats import SeenTable
from tamsk_hw.web.security import STYLED_CONTENT_SECURITY_POLICY
from tamsk_hw.words import arbiter as words_arbiter
from tamsk_hw.words import pages as words_pages
from tamsk_hw.words import rules as words_rules
from tamsk_hw.words import rulings as words_rulings
from tamsk_hw.words import score_sheet as words_score_sheet
from tamsk_hw.words import table as words_table
from tamsk_hw.words import translating
from tamsk_hw.words.pages import TITLE, game_title, result_words
from tamsk_hw.words.prompts import orders
from tamsk_hw.words.rules import rule_book
from tamsk_hw.words.rulings import is_routine
from tamsk_hw.words.translating import capital, spoken, tr

#: Numbers as addresses have them: no zero before them, and no more digits than any journal has games.
_KEY: Final = re.compile(r"(s?)([1-9][0-9]{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameKey:
    """A game by its number in the journal, or in that of the simulated games: ``12`` or ``s3`` in an address."""

    number: int
    simulated: bool = False

    def __str__(self) -> str:
        return f"{'s' if self.simulated else ''}{self.number}"

    @classmethod
    def parse(cls, text: str) -> GameKey | None:
        """The key in an address; None for a text that is none."""
        found = _KEY.fullmatch(text)
        return None if found is None else cls(int(found[2]), simulated=bool(found[1]))


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list. ``is_played``: it is being played at this moment."""

    key: GameKey
    summary: GameSummary
    is_played: bool


#: Games on one page of a list.
GAMES_A_PAGE: Final = 50


class GameRepository:
    """The journal in a folder, and the simulated games that are kept beside it.

    Every method opens the database and closes it again; anything that takes long belongs in a thread. It needs
    only the right to read: the folder, the database and what SQLite keeps beside it. All raise `JournalError` when
    the journal cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._archives = {False: Archive(folder), True: Archive(simulated_folder(folder))}

    def games(self, choice: GameChoice, page: int, *, simulated: bool = False) -> tuple[list[ListedGame], int]:
        """A page, from 1 on, of the journal's chosen games or the simulated ones, and how many pages they fill."""
        archive = self._archives[simulated]
        played = archive.running() if archive.is_played() else None
        found, count = archive.newest(choice, (page - 1) * GAMES_A_PAGE, GAMES_A_PAGE)
        rows = [ListedGame(GameKey(each.number, simulated), each, each.number == played) for each in found]
        return rows, -(-count // GAMES_A_PAGE)

    def results(self) -> dict[str, Results]:
        """The results of all players, by name."""
        return self._archives[False].results()

    def summary(self, key: GameKey) -> ListedGame:
        """A game's entry in the list.

        Raises:
            NoGameError: there is no such game.
        """
        archive = self._archives[key.simulated]
        played = archive.is_played() and archive.running() == key.number
        return ListedGame(key, archive.load_summary(key.number), played)

    def load(self, key: GameKey) -> StoredGame:
        """A whole game.

        Raises:
            NoGameError: there is no such game.
            UnreadableError: its record is damaged.
        """
        return self._archives[key.simulated].load(key.number)


#: Rulings that the scoreboard shows, of those that matter and of routine each, as many as a browser keeps.
SHOWN_RULINGS: Final = 30

#: Rows of moves that the scoreboard shows: a turn of each player.
SHOWN_ROWS: Final = 20

#: Revisions of which it is known what a browser has that shows them.
KNOWN_REVISIONS: Final = 32

#: The parts of the overlay.
_PARTS: Final = ("board", "cards", "timer", "rulings")

#: For answers that may be kept for a year: an address with the content's fingerprint.
_FOR_EVER: Final = "public, max-age=31536000, immutable"

#: Markdown without HTML of its own.
_MARKDOWN: Final = MarkdownIt("js-default", {"html": False})

_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
}


def load_assets() -> dict[str, tuple[bytes, str]]:
    """Everything below ``/static``, by name, with its fingerprint; the drawing's colours among it."""
    folder = files("tamsk_hw.web").joinpath("static")
    assets = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    assets["drawing.css"] = stylesheet().encode()
    return {name: (data, blake2b(data, digest_size=6).hexdigest()) for name, data in assets.items()}


def load_templates() -> dict[str, str]:
    """All templates by name, read at once: an update of the program changes nothing for a page that runs."""
    folder = files("tamsk_hw.web").joinpath("templates")
    return {each.name: each.read_text(encoding="utf-8") for each in folder.iterdir()}


def with_query(address: str, **asked: str | int) -> str:
    """The address with more in its query; nothing is added for "" and for 1."""
    given = {name: str(value) for name, value in asked.items() if value not in ("", 1)}
    return f"{address}{'&' if '?' in address else '?'}{urlencode(given)}" if given else address


#: The modules whose functions templates call by their names.
_CALLED: Final = (
    *(words_arbiter, words_pages, words_rules, words_rulings, words_score_sheet, words_table, translating),
    *(requests, shown, elements, signs, things),
)

#: Functions and values for all templates, besides those that each page is given.
_GLOBALS: Final[dict[str, Any]] = {
    name: value
    for module in _CALLED
    for name, value in vars(module).items()
    if isfunction(value) and value.__module__ == module.__name__
} | {
    "Player": Player,
    "PLAYERS": PLAYERS,
    "most_mib": MOST_IMPORT >> 20,
    "timer_seconds": TIMER_SECONDS,
    "may_be_put_right": lambda question: isinstance(question.about, Tube),
}


class Pages:
    """The pages of one table. Other rooms of the page add theirs with `render`."""

    def __init__(self, live: LiveTable, seen: SeenTable | None = None) -> None:
        """``seen``: the same table as eyes see it, for the page at which people play."""
        self.live = live
        self.table = seen or live
        self.at = "" if seen is None else "/table"
        """The beginning of the addresses of this table."""
        self.desk = "/arbiter"
        """The address of the desk of this table's arbiter."""
        self.assets = load_assets()
        self.templates = Environment(
            loader=DictLoader(load_templates()),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            _GLOBALS, static=self.static, has_hands=False, has_lessons=False, is_hall=False
        )
        self.templates.filters.update(capitalised=capital, whole=whole_seconds)
        self.is_arbiter: Callable[[Request], bool] = lambda request: False
        """Somebody is signed in at the arbiter's desk."""
        self.of: Callable[[Request], Pages] = lambda request: self
        """The pages of the table that is meant: in a hall there are many."""
        self.more: NewsFeed | None = None
        """Further news among the table's events: of the lesson that is taught there, or of a hall."""
        self.turns: WeakValueDictionary[GameKey, asyncio.Lock] = WeakValueDictionary()
        """Held while an answer about a game is made (`tamsk_hw.web.archive`)."""
        self._kept: dict[tuple[str, ...], tuple[bytes, bytes]] = {}
        self._kept_at = ""
        self._known: OrderedDict[str, Fingerprints] = OrderedDict()
        """The parts of the last revisions that were sent."""

    def of_table(self, live: LiveTable, at: str) -> Pages:
        """The pages of another table, which begin with the address ``at``, by the same templates."""
        pages = copy(self)
        pages.live = pages.table = live
        pages.at, pages.desk = at, f"{at}{self.desk}"
        pages.more, pages._kept, pages._kept_at, pages._known = None, {}, "", OrderedDict()
        return pages

    def static(self, name: str) -> str:
        """The address of an asset, new with each content."""
        return f"/static/{name}?v={self.assets[name][1]}"

    def render(self, request: Request, template: str, status: int = 200, **more: Any) -> Response:
        """A page of a template."""
        path, query = request.url.path, request.url.query
        # What was posted is not asked for again: back to the page where that was done.
        back = f"{path}?{query}" if query else path
        if request.method == "POST":
            back = path.rpartition("/")[0] or "/"
        text = self.text(
            template, path=path, back=back, languages=Language, is_arbiter=self.is_arbiter(request), **more
        )
        return HTMLResponse(text.encode(errors="replace"), status, {"Cache-Control": "no-store"})

    def text(self, template: str, **more: Any) -> str:
        """A template in the language that is spoken."""
        return self.templates.get_template(template).render(
            {"language": spoken().value, "desk": self.desk, **more}
        )

    # What is asked for.

    async def scoreboard(self, request: Request) -> Response:
        """``/``: the scoreboard."""
        return self.render(request, "scoreboard.html", **self.whole())

    async def overlay(self, request: Request) -> Response:
        """``/overlay?theme=THEME&parts=PART,PART``: the same without a background, for a stream."""
        theme = _chosen(Theme, request.query_params.get("theme"), Theme.DARK)
        parts = set(request.query_params.get("parts", "").split(",")) & set(_PARTS) or {"board", "cards", "timer"}
        without = " ".join(f"no-{part}" for part in _PARTS if part not in parts)
        answer = self.render(request, "overlay.html", theme=theme.value, without=without, **self.whole())
        answer.headers["Content-Security-Policy"] = STYLED_CONTENT_SECURITY_POLICY
        return answer

    async def overlay_text(self, request: Request) -> Response:
        """``/overlay.json``: names, rings left, clocks and the line that matters, for other software."""
        scene = self.table.scene
        if scene is None:
            return _nothing_yet()
        return JSONResponse(as_text(scene), headers={"Cache-Control": "no-store"})

    async def now(self, request: Request) -> Response:
        """``/now?at=REVISION&from=REVISION``: the part of the scoreboard that shows the table.

        For a browser that shows the revision ``from``, what has not changed since is left out (see `Parts`).
        """
        scene = self.table.scene
        if scene is None:
            return _nothing_yet()
        before = request.query_params.get("from")
        had = None if before is None else self._known.get(_in_language(before))
        return self._once(
            request,
            scene,
            "now" if had is None else f"now-from-{before}",
            "text/html; charset=utf-8",
            lambda: self._now(scene, had),
        )

    async def board(self, request: Request) -> Response:
        """``/board.svg?theme=THEME``: the drawing alone, light or dark."""
        scene = self.table.scene
        if scene is None:
            return _nothing_yet()
        theme = _chosen(Theme, request.query_params.get("theme"), Theme.LIGHT)
        return self._once(request, scene, theme.value, _TYPES[".svg"], lambda: shown.board_svg(scene, theme))

    async def rules(self, request: Request) -> Response:
        """``/rules``: every clause, each with its anchor."""
        return self.render(request, "rules.html", book=rule_book(), markdown=_MARKDOWN.render)

    async def events(self, request: Request) -> ASGIApp:
        """``/events?since=PLACE``: the table's events, as long as not too many watch."""
        if self.live.streams >= MOST_WATCHERS + FOR_ARBITERS * self.is_arbiter(request):
            why = tr("Too many are watching at the moment; try again in half a minute.")
            return PlainTextResponse(why, 503, {"Retry-After": "30"})
        named = request.headers.get("last-event-id") or request.query_params.get("since")
        return EventStream(self, StreamPlace.read(named))

    async def file(self, request: Request) -> Response:
        """``/static/NAME``: what the pages load."""
        name = request.path_params["name"]
        if name not in self.assets:
            return self.missing(request)
        data, fingerprint = self.assets[name]
        tag = f'"{fingerprint}"'
        lasting = request.query_params.get("v") == fingerprint
        headers = {"ETag": tag, "Cache-Control": _FOR_EVER if lasting else "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers, media_type=_TYPES[f".{name.rpartition('.')[2]}"])

    def missing(self, request: Request) -> Response:
        """There is nothing at this address."""
        return self.render(request, "refused.html", 404, title=tr("There is no such page."))

    # How it is made.

    def _now(self, scene: TableScene, had: Fingerprints | None) -> str:
        """The table for a browser that has these parts of it."""
        parts = Parts(had)
        text = self.text("_now.html", **{**self._scene(scene), "parts": parts})
        self._remember(scene, parts)
        return text

    def _remember(self, scene: TableScene, parts: Parts) -> None:
        """Keep the parts of a scene, which get their fingerprints as a template is filled in."""
        self._known.setdefault(_in_language(scene.at), parts.fingerprints)
        if len(self._known) > KNOWN_REVISIONS:
            self._known.popitem(last=False)

    def rulings(self, most: int) -> list[Mapping[str, Any]]:
        """The newest rulings of the current game and decisions of the arbiter, the newest first.

        There are ``most`` that matter, and as many that are routine.
        """
        counts: Counter[bool] = Counter()
        found = []
        for line in reversed(self.live.kept.current(LineKind.RULING, LineKind.DECISION)):
            routine = isinstance(line.fact, BaseRuling) and is_routine(line.fact)
            counts[routine] += 1
            if counts[routine] <= most:
                found.append(line.shown())
        return found

    def whole(self) -> dict[str, Any]:
        """Everything known of the table, for a template."""
        live, scene = self.live, self.table.scene
        place = live.kept.place
        now: dict[str, Any] = {"scene": None, "title": TITLE} if scene is None else self._scene(scene)
        if scene is not None:
            self._remember(scene, now["parts"])
        return {
            "absence": live.absence,
            "since": datetime.fromtimestamp(live.since).astimezone().strftime("%H:%M:%S %Z"),
            "place": "" if place is None else str(place),
            "rulings": self.rulings(SHOWN_RULINGS),
            "now": f"{self.at}/now",
            "events": f"{self.at}/events",
            **now,
        }

    def _scene(self, scene: TableScene) -> dict[str, Any]:
        """The scene at the table, for a template."""
        kept, service = self.live.kept, self.live.service
        return self.shown(
            scene,
            simulated=service is not None and service.simulated,
            speed=1.0 if service is None else service.speed,
            game=self._game_link(),
            rulings=kept.rulings(),
        )

    def shown(
        self,
        scene: TableScene,
        *,
        simulated: bool,
        speed: float,
        game: tuple[str, str] | None = None,
        rulings: Sequence[Ruling] = (),
    ) -> dict[str, Any]:
        """The contents of the template ``_now.html`` for any scene.

        ``speed``: seconds of the game to a real one; ``game``: address and name of its page; ``rulings``: those of
        the game so far, of which the moves are listed.
        """
        view, result = scene.view, result_words(scene.diagnosis, scene.shown_names)
        return {
            "parts": Parts(),
            "scene": scene,
            "simulated": simulated,
            "speed": speed,
            "result": result,
            "title": f"{result} · {TITLE}" if result else TITLE,
            "orders": orders(view.wrong, setup=view.number == 0) if view.over is None else [],
            "game": game,
            "moves": pairs(plies(rulings))[: -SHOWN_ROWS - 1 : -1],
            "answers": scene.at_hand and requests.answers_now(scene.state, rulings),
        }

    def _game_link(self) -> tuple[str, str] | None:
        """The address and the name of the current game's page; None while the game is in no journal."""
        service, game = self.live.service, self.live.kept.game
        if service is None or game is None or game.number is None:
            return None
        key = GameKey(game.number, service.simulated)
        return f"/games/{key}", game_title(key.number, simulated=key.simulated)

    def _once(
        self, request: Request, scene: TableScene, what: str, media_type: str, make: Callable[[], str]
    ) -> Response:
        """An answer that is made once for all who ask in a language while the revision stays.

        Who names the revision moves the sand himself, and may have it already. For others it is made again.
        """
        if self._kept_at != scene.at:
            self._kept.clear()
            self._kept_at = scene.at
        named = request.query_params.get("at")
        key = (what, spoken().value)
        if named != scene.at or key not in self._kept:
            data = make().encode(errors="replace")
            self._kept[key] = data, gzip.compress(data, 5, mtime=0)
        data, packed = self._kept[key]
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding", "X-Tamsk-At": scene.at}
        if named == scene.at:
            headers["ETag"] = f'"{scene.at}-{"-".join(key)}"'
            if request.headers.get("if-none-match") == headers["ETag"]:
                return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            data, headers["Content-Encoding"] = packed, "gzip"
        return Response(data, headers=headers, media_type=media_type)


def _in_language(revision: str) -> str:
    """A revision in the language that is spoken."""
    return f"{revision}-{spoken().value}"


def _chosen(kind: type[Any], value: str | None, usual: Any) -> Any:
    """The member of an enumeration that was asked for, else the usual one."""
    return next((each for each in kind if each.value == value), usual)


def _nothing_yet() -> Response:
    return PlainTextResponse(tr("Nothing is known of the table yet."), 503, {"Retry-After": "1"})


#: Real seconds for which a browser may take nothing.
PATIENCE: Final = 20.0

#: Real seconds of silence after which an event shows that the connection lives. After 25 it counts as lost
#: (static/line.js).
HEARTBEAT: Final = 10.0

#: The most streams at a time, and how many more the arbiter may have.
MOST_WATCHERS: Final = 1000
FOR_ARBITERS: Final = 100

_ALIVE: Final = server_sent("alive", {})

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class EventStream:
    """One browser's stream, as an ASGI application, until the page ends."""

    def __init__(self, pages: Pages, place: StreamPlace | None) -> None:
        """``place`` is the last line that the browser had."""
        self._live, self._table, self._more = pages.live, pages.table, pages.more
        self._place = place
        self._service = self._state = self._said = b""
        self._woken = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser has gone or takes nothing more."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_until_gone(receive))
        watched: set[NewsFeed] = {self._live, self._table, self._more or self._table}
        for each in watched:
            each.watch(self._woken.set)
        self._live.streams += 1
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._live.streams -= 1
            for each in watched:
                each.leave(self._woken.set)
            for task in (sending, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError, TimeoutError, OSError):
                    await task

    async def _send(self, send: Send) -> None:
        while not self._live.is_closing:
            self._woken.clear()
            if events := self._news():
                await _write(send, events)
                continue
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await self._woken.wait()
            except TimeoutError:
                await _write(send, _ALIVE)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _news(self) -> bytes:
        """The events since the last call."""
        live, kept = self._live, self._live.kept
        pieces = []
        if live.service_sent is not self._service:
            self._service = live.service_sent
            pieces.append(self._service)
        if self._more is not None and (said := self._more.sent()) != self._said:
            self._said = said
            pieces.append(said)
        if kept.life is not None and (lines := kept.after(kept.begin(self._place))):
            self._place = lines[-1].place
            pieces += [line.sent for line in lines]
        elif self._table.state_sent is not self._state:
            self._state = self._table.state_sent
            pieces.append(self._state)
        return b"".join(pieces)


async def _write(send: Send, data: bytes) -> None:
    """Send. Raises `TimeoutError` when nobody takes it."""
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
