"""The pages of a hall's tournaments: a list, and one for each, on paper a pairing sheet; and the same as files.

Everybody may read them; who is signed in as arbiter has forms.
"""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import HallError, StreamError, printable
from tamsk_hw.forms import from_json, to_json
from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.hall import tournament
from tamsk_hw.hall.hall import Hall
from tamsk_hw.hall.rounds import Tournaments, score
from tamsk_hw.hall.tournament import Entrant, Pairing, Result, System, Tournament
from tamsk_hw.system.output import marked
from tamsk_hw.web.gate import DeskAnswer, PostGuard, malformed, posted_name, read_fields, read_upload
from tamsk_hw.web.pages import Pages, with_query
from tamsk_hw.words.translating import tr

#: The fields of a result, which the question before a correction keeps.
_RESULT: Final = ("round", "table", "winner", "red", "black", "board")

#: The most fields of a form: a round by hand has two for each table.
_MOST_FIELDS: Final = 300


class TournamentPages:
    """The pages of the tournaments, with forms for who is signed in by ``guard``."""

    def __init__(self, pages: Pages, guard: PostGuard, hall: Hall, tournaments: Tournaments) -> None:
        self._pages = pages
        self._guard = guard
        self._hall = hall
        self._every = tournaments
        self._turn = asyncio.Lock()

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of the tournaments."""
        return [
            self._guard.route("/tournament/change", self.change),
            self._guard.route("/tournament/import", self.add),
            Route("/tournament", self.listed),
            Route("/tournament/{name}", self.one),
            Route("/tournament/{name}/{file}", self.file),
        ]

    async def listed(self, request: Request) -> Response:
        """``/tournament``: all tournaments."""
        return self._guard.form_page(request, "tournaments.html", every=self._every, at=_at, systems=System)

    async def one(self, request: Request) -> Response:
        """``/tournament/NAME``: the rounds with boards and results, the standings, what was changed."""
        name = request.path_params["name"]
        if (one := self._every.all.get(name)) is None:
            return self._pages.missing(request)
        asked = {key: request.query_params.get(key, "") for key in ("confirm", *_RESULT)}
        more = {"ranking": tournament.standings(one), "score": score, "asked": asked, "results": _RESULT}
        every = {"every": self._every, "hall": self._hall, "one": one, "name": name, "at": _at(name)}
        return self._guard.form_page(request, "tournament.html", **every, **more)

    async def file(self, request: Request) -> Response:
        """``/tournament/NAME/standings.csv``, ``rounds.csv`` and ``tournament.json``."""
        name, file = request.path_params["name"], request.path_params["file"]
        if name not in self._every.all or file not in _FILES:
            return self._pages.missing(request)
        media_type, make = _FILES[file]
        headers = {"Content-Disposition": f'attachment; filename="{file}"', "Cache-Control": "no-store"}
        return Response(make(self._every.all[name]).encode(), headers=headers, media_type=media_type)

    # The arbiter's changes

    async def add(self, request: Request) -> Response:
        """Take in a tournament that was exported."""
        self._guard.signed_in(request)
        fields, content = await read_upload(request)
        return await self._guard.do_once(request, fields, lambda: self._answer(request, fields, content))

    async def change(self, request: Request) -> Response:
        """Do what a form asks for; a result is corrected after a question if a later round is paired."""
        fields = await read_fields(request, _MOST_FIELDS)

        def begin() -> Coroutine[Any, Any, DeskAnswer] | str:
            one = self._every.all.get(fields.get("tournament", ""))
            is_sure = fields.get("change") != "result" or fields.get("confirmed") == "yes"
            if one is None or is_sure or _number(fields, "round") >= one.rounds:
                return self._answer(request, fields)
            asked = {key: fields.get(key, "") for key in _RESULT}
            return with_query(_at(fields["tournament"]), confirm="yes", **asked)

        return await self._guard.do_once(request, fields, begin)

    async def _answer(self, request: Request, fields: Mapping[str, str], content: bytes = b"") -> DeskAnswer:
        """Do what a form asks for, one after the other; the answer stands on the page of the tournament."""
        by, name = self._guard.signed_in(request).name, posted_name(fields, "tournament") or ""
        is_new, refused = fields.get("change") in ("new", "import"), ""
        try:
            async with self._turn:
                one = self._every.all.get(name)
                if is_new:
                    self._begin(name, by, fields, content)
                elif one is not None:
                    await self._do(name, one, by, fields)
                else:
                    raise malformed("tournament")
        except HallError as error:
            refused = str(error)
        where = "/tournament" if name not in self._every.all or (is_new and refused) else _at(name)
        done, draft = (None, fields) if refused else (True, {})
        return DeskAnswer(lambda: refused or tr("Done."), where, done, draft)

    def _begin(self, name: str, by: str, fields: Mapping[str, str], content: bytes) -> None:
        """Begin a tournament. Raises `HallError`, and `HTTPException` for what no form sends."""
        if not name or name in self._every.all or name.startswith(".") or "/" in name:
            raise HallError(tr("A tournament needs a name of its own, without / and without a full stop first."))
        if fields["change"] == "import":
            try:
                one = from_json(tournament.Overview, json.loads(content), "file").tournament
                _exported(one).encode()  # what no page could show is refused
            except (StreamError, ValueError, RecursionError) as error:
                raise HallError(tr("That is no exported tournament ({why}).", why=printable(str(error)))) from None
        else:
            lines = fields.get("entrants", "").splitlines()
            names = [each for line in lines if (each := posted_name({"entrants": line}, "entrants"))]
            systems, level = {each.value: each for each in System}, _number(fields, "level")
            if (system := systems.get(fields.get("system", ""))) is None or level not in (1, 2, 3):
                raise malformed()
            one = Tournament(system, tuple(map(Entrant, names)), level=level)
        self._every.change(name, one, by, marked("Entrants: {count}"), count=len(one.entrants))

    async def _do(self, name: str, one: Tournament, by: str, fields: Mapping[str, str]) -> None:
        """Change a tournament. Raises as `_begin`."""
        what, every, entrant, last = fields.get("change"), self._every, posted_name(fields, "entrant"), one.rounds
        if what in ("pair", "hand"):
            if _number(fields, "round") != last + 1:
                raise HallError(tr("Round {round} is paired already.", round=last))
            if what == "hand":
                new = tournament.round_by_hand(one, _pairs(one, fields))
            else:  # seconds for many entrants
                new = await asyncio.to_thread(tournament.next_round, one)
            if not new:
                raise HallError(tr("By its system no round follows; one can be given by hand."))
            changed = replace(one, pairings=(*one.pairings, *tournament.dealt(new, every.free_boards())))
            every.change(name, changed, by, marked("Round {round} is paired."), round=last + 1)
        elif what == "unpair":
            if any(each.round == last and each.result for each in one.pairings):
                raise HallError(tr("Round {round} has results; it stays.", round=last))
            changed = replace(one, pairings=tuple(each for each in one.pairings if each.round < last))
            every.change(name, changed, by, marked("Round {round} is taken back."), round=last)
        elif what == "remove":
            if last:
                raise HallError(tr("Round {round} is paired already.", round=last))
            every.remove(name)
        elif what in ("send", "start"):
            done, failed = await (every.send if what == "send" else every.start)(name, by)
            if failed or not done:
                raise HallError(
                    tr("Boards that did it: {done}, that did not: {failed}.", done=done, failed=failed)
                )
        elif what == "result":
            every.enter(name, _with_result(one, fields), by)
        elif what == "take":
            wanted = (_number(fields, "round"), _number(fields, "table"), fields.get("game"))
            taken = [each for each in every.offers(name) if (*each.place, each.game) == wanted]
            if not taken:
                raise HallError(tr("This game cannot be taken any more."))
            every.enter(name, taken[0], by)
        elif what == "enter" and entrant:
            if one.system is System.KNOCK_OUT and last:
                raise HallError(tr("Nobody can enter a knock-out after its first round is paired."))
            changed = replace(one, entrants=(*one.entrants, Entrant(entrant)))
            every.change(name, changed, by, marked("{entrant} enters."), entrant=entrant)
        elif what == "withdraw" and any(each.name == entrant for each in one.entrants):
            now = (replace(each, withdrawn=each.withdrawn ^ (each.name == entrant)) for each in one.entrants)
            said = marked("{entrant} withdraws.") if entrant in one.active else marked("{entrant} comes back.")
            every.change(name, replace(one, entrants=tuple(now)), by, said, entrant=entrant)
        else:
            raise malformed("change")


def _at(name: str) -> str:
    """The address of a tournament's page."""
    return f"/tournament/{quote(name, safe='')}"


