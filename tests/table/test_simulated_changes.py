"""Changes that are asked of a service at a simulated board: of its own games, and of the players' free journal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal import Archive, Journal
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import Annotate, DeleteGame
from tamsk_hw.journal.database import holder_of
from tamsk_hw.live.client import change_journal
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.requests import ImportPiece, ImportStream, Since, change_as_dict, pieces_of, read_request
from tamsk_hw.live.server import PendingRequest
from tamsk_hw.live.stream import Greeting, LiveStream, Names
from tamsk_hw.table.kept_games import KeptGames
from tamsk_hw.table.requests import RequestHandler
from tamsk_hw.table.simulated_run import SimulatedTable
from tamsk_hw.table.simulation import Simulation
from tests.journal.played import SITTING, played, write
from tests.web.archive_table import stream

PATIENCE = 60.0


class Simulated:
    """A simulated table with its kept games, asked by lines as a reader sends them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "live.sock"
        self.stream = LiveStream(Greeting(life="5f0c", program="0.2.0", board=None, simulated=True, speed=1.0))
        self.publisher = Publisher(self.stream)
        kept = KeptGames.open(folder, asked_at=self.socket)
        assert kept is not None
        self.kept = kept
        self.table = SimulatedTable(self._game, Ruleset(), 1.0, self.publisher, lambda notice: None, kept=kept)
        self.door = RequestHandler(self.publisher)
        self._asked: list[PendingRequest] = []
        self.publisher.take = self._take  # type: ignore[method-assign]

    @contextmanager
    def _game(self, ruleset: Ruleset, number: int, names: Names) -> Iterator[Simulation]:
        simulation = Simulation(ruleset, number, took=self.kept.took)
        yield simulation
        simulation.close()

    def _take(self) -> list[PendingRequest]:
        taken, self._asked = self._asked, []
        return taken

    def ask(self, line: dict[str, Any]) -> dict[str, Any]:
        request = read_request(line)
        if isinstance(request, ImportPiece):  # as the stream's server puts the pieces together
            request = ImportStream(request.text.encode(), request.red, request.black)
        assert not isinstance(request, Since)
        answers: list[dict[str, Any]] = []
        self._asked.append(PendingRequest(line.get("id"), request, answers.append))
        self.door.take(self.table, 0.0)
        end = time.monotonic() + PATIENCE
        while not answers and time.monotonic() < end:
            self.kept._journal.queue.wait_until_written(0.01)
        return answers[0]

    def close(self) -> None:
        with self.table:
            pass
        self.kept.close()


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Simulated]:
    """Game 1 of the players, and game 1 of the simulated ones."""
    write(tmp_path, played(), red="Ann")
    write(simulated_folder(tmp_path), played(), red="Sim")
    table = Simulated(tmp_path)
    yield table
    table.close()


def test_a_request_says_of_which_games_it_is(simulated: Simulated) -> None:
    players, own = Archive(simulated.folder), Archive(simulated_folder(simulated.folder))
    assert "done" in simulated.ask(change_as_dict(Annotate(1, "simulated"), simulated=True))
    assert "done" in simulated.ask(change_as_dict(Annotate(1, "played")))
    assert [each.text for each in own.load(1).annotations] == ["simulated"]
    assert [each.text for each in players.load(1).annotations] == ["played"]
    assert "done" in simulated.ask(change_as_dict(DeleteGame(1), simulated=True))
    assert [game.number for game in own.games()] == []
    assert [game.number for game in players.games()] == [1]


def test_a_stream_is_imported_into_the_players_journal(simulated: Simulated) -> None:
    [line] = pieces_of(ImportStream(stream("R5.2-fewest-rings"), "Bo", None))
    answer = simulated.ask(line)
    game = Archive(simulated.folder).load(answer["game"])
    assert (game.red, game.imported is not None) == ("Bo", True)
    assert len(Archive(simulated_folder(simulated.folder)).games()) == 1
    [bad] = pieces_of(ImportStream(b"nonsense"))
    assert "import line 1" in simulated.ask(bad)["refused"]


def test_a_journal_that_another_program_has_is_left_alone(simulated: Simulated) -> None:
    with Journal.open(simulated.folder) as journal:
        journal.begin_game(played().header, SITTING)
        refused = simulated.ask(change_as_dict(DeleteGame(1)))["refused"]
    assert "is held by process" in refused
    assert [game.number for game in Archive(simulated.folder).games()] == [1]


def test_who_has_which_journal_stands_beside_it(simulated: Simulated) -> None:
    holder = holder_of(simulated_folder(simulated.folder))
    assert holder is not None
    assert (holder.asked_at, holder.simulated) == (simulated.socket, True)
    assert holder_of(simulated.folder) is None
    with Journal.open(simulated.folder, asked_at=simulated.socket):
        holder = holder_of(simulated.folder)
        assert holder is not None
        assert (holder.asked_at, holder.simulated) == (simulated.socket, False)


def test_a_command_in_the_folder_of_simulated_games_asks_for_those(
    simulated: Simulated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its game 1 is not the players' game 1, though one service changes both."""
    sent: list[dict[str, Any]] = []

    def ask(place: Path, change: Any, *, simulated: bool) -> dict[str, Any]:
        sent.append(change_as_dict(change, simulated=simulated))
        return {"done": 1, "game": 1}

    monkeypatch.setattr("tamsk_hw.live.client.ask_owner", ask)
    change_journal(simulated_folder(simulated.folder), DeleteGame(1), 0.0, "")
    assert sent == [{"journal": {"delete": {"game": 1, "simulated": True}}}]


def test_the_players_of_the_current_simulated_game_are_renamed_for_everybody(simulated: Simulated) -> None:
    line = {"setup": {"names": {"red": "Ann", "black": "Bo"}}}
    assert "done" in simulated.ask(line)
    assert "done" in simulated.ask({"journal": {"erase": {"name": "Ann", "simulated": True}}})
    assert simulated.table.names == Names(red=None, black="Bo")


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_simulated_is_yes_or_no(value: Any) -> None:
    with pytest.raises(StreamError, match="true or false"):
        read_request({"journal": {"delete": {"game": 1, "simulated": value}}})
