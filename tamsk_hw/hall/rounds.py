"""The tournaments of a hall while they are played: rounds are sent to boards and started, and results come back.

A result is entered by itself only for the game that was set up for its pairing. Other games of the same two
entrants are `Tournaments.offers`, from which a person may take one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tamsk_hw.errors import HallError, LiveError, TamskError, printable
from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import Player
from tamsk_hw.hall.hall import TICK, Hall
from tamsk_hw.hall.lines import GameLines
from tamsk_hw.hall.store import Change, Store
from tamsk_hw.hall.tournament import Pairing, Result, System, Tournament, dealt, with_pairings
from tamsk_hw.live.stream import Names
from tamsk_hw.referee.rulings import GameOver, Reason, parse_ruling
from tamsk_hw.referee.view import Phase
from tamsk_hw.system.output import marked
from tamsk_hw.web.requests import START, request_for
from tamsk_hw.words.translating import tr, worded

#: Looks for the game that a board has set up, one a `TICK`.
LOOKS: Final = 20


def names_of(pairing: Pairing) -> Names:
    """The names of the players at their board."""
    return Names(red=pairing.red, black=pairing.black)


def result_of(lines: GameLines) -> Result | None:
    """The result of a game; None before its end, and if it was abandoned."""
    try:
        over = None if lines.over is None else parse_ruling(lines.over)
    except TamskError:  # of another version
        return None
    if not isinstance(over, GameOver) or over.reason is Reason.ABANDONED:
        return None
    return Result(over.winner, over.rings_left[Player.RED], over.rings_left[Player.BLACK])


def score(result: Result | None) -> str:
    """A result in figures: points, and the rings left; with signs in place of points where nobody played."""
    if result is None:
        return "–"
    points = {None: "½ : ½", Player.RED: "1 : 0", Player.BLACK: "0 : 1"}
    if result.red is None:
        points = {None: "− : −", Player.RED: "+ : −", Player.BLACK: "− : +"}
    return points[result.winner] + ("" if result.red is None else f" ({result.red} : {result.black})")


class Tournaments:
    """The tournaments of a hall by their names, each change of them on the disk."""

    def __init__(self, hall: Hall, store: Store, calendar: Callable[[], float]) -> None:
        """``calendar`` gives the seconds since 1970. Raises `HallError` when the store cannot be used."""
        self.all = store.tournaments()
        self.changes = 0
        """Counts up with each change of a tournament."""
        self.troubles: dict[tuple[str, int, int, str, str | None], str] = {}
        """The reason for which a board did not do what was last asked of it, by tournament, place and players."""
        self._hall = hall
        self._store = store
        self._calendar = calendar
        self.take_results()
        hall.watch(self.take_results)

    def log(self, name: str) -> list[Change]:
        """The changes of a tournament, the newest first."""
        return self._store.changes(name)

    def change(self, name: str, changed: Tournament, by: str, said: str, /, **given: object) -> None:
        """Keep a tournament as it is now; ``said`` is a marked sentence with its values. Raises `HallError`."""
        values = {key: str(value) for key, value in given.items()}
        self._store.change(name, changed, Change(self._calendar(), by, said, values))
        self.all[name] = changed
        self.changes += 1
        self._hall.changes += 1  # so that pages hear of it

    def remove(self, name: str) -> None:
        """Forget a tournament and its log. Raises `HallError`."""
        self._store.remove(name)
        del self.all[name]
        self.changes += 1
        self._hall.changes += 1

    def enter(self, name: str, pairing: Pairing, by: str) -> None:
        """Enter a pairing, with its result, at its table."""
        tournament = self.all[name]
        before = next(each for each in tournament.pairings if each.place == pairing.place)
        if before == pairing:
            return
        said = marked("Round {round}, table {table}, {red} – {black}: board {before} → {after}")
        old, new = before.board, pairing.board
        if before.result != pairing.result:
            said = marked("Round {round}, table {table}, {red} – {black}: {before} → {after}")
            old, new = score(before.result), score(pairing.result)
        given = {key: getattr(pairing, key) for key in ("round", "table", "red", "black")}
        changed = with_pairings(tournament, [pairing])
        self.change(name, changed, by, said, **given, before=old or "–", after=new or "–")

    # From the boards.

    def take_results(self) -> None:
        """Enter the results of all games that were set up for their pairings and are over. Raises `HallError`."""
        for name, tournament in self.all.items():
            for pairing in tournament.pairings:
                board = self._hall.boards.get(pairing.board or "")
                lines = None if board is None or pairing.result else board.games.get(pairing.game or "")
                if board and lines and lines.names == names_of(pairing) and (result := result_of(lines)):
                    self.enter(name, replace(pairing, result=result), board.name)

    def offers(self, name: str) -> Iterator[Pairing]:
        """The pairings without a result, as games would have it that were not set up for them; the newest first.

        The colours are those of the game.
        """
        known = {each.game for tournament in self.all.values() for each in tournament.pairings}
        missing = {frozenset((each.red, each.black)): each for each in self.all[name].pairings if not each.sides()}
        for board in self._hall:
            for lines in reversed(board.games.values()):
                red, black = lines.names.red, lines.names.black
                pairing = missing.get(frozenset((red or "", black))) if lines.key not in known else None
                if pairing and red and (result := result_of(lines)):
                    yield replace(pairing, red=red, black=black, result=result, board=board.name, game=lines.key)

    # To the boards.

    def phase(self, pairing: Pairing) -> Phase | None:
        """The phase of the pairing's game; None unless its board has that, and it is not over."""
        board = self._hall.boards.get(pairing.board or "")
        if board is None or board.game is None or board.game.key != pairing.game or board.game.over is not None:
            return None
        return None if board.table.scene is None else board.table.scene.view.phase

    def free_boards(self) -> list[str]:
        """The boards that are online and have no game of a tournament, in order."""
        busy = {each.board for one in self.all.values() for each in one.pairings if not each.sides()}
        return [board.name for board in self._hall if board.is_online and board.name not in busy]

    async def send(self, name: str, by: str) -> tuple[int, int]:
        """Set up the games of the current round at their boards; return how many are, and how many are not.

        A board that has its game is left alone, and a table without a board gets one that is free. Raises
        `HallError` when the store cannot be used.
        """
        level, said = self.all[name].level, marked("Round {round} is sent to the boards: {boards}")
        return await self._each(name, by, said, None, lambda each: self._set_up(each, by, level))

    async def start(self, name: str, by: str) -> tuple[int, int]:
        """Start the games of the current round that are set up, all at the same time; as `send`."""
        said = marked("Round {round} begins at the boards: {boards}")
        return await self._each(name, by, said, Phase.SETUP, lambda each: self._ask(each, by, request_for(START)))

    async def _each(
        self, name: str, by: str, said: str, phase: Phase | None, work: Callable[[Pairing], Awaitable[str | None]]
    ) -> tuple[int, int]:
        """Do the work, which returns a game's key, for all missing games that are in this phase.

        What is not set up yet counts as not done.
        """
        self.take_results()  # whose game is over needs no other
        one = self.all[name]

        async def attempt(pairing: Pairing) -> Pairing | None:
            place = name, *pairing.place, pairing.red, pairing.black
            self.troubles.pop(place, None)
            try:
                return replace(pairing, game=await work(pairing), result=None)
            except HallError as error:
                self.troubles[place] = str(error)
            except LiveError:
                self.troubles[place] = tr("The board has not answered.")
            return None

        missing = [
            each
            for each in one.pairings
            if each.round == one.rounds
            # a tied knock-out game is played again
            if not each.sides() or (one.system is System.KNOCK_OUT and each.winner is None)
        ]
        # a table that had no board gets one that is free by now
        ready = dealt(missing, () if phase else self.free_boards())
        placed = [(old, new, self.phase(new)) for old, new in zip(missing, ready, strict=True) if new.board]
        asked = [(old, new) for old, new, its in placed if its is phase]
        due = sum(its in (phase, None) for _, _, its in placed)
        made = await asyncio.gather(*(attempt(new) for _, new in asked))
        now = self.all[name]  # others may have changed it
        done = [new for (old, _), new in zip(asked, made, strict=True) if new and old in now.pairings]
        if done:
            boards = ", ".join(str(each.board) for each in done)
            self.change(name, with_pairings(now, done), by, said, round=one.rounds, boards=boards)
        return len(done), due - len(done)

    async def _ask(self, pairing: Pairing, by: str, request: Mapping[str, Any]) -> str | None:
        """Raises `HallError` if the board refuses, `LiveError` if it does not answer."""
        if pairing.board not in self._hall.boards:
            raise LiveError("there is no such board")
        answer = await self._hall.ask(pairing.board, by, request)
        if "refused" in answer:
            raise HallError(tr("The board refuses: {reason}", reason=worded(printable(answer["refused"]))))
        return pairing.game

    async def _set_up(self, pairing: Pairing, by: str, level: int) -> str | None:
        """Set up the pairing's game at its board; return the game's key. Raises as `_ask`."""
        board, names = self._hall.boards.get(pairing.board or ""), names_of(pairing)
        before = board.game.key if board and board.game else None
        await self._ask(pairing, by, {"setup": {"ruleset": {"level": level}, "names": to_json(names)}})
        for _ in range(LOOKS):
            game = None if board is None else board.game
            if game is not None and game.key != before and game.count >= 0 and game.names == names:
                return game.key
            await asyncio.sleep(TICK)
        raise LiveError("the board has set up a game and does not say which")