def _exported(one: Tournament) -> str:
    return json.dumps(to_json(tournament.Overview(one, tournament.standings(one))), ensure_ascii=False, indent=1)


_FILES: Final = {
    "standings.csv": ("text/csv; charset=utf-8", tournament.standings_csv),
    "rounds.csv": ("text/csv; charset=utf-8", tournament.rounds_csv),
    "tournament.json": ("application/json", _exported),
}


def _number(fields: Mapping[str, str], field: str) -> int:
    """A number of a form. Raises `HTTPException` for anything else."""
    text = fields.get(field, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise malformed(field)
    return int(text)


def _pairs(one: Tournament, fields: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """The pairs of a form for a round: places among the entrants, from 0, as red-1, black-1 and so on."""
    pairs: list[tuple[str, str | None]] = []
    for table in range(1, len(one.entrants) + 1):
        seats = [field for player in PLAYERS if fields.get(field := f"{player.value}-{table}")]
        try:
            names = [one.entrants[_number(fields, field)].name for field in seats]
        except IndexError:
            raise malformed(seats[0]) from None
        if names:
            pairs.append((names[0], names[1] if names[1:] else None))
    return pairs


def _with_result(one: Tournament, fields: Mapping[str, str]) -> Pairing:
    """The pairing with the board and the result of a form; where it says so, the rings name the winner."""
    place = _number(fields, "round"), _number(fields, "table")
    pairing = next((each for each in one.pairings if each.place == place and each.black), None)
    winner, board = fields.get("winner", ""), fields.get("board") or None
    if pairing is None or winner not in ("", "nobody", "red", "black"):
        raise malformed("winner")
    red, black = (_number(fields, player.value) if fields.get(player.value) else None for player in PLAYERS)
    if not winner and red is not None and black is not None and red != black:
        winner = "red" if red < black else "black"
    result = None
    if winner or red is not None or black is not None:
        result = Result(Player(winner) if winner in ("red", "black") else None, red, black)
    is_same = board == pairing.board and (result is not None or pairing.result is None)
    return replace(pairing, result=result, board=board, game=pairing.game if is_same else None)
