"""What the arbiter changes in the archive: names, remarks, games that go, and games that come from a file.

The page writes nothing. It asks the program that has the journal, at its socket; without one it says what to type.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import assert_never
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import JournalError, LiveError
from tamsk_hw.facts.refusals import DeskRefusal
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import Annotate, DeleteGame, EraseName, NamePlayers, checked_remark
from tamsk_hw.journal.database import holder_of
from tamsk_hw.journal.records import checked_name
from tamsk_hw.journal.trouble import JournalHolder
from tamsk_hw.live.client import AskedChange, ask_owner
from tamsk_hw.live.requests import ImportStream, outcome_of
from tamsk_hw.web.gate import FORM_HEADERS, Gate, request_name
from tamsk_hw.web.pages import GameKey, Shelf
from tamsk_hw.web.posted import JSON, PostRefused, kind_of, read_upload
from tamsk_hw.web.security import DeskAnswer, Session
from tamsk_hw.words import archive as words


class ArchiveChanges:
    """Takes what is posted to the archive by whoever is signed in at the gate."""

    def __init__(self, shelf: Shelf, gate: Gate) -> None:
        self._shelf = shelf
        self._gate = gate

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses to which it is posted; they stand before those of games."""
        return [
            Route("/games/change", self._gate.guarded(self.change), methods=["POST"]),
            Route("/games/import", self._gate.watched(self.take_in), methods=["POST"]),
        ]

    async def change(self, request: Request, fields: dict[str, str]) -> Response:
        """Rename players, add a remark, delete a game or erase a name; asked for twice, it is done once."""
        session = self._gate.checked(request, fields)
        name = request_name(fields)
        answer = session.answers.get(name)
        if answer is None:
            deed, key = _read(fields)
            if isinstance(deed, DeleteGame | EraseName) and fields.get("confirmed") != "yes":
                return RedirectResponse(_asking(deed, key), 303, FORM_HEADERS)
            answer = session.begin(name, self._have_done(deed, key))
        return await _answered(request, name, answer)

    async def take_in(self, request: Request) -> Response:
        """Import a recorded stream from a file."""
        self._gate.signed_in(request)
        fields, stream = await read_upload(request)
        session: Session = self._gate.checked(request, fields)
        name = request_name(fields)
        answer = session.answers.get(name)
        if answer is None:
            if not stream.strip():
                raise PostRefused(400, DeskRefusal.NO_FILE)
            deed = ImportStream(stream, *_names(fields))
            answer = session.begin(name, self._have_done(deed, None))
        return await _answered(request, name, answer)

    async def _have_done(self, deed: AskedChange, key: GameKey | None) -> DeskAnswer:
        """Ask the program that has the journal."""
        simulated = key is not None and key.simulated
        before = _page_of(deed, key)
        said = None if isinstance(deed, ImportStream) else deed
        command = _shell_command(deed, simulated=simulated)
        holder = await asyncio.to_thread(self._holder, simulated=simulated)
        if holder is None:
            return DeskAnswer(partial(words.nobody_words, command), where=before)
        if holder.asked_at is None:
            return DeskAnswer(partial(words.held_words, command), where=before)
        try:
            answer = await asyncio.to_thread(ask_owner, holder.asked_at, deed, simulated=simulated)
            outcome, done = outcome_of(answer), int(answer["done"])
        except JournalError as error:
            return DeskAnswer(partial(words.refused_words, str(error)), where=before)
        except (LiveError, LookupError, ValueError, TypeError):
            return DeskAnswer(words.silent_words, where=before)
        where = before
        match deed:
            case ImportStream():
                where = f"/games/{outcome.game}"
            case DeleteGame():
                where = "/games"
            case EraseName():
                where = "/players"
            case NamePlayers() | Annotate():
                pass
        return DeskAnswer(partial(words.changed_words, said, outcome), done, where)

    def _holder(self, *, simulated: bool) -> JournalHolder | None:
        """The program that changes the journal: the one that has it, else one with simulated games beside it."""
        beside = simulated_folder(self._shelf.folder)
        return holder_of(beside) if simulated else holder_of(self._shelf.folder) or holder_of(beside)


async def _answered(request: Request, name: str, answer: asyncio.Future[DeskAnswer]) -> Response:
    outcome = await asyncio.shield(answer)
    if kind_of(request) == JSON:
        if outcome.done is None:
            return JSONResponse({"refused": outcome.words}, 409, FORM_HEADERS)
        return JSONResponse({"done": outcome.done, "words": outcome.words}, headers=FORM_HEADERS)
    return RedirectResponse(_with(outcome.where, answer=name), 303, FORM_HEADERS)


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
            red, black = _names(fields)
            return NamePlayers(key.number, red or "", black or ""), key
        elif key is not None and what == "annotate":
            return Annotate(key.number, checked_remark(fields.get("text", ""))), key
        elif key is not None and what == "delete":
            return DeleteGame(key.number), key
    except JournalError:
        wrong = "name" if what == "erase" else "text"
        raise PostRefused(400, DeskRefusal.MALFORMED, wrong) from None
    raise PostRefused(400, DeskRefusal.MALFORMED)


def _names(fields: Mapping[str, str]) -> tuple[str | None, str | None]:
    return _name(fields, "red"), _name(fields, "black")


def _name(fields: Mapping[str, str], field: str) -> str | None:
    try:
        return checked_name(fields.get(field))
    except JournalError:
        raise PostRefused(400, DeskRefusal.MALFORMED, field) from None


def _shell_command(deed: AskedChange, *, simulated: bool) -> str:
    """The command that makes the same change in a shell."""
    which = "--simulated " if simulated else ""
    match deed:
        case NamePlayers(game):
            return f"tamsk-hw games name {which}{game} --red … --black …"
        case DeleteGame(game):
            return f"tamsk-hw games delete {which}{game}"
        case Annotate(game):
            return f"tamsk-hw games annotate {which}{game} …"
        case EraseName():
            return f"tamsk-hw games erase-name {which}…"
        case ImportStream():
            return f"tamsk-hw games import {which}FILE"
        case _:
            assert_never(deed)


def _page_of(deed: AskedChange, key: GameKey | None) -> str:
    """The page on which a change is asked for."""
    if isinstance(deed, EraseName):
        return _with("/players", name=deed.name)
    return "/games" if key is None else f"/games/{key}"


def _asking(deed: DeleteGame | EraseName, key: GameKey | None) -> str:
    """The page on which the question stands whether somebody is sure."""
    return _with(_page_of(deed, key), confirm="erase" if isinstance(deed, EraseName) else "delete")


def _with(address: str, **asked: str) -> str:
    """The address with more in its query."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"
