"""The archive: lists of games and players, a game with all that is known of it, and its downloads.

The journal is read in threads, one whole game at a time; nothing here writes it.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from typing import Any, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.journal import StoredGame
from tamsk_hw.journal.changes import DeleteGame, EraseName
from tamsk_hw.journal.document import game_document
from tamsk_hw.web.archive_changes import ArchiveChanges
from tamsk_hw.web.archive_view import (
    GameContent,
    game_content,
    game_row,
    games_page,
    of_player,
    pairs_of_all,
    players_of,
    results_of,
    results_of_all,
)
from tamsk_hw.web.gate import FORM_HEADERS, Gate
from tamsk_hw.web.journal_answers import about_game, reading
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.shelf import GameKey, Shelf, ShelvedGame
from tamsk_hw.words import archive_page as words
from tamsk_hw.words.translating import spoken

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
