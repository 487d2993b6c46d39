"""The arbiter's changes in the archive: names, remarks, games that go, and games that come from a file.

The page writes nothing. It asks the program that has the journal, at its socket; without one it says which command
does the same in a shell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, assert_never

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from tamsk_hw.errors import JournalError, LiveError, printable
from tamsk_hw.forms import from_json
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import Annotate, Changed, DeleteGame, EraseName, NamePlayers, checked_remark
from tamsk_hw.journal.database import holder_of
from tamsk_hw.journal.records import checked_name
from tamsk_hw.journal.trouble import JournalHolder
from tamsk_hw.live.client import AskedChange, ask_owner
from tamsk_hw.live.requests import ImportStream
from tamsk_hw.web.gate import PostGuard
from tamsk_hw.web.pages import GameKey, GameRepository, with_query
from tamsk_hw.web.posted import PostRefused, malformed, posted_name, read_upload
from tamsk_hw.web.security import DeskAnswer
from tamsk_hw.words.translating import capital, ntr, tr


class ArchiveChanges:
    """Takes the posts to the archive of everybody who is signed in."""

    def __init__(self, games: GameRepository, guard: PostGuard) -> None:
        self._games = games
        self._guard = guard

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses to which it is posted; they stand before those of games."""
        return [
            self._guard.route("/games/change", self.change),
            self._guard.raw_route("/games/import", self.take_in),
        ]

    async def change(self, request: Request, fields: dict[str, str]) -> Response:
        """Rename players, add a remark, delete a game or erase a name."""

        def begin() -> Coroutine[Any, Any, DeskAnswer] | str:
            change, key = _read(fields)
            if isinstance(change, DeleteGame | EraseName) and fields.get("confirmed") != "yes":
                _, page, _, _ = _described(change, key)
                return with_query(page, confirm="erase" if isinstance(change, EraseName) else "delete")
            return self._ask(change, key)

        return await self._guard.do_once(request, fields, begin)

    async def take_in(self, request: Request) -> Response:
        """Import a recorded stream from a file."""
        self._guard.signed_in(request)
        fields, stream = await read_upload(request)

        def begin() -> Coroutine[Any, Any, DeskAnswer]:
            if not stream.strip():
                raise PostRefused(400, tr("No file was chosen, or it is empty."))
            return self._ask(ImportStream(stream, posted_name(fields, "red"), posted_name(fields, "black")), None)

        return await self._guard.do_once(request, fields, begin)

    async def _ask(self, change: AskedChange, key: GameKey | None) -> DeskAnswer:
        """Ask the program that has the journal."""
        simulated = key is not None and key.simulated
        command, page, after, done_words = _described(change, key)
        holder = await asyncio.to_thread(self._holder, simulated=simulated)
        if holder is None:
            return DeskAnswer(
                lambda: tr(
                    "No service runs that has the journal; nothing was changed. In a shell: {command}",
                    command=command,
                ),
                where=page,
            )
        if holder.asked_at is None:
            return DeskAnswer(
                lambda: tr(
                    "Another program has the journal just now and takes no changes; nothing was changed. "
                    "Try again when it has ended, or in a shell: {command}",
                    command=command,
                ),
                where=page,
            )
        try:
            answer = await asyncio.to_thread(ask_owner, holder.asked_at, change, simulated=simulated)
            outcome, done = from_json(Changed, answer, "the service's answer"), int(answer["done"])
        except JournalError as error:
            reason = capital(printable(str(error)))
            return DeskAnswer(lambda: tr("Refused; nothing was changed. {reason}", reason=reason), where=page)
        except (LiveError, LookupError, ValueError, TypeError):
            return DeskAnswer(
                lambda: tr("The service has not answered; look at the list of games before you try again."),
                where=page,
            )
        return DeskAnswer(lambda: done_words(outcome), done, after or f"/games/{outcome.game}")

    def _holder(self, *, simulated: bool) -> JournalHolder | None:
        """The program that changes the journal: the one that has it, else one with simulated games beside it."""
        beside = simulated_folder(self._games.folder)
        return holder_of(beside) if simulated else holder_of(self._games.folder) or holder_of(beside)


def _read(fields: Mapping[str, str]) -> tuple[NamePlayers | DeleteGame | Annotate | EraseName, GameKey | None]:
    """The change that a form asks for, and the game that it is about.

    Raises:
        PostRefused: no form of the archive asks for that.
    """
    what, key = fields.get("change"), GameKey.parse(fields.get("game", ""))
    try:
        if what == "erase":
            name = checked_name(fields.get("name"))
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
